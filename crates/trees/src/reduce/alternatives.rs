//! [`Alternatives`]: several edits of which the first that works is taken.

use whittle_search::Proposer;

/// Proposes the numbers from zero on, until one of them is interesting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternatives {
    next: usize,
    len: usize,
    taken: Option<usize>,
}

impl Alternatives {
    pub(crate) fn new(len: usize) -> Self {
        Self { next: 0, len, taken: None }
    }

    /// The one that was interesting.
    pub(crate) fn taken(&self) -> Option<usize> {
        self.taken
    }
}

impl Proposer for Alternatives {
    type Proposal = usize;

    fn propose(&self) -> Option<usize> {
        (self.taken.is_none() && self.next < self.len).then_some(self.next)
    }

    fn observe(&mut self, interesting: bool) {
        if interesting {
            self.taken = Some(self.next);
        }
        self.next += 1;
    }
}
