//! The experiment of section IV of "Generalizing the Split Factor of the Minimizing Delta Debugging Algorithm" (Kiss
//! 2020) on the subjects of `bench/subjects`: how many tests a split factor other than two saves.
//!
//! The factors are the Fibonacci numbers and the powers of two up to 64 that are below the length n of the list, and the
//! first Fibonacci number from n on; the last row is `auto`, which is not the paper's. Each one runs in both of the
//! paper's variants: with subset tests, everything forward; and without, complements backward. Counted are tests of
//! content that the same run has not seen before. All runs on a subject share their verdicts, so that the sweep runs each
//! content once, while each row counts it.
//!
//! The characters swept are those that lines and words have left. Arguments: `all` takes every factor below n, numbers
//! only those and n, `whole` the characters of the whole input (hours), `line` or `char` only one unit, part of a name
//! only those subjects: `cargo bench -p whittle --bench split_factor -- line json 2 3 5 8`.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[allow(dead_code, reason = "each bench needs a part of it")]
#[path = "shared/subject.rs"]
mod subject;

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::lists::{AfterSuccess, Algorithm, Complements, DdminOptions, Order, SplitFactor, Unit, Units};
use whittle::search::{Candidate, Search, Setup, StartError, Stop};
use whittle::strategy::{Step, Strategy, Turns};

use subject::{Priced, SMOKE_SUBJECT, Subject};

const VARIANTS: [&str; 2] = ["with subset tests", "without subset tests"];
/// Words on the command line that select no subject.
const UNITS_AND_STARTS: [&str; 4] = ["all", "char", "line", "whole"];
/// The largest factor that is tried besides n, unless all are asked for.
const MAX_FACTOR: usize = 64;
/// As many tests per run as `cargo test` needs to see that this program runs.
const TESTS_IN_TESTS: u64 = 5;

/// What is asked for on the command line.
struct Sweep {
    words: Vec<String>,
    max_tests: Option<u64>,
}

/// What one run came to.
#[derive(Clone, Copy)]
struct Outcome {
    tests: u64,
    left: usize,
}

/// A factor and what it came to in both variants.
type Row = (String, [Outcome; 2]);

fn main() -> Result<()> {
    let (flags, words): (Vec<String>, _) = std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let max_tests = if flags.iter().any(|flag| flag == "--bench") { None } else { Some(TESTS_IN_TESTS) };
    let sweep = Sweep { words, max_tests };

    let mut subjects = Subject::bench(None)?;
    let names: Vec<String> = subjects.iter().map(|subject| subject.name.clone()).collect();
    // `line` is a unit, and no part of `html-outline`.
    let parts = || sweep.words.iter().filter(|word| !UNITS_AND_STARTS.contains(&word.as_str()));
    let is_named = |name: &str| parts().any(|word| name.contains(word.as_str()));
    if names.iter().any(|name| is_named(name)) {
        subjects.retain(|subject| is_named(&subject.name));
    } else if max_tests.is_some() {
        subjects.retain(|subject| subject.name == SMOKE_SUBJECT);
    }
    let mut best = Vec::new();
    for subject in subjects {
        let name = subject.name.clone();
        best.extend(sweep.run(subject).with_context(|| format!("subject {name}"))?);
    }
    println!("best share of tests saved, in all: steps and length of the result at two, at the best factor, at n");
    best.iter().for_each(|line| println!("{line}"));
    Ok(())
}

impl Sweep {
    fn asks_for(&self, word: &str) -> bool {
        self.words.iter().any(|given| given == word)
    }

    /// Prints the tables of a subject, and gives the lines of the summary.
    fn run(&self, subject: Subject) -> Result<Vec<String>> {
        let (name, input) = (subject.name.clone(), subject.input.clone());
        let property = Arc::new(subject.property()?);
        let mut summary = Vec::new();
        let only = [Unit::Line, Unit::Char].into_iter().find(|unit| self.asks_for(unit.name()));
        for unit in only.map_or(vec![Unit::Line, Unit::Char], |unit| vec![unit]) {
            let (start, origin) = match self.start_of(unit, &property, &input) {
                Ok(start) => start,
                Err(StartError::NotInteresting(_)) => {
                    println!("{name}: skipped, its input is not interesting here\n");
                    return Ok(Vec::new());
                }
                Err(error) => return Err(error.into()),
            };
            let len = Units::cut(start.files()[0].shared_bytes(), unit)?.len();
            println!("{name} by {unit}: {len} {unit}s{origin}");
            let rows = self.sweep(&property, &start, unit, len)?;
            for (variant, label) in VARIANTS.iter().enumerate() {
                summary.push(format!("{name:<18} {unit:<4} {len:>5}  {label:<20}  {}", best_of(&rows, variant)));
            }
            println!();
        }
        Ok(summary)
    }

