//! [`Leaf`]: where the tree of proposals can grow. Leaves are ordered by how likely sequential order is to come there.

use std::cmp::Ordering;

use crate::workers::JobId;

/// A place in the tree where a proposal is not tested yet.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    /// How likely sequential order is to come there.
    pub(crate) chance: f64,
    /// The proposal before it, and its outcome; `None` at the root.
    pub(crate) after: Option<(JobId, bool)>,
    /// Whether the candidate before it is there already, if it has to be smaller than that one.
    pub(crate) is_ready: bool,
    /// Whether the proposer is known to have nothing to propose there.
    pub(crate) is_end: bool,
}

impl Leaf {
    /// Where the first proposal goes.
    pub(crate) const ROOT: Self = Self { chance: 1.0, after: None, is_ready: true, is_end: false };

    pub(crate) fn assumes_success(&self) -> bool {
        self.after.is_some_and(|(_, success)| success)
    }
}

impl Ord for Leaf {
    /// The likelier one is greater; of equals, the one handed out first.
    fn cmp(&self, other: &Self) -> Ordering {
        self.chance.total_cmp(&other.chance).then_with(|| other.after.cmp(&self.after))
    }
}

impl PartialOrd for Leaf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Leaf {}
