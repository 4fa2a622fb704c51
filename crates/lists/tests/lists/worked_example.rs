//! The worked example of "WDD: Weighted Delta Debugging": the eight top-level nodes of a program that crashes GCC.
//!
//! The paper numbers the nodes from 1; nodes 1, 3, 6, 7 and 8 are needed. Its `probdd` and `wprobdd` choose at random
//! among equals and make 15 and 11 tests; here the earlier element comes first.

use whittle_lists::{
    AfterSuccess, Algorithm, Complements, Ddmin, DdminOptions, Order, ProbabilityOptions, Subset, WddminOptions,
    Weights, probdd,
};
use whittle_search::Proposer;

use crate::harness::{Run, contains_all, minimize};

const WEIGHTS: [u32; 8] = [5, 8, 7, 7, 8, 16, 25, 6];
const NEEDED: [usize; 5] = [0, 2, 5, 6, 7];
const RESTART: Complements = Complements { order: Order::Forward, after_success: AfterSuccess::Restart };
const START: ProbabilityOptions = ProbabilityOptions { start: 0.2, threshold: 0.8, sweep: None };

fn run(algorithm: Algorithm) -> Run {
    minimize(algorithm.minimizer(&Weights::new(&WEIGHTS)), contains_all(&NEEDED))
}

#[test]
fn ddmin_makes_thirty_tests() {
    let options = DdminOptions { subsets: Some(Order::Forward), complements: RESTART, ..DdminOptions::default() };
    let run = minimize(Ddmin::new(Subset::full(8), options), contains_all(&NEEDED));
    assert_eq!((run.tests, run.successes, run.result), (30, vec![20, 22, 25], NEEDED.to_vec()));
}

#[test]
fn wddmin_makes_twenty_six_tests_and_succeeds_at_the_eighth_and_the_twenty_second() {
    let run = run(Algorithm::Wddmin(WddminOptions { subsets: Some(Order::Forward), complements: RESTART }));
    assert_eq!((run.tests, run.successes, run.result), (26, vec![8, 22], NEEDED.to_vec()));
}

#[test]
fn the_third_node_becomes_ever_more_probable_until_it_is_certain() {
    let mut minimizer = probdd(8, START);
    let mut probabilities = vec![minimizer.probability(2)];
    while let Some(proposal) = minimizer.propose() {
        minimizer.observe(contains_all(&NEEDED)(&proposal));
        probabilities.push(minimizer.probability(2));
    }
    probabilities.dedup();
    let rounded: Vec<f64> = probabilities.iter().map(|p| (p * 100.0).round() / 100.0).collect();
    assert_eq!(rounded, [0.20, 0.30, 0.46, 0.65, 1.0]);
}

#[test]
fn on_equal_gain_the_longer_prefix_is_left_out() {
    let proposal = probdd(8, START).propose();
    assert_eq!(proposal, Some(Subset::from_elements([5, 6, 7])), "five elements, though four have the same gain");
}

#[test]
fn probdd_makes_twelve_tests_and_wprobdd_eleven() {
    for (algorithm, tests) in [(Algorithm::Probdd(START), 12), (Algorithm::Wprobdd(START), 11)] {
        let run = run(algorithm);
        assert_eq!((run.tests, run.result), (tests, NEEDED.to_vec()), "{algorithm}");
    }
}
