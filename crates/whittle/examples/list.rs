//! One list algorithm on its own, without files or processes: `cargo run --example list`.
//!
//! A minimizer is a state machine: it proposes a subset of a list, and learns whether that was interesting. Here ddmin
//! finds the fewest numbers whose sum is still above a bound.

#![allow(clippy::print_stdout, reason = "it prints the result")]

use whittle::lists::{Algorithm, Minimizer, Weights};
use whittle::search::Proposer;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers = [3, 14, 15, 92, 65, 35, 89, 79, 32, 38];
    let algorithm: Algorithm = "ddmin".parse()?;
    let mut minimizer = algorithm.minimizer(&Weights::uniform(numbers.len()));
    let mut tests = 0;
    while let Some(subset) = minimizer.propose() {
        let sum: u32 = subset.elements().map(|index| numbers[index]).sum();
        minimizer.observe(sum > 150);
        tests += 1;
    }
    let kept: Vec<u32> = minimizer.current().elements().map(|index| numbers[index]).collect();
    println!("{kept:?} after {tests} tests");
    Ok(())
}
