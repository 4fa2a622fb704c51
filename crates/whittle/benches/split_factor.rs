//! The experiment of section IV of "Generalizing the Split Factor of the Minimizing Delta Debugging Algorithm" (Kiss
//! 2020) on this repository's examples: how many tests a split factor other than two saves.
//!
//! The factors are the Fibonacci numbers and the powers of two below the length n of the list, and the first Fibonacci
//! number from n on; the last row is `auto`, which is not the paper's. Each one runs in both of the paper's variants: with subset tests, everything forward; and without,
//! complements backward. Counted are tests of content that the same run has not seen before. All runs of an example
//! share their verdicts, so that the sweep runs each content once, while each row counts it.
//!
//! The characters swept are those that lines and words have left. By default only a few of the factors are tried, and
//! no characters of the larger examples. Arguments: `all` takes every factor (five times as long), `whole` the characters
//! of the whole input (hours), `line` or `char` only one unit, the name of an example only that one with both units:
//! `cargo bench --bench split_factor -- all json-float`.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "shared/memo.rs"]
mod memo;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use whittle::lists::{AfterSuccess, Algorithm, Complements, DdminOptions, Order, SplitFactor, Unit, Units};
use whittle::property::{CommandProperty, Constants, TestCommand, Trust};
use whittle::search::{Candidate, Property, Search, Setup, StartError, Stop};
use whittle::strategy::{Step, Strategy, Turns};

use memo::Memo;

const EXAMPLES: [Example; 3] = [
    Example { folder: "json-float", test: "test.py", input: "numbers.json", is_small: true },
    Example { folder: "calc", test: "test.py", input: "bug.calc", is_small: false },
    Example { folder: "gcc-overflow", test: "test.sh", input: "bug.c", is_small: false },
];
const VARIANTS: [&str; 2] = ["with subset tests", "without subset tests"];
/// Of every so many factors one is tried, unless all are asked for; the first and the last are always tried.
const STRIDE: usize = 6;
/// As many tests per run as `cargo test` needs to see that this program runs.
const TESTS_IN_TESTS: u64 = 5;

struct Example {
    folder: &'static str,
    test: &'static str,
    input: &'static str,
    /// Whether its characters can be swept within a minute or two.
    is_small: bool,
}

/// What is asked for on the command line.
struct Sweep {
    words: Vec<String>,
    max_tests: Option<u64>,
}

/// The example's test, asked once per content.
type Test = Arc<Memo<CommandProperty>>;

/// What one run came to.
#[derive(Clone, Copy)]
struct Outcome {
    tests: u64,
    left: usize,
}

