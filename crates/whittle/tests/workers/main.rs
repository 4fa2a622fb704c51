//! Random small problems, on which any number of workers ends with the same bytes after the same number of counted tests.
//!
//! A seed gives a text in one of six languages, a property that the text has, and one of the default strategies. Texts
//! and properties are small, so that there are many; most properties are not monotone, so that every order of tests
//! would end elsewhere.

mod property;
mod texts;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use fastrand::Rng;
use whittle::languages::Language;
use whittle::search::{Candidate, Setup};
use whittle::strategy::{Effort, Strategy};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::SyntaxCheck;

use property::{Condition, Timed};

const PROBLEMS: u64 = 1000;
/// One worker, then two, then more than a small machine has cores, and an odd number of them.
const WORKERS: [usize; 4] = [1, 2, 7, 32];

#[test]
fn any_number_of_workers_ends_with_the_same_bytes_after_the_same_tests() {
    let seeds = AtomicU64::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        let mine = std::iter::repeat_with(|| seeds.fetch_add(1, Ordering::Relaxed)).take_while(|&seed| seed < PROBLEMS);
        let found: Vec<String> = mine.filter_map(|seed| Problem::random(seed).difference()).collect();
        failures.lock().expect("no thread panics while it adds").extend(found);
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().expect("no thread panics while it adds");
    assert!(failures.is_empty(), "{} of {PROBLEMS} differ\n\n{}", failures.len(), failures.join("\n\n"));
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

/// How a reduction ended: the result, and how many tests were counted.
type End = (String, u64);

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
        let alone = self.solve(1);
        let others = WORKERS.iter().skip(1).map(|&workers| (workers, self.solve(workers)));
        others.into_iter().find(|(_, end)| *end != alone).map(|(workers, (text, tests))| {
            format!(
                "seed {}, {}, {}, syntax check {:?}, {:?}\n{}\none worker ends after {} tests with\n{}\n\
                and {workers} after {tests} with\n{text}",
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

    fn solve(&self, jobs: usize) -> End {
        let setup = Setup { jobs, measure: self.syntaxes.measure(), ..Setup::default() };
        let property = Arc::new(Timed::new(self.condition.clone(), jobs));
        let mut search = setup
            .start(property, self.input.clone())
            .unwrap_or_else(|error| panic!("seed {}: {error}: {:?}", self.seed, self.condition));
        let ended = self.strategy.run(&mut search, &self.syntaxes.workshops(self.check));
        ended.unwrap_or_else(|error| panic!("seed {}: {error}", self.seed));
        let text = String::from_utf8_lossy(search.best().candidate.files()[0].bytes()).into_owned();
        assert!(self.condition.holds(&text), "seed {}, {jobs} workers: {text}", self.seed);
        (text, search.tally().tests)
    }
}
