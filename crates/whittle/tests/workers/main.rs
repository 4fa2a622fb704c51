//! Random small problems, on which any number of workers ends with the same bytes after the same number of counted tests.
//!
//! A seed gives a text in one of six languages, a property that the text has, and one of the default strategies. Texts
//! and properties are small, so that there are many; most properties are not monotone, so that every order of tests
//! would end elsewhere.
//!
//! `WHITTLE_PROBLEMS=1000 cargo test -p whittle --test workers` solves more of them.

mod property;
mod texts;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use whittle::languages::Language;
use whittle::search::{Candidate, Setup, Simulation};
use whittle::strategy::{Effort, Strategy};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::SyntaxCheck;

use property::{Condition, Timed};

const PROBLEMS: u64 = 300;
/// The variable that says how many there are instead.
const PROBLEMS_VARIABLE: &str = "WHITTLE_PROBLEMS";
/// Threads: two, then more than a small machine has cores, and an odd number of them.
const WORKERS: [usize; 3] = [2, 7, 32];
/// Simulated workers: any number up to this one, and sometimes the most. Most of what they test is not needed, which takes time.
const MAX_SIMULATED: usize = 64;
/// Every so many problems are solved by 1,024 simulated workers.
const MANY_EVERY: u64 = 50;
/// How long a simulated test takes.
const SIMULATED_TEST: Duration = Duration::from_millis(50);

#[test]
fn any_number_of_workers_ends_with_the_same_bytes_after_the_same_tests() {
    let wanted = std::env::var(PROBLEMS_VARIABLE).ok();
    let problems = wanted.map_or(PROBLEMS, |count| count.parse().expect("a number of problems"));
    let seeds = AtomicU64::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        let mine = std::iter::repeat_with(|| seeds.fetch_add(1, Ordering::Relaxed)).take_while(|&seed| seed < problems);
        let found: Vec<String> = mine.filter_map(|seed| Problem::random(seed).difference()).collect();
        failures.lock().expect("no thread panics while it adds").extend(found);
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().expect("no thread panics while it adds");
    assert!(failures.is_empty(), "{} of {problems} differ\n\n{}", failures.len(), failures.join("\n\n"));
}

/// Something to reduce, and how.
struct Problem {
    seed: u64,
    language: &'static str,
    input: Candidate,
    syntaxes: Syntaxes,
    condition: Condition,
    name: &'static str,
    strategy: Strategy,
    check: SyntaxCheck,
}

/// How a reduction ended: the result, and how many tests were counted, and how many proposals were known or refused.
type End = (String, [u64; 3]);

impl Problem {
    fn random(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let (language, text) = texts::random(&mut rng, seed);
        let input = Candidate::single("input", text.clone().into_bytes());
        let known = Language::by_name(language).unwrap_or_else(|| panic!("there is no language {language}"));
        let syntaxes = Syntaxes::choose(&LanguageChoice::Is(known), &input).expect("a shipped grammar is sound");
        let strategies = [
            ("quick", Strategy::for_syntax(text.as_bytes(), Effort::Quick)),
            ("normal", Strategy::for_syntax(text.as_bytes(), Effort::Normal)),
            ("max", Strategy::for_syntax(text.as_bytes(), Effort::Max)),
            ("unknown", Strategy::for_unknown(text.as_bytes())),
        ];
        let (name, strategy) = strategies[rng.usize(..strategies.len())].clone();
        let condition = Condition::random(&text, &mut rng);
        let check = if rng.bool() { SyntaxCheck::Always } else { SyntaxCheck::Off };
        Self { seed, language, input, syntaxes, condition, name, strategy, check }
    }

    /// How several workers end otherwise than one, if they do.
    fn difference(&self) -> Option<String> {
        let (alone, time) = self.solve(1, Some(SIMULATED_TEST));
        assert_eq!(time, SIMULATED_TEST * alone.1[0] as u32, "seed {}: one worker tests what it need not", self.seed);
        let is_special = self.seed.is_multiple_of(MANY_EVERY);
        let any = if is_special { 1024 } else { Rng::with_seed(self.seed).usize(1..=MAX_SIMULATED) };
        let simulated = self.solve(any, Some(SIMULATED_TEST));
        if is_special {
            assert_eq!(simulated, self.solve(any, Some(SIMULATED_TEST)), "seed {}: simulated twice", self.seed);
        }
        let threads = WORKERS.map(|jobs| (jobs, self.solve(jobs, None).0));
        assert!(simulated.1 <= time, "seed {}: {any} simulated workers take longer than one", self.seed);
        let mut others = std::iter::once((any, simulated.0)).chain(threads);
        others.find(|(_, end)| *end != alone).map(|(workers, (text, tests))| {
            format!(
                "seed {}, {}, {}, syntax check {:?}, {:?}\n{}\none worker ends after {:?} tests with\n{}\n\
                and {workers} after {tests:?} with\n{text}",
                self.seed,
                self.language,
                self.name,
                self.check,
                self.condition,
                String::from_utf8_lossy(self.input.files()[0].bytes()),
                alone.1,
                alone.0,
            )
        })
    }

    /// The end of a reduction, and when it came.
    fn solve(&self, jobs: usize, simulated_test: Option<Duration>) -> (End, Duration) {
        let simulation = simulated_test.map(Simulation::ideal);
        let setup = Setup { jobs, simulation, measure: self.syntaxes.measure(), ..Setup::default() };
        let property = Arc::new(Timed::new(self.condition.clone(), if simulated_test.is_some() { 1 } else { jobs }));
        let mut search = setup
            .start(property, self.input.clone())
            .unwrap_or_else(|error| panic!("seed {}: {error}: {:?}", self.seed, self.condition));
        let ended = self.strategy.run(&mut search, &self.syntaxes.workshops(self.check));
        ended.unwrap_or_else(|error| panic!("seed {}: {error}", self.seed));
        let text = String::from_utf8_lossy(search.best().candidate.files()[0].bytes()).into_owned();
        assert!(self.condition.holds(&text), "seed {}, {jobs} workers: {text}", self.seed);
        let tally = search.tally();
        ((text, [tally.tests, tally.cached, tally.refused]), search.elapsed())
    }
}
