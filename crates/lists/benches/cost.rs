//! What a proposal costs: time per `propose` and `observe`, for lists of up to a million elements.
//!
//! Measured at the start of a run in which nothing can be removed, and on a list that is already full of holes; by a
//! minimizer that nobody shares, and as a search with many workers would do it, one clone per proposal kept. The cost
//! per element must not grow with the list.
//!
//! `cargo bench --bench cost -- 10000000` goes up to ten million elements.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

use whittle_lists::{Algorithm, AnyMinimizer, Minimizer, Weights};
use whittle_search::Proposer;

const LARGEST: usize = 1_000_000;
/// As many elements as `cargo test` needs to see that this program runs.
const LARGEST_IN_TESTS: usize = 1000;
const ENOUGH: Duration = Duration::from_millis(100);
/// How many clones a search with many workers keeps.
const CLONES: usize = 16;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = arguments.iter().find_map(|argument| argument.parse().ok());
    let default = if arguments.iter().any(|argument| argument == "--bench") { LARGEST } else { LARGEST_IN_TESTS };
    let largest: usize = given.unwrap_or(default);

    println!(
        "{:<8} {:>9}  {:<6}  {:>16} {:>16}   ns per proposal (ns per element)",
        "", "elements", "", "alone", "shared"
    );
    for algorithm in Algorithm::all() {
        for len in std::iter::successors(Some(1000), |len| Some(len * 10)).take_while(|&len| len <= largest) {
            let weights: Vec<u32> = (0..len).map(|element| 1 + element as u32 % 17).collect();
            let whole = algorithm.minimizer(&Weights::new(&weights));
            report(algorithm, len, "whole", &whole);
            report(algorithm, len, "holes", &with_holes(whole.clone(), len));
        }
    }
}

fn report(algorithm: Algorithm, len: usize, state: &str, minimizer: &AnyMinimizer) {
    let cell = |kept| {
        let nanoseconds = cost(minimizer.clone(), kept);
        format!("{nanoseconds:.0} ({:.2})", nanoseconds / len as f64)
    };
    println!("{:<8} {len:>9}  {state:<6}  {:>16} {:>16}", algorithm.name(), cell(0), cell(CLONES));
}

/// Lets a quarter of the proposals that leave out only a few elements succeed: what is left is many runs.
fn with_holes(mut minimizer: AnyMinimizer, len: usize) -> AnyMinimizer {
    let mut random = fastrand::Rng::with_seed(1);
    let start = Instant::now();
    while minimizer.current().len() > len * 3 / 4 && start.elapsed() < 10 * ENOUGH {
        let Some(proposal) = minimizer.propose() else { break };
        let few = minimizer.current().len() - proposal.len() <= 8;
        minimizer.observe(few && random.u8(0..4) == 0);
    }
    minimizer
}

/// Nanoseconds per proposal while every test fails, with the given number of earlier states kept as clones.
fn cost(mut minimizer: AnyMinimizer, kept: usize) -> f64 {
    let mut clones = VecDeque::new();
    let mut proposals = 0;
    let start = Instant::now();
    while start.elapsed() < ENOUGH {
        let Some(proposal) = minimizer.propose() else { break };
        black_box(proposal);
        if kept > 0 {
            clones.push_back(minimizer.clone());
            if clones.len() > kept {
                clones.pop_front();
            }
        }
        minimizer.observe(false);
        proposals += 1;
    }
    start.elapsed().as_nanos() as f64 / f64::from(proposals.max(1))
}
