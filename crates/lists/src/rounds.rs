//! [`Rounds`]: the skeleton that `ddmin` and `wddmin` share.
//!
//! A round tests each part of the list alone (if asked to), then the list without each part. A part that suffices
//! becomes the list; a part that can be left out is deleted, and the round starts again; when all tests have failed,
//! the [`Partition`] is refined. The algorithms differ only in how they cut.

use std::ops::Range;

use whittle_search::Proposer;

use crate::{Complements, Minimizer, Order, Subset};

/// How a list is cut into parts: non-empty runs of it that do not overlap.
pub trait Partition: Clone {
    /// The number of parts.
    fn count(&self) -> usize;

    /// The range of a part in the current list.
    fn positions(&self, part: usize, current: &Subset) -> Range<usize>;

    /// The list has shrunk to this part.
    fn keep_only(&mut self, part: usize);

    /// The list has lost this part.
    fn leave_out(&mut self, part: usize);

    /// Cuts finer. Returns the new position of the part at `offset`, or `None` if there is nothing to cut.
    fn refine(&mut self, offset: f64) -> Option<f64>;
}

/// A minimizer that tests the parts of ever finer partitions, round by round.
#[derive(Clone, Debug)]
pub struct Rounds<P> {
    partition: P,
    subsets: Option<Order>,
    complements: Complements,
    current: Subset,
    offset: f64,
    /// Tests done in this round.
    turn: usize,
}

enum Step {
    /// Keep this part only.
    Subset(usize),
    /// Leave this part out.
    Complement(usize),
}

impl<P: Partition> Rounds<P> {
    /// Starts with `current`, of which `partition` is a partition.
    pub(crate) fn start(current: Subset, partition: P, subsets: Option<Order>, complements: Complements) -> Self {
        let mut rounds = Self { partition, subsets, complements, current, offset: 0.0, turn: 0 };
        rounds.refine();
        rounds
    }

    fn positions(&self, part: usize) -> Range<usize> {
        self.partition.positions(part, &self.current)
    }

    /// The next test of this round, if it is not over.
    fn step(&self) -> Option<Step> {
        let count = self.partition.count();
        // A part that is the whole list has an empty complement: neither is worth a test.
        if count == 1 && self.positions(0).len() == self.current.len() {
            return None;
        }
        let turn = match self.subsets {
            Some(order) if self.turn < count => return Some(Step::Subset(order.index(self.turn, count))),
            Some(_) => self.turn - count,
            None => self.turn,
        };
        (turn < count).then(|| Step::Complement(self.complements.index(turn, count, self.offset)))
    }

    fn keep_only(&mut self, part: usize) {
        self.current = self.current.slice(self.positions(part));
        self.partition.keep_only(part);
        self.offset = 0.0;
        self.turn = 0;
    }

    fn leave_out(&mut self, part: usize) {
        self.current = self.current.without(self.positions(part));
        self.partition.leave_out(part);
        self.offset = self.complements.offset_after(part);
        self.turn = 0;
    }

    /// Begins a new round with a finer partition if this one is over.
    fn refine(&mut self) {
        while self.step().is_none()
            && let Some(offset) = self.partition.refine(self.offset)
        {
            self.offset = offset;
            self.turn = 0;
        }
    }
}

impl<P: Partition> Proposer for Rounds<P> {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        self.step().map(|step| match step {
            Step::Subset(part) => self.current.slice(self.positions(part)),
            Step::Complement(part) => self.current.without(self.positions(part)),
        })
    }

    fn is_done(&self) -> bool {
        self.step().is_none()
    }

    fn observe(&mut self, interesting: bool) {
        match self.step() {
            Some(Step::Subset(part)) if interesting => self.keep_only(part),
            Some(Step::Complement(part)) if interesting => self.leave_out(part),
            Some(_) => self.turn += 1,
            None => return,
        }
        self.refine();
    }
}

impl<P: Partition> Minimizer for Rounds<P> {
    fn current(&self) -> &Subset {
        &self.current
    }
}
