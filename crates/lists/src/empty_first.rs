//! [`EmptyFirst`]: the empty list, which minimizers do not propose, then the proposals of a minimizer.
//!
//! Cost: one test more than the minimizer alone, and one test in all if the list can be empty.

use whittle_search::Proposer;

use crate::{Minimizer, Subset};

/// A minimizer that tries the empty list first.
#[derive(Clone, Debug)]
pub struct EmptyFirst<M> {
    minimizer: M,
    /// What is known of the empty list.
    empty: Empty,
}

#[derive(Clone, Debug)]
enum Empty {
    Untested,
    Accepted(Subset),
    Failed,
}

impl<M: Minimizer> EmptyFirst<M> {
    /// Tries the empty list, then what `minimizer` proposes.
    pub fn new(minimizer: M) -> Self {
        Self { minimizer, empty: Empty::Untested }
    }

    /// Tries only what `minimizer` proposes: for lists that need an element.
    pub fn not_empty(minimizer: M) -> Self {
        Self { minimizer, empty: Empty::Failed }
    }

    /// The elements that are kept so far.
    pub fn current(&self) -> &Subset {
        match &self.empty {
            Empty::Accepted(none) => none,
            Empty::Untested | Empty::Failed => self.minimizer.current(),
        }
    }
}

impl<M: Minimizer> Proposer for EmptyFirst<M> {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        match &self.empty {
            Empty::Untested => Some(Subset::default()),
            Empty::Accepted(_) => None,
            Empty::Failed => self.minimizer.propose(),
        }
    }

    fn is_done(&self) -> bool {
        match &self.empty {
            Empty::Untested => false,
            Empty::Accepted(_) => true,
            Empty::Failed => self.minimizer.is_done(),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match &self.empty {
            Empty::Untested if interesting => self.empty = Empty::Accepted(Subset::default()),
            Empty::Untested => self.empty = Empty::Failed,
            Empty::Accepted(_) => {}
            Empty::Failed => self.minimizer.observe(interesting),
        }
    }
}
