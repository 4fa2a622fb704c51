//! Drives a minimizer with a closure, as a search with one worker and a cache would, and counts tests.

use std::collections::HashMap;

use whittle_lists::{Minimizer, Subset};

/// Minimizes until there is nothing left to propose; gives the number of tests, which are proposals with new content, and
/// what is left. `hear` hears of every proposal: how many tests there were by then, and whether it was interesting.
pub(crate) fn count_tests(
    mut minimizer: impl Minimizer,
    property: impl Fn(&Subset) -> bool,
    mut hear: impl FnMut(&Subset, usize, bool),
) -> (usize, Vec<usize>) {
    let mut tests = 0;
    let mut verdicts: HashMap<Subset, bool> = HashMap::new();
    while let Some(proposal) = minimizer.propose() {
        let interesting = *verdicts.entry(proposal.clone()).or_insert_with_key(|proposal| {
            tests += 1;
            property(proposal)
        });
        hear(&proposal, tests, interesting);
        minimizer.observe(interesting);
    }
    (tests, minimizer.current().elements().collect())
}

/// The property of lists that contain all of the given elements.
pub(crate) fn contains_all(required: &[usize]) -> impl Fn(&Subset) -> bool + '_ {
    |subset| required.iter().all(|&element| subset.contains(element))
}
