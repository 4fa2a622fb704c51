//! `bisect`: delete the last half; halve parts that cannot be deleted, from the end to the beginning.
//!
//! Most texts declare before they use, so deleting from the end seldom breaks a dependency, and one pass over a long
//! list leaves little more than what is needed. Halves have equal weight. If a part cannot be deleted but its second
//! half can, its first half is needed, and is halved again without a test.
//!
//! With leaps, everything before a needed element is first deleted at once.
//!
//! Promise: one-minimal for monotone properties; for others only with a sweep. Cost: at most 2k log₂(n) + k tests if k
//! elements are needed; O(log n) state, one pass over the runs per proposal.

use std::ops::Range;

use whittle_search::Proposer;

use crate::{Complements, Minimizer, Subset, Weights};

/// The options of `bisect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BisectOptions {
    /// The order of a one-minimal sweep afterwards, if there is one.
    pub sweep: Option<Complements>,
    /// Whether everything before a needed element is first deleted at once. That pays where elements are kept together
    /// with what they need.
    pub leaps: bool,
}

/// The minimizer that halves parts that cannot be deleted, without the sweep.
#[derive(Clone, Debug)]
pub struct Bisect {
    weights: Weights,
    current: Subset,
    /// Parts that are not decided, the last of the list on top. What is before a part has not been touched, so its
    /// elements still have their positions.
    open: Vec<Part>,
    leaps: bool,
}

#[derive(Clone, Debug)]
struct Part {
    elements: Range<usize>,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    First,
    /// The second half of a part that cannot be deleted.
    Second,
    /// Everything before an element that cannot be deleted. It is also undecided in parts.
    Rest,
}

impl Bisect {
    /// Starts with all elements that have a weight.
    pub fn new(weights: Weights, leaps: bool) -> Self {
        let all = 0..weights.len();
        let mut bisect = Self { current: Subset::full(weights.len()), weights, open: Vec::new(), leaps };
        // The empty list is not proposed: the whole is taken for a part that cannot go.
        bisect.halve(all);
        bisect
    }

    /// Opens everything before an element that is kept.
    fn leap(&mut self, kept: usize) {
        if self.leaps && self.open.len() > 1 {
            self.open.push(Part { elements: 0..kept, role: Role::Rest });
        }
    }

    /// Opens the halves of a part that cannot be deleted; a single element is kept.
    fn halve(&mut self, Range { start, end }: Range<usize>) {
        if end - start < 2 {
            return self.leap(start);
        }
        let half = self.weights.before(start) + self.weights.sum(start..end).div_ceil(2);
        let middle = self.weights.first_at(half).clamp(start + 1, end - 1);
        self.open.push(Part { elements: start..middle, role: Role::First });
        self.open.push(Part { elements: middle..end, role: Role::Second });
    }
}

impl Proposer for Bisect {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        self.open.last().map(|part| self.current.without(part.elements.clone()))
    }

    fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    fn observe(&mut self, interesting: bool) {
        let Some(part) = self.open.pop() else { return };
        match part.role {
            Role::Rest if !interesting => return,
            _ if !interesting => return self.halve(part.elements),
            Role::Rest => self.open.clear(),
            Role::First | Role::Second => {}
        }
        self.current = self.current.without(part.elements);
        if part.role == Role::Second
            && let Some(first) = self.open.pop()
        {
            self.halve(first.elements);
        }
    }
}

impl Minimizer for Bisect {
    fn current(&self) -> &Subset {
        &self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests_for(len: usize, needed: &[usize], leaps: bool) -> usize {
        let mut bisect = Bisect::new(Weights::uniform(len), leaps);
        let mut tests = 0;
        while let Some(proposal) = bisect.propose() {
            tests += 1;
            bisect.observe(needed.iter().all(|&element| proposal.contains(element)));
        }
        assert_eq!(bisect.current(), &Subset::from_elements(needed.iter().copied()));
        tests
    }

    #[test]
    fn one_needed_element_costs_one_test_per_halving() {
        assert_eq!((0..1024).map(|needed| tests_for(1024, &[needed], false)).max(), Some(20));
        assert_eq!(tests_for(1024, &[0], false), 10);
    }

    #[test]
    fn a_leap_leaves_out_all_that_is_before_a_needed_element() {
        assert_eq!((0..1024).map(|needed| tests_for(1024, &[needed], true)).max(), Some(10 + 1));
    }

    #[test]
    fn halves_have_equal_weight() {
        let bisect = Bisect::new(Weights::new(&[8, 1, 1, 1, 5]), false);
        assert_eq!(bisect.propose(), Some(Subset::from_elements([0])));
    }
}
