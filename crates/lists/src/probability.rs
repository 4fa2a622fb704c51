//! [`Probabilistic`]: the state machine behind `probdd` and `wprobdd`.
//!
//! Each element has a probability of being needed. A test leaves out the elements that promise the largest gain: taken
//! in descending order of weight × (1 − p), the prefix whose weight times the probability that all of it can go is
//! largest; the longer prefix if two are equal. If the test fails, one of them is needed, so the probability of each
//! becomes p / (1 − Π(1 − pⱼ)). The end is reached when no probability is below a threshold.
//!
//! The empty list is never proposed: a prefix ends before it would hold the whole list, and a list of one element is
//! done. Since an element alone in a prefix is decided either way, this needs no further rule.
//!
//! Promise: none; an element is tried a few times, then kept. Cost: O(n) tests; per test O(k log n) for a prefix that
//! was sought among k elements, and one pass over the runs for the proposal; a clone is O(log n).

use whittle_search::Proposer;

use crate::beliefs::{Belief, Beliefs};
use crate::{Complements, Minimizer, Subset, Weights};

/// Gains this near to each other, relatively, count as equal: 4 × 0.8⁴ and 5 × 0.8⁵ are, but not in binary.
const TOLERANCE: f64 = 1e-12;

/// A probability this near to one is one.
const CERTAIN: f64 = 1.0 - 1e-9;

/// The options of `probdd` and `wprobdd`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbabilityOptions {
    /// The probability of each element at the start: above 0, below 1.
    pub start: f64,
    /// From which probability on an element need not be tried any more.
    pub threshold: f64,
    /// The order of a one-minimal sweep afterwards, if there is one.
    pub sweep: Option<Complements>,
}

impl Default for ProbabilityOptions {
    fn default() -> Self {
        Self { start: 0.25, threshold: 0.8, sweep: None }
    }
}

/// Probabilistic delta debugging, without the sweep.
#[derive(Clone, Debug)]
pub struct Probabilistic {
    current: Subset,
    threshold: f64,
    /// What the waiting proposal leaves out; empty when all is done.
    chosen: Vec<Belief>,
    /// All other elements whose probability is below one.
    others: Beliefs,
    /// The weight of `chosen` and `others` together.
    weight: u64,
    /// How many of `chosen` and `others` are below the threshold.
    open: usize,
}

impl Probabilistic {
    /// Starts with all elements that have a weight.
    pub(crate) fn new(weights: &Weights, options: ProbabilityOptions) -> Self {
        let start = start_probability(options.start);
        let threshold = options.threshold.min(CERTAIN);
        let mut probabilistic = Self {
            current: Subset::full(weights.len()),
            threshold,
            chosen: Vec::new(),
            others: Beliefs::new(weights, start),
            weight: u64::from(weights.sum(0..weights.len())),
            open: if start < threshold { weights.len() } else { 0 },
        };
        probabilistic.choose();
        probabilistic
    }

    /// The probability that an element is needed, as believed now: zero for those removed. Takes O(n).
    pub fn probability(&self, element: usize) -> f64 {
        let chosen = self.chosen.iter().find(|belief| belief.element as usize == element);
        match chosen.copied().or_else(|| self.others.find(element)) {
            Some(belief) => belief.probability,
            None if self.current.contains(element) => 1.0,
            None => 0.0,
        }
    }

    /// Moves the prefix with the largest expected gain from `others` to `chosen`.
    fn choose(&mut self) {
        if self.open == 0 {
            return;
        }
        let longest = self.current.len() - 1;
        let mut prefix = Vec::new();
        let (mut weight, mut chance) = (0.0, 1.0);
        let (mut best_gain, mut best_len) = (0.0, 0);
        // Not even with all the weight there is could a longer prefix reach the best gain: that ends the search early.
        while prefix.len() < longest && chance * self.weight as f64 > best_gain * (1.0 - TOLERANCE) {
            let Some((belief, source)) = self.others.take() else { break };
            weight += f64::from(belief.weight);
            chance *= 1.0 - belief.probability;
            prefix.push((belief, source));
            let gain = weight * chance;
            if gain >= best_gain * (1.0 - TOLERANCE) {
                best_len = prefix.len();
            }
            best_gain = gain.max(best_gain);
        }
        prefix.drain(best_len..).rev().for_each(|(_, source)| self.others.put_back(source));
        self.chosen = prefix.into_iter().map(|(belief, _)| belief).collect();
    }

    fn without_chosen(&self) -> Subset {
        let mut elements: Vec<usize> = self.chosen.iter().map(|belief| belief.element as usize).collect();
        elements.sort_unstable();
        self.current.without_elements(elements)
    }

    /// Returns the chosen elements to the others, each more probable than before, unless it has become certain that it
    /// is needed.
    ///
    /// This ends: as long as one element is below the threshold, the best gain is at least that element's, so the
    /// probability that the whole prefix can go is far enough from zero to make a difference.
    fn doubt(&mut self, mut chosen: Vec<Belief>) {
        let all_can_go: f64 = chosen.iter().map(|belief| 1.0 - belief.probability).product();
        chosen.iter_mut().for_each(|belief| belief.probability /= 1.0 - all_can_go);
        chosen.retain(|belief| belief.probability < CERTAIN);
        self.open += self.count_open(&chosen);
        self.weight += total_weight(&chosen);
        self.others.add(chosen);
    }

    fn count_open(&self, beliefs: &[Belief]) -> usize {
        beliefs.iter().filter(|belief| belief.probability < self.threshold).count()
    }
}

fn total_weight(beliefs: &[Belief]) -> u64 {
    beliefs.iter().map(|belief| u64::from(belief.weight)).sum()
}

impl Proposer for Probabilistic {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        (!self.is_done()).then(|| self.without_chosen())
    }

    fn is_done(&self) -> bool {
        self.chosen.is_empty()
    }

    fn observe(&mut self, interesting: bool) {
        if self.is_done() {
            return;
        }
        if interesting {
            self.current = self.without_chosen();
        }
        let chosen = std::mem::take(&mut self.chosen);
        self.open -= self.count_open(&chosen);
        self.weight -= total_weight(&chosen);
        if !interesting {
            self.doubt(chosen);
        }
        self.choose();
    }
}

impl Minimizer for Probabilistic {
    fn current(&self) -> &Subset {
        &self.current
    }
}

/// Brings a start probability into the range in which the models work.
#[expect(clippy::manual_clamp, reason = "clamped, what is not a number would stay so")]
pub(crate) fn start_probability(given: f64) -> f64 {
    given.min(0.99).max(1e-6)
}
