//! [`CoarseFirst`]: large parts of a long list before a minimizer that deletes few elements at a time.
//!
//! The probabilistic minimizers start with parts of a few elements, so a list of a hundred thousand of which two are
//! needed costs them tens of thousands of tests. Here every part that cannot be deleted is halved, all parts of one size
//! before smaller ones, the last of the list first. If the second half of a part can be deleted, the first one is needed
//! and not tested. When few parts of a size can be deleted, needed elements are everywhere, and the minimizer goes on.
//!
//! Promise: that of the minimizer, which has the last word; none without one. Cost where nothing can be deleted: n/32
//! tests, at least 6 and at most 126. At most 2k log₂(n) tests if k elements are needed; one pass over the runs per
//! proposal.

use std::ops::Range;

use whittle_search::Proposer;

use crate::{Algorithm, AnyMinimizer, Minimizer, Subset, Weights};

/// Shorter lists go to the minimizer at once: six tests are much for them. Not measured.
pub(crate) const LONG_LIST_ELEMENTS: usize = 64;

/// Smaller parts are tried only if at least one part in four of this size could be deleted. Not measured.
const ONE_PART_IN: usize = 4;

/// Parts of this many elements are tried in any case, but no more than [`MAX_PARTS`] of them: if none can be deleted,
/// that costs a thirtieth of the tests that single elements cost.
const ELEMENTS_PER_PART: usize = 64;

/// How many parts of one size are tried although no larger one could be deleted: from 4, so that a list of four needed
/// elements goes on, to 64.
const MAX_PARTS: std::ops::RangeInclusive<usize> = 4..=64;

/// Large parts first, then a minimizer if there is one.
#[derive(Clone, Debug)]
pub struct CoarseFirst {
    weights: Weights,
    current: Subset,
    minimizer: Option<Algorithm>,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    Parts(Parts),
    Elements { of: Subset, minimizer: Box<AnyMinimizer> },
    Done,
}

/// Where the halving of parts is.
#[derive(Clone, Debug)]
struct Parts {
    /// Parts of one size of which none can be deleted as a whole, still to be halved; the last of the list on top.
    whole: Vec<Range<usize>>,
    /// The half that is tried next.
    half: Option<Half>,
    /// Halves that cannot be deleted, the last of the list first.
    needed: Vec<Range<usize>>,
    sizes: usize,
    tests: usize,
    successes: usize,
}

#[derive(Clone, Debug)]
enum Half {
    /// The second half; the first one comes next if it cannot be deleted.
    Second {
        first: Range<usize>,
        second: Range<usize>,
    },
    First {
        first: Range<usize>,
    },
}

impl Half {
    fn range(&self) -> &Range<usize> {
        match self {
            Self::Second { second, .. } => second,
            Self::First { first } => first,
        }
    }
}

impl CoarseFirst {
    /// Starts with all elements that have a weight.
    pub(crate) fn new(weights: Weights, minimizer: Option<Algorithm>) -> Self {
        let whole = std::iter::once(0..weights.len()).collect();
        let parts = Parts { whole, half: None, needed: Vec::new(), sizes: 0, tests: 0, successes: 0 };
        let current = Subset::full(weights.len());
        let mut coarse = Self { weights, current, minimizer, phase: Phase::Parts(parts) };
        coarse.go_on();
        coarse
    }

    /// Finds the next half to try; if there is none, the minimizer begins.
    fn go_on(&mut self) {
        let Phase::Parts(parts) = &mut self.phase else { return };
        while parts.half.is_none() {
            if let Some(part) = parts.whole.pop() {
                parts.open(&self.weights, part);
            } else if !parts.next_size(self.weights.len()) {
                return self.begin_elements();
            }
        }
    }

    fn begin_elements(&mut self) {
        let weights = || self.current.elements().map(|element| self.weights.of(element)).collect::<Vec<u32>>();
        self.phase = match self.minimizer {
            Some(algorithm) => {
                let minimizer = Box::new(algorithm.minimizer(&Weights::new(&weights())));
                Phase::Elements { of: self.current.clone(), minimizer }
            }
            None => Phase::Done,
        };
    }

    /// The elements without a part, all of which are there.
    fn without(&self, part: &Range<usize>) -> Subset {
        let position = self.current.position(part.start).unwrap_or_default();
        self.current.without(position..position + part.len())
    }
}

impl Parts {
    /// Halves a part by weight; a single element is left to the minimizer.
    fn open(&mut self, weights: &Weights, Range { start, end }: Range<usize>) {
        if end - start < 2 {
            return;
        }
        let half = weights.before(start) + weights.sum(start..end).div_ceil(2);
        let middle = weights.first_at(half).clamp(start + 1, end - 1);
        self.half = Some(Half::Second { first: start..middle, second: middle..end });
    }

