//! External passes: any program that proposes smaller texts (`docs/passes.md`).
//!
//! There are three dialects. A *counter* command makes one change, the one with this number, and fails when there is none. A
//! command with *hints* prints patches of the text, which are tried together and in parts by a list algorithm. In a
//! *dialogue*, a process that stays proposes texts and hears which were interesting.
//!
//! Proposals go through the search like those of other passes. What the programs answer is kept by what they were asked, so
//! that a resumed run hears the same. A turn of a pass ends after a number of answers and tests, so that a program that
//! never ends does not keep others from their turn. They run in helpers, with limits on time and memory.

mod answers;
mod clang_delta;
mod command;
mod dialogue;
mod hints;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use whittle_lists::{EmptyFirst, Subset, Weights};
use whittle_property::conditions::{CommandLine, Ending};
use whittle_property::{Crew, CrewSetup, Observed, at_once, consult};
use whittle_search::{Cancel, Candidate, FirstOf, Limited, Search, Stop, TestError};

use crate::reduction::ReductionError;
use crate::strategy::{Step, lists_in_trees};
use answers::{Answers, Key};
use hints::Hints;

pub use clang_delta::find as find_clang_delta;
use command::{Counter, Dialect};
pub use command::{PassCommand, PassCommandError};

/// What one turn of a pass may use.
#[derive(Clone, Copy, Debug)]
pub struct PassLimits {
    /// How long one answer may take.
    pub timeout: Duration,
    /// How many tests, and how many answers, a turn may take.
    pub tests: u64,
}

impl Default for PassLimits {
    fn default() -> Self {
        // Shrink Ray waits as long. Not measured: most passes end much earlier.
        Self { timeout: Duration::from_secs(60), tests: 1000 }
    }
}

/// How much of what is wrong with a pass is printed, in characters.
const LONGEST_FAULT: usize = 200;

/// How much an external pass may print for one answer, in bytes.
const MAX_ANSWER_BYTES: u64 = 64 << 20;

/// The most changes of a counter command that are made before the first of them is tested. Workers test them at once; what
/// comes behind a success was made for nothing.
const MAX_BATCH: u64 = 16;

/// After so many crashes in a row, a counter command is taken to be at its end.
const MAX_CRASHES: u64 = 20;

const CRASH: &str = "it crashes";
const FAILURE: &str = "it exits with an error";
const NOTHING: &str = "it exits with an error at number 1, so it proposes nothing";
const EXCESS: &str = "it takes too long, or prints too much";

/// What all external passes of a run share.
pub(crate) struct Surroundings {
    pub(crate) setup: CrewSetup,
    pub(crate) limits: PassLimits,
    pub(crate) jobs: usize,
    pub(crate) cancel: Cancel,
    pub(crate) deadline: Option<Instant>,
    /// Where answers are kept, and whether those that are there are used.
    pub(crate) answers: Option<PathBuf>,
    pub(crate) resumes: bool,
}

/// The external passes of a run.
#[derive(Debug, Default)]
pub(crate) struct ExternalPasses {
    passes: Vec<ExternalPass>,
    answers: Arc<Answers>,
}

/// An external pass that is ready to run. Clones share its processes and answers.
#[derive(Clone, Debug)]
pub struct ExternalPass(Arc<Office>);

/// A program with those who run it.
#[derive(Debug)]
struct Office {
    command: PassCommand,
    crew: Crew,
    answers: Arc<Answers>,
    limits: PassLimits,
    jobs: usize,
    cancel: Cancel,
    deadline: Option<Instant>,
    /// What was wrong with it so far.
    faults: Mutex<Vec<String>>,
    /// Whether it has proposed anything so far.
    has_proposed: AtomicBool,
    /// Whether the process of a dialogue is there and waits for a text.
    is_listening: Mutex<bool>,
}

/// What a command answered.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Text(Vec<u8>),
    /// There is nothing more.
    End,
    /// It crashed.
    Crash,
    /// It took too long, or printed too much.
    Excess,
}

