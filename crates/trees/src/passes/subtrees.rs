//! Sub-trees (Vulcan's sub-tree replacement): a node is replaced by a smaller one from elsewhere in the text.
//!
//! The grammar must allow the replacement. The largest nodes come first, and for each the smallest replacements; equal
//! texts are tried once. Beyond the paper, zero is tried wherever the parser accepts it, and also for a keyword by itself:
//! `None` and `pass` have more letters.
//!
//! Promise: no node can be replaced by one of the `most` smallest nodes that fit its place.
//! Cost: up to `most` + 1 tests for each of the largest 2,000 nodes.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use whittle_search::{Search, Stages, Stop};

use crate::reduce::{EditSet, Stage, Workpiece};
use crate::{Edit, Memory, NodeId, Workshop};

/// One pass over all nodes, with at most so many replacements for each.
pub(crate) fn subtrees(
    search: &mut Search,
    workshop: &Workshop,
    memory: Option<&Memory>,
    most: usize,
) -> Result<(), Stop> {
    let Some(piece) = workshop.take_checked(search) else { return Ok(()) };
    let piece = piece.with_memory(memory);
    let mut nodes: Vec<NodeId> = piece.tree().nodes().filter(|&node| piece.tree().slot(node).is_some()).collect();
    nodes.sort_by_key(|&node| Reverse(piece.tokens(node)));
    nodes.truncate(MAX_NODES);
    let choices = nodes.into_iter().map(|node| Choice { node, sets: OnceLock::new() }).collect();
    let pass = Pass { piece: piece.clone(), choices, begun: 0, replaced: Vec::new(), most };
    piece.remember(piece.work.run_stages(search, pass)?.failed());
    Ok(())
}

#[derive(Clone)]
struct Pass<'a> {
    piece: Workpiece<'a>,
    /// Clones share what they find out.
    choices: Arc<[Choice]>,
    /// How many nodes have had their turn, or have it now.
    begun: usize,
    /// The nodes that were replaced, each with the number of replacements that had failed before.
    replaced: Vec<(NodeId, usize)>,
    most: usize,
}

/// A node and what may replace it, once that is asked for.
struct Choice {
    node: NodeId,
    sets: OnceLock<Vec<EditSet>>,
}

impl Stages for Pass<'_> {
    type Stage = Stage;

    fn begin(&mut self) -> Option<Stage> {
        while let Some(choice) = self.choices.get(self.begun) {
            self.begun += 1;
            if !self.is_gone(choice.node) {
                return Some(self.piece.work.first_of(self.sets(choice).to_vec()));
            }
        }
        None
    }

    fn end(&mut self, stage: Stage) {
        let taken = self.piece.work.take(&stage).into_iter().flatten();
        self.replaced.extend(taken.map(|(node, _)| (node, stage.failed().len())));
    }
}

impl Pass<'_> {
    /// Whether a node is within another that was replaced.
    fn is_gone(&self, node: NodeId) -> bool {
        let tree = self.piece.tree();
        self.replaced.iter().any(|&(outer, _)| outer != node && tree.is_within(node, outer))
    }

    /// What may replace a node, and is not known to fail.
    fn sets<'c>(&self, choice: &'c Choice) -> &'c [EditSet] {
        choice.sets.get_or_init(|| {
            let edits = replacements(&self.piece, choice.node, self.most).into_iter();
            let sets = edits.map(|edit| vec![(choice.node, edit)]);
            sets.filter(|set| !self.piece.is_known_to_fail(set)).collect()
        })
    }

    /// What was tried and failed.
    fn failed(&self) -> impl Iterator<Item = &EditSet> {
        let tried = self.choices[..self.begun].iter().filter(|choice| !self.is_gone(choice.node));
        tried.flat_map(|choice| {
            let replaced = self.replaced.iter().find(|&&(node, _)| node == choice.node);
            let sets = self.sets(choice);
            &sets[..replaced.map_or(sets.len(), |&(_, failed)| failed)]
        })
    }
}

/// How many nodes get replacements: all other nodes are looked at for each of them. Not measured.
const MAX_NODES: usize = 2_000;

/// The replacements of a node: zero, and smaller nodes from elsewhere.
fn replacements(piece: &Workpiece<'_>, node: NodeId, most: usize) -> Vec<Edit> {
    let tree = piece.tree();
    let sources = sources(piece, node, most);
    let is_zero = |&source: &NodeId| tree.is_token(source) && tree.token_text(source) == b"0";
    let is_small = piece.tokens(node) < 2 && !is_keyword(piece, node);
    let has_zero = is_small || sources.iter().any(is_zero);
    let zero = (!has_zero).then_some(Edit::Zero);
    zero.into_iter().chain(sources.into_iter().map(Edit::Copy)).collect()
}

/// Whether a node is a keyword and nothing else.
fn is_keyword(piece: &Workpiece<'_>, node: NodeId) -> bool {
    let tree = piece.tree();
    let is_long_word = |token| tree.is_keyword(token) && tree.token_text(token).len() > 1;
    piece.tokens(node) == 1 && tree.tokens(node).any(is_long_word)
}

/// The smallest nodes from elsewhere that fit the place of a node.
fn sources(piece: &Workpiece<'_>, node: NodeId, most: usize) -> Vec<NodeId> {
    let tree = piece.tree();
    let is_smaller = |&source: &NodeId| (1..piece.tokens(node)).contains(&piece.tokens(source));
    let mut found: Vec<NodeId> =
        tree.nodes().filter(is_smaller).filter(|&source| tree.can_copy(source, node)).collect();
    found.sort_by_key(|&source| piece.tokens(source));
    let mut seen = HashSet::new();
    let text = |source: NodeId| tree.tokens(source).map(|token| tree.token_text(token)).collect::<Vec<_>>();
    found.into_iter().filter(|&source| seen.insert(text(source))).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax};

    #[test]
    fn a_node_becomes_a_smaller_one_from_elsewhere() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        // Two equal elements are asked for, and there is one small one.
        let is_interesting = |text: &str| {
            let elements: Vec<&str> = text.trim_matches(['[', ']']).split(", ").collect();
            elements.len() == 2 && elements[1] == "7" && (elements[0] == "7" || text == "[{\"a\": 1}, 7]")
        };
        let end = ends_with("[{\"a\": 1}, 7]", is_interesting, |search| subtrees(search, &workshop, None, 8));
        assert_eq!(end, "[7, 7]");
    }

    #[test]
    fn a_keyword_by_itself_becomes_zero() {
        let workshop = Workshop { syntax: Some(syntax("python")), ..Workshop::default() };
        let keeps_shape =
            |text: &str| text.starts_with("def f(): ") && text.contains("x = ") && !text.ends_with("= \n");
        let text = "def f(): pass\nx = None\n";
        let end = ends_with(text, keeps_shape, |search| subtrees(search, &workshop, None, 8));
        assert_eq!(end, "def f(): 0\nx = 0\n");
    }

    #[test]
    fn what_the_place_does_not_accept_is_no_replacement() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let text = "int f(void) { return 1 + 2; }";
        let asked = crate::reduce::testing::tests_of(
            text,
            move |asked| asked == text,
            |search| subtrees(search, &workshop, None, 100),
        );
        let parses = |text: &str| syntax("c").errors(text.as_bytes()).unwrap().count() == 0;
        assert!(!asked.is_empty() && asked.iter().all(|text| parses(text)), "{asked:?}");
    }
}
