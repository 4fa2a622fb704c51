//! How much sooner the default ends with more workers: the speed-up of the whole strategy, for a test that takes 50 ms.
//!
//! One worker reduces a subject with its real test, and a journal records the verdict on each content, once for all
//! later runs of this program. Then each number of workers, from 1 to 1,024, reduces it again with a test that answers from
//! the journal. Workers are simulated in virtual time, in which tests take their 50 ms and everything else takes none; the
//! search is the real one. With `work`, everything else takes the processor time that it takes here, as on a machine with a
//! core for every thread. With `sleep`, real threads reduce it with a test that sleeps, which shows what the search itself
//! takes. Content that is not on record is what the sequential order never comes to: its verdict is thrown away, so
//! "uninteresting" is as good an answer as any. Bytes of the result and counted tests must be the same in every row.
//!
//! Beside the speed-up against one worker stands what perfect speculation on failures allows: between two successes, k
//! tests take as long as k/w on w workers, rounded up. Wasted is what a sequential run would not have run, cancelled tests
//! included. In use is the share of the workers' time that they spend in tests; of simulated workers, in cancelled ones too.
//!
//! With `rounds`, a model says from the outcomes of one worker what merging edits in rounds could gain at best.
//!
//! `cargo bench --bench workers -- sleep 20 1w 8w c-format FOLDER` takes a test of 20 ms, two rows and other subjects: those of
//! `bench/subjects` by name, any others by their folder, which holds `test.sh`, `meta.toml` and the input. The large
//! subjects are in the folder that `WHITTLE_SUBJECTS` names; `bench/real/setup.sh` makes them.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "workers/rounds.rs"]
mod rounds;
#[path = "shared/script.rs"]
mod script;
#[path = "workers/subject.rs"]
mod subject;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::time::{ClockId, clock_gettime};
use whittle::search::{
    Cancel, Candidate, Clock, Event, Fingerprint, Listener, Moment, Property, Setup, Simulation, StartError, Stop,
    TestError, Tested, Verdict,
};
use whittle::strategy::{Effort, Strategy, Unfinished};
use whittle::trees::SyntaxCheck;

use rounds::{Outcomes, WIDTHS};
use subject::Subject;

const SUBJECTS: [&str; 3] = ["c-aliasing", "sql-foreign-key", "json-extends"];
/// Large inputs in C, C++, Rust and SMT-LIB, which `bench/real/setup.sh` makes.
const LARGE: [&str; 4] = ["c-tcc-cast", "cpp-clang-lambda", "rust-elided-vec", "smt-cvc5-arrays"];
/// The folder of the large subjects.
const LARGE_FOLDER: &str = "WHITTLE_SUBJECTS";
const WORKERS: [u64; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// A machine with few cores can let this many threads sleep.
const SLEEPERS: u64 = 64;
const PAUSE: Duration = Duration::from_millis(50);
/// Up to how many bytes a candidate is parsed before it is tested. The command comes to this limit, its smallest, with tests of
/// 50 ms or less: parsing a longer text would take more than 3% of a test.
const CHECK_UP_TO: usize = 16 << 10;
const HEAD: &str = "\
| subject | tests | succeed | workers | seconds | speedup | bound | wasted | in use |
|---|--:|--:|--:|--:|--:|--:|--:|--:|";

struct Bench {
    workers: Vec<u64>,
    /// How long a test takes.
    pause: Duration,
    /// Whether tests really take that long, or in virtual time.
    sleeps: bool,
    /// Whether everything else takes virtual time, too.
    works: bool,
    /// Under `cargo test` everything is as small as it can be.
    max_tests: Option<u64>,
}

/// What a reduction came to.
struct Reduction {
    wall: Duration,
    tests: u64,
    in_vain: u64,
    in_tests: Duration,
    /// For each interesting candidate the number of tests since the one before; at the end the tests after the last.
    gaps: Vec<u64>,
    result: Candidate,
}

/// Counts the tests between successes.
#[derive(Clone)]
struct Gaps(Arc<Mutex<Vec<u64>>>);

/// A test that says what is on record, and may take its time.
struct Recorded {
    verdicts: Arc<HashMap<Fingerprint, Verdict>>,
    pause: Duration,
    sleeps: bool,
}

fn main() -> Result<()> {
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with('-'));
    let (pauses, mut names): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.parse::<u64>().is_ok());
    let is_test = !flags.iter().any(|flag| flag == "--bench");
    let pause = pauses.first().and_then(|word| word.parse().ok()).map_or(PAUSE, Duration::from_millis);
    let sleeps = names.iter().any(|name| name == "sleep");
    let works = names.iter().any(|name| name == "work");
    let models_rounds = names.iter().any(|name| name == "rounds");
    let counts: Vec<u64> = names.iter().filter_map(|name| name.strip_suffix('w')?.parse().ok()).collect();
    names.retain(|name| {
        !["sleep", "work", "rounds"].contains(&name.as_str())
            && name.strip_suffix('w').is_none_or(|count| count.parse::<u64>().is_err())
    });
    let bench = if is_test {
        println!("only a trial: the figures mean nothing without --bench");
        Bench { workers: vec![1, 2], pause: Duration::from_millis(1), sleeps, works, max_tests: Some(10) }
    } else {
        let all = WORKERS.into_iter().filter(|&workers| !sleeps || workers <= SLEEPERS).collect();
        let workers = if counts.is_empty() { all } else { counts };
        Bench { workers, pause, sleeps, works, max_tests: None }
    };
    let defaults = || match std::env::var_os(LARGE_FOLDER) {
        _ if is_test => vec![SUBJECTS[0].to_owned()],
        Some(folder) => {
            let large = LARGE.map(|name| Path::new(&folder).join(name).to_string_lossy().into_owned());
            SUBJECTS.map(str::to_owned).into_iter().chain(large).collect()
        }
        None => {
            println!("{} are left out: {LARGE_FOLDER} does not name their folder\n", LARGE.join(", "));
            SUBJECTS.map(str::to_owned).to_vec()
        }
    };
    let names = if names.is_empty() { defaults() } else { names };
    if models_rounds {
        return bench.model_rounds(&names);
    }
    println!("a test of {:?}\n\n{HEAD}", bench.pause);
    let mut rows = Vec::new();
    for name in names {
        let subject = Subject::load(&name).with_context(|| format!("the subject {name}"))?;
        rows.extend(bench.run(&subject).with_context(|| format!("the subject {name}"))?);
    }
    for &workers in &bench.workers {
        let of_workers = || rows.iter().filter(|row| row.workers == workers);
        let logarithms: f64 = of_workers().map(|row| row.speedup.ln()).sum();
        let wasted: f64 = of_workers().map(|row| row.wasted).sum();
        let count = of_workers().count() as f64;
        let (speedup, wasted) = ((logarithms / count).exp(), wasted / count);
        println!("| geometric mean | | | {workers} | | {speedup:.2} | | {wasted:.2} per test | |");
    }
    Ok(())
}

