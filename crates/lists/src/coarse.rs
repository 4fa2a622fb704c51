//! [`CoarseFirst`]: large parts of a long list before a minimizer that deletes few elements at a time.
//!
//! The probabilistic minimizers start with parts of a few elements, so a list of a hundred thousand of which two are
//! needed costs them tens of thousands of tests. Here every part that cannot be deleted is halved, all parts of one size
//! before smaller ones, the last of the list first. If the second half of a part can be deleted, the first one is needed
//! and not tested. When few parts of a size can be deleted, needed elements are everywhere, and the minimizer goes on.
//!
//! Where needed elements are far apart, only one half of a part is needed. So if the second half cannot be deleted, the first
//! one is deleted together with a half of the next part, without a test of its own. That is done while all first halves of
//! the last size could be deleted, and saves a fifth of the tests.
//!
//! Promise: that of the minimizer, which has the last word; none without one. Cost where nothing can be deleted: n/32
//! tests, at least 6 and at most 126. At most 2k log₂(n) tests, and three for each size, if k elements are needed; one pass
//! over the runs per proposal.

use std::ops::Range;

use whittle_search::Proposer;

use crate::{Algorithm, AnyMinimizer, Minimizer, Subset, Weights};

/// Shorter lists go to the minimizer at once: six tests are much for them. Not measured.
pub(crate) const LONG_LIST_ELEMENTS: usize = 64;

/// Smaller parts are tried only if at least one part in four of this size could be deleted. Not measured.
const ONE_PART_IN: usize = 4;

/// Parts of this many elements are halved in any case, but no more than [`MAX_PARTS`] of them: if nothing can be deleted,
/// that costs a thirtieth of the tests that single elements cost.
const ELEMENTS_PER_PART: usize = 64;

/// How many parts of one size are halved although few larger ones could be deleted: from 4, so that a list of four needed
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
    /// What is tried next.
    trial: Option<Trial>,
    /// Halves that cannot be deleted, the last of the list first.
    needed: Vec<Range<usize>>,
    /// A first half that has not been tested, of this size or of the last one. Its second half is needed.
    untested: Option<Range<usize>>,
    /// Whether all first halves could be deleted, of the last size at which one was tested.
    is_sparse: bool,
    /// The same for this size, once one was tested.
    firsts: Option<bool>,
    tests: usize,
    successes: usize,
}

/// What may be deleted next.
#[derive(Clone, Debug)]
enum Trial {
    /// The second half of a part; the first one comes next if it cannot be deleted.
    Second { first: Range<usize>, second: Range<usize> },
    /// The first half of a part whose second half is needed.
    First { first: Range<usize> },
    /// The second half of a part, and the untested first half of the part behind it.
    SecondAnd { untested: Range<usize>, first: Range<usize>, second: Range<usize> },
    /// The first half of a part, and that of the part behind it.
    FirstAnd { untested: Range<usize>, first: Range<usize>, second: Range<usize> },
}

impl Trial {
    /// What is deleted, the last of the list first.
    fn ranges(&self) -> [Option<&Range<usize>>; 2] {
        match self {
            Self::Second { second, .. } => [Some(second), None],
            Self::First { first } => [Some(first), None],
            Self::SecondAnd { untested, second, .. } => [Some(untested), Some(second)],
            Self::FirstAnd { untested, first, .. } => [Some(untested), Some(first)],
        }
    }
}

impl CoarseFirst {
    /// Starts with all elements that have a weight.
    pub(crate) fn new(weights: Weights, minimizer: Option<Algorithm>) -> Self {
        let whole = std::iter::once(0..weights.len()).collect();
        let parts = Parts {
            whole,
            trial: None,
            needed: Vec::new(),
            untested: None,
            is_sparse: false,
            firsts: None,
            tests: 0,
            successes: 0,
        };
        let current = Subset::full(weights.len());
        let mut coarse = Self { weights, current, minimizer, phase: Phase::Parts(parts) };
        coarse.go_on();
        coarse
    }

    /// Finds what to try next; if there is nothing, the minimizer begins.
    fn go_on(&mut self) {
        let Phase::Parts(parts) = &mut self.phase else { return };
        while parts.trial.is_none() {
            if let Some(part) = parts.whole.pop() {
                parts.open(&self.weights, part);
            } else if let Some(first) = parts.untested.take_if(|_| parts.needed.is_empty()) {
                parts.trial = Some(Trial::First { first });
            } else if !parts.next_size(self.current.len()) {
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

    /// The elements without what is tried, all of which is there.
    fn without(&self, trial: &Trial) -> Subset {
        let mut left = self.current.clone();
        for part in trial.ranges().into_iter().flatten() {
            let position = left.position(part.start).unwrap_or_default();
            left = left.without(position..position + part.len());
        }
        left
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
        let (first, second) = (start..middle, middle..end);
        self.trial = Some(match self.untested.take() {
            Some(untested) => Trial::SecondAnd { untested, first, second },
            None => Trial::Second { first, second },
        });
    }

    /// Goes on with the halves that were left; `false` if that is not worth it.
    fn next_size(&mut self, elements: usize) -> bool {
        self.needed.reverse();
        self.whole = std::mem::take(&mut self.needed);
        let tried = (elements / ELEMENTS_PER_PART).clamp(*MAX_PARTS.start(), *MAX_PARTS.end());
        let pays = self.successes * ONE_PART_IN >= self.tests.max(1) || self.whole.len() < tried;
        (self.tests, self.successes) = (0, 0);
        self.is_sparse = self.firsts.take().unwrap_or(self.is_sparse);
        pays && !self.whole.is_empty()
    }

    fn observe(&mut self, trial: Trial, interesting: bool) {
        self.tests += 1;
        self.successes += usize::from(interesting);
        match trial {
            Trial::Second { first, .. } if interesting => self.needed.push(first),
            Trial::Second { first, second } => {
                self.needed.push(second);
                match self.is_sparse {
                    true => self.untested = Some(first),
                    false => self.trial = Some(Trial::First { first }),
                }
            }
            Trial::First { .. } if interesting => self.note_first(true),
            Trial::First { first } => {
                self.needed.push(first);
                self.note_first(false);
            }
            Trial::SecondAnd { first, .. } if interesting => {
                self.needed.push(first);
                self.note_first(true);
            }
            Trial::SecondAnd { untested, first, second } => {
                self.trial = Some(Trial::FirstAnd { untested, first, second });
            }
            Trial::FirstAnd { second, .. } if interesting => {
                self.needed.push(second);
                self.note_first(true);
            }
            Trial::FirstAnd { untested, first, second } => {
                // Any of the three halves may be needed, so each is tested by itself.
                self.is_sparse = false;
                self.whole.push(first.start..second.end);
                self.trial = Some(Trial::First { first: untested });
            }
        }
    }

    fn note_first(&mut self, deleted: bool) {
        self.firsts = Some(deleted && self.firsts.unwrap_or(true));
    }
}

impl Proposer for CoarseFirst {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        match &self.phase {
            Phase::Parts(parts) => parts.trial.as_ref().map(|trial| self.without(trial)),
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
                let Some(trial) = parts.trial.take() else { return };
                parts.observe(trial.clone(), interesting);
                if interesting {
                    self.current = self.without(&trial);
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
        assert!(tests < 110, "{tests} tests");
    }

    #[test]
    fn first_halves_that_are_needed_after_all_stay() {
        // Of parts of 128 elements, one half is needed; of those of 64, both are.
        let needed: Vec<usize> = (0..8).flat_map(|part| [part * 1024 + 20, part * 1024 + 40]).collect();
        assert_eq!(run(8 * 1024, &needed).1, needed);
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
