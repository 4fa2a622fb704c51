//! Drives a minimizer with a closure, as a search with one worker and a cache would.

use std::collections::HashMap;

use whittle_lists::{Minimizer, Subset};

/// What happened while a list was minimized.
#[derive(Debug, Default)]
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
pub(crate) fn minimize(mut minimizer: impl Minimizer, property: impl Fn(&Subset) -> bool) -> Run {
    let mut run = Run::default();
    let mut verdicts: HashMap<Subset, bool> = HashMap::new();
    while let Some(proposal) = minimizer.propose() {
        run.proposals.push(proposal.clone());
        let interesting = *verdicts.entry(proposal).or_insert_with_key(|proposal| {
            run.tests += 1;
            property(proposal)
        });
        if interesting {
            run.successes.push(run.tests);
        }
        minimizer.observe(interesting);
    }
    run.result = minimizer.current().elements().collect();
    run
}

/// The property of lists that contain all of the given elements.
pub(crate) fn contains_all(required: &[usize]) -> impl Fn(&Subset) -> bool + '_ {
    |subset| required.iter().all(|&element| subset.contains(element))
}
