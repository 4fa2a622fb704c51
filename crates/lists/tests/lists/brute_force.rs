//! Results checked by trying everything, on lists of at most twelve elements.

use whittle_lists::{Subset, Weights};

use crate::harness::{contains_all, minimize};
use crate::problems::{Problem, variants};

#[test]
fn every_result_is_interesting_and_one_minimal_where_that_is_promised() {
    for seed in 0..300 {
        let problem = Problem::random(seed, 12);
        for algorithm in variants() {
            let run = minimize(algorithm.minimizer(&problem.weights), |subset| problem.holds(subset));
            assert!(problem.holds(&Subset::from_elements(run.result.iter().copied())), "{algorithm:?}");
            if algorithm.promises_one_minimality() {
                assert!(problem.is_one_minimal(&run.result), "{algorithm:?} left {:?}", run.result);
            }
        }
    }
}

#[test]
fn where_elements_are_independent_every_algorithm_finds_exactly_the_needed_ones() {
    for seed in 0..15 {
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let len = random.usize(1..60);
        let needed: Vec<usize> = (0..len).filter(|element| *element == 0 || random.u8(0..4) == 0).collect();
        let weights = Weights::new(&(0..len).map(|_| random.u32(0..20)).collect::<Vec<_>>());
        for algorithm in variants().iter().filter(|algorithm| algorithm.promises_one_minimality()) {
            let run = minimize(algorithm.minimizer(&weights), contains_all(&needed));
            assert_eq!(run.result, needed, "{algorithm:?}");
        }
    }
}