fn main() -> Result<()> {
    whittle::init();
    let (flags, words): (Vec<String>, _) = std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let max_tests = if flags.iter().any(|flag| flag == "--bench") { None } else { Some(TESTS_IN_TESTS) };
    let sweep = Sweep { words, max_tests };

    let start = Instant::now();
    let mut best = Vec::new();
    let examples = if max_tests.is_some() { &EXAMPLES[..1] } else { &EXAMPLES };
    for example in sweep.of_those_named(examples, |example| example.folder) {
        best.extend(sweep.run(example).with_context(|| format!("example {}", example.folder))?);
    }
    println!("best share of tests saved:");
    best.iter().for_each(|line| println!("{line}"));
    println!("in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

impl Sweep {
    fn asks_for(&self, word: &str) -> bool {
        self.words.iter().any(|given| given == word)
    }

    /// Those that the command line names, or all of them if it names none.
    fn of_those_named<T>(&self, all: impl IntoIterator<Item = T>, name: impl Fn(&T) -> &'static str) -> Vec<T> {
        let (named, rest): (Vec<T>, Vec<T>) = all.into_iter().partition(|one| self.asks_for(name(one)));
        if named.is_empty() { rest } else { named }
    }

    /// Prints the tables of an example, and gives the lines of the summary.
    fn run(&self, example: &Example) -> Result<Vec<String>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example.folder);
        let input = Candidate::single(example.input, std::fs::read(folder.join(example.input))?);
        let property = Arc::new(Memo::new(command(&folder.join(example.test), &input)?));

        let mut summary = Vec::new();
        let is_named = self.asks_for(example.folder) || self.asks_for(Unit::Char.name());
        for unit in self.of_those_named([Unit::Line, Unit::Char], |unit| unit.name()) {
            if unit == Unit::Char && !example.is_small && !is_named {
                continue;
            }
            let (start, origin) = match self.start_of(unit, &property, &input) {
                Ok(start) => start,
                Err(StartError::NotInteresting(_)) => {
                    println!("{}: skipped, its input is not interesting here\n", example.folder);
                    return Ok(Vec::new());
                }
                Err(error) => return Err(error.into()),
            };
            let len = Units::cut(start.files()[0].shared_bytes(), unit)?.len();
            println!("{} by {unit}: {len} {unit}s{origin}", example.folder);
            let rows = self.sweep(&property, &start, unit, len)?;
            summary.extend(VARIANTS.iter().enumerate().map(|(variant, name)| {
                format!("{:<12} by {unit:<4}  {name:<20}  {}", example.folder, best_of(&rows, variant))
            }));
            println!("{} contents were tested so far\n", property.verdicts().len());
        }
        Ok(summary)
    }

    /// What is cut into `unit`s, and a remark on where it comes from.
    fn start_of(
        &self,
        unit: Unit,
        property: &Test,
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

    fn sweep(&self, property: &Test, start: &Candidate, unit: Unit, len: usize) -> Result<Vec<(String, [Outcome; 2])>> {
        let cell = |outcome: Outcome, of: Outcome| {
            let percent = |part: f64, whole: f64| format!("({:.0}%)", 100.0 * part / whole.max(1.0));
            let tests = percent(outcome.tests as f64, of.tests as f64);
            format!(
                "{:>6} {tests:<7} {:>5} {:<7}",
                outcome.tests,
                outcome.left,
                percent(outcome.left as f64, of.left as f64)
            )
        };
        println!("{:>6}  {:<29} {:<29}", "", VARIANTS[0], VARIANTS[1]);
        println!("{:>6}  {:<14} {:<14} {:<14} {:<14}", "factor", " tests", "result", " tests", "result");
        let mut rows: Vec<(String, [Outcome; 2])> = Vec::new();
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
        let all: BTreeSet<usize> = fibonacci
            .take_while(|&factor| factor < len)
            .chain(powers_of_two.take_while(|&factor| factor < len))
            .chain(first_from_len)
            .collect();
        let last = all.len().saturating_sub(1);
        let wanted = |number: usize| self.asks_for("all") || number.is_multiple_of(STRIDE) || number == last;
        all.into_iter().enumerate().filter(|&(number, _)| wanted(number)).map(|(_, factor)| factor).collect()
    }

    fn minimize(&self, property: &Test, start: &Candidate, unit: Unit, options: DdminOptions) -> Result<Outcome> {
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

    fn start(&self, property: &Test, input: &Candidate) -> Result<Search, StartError> {
        // The number of counted tests does not depend on the number of workers.
        let setup = Setup { jobs: jobs(), max_tests: self.max_tests, ..Setup::default() };
        setup.start(Arc::clone(property) as Arc<dyn Property>, input.clone())
    }
}

fn variants(split_factor: SplitFactor) -> [DdminOptions; 2] {
    let options = |subsets, order| {
        let complements = Complements { order, after_success: AfterSuccess::Continue };
        DdminOptions { split_factor, subsets, complements, ..DdminOptions::default() }
    };
    [options(Some(Order::Forward), Order::Forward), options(None, Order::Backward)]
}

fn best_of(rows: &[(String, [Outcome; 2])], variant: usize) -> String {
    let Some((baseline, best)) = rows.first().zip(rows.iter().min_by_key(|row| row.1[variant].tests)) else {
        return "nothing to sweep".to_owned();
    };
    let (factor, best, baseline) = (&best.0, best.1[variant], baseline.1[variant]);
    let saved = 100.0 * (1.0 - best.tests as f64 / baseline.tests.max(1) as f64);
    let Outcome { tests, left } = best;
    format!(
        "{saved:>3.0}% at factor {factor} ({tests} of {} tests, {left} against {} left)",
        baseline.tests, baseline.left
    )
}

fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The example's test, as the command runs it.
fn command(test: &Path, input: &Candidate) -> Result<CommandProperty> {
    let test = TestCommand::script(std::path::absolute(test)?).start(input.byte_count(), jobs())?;
    let constants = Constants { timeout: Duration::from_secs(60), trust: Trust::default(), signature: None };
    Ok(CommandProperty::new(test, constants, jobs()))
}
