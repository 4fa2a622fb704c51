//! `onemin`: leave out one element at a time until none can be left out.
//!
//! Algorithm 2 of Kiss, "Generalizing the Split Factor of the Minimizing Delta Debugging Algorithm" (2020). It is what
//! `ddmin` becomes with a split factor of at least the list's length and no subset tests, test for test.
//!
//! Promise: one-minimal. Cost: at most n(n + 1)/2 tests; O(1) state, one pass over the runs per proposal.

use whittle_search::Proposer;

use crate::{Complements, Minimizer, Subset};

/// The minimizer that leaves out single elements, cyclically, until a whole cycle has failed.
#[derive(Clone, Debug)]
pub struct Onemin {
    complements: Complements,
    current: Subset,
    offset: f64,
    /// Failures since the last success.
    failures: usize,
}

impl Onemin {
    /// Starts with the given elements.
    pub fn new(start: Subset, complements: Complements) -> Self {
        Self { complements, current: start, offset: 0.0, failures: 0 }
    }

    /// The position to leave out next.
    fn position(&self) -> usize {
        self.complements.index(self.failures, self.current.len(), self.offset)
    }
}

impl Proposer for Onemin {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        (!self.is_done()).then(|| {
            let position = self.position();
            self.current.without(position..position + 1)
        })
    }

    fn is_done(&self) -> bool {
        self.current.len() < 2 || self.failures == self.current.len()
    }

    fn observe(&mut self, interesting: bool) {
        if self.is_done() {
            return;
        }
        if interesting {
            let removed = self.position();
            self.current = self.current.without(removed..removed + 1);
            self.offset = self.complements.offset_after(removed);
            self.failures = 0;
        } else {
            self.failures += 1;
        }
    }
}

impl Minimizer for Onemin {
    fn current(&self) -> &Subset {
        &self.current
    }
}
