//! Long texts, which runs parse in pieces: without errors, their tree is that of the whole text, before edits and after them.

use whittle_trees::{Edit, Edits, Kind, NodeId, Syntax, Tree};

use crate::{file, restored};

/// Texts up to this length are parsed as a whole, in bytes.
const WHOLE: usize = 128 << 10;

/// How many times a text is edited.
const STEPS: usize = 3;

/// How many elements are deleted at one place, at most.
const DELETED: usize = 200;

/// Compares the trees of a text, and of what some deletions leave of it, with those of a parse of the whole. Returns how many
/// were compared, or where they differ. With errors, nothing is promised.
pub fn compare(syntax: &Syntax, text: &[u8]) -> Result<usize, String> {
    let mut random = fastrand::Rng::with_seed(text.len() as u64);
    let mut file = file(text);
    let mut compared = 0;
    for step in 0..STEPS {
        if file.bytes().len() <= WHOLE || syntax.count_of(&file).is_none_or(|count| count.errors > 0) {
            break;
        }
        let tree = restored(syntax, &file);
        let whole = syntax.count(file.bytes());
        // What is too much for the parser as a whole may not be so in pieces.
        if whole.is_some_and(|count| count.errors == 0) {
            if syntax.count_of(&file) != whole {
                return Err(format!("step {step}: {:?} in pieces, {whole:?} as a whole", syntax.count_of(&file)));
            }
            if let Some(node) = first_difference(&tree, &syntax.tree(file.bytes())) {
                return Err(format!("step {step}: another tree at byte {}", tree.token_range(node).start));
            }
            compared += 1;
        }
        file = syntax.edited(&file, &some_deletions(&tree, &mut random));
    }
    Ok(compared)
}

/// The first node of a tree that is not in the other, at the same place.
fn first_difference(tree: &Tree, other: &Tree) -> Option<NodeId> {
    let facts = |tree: &Tree, node| (tree.kind(node), tree.parent(node), tree.token_range(node));
    let differs = tree.nodes().zip(other.nodes()).find(|&(node, same)| facts(tree, node) != facts(other, same));
    differs.map(|(node, _)| node).or_else(|| (tree.len() != other.len()).then(|| tree.root()))
}

/// Deletes elements of the longest list and of others.
fn some_deletions(tree: &Tree, random: &mut fastrand::Rng) -> Edits {
    let lists: Vec<NodeId> = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. })).collect();
    let longest = lists.iter().copied().max_by_key(|&list| tree.elements(list).count());
    let others = (0..2).filter_map(|_| random.choice(&lists).copied());
    let mut edits = Vec::new();
    for list in longest.into_iter().chain(others.collect::<Vec<_>>()) {
        let elements: Vec<NodeId> = tree.elements(list).collect();
        let start = random.usize(..=elements.len());
        let end = (start + random.usize(..DELETED)).min(elements.len());
        edits.extend(elements[start..end].iter().map(|&element| (element, Edit::Delete)));
    }
    edits.into_iter().collect()
}
