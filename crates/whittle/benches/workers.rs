//! How much sooner the default ends with more workers: the speed-up of the whole strategy on subjects of the bench, for
//! a test that takes 50 ms and no processor, so that a machine with few of them can measure many workers.
//!
//! One worker reduces the subject with its real test, and the verdict on each content is remembered. Then each number of
//! workers reduces it again with a test that sleeps and answers from memory. Content that is not in memory is what the
//! sequential order never comes to: it was tested beyond a success, and its verdict is thrown away, so "uninteresting" is
//! as good an answer as any. Bytes of the result and counted tests must be the same for all numbers of workers.
//!
//! Beside the speed-up against one worker stands what perfect speculation allows: between two successes, k tests take as
//! long as k/w on w workers, rounded up. Run in vain is what a sequential run would not have run, cancelled tests included.
//!
//! `cargo bench --bench workers -- 20 c-format FOLDER` takes a test of 20 ms and other subjects: those of `bench/subjects`
//! by name, any others by their folder, which holds `test.sh`, `meta.toml` and the input.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "shared/memo.rs"]
mod memo;
#[path = "shared/script.rs"]
mod script;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use whittle::languages::Language;
use whittle::search::{
    Cancel, Candidate, Event, Fingerprint, Listener, Moment, Property, Setup, StartError, Stop, TestError, Tested,
    Verdict,
};
use whittle::strategy::{Effort, Strategy, Unfinished};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::SyntaxCheck;

use memo::Memo;
use script::Script;

const SUBJECTS: [&str; 3] = ["c-aliasing", "sql-foreign-key", "json-extends"];
const WORKERS: [u64; 7] = [1, 2, 4, 8, 16, 32, 64];
const PAUSE: Duration = Duration::from_millis(50);
const HEAD: &str = "\
| subject | tests | succeed | workers | seconds | times as fast | at best | run in vain |
|---|--:|--:|--:|--:|--:|--:|--:|";

struct Bench {
    workers: Vec<u64>,
    pause: Duration,
    /// Under `cargo test` everything is as small as it can be.
    max_tests: Option<u64>,
}

/// What is reduced.
struct Subject {
    name: String,
    test: PathBuf,
    input: Candidate,
    syntaxes: Syntaxes,
}

#[derive(Deserialize)]
struct Meta {
    input: String,
    language: Option<String>,
}

/// What a reduction came to.
struct Reduction {
    wall: Duration,
    tests: u64,
    in_vain: u64,
    /// For each interesting candidate the number of tests since the one before; at the end the tests after the last.
    gaps: Vec<u64>,
    result: Candidate,
}

/// Counts the tests between successes.
#[derive(Clone)]
struct Gaps(Arc<Mutex<Vec<u64>>>);

/// A test that takes its time to say what is known.
struct Sleeper {
    verdicts: HashMap<Fingerprint, Verdict>,
    pause: Duration,
}

fn main() -> Result<()> {
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|word| word.starts_with('-'));
    let (pauses, names): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.parse::<u64>().is_ok());
    let is_test = !flags.iter().any(|flag| flag == "--bench");
    let pause = pauses.first().and_then(|word| word.parse().ok()).map_or(PAUSE, Duration::from_millis);
    let bench = if is_test {
        println!("only a trial: the figures mean nothing without --bench");
        Bench { workers: vec![1, 2], pause: Duration::from_millis(1), max_tests: Some(10) }
    } else {
        Bench { workers: WORKERS.to_vec(), pause, max_tests: None }
    };
    let defaults = if is_test { &SUBJECTS[..1] } else { &SUBJECTS };
    let names = if names.is_empty() { defaults.iter().map(|&name| name.to_owned()).collect() } else { names };
    println!("a test of {:?}\n\n{HEAD}", bench.pause);
    for name in names {
        let subject = Subject::load(&name).with_context(|| format!("the subject {name}"))?;
        bench.run(&subject).with_context(|| format!("the subject {name}"))?;
    }
    Ok(())
}

