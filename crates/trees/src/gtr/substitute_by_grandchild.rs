//! The template that the paper names as a further example: a child's child takes a node's place.
//!
//! It reaches over a node that cannot stand in that place itself, as the pairs of a JSON object cannot stand where the
//! object does, but their values can.

use super::labeled::Labeled;
use super::substitute_by_child::substitutes;
use super::template::{Change, Manner, Template};
use crate::NodeId;

pub(super) struct SubstituteByGrandchild;

impl Template for SubstituteByGrandchild {
    fn name(&self) -> &'static str {
        "substitute-by-grandchild"
    }

    fn manner(&self) -> Manner {
        Manner::Many
    }

    fn candidates(&self, tree: &Labeled, node: NodeId) -> Vec<Change> {
        let below = substitutes(tree, node).into_iter().flat_map(|child| substitutes(tree, child));
        below.map(Change::Substitute).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::labeled::testing::{FIGURE_1, labeled};
    use super::*;

    #[test]
    fn the_candidates_for_the_running_example_are_what_the_blocks_and_the_operator_hold() {
        let tree = labeled(FIGURE_1);
        let size = |change: &Change| match change {
            Change::Substitute(node) => tree.size(*node),
            Change::Delete | Change::Swap(..) => 0,
        };
        let candidates = SubstituteByGrandchild.candidates(&tree, NodeId(0));
        assert_eq!(candidates.iter().map(size).collect::<Vec<_>>(), [1, 2, 6, 6]);
    }
}
