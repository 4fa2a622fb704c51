//! The descendants that may replace a node: those that its place accepts.

use std::collections::VecDeque;

use super::workpiece::Workpiece;
use crate::NodeId;

/// How many levels of the parser's tree below a node are looked at; lists and optionals do not count. Not measured.
const MAX_LEVELS: usize = 5;

/// How many descendants are considered. Not measured.
const MAX_REPLACEMENTS: usize = 100;

/// How many replacements a fast pass tries. With only one, tests were a tenth fewer, but SDCC's bug ended two tokens
/// larger (`docs/decisions/0004-haste-then-care.md`).
const FAST_PASS_REPLACEMENTS: usize = 4;

/// The descendants of `node` that can take its `place` (which is the node itself, unless it has been hoisted there):
/// found breadth-first, the smallest first. A list can take the place of a list's element, and is then spliced in.
pub(crate) fn replacements(piece: &Workpiece<'_>, node: NodeId, place: NodeId) -> Vec<NodeId> {
    let mut found = find(piece, node, place);
    found.sort_by_key(|&inner| piece.tokens(inner));
    found
}

/// The largest of the replacements that are not within another one, largest first. If one of them works, its own
/// replacements come next; if none does, smaller ones seldom do.
pub(crate) fn largest_replacements(piece: &Workpiece<'_>, node: NodeId, place: NodeId) -> Vec<NodeId> {
    let all = replacements(piece, node, place);
    let is_outermost =
        |inner: &NodeId| !all.iter().any(|outer| outer != inner && piece.tree().is_within(*inner, *outer));
    all.iter().rev().copied().filter(is_outermost).take(FAST_PASS_REPLACEMENTS).collect()
}

fn find(piece: &Workpiece<'_>, node: NodeId, place: NodeId) -> Vec<NodeId> {
    let tree = piece.tree();
    let mut found = Vec::new();
    let mut waiting: VecDeque<(NodeId, usize)> = tree.children(node).map(|child| (child, 1)).collect();
    while let Some((inner, depth)) = waiting.pop_front() {
        if piece.tokens(inner) < piece.tokens(node) && tree.can_hoist(inner, place) {
            found.push(inner);
            if found.len() == MAX_REPLACEMENTS {
                break;
            }
        }
        let below = depth + usize::from(tree.symbol(inner).is_some());
        if below <= MAX_LEVELS {
            waiting.extend(tree.children(inner).map(|child| (child, below)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::testing::{search_at, syntax};
    use super::super::workpiece::Workshop;
    use super::*;

    /// The replacements of the outermost array of a JSON text, as texts.
    fn of_array(text: &str, find: fn(&Workpiece<'_>, NodeId, NodeId) -> Vec<NodeId>) -> Vec<String> {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let piece = workshop.take(&search_at(text));
        let tree = piece.tree();
        let array = tree.nodes().find(|&node| tree.symbol(node).is_some() && node != tree.root()).unwrap();
        let tokens = |node| tree.tokens(node).flat_map(|token| tree.token_text(token).to_vec()).collect();
        let shown = |node| String::from_utf8(tokens(node)).unwrap();
        find(&piece, array, array).into_iter().map(shown).collect()
    }

    #[test]
    fn the_smallest_comes_first_and_what_is_deeper_than_five_levels_is_not_looked_at() {
        let found = of_array("[[[[[[[]]]]]]]", replacements);
        assert_eq!(found, ["[[]]", "[[[]]]", "[[[[]]]]", "[[[[[]]]]]", "[[[[[[]]]]]]"]);
    }

    #[test]
    fn at_most_a_hundred_are_considered() {
        let numbers: Vec<String> = (0..120).map(|number| number.to_string()).collect();
        assert_eq!(of_array(&format!("[{}]", numbers.join(",")), replacements), numbers[..MAX_REPLACEMENTS]);
    }

    #[test]
    fn a_fast_pass_tries_only_the_largest_that_are_in_no_other() {
        let found = of_array("[[1,2],[3],[4,[5]],[6],7]", largest_replacements);
        assert_eq!(found, ["[4,[5]]", "[1,2]", "[6]", "[3]"]);
    }
}