/// What a mean is made of.
struct Row {
    workers: u64,
    speedup: f64,
    /// Wasted tests for each counted one.
    wasted: f64,
}

impl Bench {
    /// Prints what rounds of each width could reach, as geometric means over subjects: the tests of one worker against those
    /// without rounds, and the speed-up of each number of workers over one without rounds.
    fn model_rounds(&self, names: &[String]) -> Result<()> {
        let mut all = Vec::new();
        for name in names {
            let subject = Subject::load(name).with_context(|| format!("the subject {name}"))?;
            let (journal, replay) = subject.journal()?;
            let outcomes = Outcomes::default();
            let listeners: Vec<Box<dyn Listener>> = vec![Box::new(outcomes.clone())];
            let recording = Setup { journal: Some(journal), replay, listeners, ..Setup::default() };
            self.reduce(&subject, Arc::new(subject.script()), recording)?;
            all.push(outcomes);
        }
        let counts: Vec<String> = self.workers.iter().map(|workers| format!(" {workers} |")).collect();
        println!("| rounds | width | tests |{}\n|---|--:|--:|{}", counts.concat(), "--:|".repeat(counts.len()));
        let mean = |ratio: &dyn Fn(&Outcomes) -> f64| {
            let logarithms: f64 = all.iter().map(|outcomes| ratio(outcomes).ln()).sum();
            (logarithms / all.len() as f64).exp()
        };
        let tests = |outcomes: &Outcomes, width, everywhere| outcomes.cost(width, everywhere, 1).tests as f64;
        let widths = |everywhere| WIDTHS.map(|width| (width, everywhere));
        for (width, everywhere) in [false, true].into_iter().flat_map(widths) {
            let growth = mean(&|outcomes| tests(outcomes, width, everywhere) / tests(outcomes, 1, true));
            let speedup = |&workers: &u64| {
                let steps = |outcomes: &Outcomes| outcomes.cost(width, everywhere, workers).steps as f64;
                format!(" {:.2} |", mean(&|outcomes| tests(outcomes, 1, true) / steps(outcomes)))
            };
            let place = if everywhere { "everywhere" } else { "single edits" };
            println!("| {place} | {width} | {growth:.3} |{}", self.workers.iter().map(speedup).collect::<String>());
        }
        Ok(())
    }

