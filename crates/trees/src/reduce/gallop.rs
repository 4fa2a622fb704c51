//! [`Gallop`]: a node is replaced by one far below it, found by binary search.
//!
//! Where many nodes of one kind are nested, such as brackets, blocks, chains of `else if` or of operators, replacing each
//! by the one below costs a test for each level. If the innermost part matters, every node that holds it can take the
//! place of the outermost, so the deepest such node is found in a logarithmic number of tests.
//!
//! Promise: none, if nothing far below can take the place. Cost: the logarithm of the depth in tests.

use std::sync::Arc;

use super::workpiece::Workpiece;
use crate::{Edit, NodeId};

/// How many nested nodes must be able to take a place. With fewer, the logarithm saves little. Not measured.
const MIN_REPLACEMENTS: usize = 16;

/// A binary search for the deepest node that can take a place.
#[derive(Clone, Debug)]
pub(crate) struct Gallop {
    pub(crate) place: NodeId,
    /// What may take the place, each within the one before; the first one is there now.
    nested: Arc<Vec<NodeId>>,
    /// The deepest that works.
    works: usize,
    /// The first that is known to fail, or the end.
    fails: usize,
}

impl Gallop {
    /// Starts at the top of a path of nested nodes; `None` if too few of them can take the place.
    pub(crate) fn new(piece: &Workpiece<'_>, place: NodeId, path: &[NodeId]) -> Option<Self> {
        let (&node, below) = path.split_first()?;
        if below.len() < MIN_REPLACEMENTS {
            return None;
        }
        let fits =
            |inner: &&NodeId| piece.tokens(**inner) < piece.tokens(node) && piece.tree().suits_place(**inner, place);
        let nested: Vec<NodeId> = std::iter::once(node).chain(below.iter().filter(fits).copied()).collect();
        let fails = nested.len();
        (fails > MIN_REPLACEMENTS).then(|| Self { place, nested: Arc::new(nested), works: 0, fails })
    }

    /// What is in the place before.
    pub(crate) fn node(&self) -> NodeId {
        self.nested[0]
    }

    /// The deepest node that works so far.
    pub(crate) fn best(&self) -> NodeId {
        self.nested[self.works]
    }

    /// The edit to try next.
    pub(crate) fn next(&self) -> (NodeId, Edit) {
        (self.place, Edit::Hoist(self.nested[self.middle()]))
    }

    /// Whether the last edit worked.
    pub(crate) fn observe(&mut self, works: bool) {
        let middle = self.middle();
        if works {
            self.works = middle;
        } else {
            self.fails = middle;
        }
    }

    /// Whether nothing is left to try.
    pub(crate) fn is_done(&self) -> bool {
        self.fails - self.works < 2
    }

    fn middle(&self) -> usize {
        usize::midpoint(self.works, self.fails)
    }
}

/// A node, then always the child with most tokens; of several, one that has children.
pub(crate) fn heavy_path(piece: &Workpiece<'_>, node: NodeId) -> Vec<NodeId> {
    let tree = piece.tree();
    let weight = |&child: &NodeId| (piece.tokens(child), !tree.is_token(child));
    let heaviest = |&node: &NodeId| tree.children(node).max_by_key(weight);
    std::iter::successors(Some(node), heaviest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{search_at, syntax};
    use super::super::workpiece::Workshop;
    use super::*;

    /// How many edits are tried, and what is left of an array in so many others if it must hold `needed` levels.
    fn run(levels: usize, needed: u32) -> Option<(usize, u32)> {
        let text = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let piece = workshop.take(&search_at(&text));
        let tree = piece.tree();
        let array = tree.nodes().find(|&node| tree.symbol(node).is_some() && node != tree.root())?;
        let mut gallop = Gallop::new(&piece, array, &heavy_path(&piece, array))?;
        let mut tries = 0;
        while !gallop.is_done() {
            let (_, Edit::Hoist(inner)) = gallop.next() else { return None };
            gallop.observe(piece.tokens(inner) > 2 * needed);
            tries += 1;
        }
        Some((tries, piece.tokens(gallop.best()) / 2))
    }

    #[test]
    fn the_deepest_level_that_works_is_found_in_logarithmic_time() {
        for needed in [0, 3, 500, 999] {
            let (tries, left) = run(1000, needed).unwrap();
            assert_eq!(left, needed);
            assert!(tries <= 11, "{tries} tries");
        }
    }

    #[test]
    fn a_few_levels_are_left_to_others() {
        assert_eq!(run(10, 0), None);
    }
}
