//! What every minimizer owes the search: see the documentation of `Minimizer` and of `Proposer`.

use whittle_lists::{Algorithm, AnyMinimizer, Minimizer, Subset, Weights};
use whittle_search::Proposer;

use crate::harness::minimize;
use crate::problems::{Problem, variants};

/// Runs every algorithm on random problems and looks at the minimizer before each verdict.
fn at_every_step(mut look: impl FnMut(&Algorithm, &AnyMinimizer)) {
    for seed in 0..40 {
        let problem = Problem::random(seed, 9);
        for algorithm in variants() {
            let mut minimizer = algorithm.minimizer(&problem.weights);
            look(&algorithm, &minimizer);
            while let Some(proposal) = minimizer.propose() {
                minimizer.observe(problem.holds(&proposal));
                look(&algorithm, &minimizer);
            }
        }
    }
}

fn is_proper_part(part: &Subset, whole: &Subset) -> bool {
    part.len() < whole.len() && part.elements().all(|element| whole.contains(element))
}

#[test]
fn proposals_are_proper_non_empty_subsets_of_the_current_list() {
    at_every_step(|algorithm, minimizer| {
        if let Some(proposal) = minimizer.propose() {
            assert!(!proposal.is_empty(), "{algorithm:?}");
            assert!(is_proper_part(&proposal, minimizer.current()), "{algorithm:?}: {minimizer:?}");
        }
    });
}

#[test]
fn asking_twice_gives_the_same_answer() {
    at_every_step(|_, minimizer| {
        assert_eq!(minimizer.propose(), minimizer.propose());
        assert_eq!(minimizer.is_done(), minimizer.propose().is_none());
    });
}

#[test]
fn an_accepted_proposal_becomes_current_and_a_refused_one_does_not() {
    at_every_step(|_, minimizer| {
        let (mut accepted, mut refused) = (minimizer.clone(), minimizer.clone());
        if let Some(proposal) = minimizer.propose() {
            accepted.observe(true);
            refused.observe(false);
            assert_eq!(accepted.current(), &proposal);
            assert_eq!(refused.current(), minimizer.current());
        }
    });
}

#[test]
fn a_clone_that_runs_ahead_leaves_the_original_where_it_was() {
    at_every_step(|_, minimizer| {
        let before = format!("{minimizer:?}");
        let mut ahead = minimizer.clone();
        for verdict in [false, false, true, false, true] {
            ahead.observe(verdict);
        }
        assert_eq!(format!("{minimizer:?}"), before);
    });
}

#[test]
fn a_clone_goes_on_like_the_original() {
    for seed in 0..60 {
        let problem = Problem::random(seed, 10);
        for algorithm in variants() {
            let straight = minimize(algorithm.minimizer(&problem.weights), |subset| problem.holds(subset));
            let mut minimizer = algorithm.minimizer(&problem.weights);
            for expected in &straight.proposals {
                let mut successor = minimizer.clone();
                minimizer.observe(false);
                assert_eq!(successor.propose().as_ref(), Some(expected), "{algorithm:?}");
                successor.observe(problem.holds(expected));
                minimizer = successor;
            }
            assert!(minimizer.is_done());
        }
    }
}

#[test]
fn a_minimizer_that_is_done_stays_done() {
    for algorithm in variants() {
        let mut minimizer = algorithm.minimizer(&Weights::uniform(3));
        while !minimizer.is_done() {
            minimizer.observe(false);
        }
        minimizer.observe(true);
        minimizer.observe(false);
        assert!(minimizer.is_done());
        assert_eq!(minimizer.current(), &Subset::full(3));
    }
}

#[test]
fn lists_of_no_or_one_element_need_no_test() {
    for algorithm in variants() {
        for len in [0, 1] {
            assert!(algorithm.minimizer(&Weights::uniform(len)).is_done(), "{algorithm:?}");
            assert!(algorithm.minimizer(&Weights::new(&vec![0; len])).is_done(), "{algorithm:?}");
        }
    }
}

#[test]
fn every_algorithm_ends_even_if_verdicts_are_arbitrary() {
    for seed in 0..40 {
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let len = random.usize(0..40);
        let weights: Vec<u32> = (0..len).map(|_| 1 << random.u32(0..32)).collect();
        for algorithm in variants() {
            let mut minimizer = algorithm.minimizer(&Weights::new(&weights));
            let mut tests = 0;
            while !minimizer.is_done() {
                minimizer.observe(random.u8(0..20) == 0);
                tests += 1;
                assert!(tests <= 3 * len * len + 50 * len, "{algorithm:?} does not come to an end");
            }
        }
    }
}
