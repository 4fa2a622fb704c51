//! `cdd`: chunks whose length follows a counter of rounds.
//!
//! Zhang et al., "Deep Dive into Probabilistic Delta Debugging: Insights and Simplifications" (2024): in `probdd` the
//! probabilities of all elements rise almost in step, so one probability for all of them will do. A round tries to
//! leave out one chunk after the other, each of s = argmax s(1 − p)ˢ elements, the longer on ties; then
//! p becomes p / (1 − (1 − p)ˢ), and s shrinks. The round with s = 1 is the last.
//!
//! A chunk that is the whole list is not tried: minimizers do not propose the empty list.
//!
//! Promise: none without a sweep. Cost: O(n) tests; O(1) state, one pass over the runs per proposal.

use std::ops::Range;

use whittle_search::Proposer;

use crate::probability::start_probability;
use crate::{Complements, Minimizer, Subset};

/// The options of `cdd`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CddOptions {
    /// The probability of each element at the start: above 0, below 1. The first chunks have 1/p elements.
    pub start: f64,
    /// The order of a one-minimal sweep afterwards, if there is one.
    pub sweep: Option<Complements>,
}

impl Default for CddOptions {
    fn default() -> Self {
        Self { start: 0.25, sweep: None }
    }
}

/// Counter-based delta debugging, without the sweep.
#[derive(Clone, Debug)]
pub struct Cdd {
    current: Subset,
    probability: f64,
    /// Where the next chunk starts; everything before it was tried in this round.
    position: usize,
}

impl Cdd {
    /// Starts with the given elements.
    pub fn new(start: Subset, options: CddOptions) -> Self {
        let mut cdd = Self { current: start, probability: start_probability(options.start), position: 0 };
        cdd.begin_rounds();
        cdd
    }

    /// The length of the chunks in this round.
    ///
    /// s + 1 is as good as s or better if (1 + 1/s)(1 − p) ≥ 1, that is, s ≤ 1/p − 1.
    fn chunk_len(&self) -> usize {
        // The summand keeps whole numbers whole: 1/p is 4 if p is 0.25 or next to it.
        (1.0 / self.probability + 1e-9) as usize
    }

    fn chunk(&self) -> Range<usize> {
        self.position..self.current.len().min(self.position + self.chunk_len())
    }

    fn is_round_over(&self) -> bool {
        self.chunk().is_empty() || self.chunk().len() == self.current.len()
    }

    /// Begins new rounds until there is a chunk to try, or the last round is over.
    fn begin_rounds(&mut self) {
        while self.is_round_over() && self.chunk_len() > 1 {
            let all_can_go = (1.0 - self.probability).powf(self.chunk_len() as f64);
            self.probability /= 1.0 - all_can_go;
            self.position = 0;
        }
    }
}

impl Proposer for Cdd {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        (!self.is_done()).then(|| self.current.without(self.chunk()))
    }

    fn is_done(&self) -> bool {
        self.is_round_over()
    }

    fn observe(&mut self, interesting: bool) {
        if self.is_done() {
            return;
        }
        if interesting {
            self.current = self.current.without(self.chunk());
        } else {
            self.position = self.chunk().end;
        }
        self.begin_rounds();
    }
}

impl Minimizer for Cdd {
    fn current(&self) -> &Subset {
        &self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk_lengths(start: f64, len: usize) -> Vec<usize> {
        let mut cdd = Cdd::new(Subset::full(len), CddOptions { start, sweep: None });
        let mut lengths = Vec::new();
        while !cdd.is_done() {
            lengths.push(cdd.chunk().len());
            cdd.observe(false);
        }
        lengths
    }

    #[test]
    fn chunks_maximise_the_expected_number_of_removed_elements() {
        for permille in 1..1000 {
            let start = f64::from(permille) / 1000.0;
            let gain = |len: i32| f64::from(len) * (1.0 - start).powi(len);
            let longest_best =
                (1..2000).fold(1, |best, len| if gain(len) >= gain(best) * (1.0 - 1e-12) { len } else { best });
            assert_eq!(
                Cdd::new(Subset::full(5000), CddOptions { start, sweep: None }).chunk().len(),
                longest_best as usize
            );
        }
    }

    #[test]
    fn each_round_has_shorter_chunks_and_the_last_has_single_elements() {
        assert_eq!(chunk_lengths(0.25, 8), [vec![4; 2], vec![2; 4], vec![1; 8]].concat());
    }

    #[test]
    fn a_chunk_that_is_the_whole_list_is_not_tried() {
        assert_eq!(chunk_lengths(0.25, 4), [2, 2, 1, 1, 1, 1]);
        assert_eq!(chunk_lengths(0.25, 1), [0; 0]);
        assert_eq!(chunk_lengths(0.25, 0), [0; 0]);
    }
}
