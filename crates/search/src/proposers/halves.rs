//! [`Halves`]: changes that hardly depend on each other are tried together. A set that fails is halved and retried.
//!
//! Cost for n changes: one test if all of them work, about 2k·log(n/k) if k of them do not, never more than 2n.

use std::ops::Range;

use crate::Proposer;

/// Proposes sets of the numbers below `len`: those accepted so far and some more.
#[derive(Clone, Debug)]
pub struct Halves {
    accepted: Vec<usize>,
    /// The ranges to try, the next one last.
    waiting: Vec<Range<usize>>,
}

impl Halves {
    /// Starts with all numbers below `len`.
    pub fn new(len: usize) -> Self {
        let all = 0..len;
        Self { accepted: Vec::new(), waiting: if all.is_empty() { Vec::new() } else { Vec::from([all]) } }
    }

    /// The numbers whose changes work together.
    pub fn accepted(&self) -> &[usize] {
        &self.accepted
    }
}

impl Proposer for Halves {
    type Proposal = Vec<usize>;

    fn propose(&self) -> Option<Vec<usize>> {
        let next = self.waiting.last()?;
        Some(self.accepted.iter().copied().chain(next.clone()).collect())
    }

    fn observe(&mut self, interesting: bool) {
        let Some(tried) = self.waiting.pop() else { return };
        if interesting {
            self.accepted.extend(tried);
        } else if tried.len() > 1 {
            let middle = tried.start + tried.len() / 2;
            self.waiting.extend([middle..tried.end, tried.start..middle]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The accepted numbers and the count of tests, if changes with the numbers `bad` fail.
    fn outcome(len: usize, bad: &[usize]) -> (Vec<usize>, usize) {
        let mut halves = Halves::new(len);
        let mut tests = 0;
        while let Some(proposal) = halves.propose() {
            tests += 1;
            halves.observe(!proposal.iter().any(|number| bad.contains(number)));
        }
        (halves.accepted().to_vec(), tests)
    }

    #[test]
    fn all_at_once_if_that_works_and_all_but_the_bad_ones_if_not() {
        assert_eq!(outcome(0, &[]), (vec![], 0));
        assert_eq!(outcome(8, &[]), ((0..8).collect(), 1));
        assert_eq!(outcome(8, &[5]), (vec![0, 1, 2, 3, 4, 6, 7], 7));
        assert_eq!(outcome(4, &[0, 1, 2, 3]), (vec![], 7));
    }
}
