//! The other template that the paper names: two neighbours among a node's children change places.
//!
//! That makes nothing smaller, so it is worth something only if another template gets further afterwards.

use super::labeled::Labeled;
use super::template::{Change, Manner, Template};
use crate::NodeId;

pub(super) struct SwapSiblings;

impl Template for SwapSiblings {
    fn name(&self) -> &'static str {
        "swap-siblings"
    }

    fn manner(&self) -> Manner {
        Manner::Restructuring
    }

    /// Separators stay where they are, and are no siblings.
    fn candidates(&self, tree: &Labeled, node: NodeId) -> Vec<Change> {
        let siblings: Vec<NodeId> = tree.children(node).filter(|&child| !tree.is_separator(child)).collect();
        siblings.windows(2).map(|pair| Change::Swap(pair[0], pair[1])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::labeled::testing::labeled;
    use super::*;

    #[test]
    fn neighbours_change_places() {
        let tree = labeled("Call(callee:f argument:a argument:b)");
        let swaps = SwapSiblings.candidates(&tree, NodeId(0));
        assert_eq!(swaps, [Change::Swap(NodeId(1), NodeId(2)), Change::Swap(NodeId(2), NodeId(3))]);
    }
}