impl Bench {
    /// Prints a row for each number of workers.
    fn run(&self, subject: &Subject) -> Result<()> {
        let script = Script { path: subject.test.clone(), name: subject.input.files()[0].path().into() };
        let memo = Arc::new(Memo::new(script));
        let sequence = match self.reduce(subject, Arc::clone(&memo) as Arc<dyn Property>, 1) {
            Err(error) if matches!(error.downcast_ref(), Some(StartError::NotInteresting(_))) => {
                println!("| {} | its input is not interesting here |", subject.name);
                return Ok(());
            }
            sequence => sequence?,
        };
        let verdicts = memo.verdicts().clone();
        let mut one = None;
        for &workers in &self.workers {
            let sleeper = Sleeper { verdicts: verdicts.clone(), pause: self.pause };
            let run = self.reduce(subject, Arc::new(sleeper), workers)?;
            ensure!(run.is_like(&sequence), "{workers} workers make other tests or another result than one");
            let wall = run.wall.as_secs_f64();
            let steps: u64 = run.gaps.iter().map(|gap| gap.div_ceil(workers)).sum();
            println!(
                "| {} | {} | {} | {workers} | {wall:.1} | {:.2} | {:.2} | {} |",
                subject.name,
                run.tests,
                run.gaps.len() - 1,
                one.get_or_insert(wall).max(f64::MIN_POSITIVE) / wall,
                run.tests as f64 / steps as f64,
                run.in_vain,
            );
        }
        Ok(())
    }

    /// Reduces a subject as the command does without options.
    fn reduce(&self, subject: &Subject, property: Arc<dyn Property>, jobs: u64) -> Result<Reduction> {
        let gaps = Gaps(Arc::new(Mutex::new(vec![0])));
        let setup = Setup {
            jobs: jobs as usize,
            max_tests: self.max_tests,
            measure: subject.syntaxes.measure(),
            listeners: vec![Box::new(gaps.clone())],
            ..Setup::default()
        };
        let strategy = Strategy::for_syntax(subject.input.files()[0].bytes(), Effort::Normal);
        let began = Instant::now();
        let mut search = setup.start(property, subject.input.clone())?;
        match strategy.run(&mut search, &subject.syntaxes.workshops(SyntaxCheck::Always)) {
            Ok(()) | Err(Unfinished::Stopped(Stop::MaxTests(_))) => {}
            Err(error) => return Err(error.into()),
        }
        let wall = began.elapsed();
        search.finish("done");
        let tally = search.tally();
        let gaps = gaps.lock().clone();
        let result = search.best().candidate.clone();
        Ok(Reduction { wall, tests: tally.tests, in_vain: tally.speculative(), gaps, result })
    }
}

impl Subject {
    fn load(name: &str) -> Result<Self> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/subjects").join(name);
        let folder = if own.is_dir() { own } else { PathBuf::from(name) };
        let folder = folder.canonicalize().context("neither a name in bench/subjects nor a folder")?;
        let meta: Meta = toml::from_str(&std::fs::read_to_string(folder.join("meta.toml")).context("meta.toml")?)?;
        let bytes = std::fs::read(folder.join(&meta.input)).context(meta.input.clone())?;
        let input = Candidate::single(&meta.input, bytes);
        let syntaxes = match meta.language.and_then(|name| Language::by_name(&name)) {
            Some(language) => Syntaxes::choose(&LanguageChoice::Is(language), &input)?,
            None => Syntaxes::choose(&LanguageChoice::Detect, &input)?,
        };
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { name, test: folder.join("test.sh"), input, syntaxes })
    }
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

impl Property for Sleeper {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let (bell, ring) = mpsc::channel();
        let is_cancelled =
            cancel.watch(move || bell.send(()).unwrap_or_default(), || ring.recv_timeout(self.pause).is_ok());
        if is_cancelled {
            return Err(TestError::Cancelled);
        }
        let verdict = self.verdicts.get(&candidate.fingerprint()).copied().unwrap_or(Verdict::Uninteresting);
        Ok(Tested { verdict, elapsed: self.pause })
    }
}