impl PartialEq for ExternalPass {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl ExternalPasses {
    /// Starts helpers for all commands.
    pub(crate) fn start(commands: &[PassCommand], around: &Surroundings) -> Result<Self, ReductionError> {
        let path = around.answers.as_deref();
        let answers = Answers::new(path, around.resumes)
            .map_err(|error| ReductionError::Output { path: path.unwrap_or(Path::new("")).to_owned(), error })?;
        let answers = Arc::new(answers);
        let start = |command: &PassCommand| {
            Ok(ExternalPass(Arc::new(Office {
                command: command.clone(),
                crew: Crew::new(around.setup.clone())?,
                answers: Arc::clone(&answers),
                limits: around.limits,
                jobs: around.jobs,
                cancel: around.cancel.clone(),
                deadline: around.deadline,
                faults: Mutex::default(),
                has_proposed: AtomicBool::new(false),
                is_listening: Mutex::new(false),
            })))
        };
        let passes = commands.iter().map(start).collect::<Result<_, ReductionError>>()?;
        Ok(Self { passes, answers })
    }

    /// The passes as steps of a strategy.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.passes.iter().cloned().map(Step::External)
    }

    /// Forgets the answers: there is nothing to resume.
    pub(crate) fn forget(&self) {
        self.answers.remove();
    }
}

impl ExternalPass {
    /// Tries what the program proposes for one file of the best.
    pub(crate) fn run(&self, search: &mut Search, file: usize) -> Result<(), Stop> {
        // One that only looks ahead must not ask: what programs answer may depend on what they were asked before.
        if search.is_scout() {
            return Err(Stop::Interrupted);
        }
        let office = &self.0;
        match &office.command.dialect {
            Dialect::Counters(counters) => counters
                .iter()
                .try_for_each(|counter| search.pass(&counter.name, |search| office.count(counter, search, file))),
            Dialect::Hints(line) => search.pass(&office.command.name, |search| office.follow_hints(line, search, file)),
            Dialect::Dialogue(line) => search.pass(&office.command.name, |search| office.talk(line, search, file)),
        }
    }
}

impl Office {
    /// Asks for one change after the other, as C-Vise does: after a success, the same number is another change.
    fn count(&self, counter: &Counter, search: &mut Search, file: usize) -> Result<(), Stop> {
        let (mut number, mut batch, mut crashes) = (1, 1, 0);
        let (mut asked, last_test) = (0, search.tally().tests.saturating_add(self.limits.tests));
        while asked < self.limits.tests && search.tally().tests < last_test && crashes < MAX_CRASHES {
            let base = search.best().candidate.clone();
            let numbers: Vec<u64> = (number..number + batch).collect();
            asked += batch;
            let made = at_once(&numbers, self.jobs, |&number| self.change(counter, &base, file, number));
            let mut texts = Vec::new();
            let mut is_over = false;
            for (number, answer) in numbers.into_iter().zip(made) {
                match answer? {
                    Answer::Text(text) => texts.push((number, text)),
                    Answer::Crash => crashes += 1,
                    Answer::End => is_over = true,
                    Answer::Excess => {
                        self.report(search, EXCESS);
                        is_over = true;
                    }
                }
                if is_over {
                    break;
                }
            }
            if !texts.is_empty() {
                crashes = 0;
                self.has_proposed.store(true, Ordering::Relaxed);
            }
            let render = move |(_, text): &(u64, Vec<u8>)| Some(base.with_bytes(file, text.clone()));
            match search.run(FirstOf::new(texts), render)?.taken() {
                Some(&(taken, _)) => (number, batch) = (taken, 1),
                None if is_over => {
                    self.report_silence(search);
                    return Ok(());
                }
                None => (number, batch) = (number + batch, (batch * 2).min(MAX_BATCH)),
            }
        }
        if crashes >= MAX_CRASHES {
            self.report(search, CRASH);
        }
        Ok(())
    }

    /// Says that a command has proposed nothing at all. One of many, as those of clang_delta, has often nothing to propose.
    fn report_silence(&self, search: &mut Search) {
        let is_alone = matches!(&self.command.dialect, Dialect::Counters(counters) if counters.len() == 1);
        if is_alone && !self.has_proposed.load(Ordering::Relaxed) {
            self.report(search, NOTHING);
        }
    }

    fn change(&self, counter: &Counter, base: &Candidate, file: usize, number: u64) -> Result<Answer, Stop> {
        let number = number.to_string();
        let fill = |word: OsString| match word.to_str() {
            Some(text) if text.contains(command::COUNTER) => text.replace(command::COUNTER, &number).into(),
            _ => word,
        };
        let text = base.files()[file].bytes();
        let key = Key::of(&[b"counter", counter.line.to_string().as_bytes(), number.as_bytes(), text]);
        self.answer(key, &counter.line, base, file, &fill)
    }

