//! Sizes and tests on the classic shrinking challenges, for the default reducer and GReduce's best setting. Prints a table
//! and never fails.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to print")]
#![allow(clippy::print_stdout, reason = "it prints a table")]
#![allow(missing_docs, dead_code, reason = "it shares files with the tests")]

#[path = "../tests/traces/challenges.rs"]
mod challenges;
#[path = "../tests/traces/harness.rs"]
mod harness;

use challenges::{CHALLENGES, Challenge};
use harness::{Reduced, record_seed, reduce};
use whittle_search::{Search, Stop};
use whittle_traces::{Alignment, GReduce, Order, Session, Shrink};

/// How many cases of each challenge are reduced.
const CASES: usize = 100;

fn main() {
    println!(
        "| challenge | smallest | smallest reached | mean size | mean tests | GReduce (tree, re-align): size | tests |"
    );
    println!("|---|---|---|---|---|---|---|");
    for challenge in CHALLENGES {
        let ours = all(&challenge, |session, search| Shrink::default().reduce(session, search));
        let best = GReduce::all().into_iter().find(|s| s.order == Order::Tree && s.alignment == Alignment::Realign);
        let theirs = all(&challenge, |session, search| best.unwrap().reduce(session, search));
        let size = |results: &[Reduced]| mean(results.iter().map(|result| (challenge.size)(&result.best)));
        let tests = |results: &[Reduced]| mean(results.iter().map(|result| result.tests as usize));
        let reached = ours.iter().filter(|result| (challenge.size)(&result.best) == challenge.smallest).count();
        println!(
            "| {} | {} | {reached} of {CASES} | {:.2} | {:.1} | {:.2} | {:.1} |",
            challenge.name,
            challenge.smallest,
            size(&ours),
            tests(&ours),
            size(&theirs),
            tests(&theirs),
        );
    }
}

fn all(challenge: &Challenge, reducer: impl Fn(&mut Session, &mut Search) -> Result<(), Stop>) -> Vec<Reduced> {
    let inputs = (0..).map(|seed| record_seed(challenge.make, seed));
    let failing = inputs.filter(|made| (challenge.accepts)(std::str::from_utf8(&made.input).unwrap()));
    failing.take(CASES).map(|made| reduce(challenge.make, &made, 1, challenge.accepts, &reducer)).collect()
}

fn mean(numbers: impl Iterator<Item = usize>) -> f64 {
    let all: Vec<usize> = numbers.collect();
    all.iter().sum::<usize>() as f64 / all.len() as f64
}
