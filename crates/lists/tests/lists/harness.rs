//! What happens while a list is minimized with a closure.

use whittle_lists::{Minimizer, Subset};

pub(crate) use crate::counted::contains_all;
use crate::counted::count_tests;

/// What happened while a list was minimized.
#[derive(Debug)]
pub(crate) struct Run {
    /// Every proposal, those with known content too.
    pub(crate) proposals: Vec<Subset>,
    /// The number of tests: proposals with new content.
    pub(crate) tests: usize,
    /// After how many tests a proposal was interesting.
    pub(crate) successes: Vec<usize>,
    /// What is left.
    pub(crate) result: Vec<usize>,
}

/// Minimizes until there is nothing left to propose.
pub(crate) fn minimize(minimizer: impl Minimizer, property: impl Fn(&Subset) -> bool) -> Run {
    let (mut proposals, mut successes) = (Vec::new(), Vec::new());
    let (tests, result) = count_tests(minimizer, property, |proposal, tests, interesting| {
        proposals.push(proposal.clone());
        successes.extend(interesting.then_some(tests));
    });
    Run { proposals, tests, successes, result }
}