    /// Tries hints of one kind after the other, all at once and in parts.
    fn follow_hints(&self, line: &CommandLine, search: &mut Search, file: usize) -> Result<(), Stop> {
        let mut done: Vec<String> = Vec::new();
        let mut left = self.limits.tests;
        loop {
            let base = search.best().candidate.clone();
            let text = base.files()[file].shared_bytes();
            let key = Key::of(&[b"hints", line.to_string().as_bytes(), &text]);
            let hints = match self.answer(key, line, &base, file, &|word| word)? {
                Answer::Text(bundle) => Hints::parse(&bundle, text.len()),
                Answer::End => Err(FAILURE.to_owned()),
                Answer::Crash => Err(CRASH.to_owned()),
                Answer::Excess => Err(EXCESS.to_owned()),
            };
            let hints = match hints {
                Ok(hints) => Arc::new(hints),
                Err(problem) => {
                    self.report(search, &problem);
                    return Ok(());
                }
            };
            let Some(group) = (0..hints.groups()).find(|&group| !done.contains(&hints.name(group))) else {
                return Ok(());
            };
            done.push(hints.name(group));
            let weights = hints.weights(group);
            let minimizer = EmptyFirst::new(lists_in_trees().minimizer(&Weights::new(&weights)));
            let render = move |kept: &Subset| {
                let applied = (0..weights.len()).filter(|&number| !kept.contains(number));
                Some(base.with_bytes(file, hints.apply(&text, group, applied)))
            };
            left = search.run(Limited::new(minimizer, left), render)?.left();
            if left == 0 {
                return Ok(());
            }
        }
    }

    /// What a command prints about a file of the best, or what it printed when it was asked before.
    fn answer(
        &self,
        key: Key,
        line: &CommandLine,
        base: &Candidate,
        file: usize,
        fill: &(dyn Fn(OsString) -> OsString + Sync),
    ) -> Result<Answer, Stop> {
        if let Some(known) = self.answers.known(key).and_then(|bytes| Answer::decoded(&bytes)) {
            return Ok(known);
        }
        let name = base.files()[file].path().as_os_str();
        let words = |_: &Path| line.words(name).into_iter().map(fill).collect();
        let limits = (self.time_left(), MAX_ANSWER_BYTES);
        let observed = consult(&self.crew, base, &words, limits, &self.cancel).map_err(stop)?;
        let answer = Answer::from(observed);
        self.answers.keep(key, &answer.encoded());
        Ok(answer)
    }

    fn time_left(&self) -> Duration {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.map_or(self.limits.timeout, |left| left.min(self.limits.timeout))
    }

    /// Says once what is wrong.
    fn report(&self, search: &mut Search, problem: &str) {
        // It may quote what the program printed, which is not for the terminal.
        let problem: String =
            problem.chars().map(|char| if char.is_control() { ' ' } else { char }).take(LONGEST_FAULT).collect();
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if !faults.contains(&problem) {
            faults.push(problem.clone());
            search.notice(format!("--pass {}: {problem}", self.command.name));
        }
    }
}

impl From<Observed> for Answer {
    fn from(observed: Observed) -> Self {
        match observed.observation.ending {
            Ending::Exited(0) => Self::Text(observed.observation.stdout),
            Ending::Exited(_) => Self::End,
            Ending::Signalled(_) => Self::Crash,
            Ending::TimedOut | Ending::OverLimit => Self::Excess,
        }
    }
}

impl Answer {
    fn encoded(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => [b"T", text.as_slice()].concat(),
            Self::End => b"E".to_vec(),
            Self::Crash => b"C".to_vec(),
            Self::Excess => b"X".to_vec(),
        }
    }

    fn decoded(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (b'T', text) => Some(Self::Text(text.to_vec())),
            (b'E', []) => Some(Self::End),
            (b'C', []) => Some(Self::Crash),
            (b'X', []) => Some(Self::Excess),
            _ => None,
        }
    }
}

fn stop(error: TestError) -> Stop {
    match error {
        TestError::Cancelled => Stop::Interrupted,
        TestError::Failed(reason) => Stop::Failed(reason),
    }
}
