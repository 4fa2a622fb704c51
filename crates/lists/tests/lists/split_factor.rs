//! What "Generalizing the Split Factor of the Minimizing Delta Debugging Algorithm" says about numbers of tests.

use whittle_lists::{AfterSuccess, Complements, Ddmin, DdminOptions, Minimizer, Onemin, Order, SplitFactor, Subset};
use whittle_search::Proposer;

use crate::harness::{contains_all, minimize};
use crate::problems::{Problem, complements};

/// Lists whose length is a power of the split factor.
const POWERS: [(usize, u32); 8] = [(2, 1), (2, 3), (2, 6), (3, 1), (3, 4), (4, 3), (5, 2), (10, 2)];

fn options(split_factor: usize, subsets: Option<Order>, complements: Complements) -> DdminOptions {
    let split_factor = SplitFactor::new(split_factor).unwrap();
    DdminOptions { split_factor, subsets, complements, ..DdminOptions::default() }
}

/// n² + (ν + 1)/(ν − 1)·n, rounded down.
fn worst_case(factor: usize, len: usize) -> usize {
    len * len + (factor + 1) * len / (factor - 1)
}

#[test]
fn with_a_factor_of_at_least_the_length_and_no_subset_tests_ddmin_is_onemin_test_for_test() {
    for seed in 0..400 {
        let problem = Problem::random(seed, 12);
        let all = Subset::full(problem.len);
        for complements in complements() {
            for factor in [problem.len.max(2), problem.len + 2, usize::MAX] {
                let ddmin = Ddmin::new(all.clone(), options(factor, None, complements));
                let ddmin = minimize(ddmin, |subset| problem.holds(subset));
                let onemin = minimize(Onemin::new(all.clone(), complements), |subset| problem.holds(subset));
                assert_eq!(ddmin.proposals, onemin.proposals, "{complements:?}");
                assert_eq!(ddmin.result, onemin.result);
            }
        }
    }
}

#[test]
fn in_the_best_case_each_test_divides_the_list_by_the_factor() {
    for (factor, power) in POWERS {
        let all = Subset::full(factor.pow(power));
        let ddmin = Ddmin::new(all, options(factor, Some(Order::Forward), Complements::default()));
        let run = minimize(ddmin, contains_all(&[0]));
        assert_eq!((run.tests, run.result), (power as usize, vec![0]));
    }
}

/// The paper's worst case: everything fails up to the finest granularity, then only the last complement of each round
/// succeeds, and nothing is cached. No property can do that (a list that failed early would have to succeed later),
/// but an adversary can.
///
/// The paper adds up the first phase as an infinite series, which is 2ν/(ν − 1) too many, and counts the two tests of a
/// last round with a single part, which nobody would run.
#[test]
fn an_adversary_reaches_the_worst_case_but_for_a_constant() {
    for (factor, power) in POWERS {
        let len = factor.pow(power);
        let forward = Complements { order: Order::Forward, after_success: AfterSuccess::Restart };
        let mut ddmin = Ddmin::new(Subset::full(len), options(factor, Some(Order::Forward), forward));
        let mut tests = 0;
        while let Some(proposal) = ddmin.propose() {
            let current = ddmin.current();
            tests += 1;
            ddmin.observe(proposal == current.without(current.len() - 1..current.len()) && proposal.len() > 1);
        }
        let first_phase = 2 * factor * (len - 1) / (factor - 1);
        let second_phase = if len > 2 { len * (len - 1) - 2 } else { 0 };
        println!("factor {factor}, {len} elements: {tests} tests, bound {}", worst_case(factor, len));
        assert!(tests <= worst_case(factor, len));
        assert_eq!(tests, first_phase + second_phase);
    }
}

#[test]
fn no_property_takes_more_tests_than_the_worst_case() {
    for seed in 0..40 {
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let (factor, power) = POWERS[random.usize(0..POWERS.len())];
        let len = factor.pow(power);
        let density = random.u64(1..50);
        for complements in complements() {
            for subsets in [None, Some(Order::Forward), Some(Order::Backward)] {
                let ddmin = Ddmin::new(Subset::full(len), options(factor, subsets, complements));
                let run = minimize(ddmin, |subset| arbitrary(subset, seed) % 100 < density);
                assert!(run.tests <= worst_case(factor, len), "{} tests", run.tests);
            }
        }
    }
}

/// A number that depends on nothing but the elements and the seed.
fn arbitrary(subset: &Subset, seed: u64) -> u64 {
    subset.elements().fold(seed, |mixed, element| fastrand::Rng::with_seed(mixed ^ element as u64).u64(..))
}