    /// What is cut into `unit`s, and a remark on where it comes from.
    fn start_of(
        &self,
        unit: Unit,
        property: &Arc<Priced>,
        input: &Candidate,
    ) -> Result<(Candidate, &'static str), StartError> {
        let mut search = self.start(property, input)?;
        if unit == Unit::Line || self.asks_for("whole") {
            return Ok((input.clone(), ""));
        }
        let steps = [Unit::Line, Unit::Word].map(|unit| Step::Text(unit, Algorithm::default()));
        let coarse = Strategy::new(steps.to_vec(), Turns::Rounds);
        // Whatever stops it, the best so far is a place to start from.
        let _ = coarse.run(&mut search, &[]);
        Ok((search.best().candidate.clone(), " that lines and words have left"))
    }

    fn sweep(&self, property: &Arc<Priced>, start: &Candidate, unit: Unit, len: usize) -> Result<Vec<Row>> {
        println!("{:>6}  {:<29} {:<29}", "", VARIANTS[0], VARIANTS[1]);
        println!("{:>6}  {:<14} {:<14} {:<14} {:<14}", "factor", " tests", "result", " tests", "result");
        let mut rows: Vec<Row> = Vec::new();
        let factors = self.factors(len).into_iter().map(|factor| factor.to_string());
        for factor in factors.chain(["auto".to_owned()]) {
            let [with, without] = variants(factor.parse()?);
            let outcomes =
                [self.minimize(property, start, unit, with)?, self.minimize(property, start, unit, without)?];
            let baseline = rows.first().map_or(outcomes, |row| row.1);
            println!("{factor:>6}  {} {}", cell(outcomes[0], baseline[0]), cell(outcomes[1], baseline[1]));
            rows.push((factor, outcomes));
        }
        Ok(rows)
    }

    fn factors(&self, len: usize) -> Vec<usize> {
        let fibonacci = std::iter::successors(Some((2, 3)), |&(a, b)| Some((b, a + b))).map(|pair| pair.0);
        let first_from_len = fibonacci.clone().find(|&factor| factor >= len);
        let powers_of_two = std::iter::successors(Some(2), |power| Some(power * 2));
        let end = if self.asks_for("all") { len } else { len.min(MAX_FACTOR + 1) };
        let asked: Vec<usize> = self.words.iter().filter_map(|word| word.parse().ok()).collect();
        let is_asked = |factor: &usize| asked.is_empty() || asked.contains(factor);
        let all: BTreeSet<usize> = fibonacci
            .take_while(|&factor| factor < end)
            .chain(powers_of_two.take_while(|&factor| factor < end))
            .filter(is_asked)
            .chain(first_from_len)
            .collect();
        all.into_iter().collect()
    }

    fn minimize(
        &self,
        property: &Arc<Priced>,
        start: &Candidate,
        unit: Unit,
        options: DdminOptions,
    ) -> Result<Outcome> {
        let mut search = self.start(property, start)?;
        let units = Units::cut(start.files()[0].shared_bytes(), unit)?;
        let minimizer = Algorithm::Ddmin(options).minimizer(&units.weights());
        let base = start.clone();
        match search.run(minimizer, move |kept| Some(base.with_bytes(0, units.render(kept)))) {
            Ok(_) | Err(Stop::MaxTests(_)) => {}
            Err(stop) => return Err(stop.into()),
        }
        let left = Units::cut(search.best().candidate.files()[0].shared_bytes(), unit)?.len();
        // The first test was that of the whole list, which the paper does not count.
        Ok(Outcome { tests: search.tally().tests - 1, left })
    }

    fn start(&self, property: &Arc<Priced>, input: &Candidate) -> Result<Search, StartError> {
        let setup = Setup { max_tests: self.max_tests, ..Setup::default() };
        setup.start(Arc::clone(property) as Arc<_>, input.clone())
    }
}

fn variants(split_factor: SplitFactor) -> [DdminOptions; 2] {
    let options = |subsets, order| {
        let complements = Complements { order, after_success: AfterSuccess::Continue };
        DdminOptions { split_factor, subsets, complements, ..DdminOptions::default() }
    };
    [options(Some(Order::Forward), Order::Forward), options(None, Order::Backward)]
}

fn percent(part: f64, whole: f64) -> f64 {
    100.0 * part / whole.max(1.0)
}

fn cell(outcome: Outcome, of: Outcome) -> String {
    let tests = format!("({:.0}%)", percent(outcome.tests as f64, of.tests as f64));
    let left = format!("({:.0}%)", percent(outcome.left as f64, of.left as f64));
    format!("{:>6} {tests:<7} {:>5} {left:<7}", outcome.tests, outcome.left)
}

/// What two, the factor with the fewest tests, and n came to. `auto` is not a factor.
fn best_of(rows: &[Row], variant: usize) -> String {
    let factors = &rows[..rows.len().saturating_sub(1)];
    let best = factors.iter().min_by_key(|row| row.1[variant].tests);
    let (Some(two), Some(best), Some(last)) = (factors.first(), best, factors.last()) else {
        return "nothing to sweep".to_owned();
    };
    let base = two.1[variant];
    let of = |row: &Row| cell(row.1[variant], base);
    let saved = 100.0 - percent(best.1[variant].tests as f64, base.tests as f64);
    format!("{saved:>3.0}%  2: {}  {}: {}  n: {}", of(two), best.0, of(best), of(last))
}