    /// Prints a row for each number of workers.
    fn run(&self, subject: &Subject) -> Result<Vec<Row>> {
        let (journal, replay) = subject.journal()?;
        let recording = Setup { journal: Some(journal), replay, ..Setup::default() };
        let sequence = match self.reduce(subject, Arc::new(subject.script()), recording) {
            Err(error) if matches!(error.downcast_ref(), Some(StartError::NotInteresting(_))) => {
                println!("| {} | left out: its test does not accept its input; is the tool installed? |", subject.name);
                return Ok(Vec::new());
            }
            sequence => sequence?,
        };
        let verdicts = Arc::new(subject.verdicts()?);
        let mut rows: Vec<Row> = Vec::new();
        let mut one = None;
        for &workers in &self.workers {
            let property = Recorded { verdicts: Arc::clone(&verdicts), pause: self.pause, sleeps: self.sleeps };
            let clock = self.works.then_some(processor_time as Clock);
            let simulation = (!self.sleeps).then_some(Simulation { test: self.pause, clock });
            let setup = Setup { jobs: workers as usize, simulation, ..Setup::default() };
            let run = self.reduce(subject, Arc::new(property), setup)?;
            ensure!(run.is_like(&sequence), "{workers} workers make other tests or another result than one");
            let wall = run.wall.as_secs_f64();
            let speedup = one.get_or_insert(wall).max(f64::MIN_POSITIVE) / wall;
            let steps: u64 = run.gaps.iter().map(|gap| gap.div_ceil(workers)).sum();
            println!(
                "| {} | {} | {} | {workers} | {wall:.1} | {speedup:.2} | {:.2} | {} | {:.0}% |",
                subject.name,
                run.tests,
                run.gaps.len() - 1,
                run.tests as f64 / steps as f64,
                run.in_vain,
                100.0 * run.in_tests.as_secs_f64() / (wall * workers as f64),
            );
            rows.push(Row { workers, speedup, wasted: run.in_vain as f64 / run.tests as f64 });
        }
        Ok(rows)
    }

    /// Reduces a subject as the command does without options.
    fn reduce(&self, subject: &Subject, property: Arc<dyn Property>, setup: Setup) -> Result<Reduction> {
        let gaps = Gaps(Arc::new(Mutex::new(vec![0])));
        let strategy = Strategy::for_syntax(subject.input.files()[0].bytes(), Effort::Normal);
        let mut setup = Setup {
            max_tests: self.max_tests,
            measure: subject.syntaxes.measure(),
            order: strategy.order,
            layout: subject.syntaxes.layout_for(&strategy),
            ..setup
        };
        setup.listeners.push(Box::new(gaps.clone()));
        let mut search = setup.start(property, subject.input.clone())?;
        match strategy.run(&mut search, &subject.syntaxes.workshops(SyntaxCheck::UpTo(CHECK_UP_TO))) {
            Ok(()) | Err(Unfinished::Stopped(Stop::MaxTests(_))) => {}
            Err(error) => return Err(error.into()),
        }
        search.finish("done");
        let wall = search.elapsed();
        let tally = search.tally();
        let gaps = gaps.lock().clone();
        let result = search.best().candidate.clone();
        Ok(Reduction {
            wall,
            tests: tally.tests,
            in_vain: tally.speculative(),
            gaps,
            result,
            in_tests: search.virtual_time_in_tests().unwrap_or(tally.property_time),
        })
    }
}

/// What this thread has used of a processor.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

impl Reduction {
    /// Whether it made as many tests with the same successes among them, and ended with the same bytes.
    fn is_like(&self, other: &Self) -> bool {
        self.tests == other.tests && self.gaps == other.gaps && self.result.fingerprint() == other.result.fingerprint()
    }
}

impl Gaps {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Gaps {
    fn notify(&mut self, event: &Event, _: &Moment<'_>) {
        let Event::Tested { verdict, .. } = event else { return };
        let mut gaps = self.lock();
        if let Some(gap) = gaps.last_mut() {
            *gap += 1;
        }
        if *verdict == Verdict::Interesting {
            gaps.push(0);
        }
    }
}

impl Property for Recorded {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let (bell, ring) = mpsc::channel();
        let pause = if self.sleeps { self.pause } else { Duration::ZERO };
        let is_cancelled = cancel.watch(move || bell.send(()).unwrap_or_default(), || ring.recv_timeout(pause).is_ok());
        if is_cancelled {
            return Err(TestError::Cancelled);
        }
        let verdict = self.verdicts.get(&candidate.fingerprint()).copied().unwrap_or(Verdict::Uninteresting);
        Ok(Tested { verdict, elapsed: self.pause })
    }
}