    /// Goes on with the halves that were left; `false` if that is not worth it.
    fn next_size(&mut self, elements: usize) -> bool {
        self.sizes += 1;
        let tried = (elements / ELEMENTS_PER_PART).clamp(*MAX_PARTS.start(), *MAX_PARTS.end());
        let pays = self.successes * ONE_PART_IN >= self.tests.max(1) || 1 << self.sizes < tried;
        self.needed.reverse();
        self.whole = std::mem::take(&mut self.needed);
        (self.tests, self.successes) = (0, 0);
        pays && !self.whole.is_empty()
    }

    fn observe(&mut self, half: Half, interesting: bool) {
        self.tests += 1;
        self.successes += usize::from(interesting);
        match half {
            Half::Second { first, .. } if interesting => self.needed.push(first),
            Half::Second { first, second } => {
                self.needed.push(second);
                self.half = Some(Half::First { first });
            }
            Half::First { .. } if interesting => {}
            Half::First { first } => self.needed.push(first),
        }
    }
}

impl Proposer for CoarseFirst {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        match &self.phase {
            Phase::Parts(parts) => parts.half.as_ref().map(|half| self.without(half.range())),
            Phase::Elements { of, minimizer } => minimizer.propose().map(|positions| of.select(&positions)),
            Phase::Done => None,
        }
    }

    fn is_done(&self) -> bool {
        match &self.phase {
            Phase::Parts(_) => false,
            Phase::Elements { minimizer, .. } => minimizer.is_done(),
            Phase::Done => true,
        }
    }

    fn observe(&mut self, interesting: bool) {
        match &mut self.phase {
            Phase::Parts(parts) => {
                let Some(half) = parts.half.take() else { return };
                let removed = interesting.then(|| half.range().clone());
                parts.observe(half, interesting);
                if let Some(removed) = removed {
                    self.current = self.without(&removed);
                }
                self.go_on();
            }
            Phase::Elements { of, minimizer } => {
                minimizer.observe(interesting);
                if interesting {
                    self.current = of.select(minimizer.current());
                }
            }
            Phase::Done => {}
        }
    }
}

impl Minimizer for CoarseFirst {
    fn current(&self) -> &Subset {
        &self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProbabilityOptions;

    /// How many tests a list of `len` elements takes, of which some are needed, and what is left.
    fn run(len: usize, needed: &[usize]) -> (usize, Vec<usize>) {
        let fine = Algorithm::Wprobdd(ProbabilityOptions::default()).swept();
        let mut minimizer = CoarseFirst::new(Weights::uniform(len), Some(fine));
        let mut tests = 0;
        while let Some(kept) = minimizer.propose() {
            assert!(!kept.is_empty() && kept.len() < minimizer.current().len());
            minimizer.observe(needed.iter().all(|&element| kept.contains(element)));
            tests += 1;
        }
        (tests, minimizer.current().elements().collect())
    }

    #[test]
    fn few_needed_elements_cost_logarithmically_many_tests() {
        for len in [1_000, 1_000_000] {
            let needed = [len / 3, 2 * len / 3];
            let (tests, left) = run(len, &needed);
            assert_eq!(left, needed);
            assert!(tests <= 4 * len.ilog2() as usize + 4, "{tests} tests for {len} elements");
        }
    }

    #[test]
    fn needed_elements_may_be_far_apart() {
        let needed = [200_000, 400_000, 600_000, 800_000];
        let (tests, left) = run(1_000_000, &needed);
        assert_eq!(left, needed);
        assert!(tests < 150, "{tests} tests");
    }

    #[test]
    fn where_everything_is_needed_large_parts_cost_six_tests() {
        let all: Vec<usize> = (0..100).collect();
        let fine = Algorithm::Wprobdd(ProbabilityOptions::default()).swept();
        let mut alone = fine.minimizer(&Weights::uniform(100));
        let mut tests = 0;
        while alone.propose().is_some() {
            alone.observe(false);
            tests += 1;
        }
        assert_eq!(run(100, &all), (tests + 6, all));
    }

    #[test]
    fn what_is_needed_is_what_is_left_wherever_it_is() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..300 {
            let len = random.usize(2..300);
            let mut needed: Vec<usize> = (0..random.usize(1..10)).map(|_| random.usize(..len)).collect();
            needed.sort_unstable();
            needed.dedup();
            assert_eq!(run(len, &needed).1, needed, "{len} elements");
        }
    }
}
