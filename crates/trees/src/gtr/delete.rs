//! The deletion template (algorithm 1): a node is deleted with everything below it.

use super::labeled::Labeled;
use super::template::{Change, Manner, Template};
use crate::NodeId;

pub(super) struct Delete;

impl Template for Delete {
    fn name(&self) -> &'static str {
        "delete"
    }

    fn manner(&self) -> Manner {
        Manner::AtMostOne
    }

    fn candidates(&self, _: &Labeled, _: NodeId) -> Vec<Change> {
        vec![Change::Delete]
    }
}
