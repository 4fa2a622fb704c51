//! The user's command as a [`Property`]: valid? ended as asked? same signature? One run a verdict; see `repeated.rs`.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use nix::errno::Errno;
use nix::libc::SIGKILL;
use serde::{Deserialize, Serialize};
use whittle_search::{Cancel, Candidate, Fingerprint, Property, TestError, Tested, Verdict};

use crate::conditions::{CommandLine, Conditions, Ending, Observation};
use crate::constants::Constants;
use crate::crew::{Assignment, Crew};
use crate::protocol::{End, OutputRule, Question, Report, Run, ServerRules, ServerState};
use crate::rejections::Rejections;
use crate::running::Running;
use crate::test_command::TestCommand;

/// How much of a command's output is kept where it is needed and nothing else was asked for.
pub const DEFAULT_OUTPUT_LIMIT: u64 = 64 << 20;

/// How much of it is kept to be shown to the user.
const SHOWN_OUTPUT: u64 = 64 << 10;

/// What is run on each candidate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Invocation {
    /// A test by C-Reduce's convention: it finds the candidate under its own name in the folder in which it runs, and
    /// its path as the first argument. The path of the test is absolute.
    Script(PathBuf),
    /// A command line with places for the candidate.
    Line(CommandLine),
    /// A process that stays and is asked about one candidate after the other.
    Server(CommandLine, ServerRules),
}

/// How a command finds the candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// By the name of its first file.
    #[default]
    File,
    /// By the folder that holds its files, which is also the one in which the command runs.
    Folder,
    /// By the paths of these files, be they still there or not; a command line gets the first.
    Files(Vec<PathBuf>),
}

impl Target {
    /// The file or the folder that a command line is given for `{}`.
    fn name(&self, candidate: &Candidate, folder: &Path) -> OsString {
        match self {
            Self::Folder => folder.into(),
            _ => self.first(candidate).into(),
        }
    }

    /// What a server is asked: the path of the only file, or of the folder.
    fn path(&self, candidate: &Candidate, folder: &Path) -> OsString {
        match self {
            Self::File => folder.join(self.first(candidate)).into(),
            Self::Folder | Self::Files(_) => folder.into(),
        }
    }

    /// The arguments of a script.
    fn arguments(&self, candidate: &Candidate, folder: &Path) -> Vec<OsString> {
        match self {
            Self::Folder => vec![folder.into()],
            Self::File => vec![folder.join(self.first(candidate)).into()],
            Self::Files(paths) => paths.iter().map(|path| folder.join(path).into()).collect(),
        }
    }

    /// The file that is the first, or the only one.
    fn first<'a>(&'a self, candidate: &'a Candidate) -> &'a Path {
        let first = match self {
            Self::Files(paths) => paths.first().map(PathBuf::as_path),
            Self::File | Self::Folder => candidate.files().first().map(|file| file.path()),
        };
        first.unwrap_or(Path::new(""))
    }
}

/// What makes a candidate interesting.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Criteria {
    /// What is run.
    pub command: Invocation,
    /// How it finds the candidate.
    pub target: Target,
    /// Whether the candidate is fed on standard input.
    pub stdin: bool,
    /// What its end and its output must be.
    pub conditions: Conditions,
    /// A cheap command that is run first; unless it exits with 0, the candidate is invalid.
    pub valid: Option<CommandLine>,
    /// How much a command may print, in bytes. `None`: the default where output is needed, anything where it is not.
    pub output_limit: Option<u64>,
}

impl Criteria {
    /// Replaces the paths of files that have moved.
    pub(crate) fn relocate(&mut self, moved: &[(PathBuf, PathBuf)]) {
        match &mut self.command {
            Invocation::Script(path) => {
                if let Some((_, to)) = moved.iter().find(|(from, _)| from == path) {
                    path.clone_from(to);
                }
            }
            Invocation::Line(line) | Invocation::Server(line, _) => *line = line.relocated(moved),
        }
        self.valid = self.valid.as_ref().map(|line| line.relocated(moved));
    }
}

/// A [`TestCommand`] with the helpers to run it.
#[derive(Debug)]
pub struct CommandTest {
    command: TestCommand,
    crew: Crew,
    rejections: Rejections,
    checks: Mutex<ServerChecks>,
    /// Whether every candidate gets a server of its own from now on.
    only_fresh: AtomicBool,
}

/// How often a new server was asked what the last one was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerChecks {
    /// How often that was.
    pub made: u64,
    /// How often its verdict was another: state leaks from one test to the next.
    pub failed: u64,
}

/// What a run of the command showed.
#[derive(Debug)]
pub struct Observed {
    /// How it ended, and what it printed if that was kept.
    pub observation: Observation,
    /// How long it took.
    pub elapsed: Duration,
    /// The processor time of all its processes.
    pub processor: Duration,
    /// How the server is that was asked, if one was.
    server: Option<ServerState>,
}

impl CommandTest {
    pub(crate) fn new(command: TestCommand, crew: Crew) -> Self {
        let (rejections, checks) = (Rejections::default(), Mutex::default());
        Self { command, crew, rejections, checks, only_fresh: AtomicBool::new(false) }
    }

    /// What is run, and how it is judged.
    pub fn command(&self) -> &TestCommand {
        &self.command
    }

    /// What makes a candidate interesting.
    pub fn criteria(&self) -> &Criteria {
        &self.command.criteria
    }

    /// The test runs that are under way.
    pub fn running(&self) -> Running {
        self.crew.running().clone()
    }

    /// The tests that were not interesting, kept once somebody watches them.
    pub fn rejections(&self) -> &Rejections {
        &self.rejections
    }

    /// How often new servers were asked what others were asked before, so far.
    pub fn server_checks(&self) -> ServerChecks {
        *self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, every candidate is tested by a server that was not asked before: for verdicts that must be right.
    pub fn use_fresh_servers(&self) {
        self.only_fresh.store(true, Ordering::Relaxed);
    }

    /// The folder in which the scratch folders are.
    pub fn scratch(&self) -> &Path {
        self.crew.scratch()
    }

    /// Removes the scratch folders, for a process that is about to end without waiting for its helpers.
    pub fn abandon(&self) {
        self.crew.abandon();
    }

    /// Runs the command on `candidate` as a test does, but keeps the head of its output for the eyes of the user even
    /// where no condition needs it.
    pub fn observe(&self, candidate: &Candidate, timeout: Duration, cancel: &Cancel) -> Result<Observed, TestError> {
        self.run(candidate, timeout, self.shown_output(), cancel)
    }

    /// Runs the cheap check on `candidate`, if there is one; exit status 0 lets the candidate pass.
    pub fn check_validity(
        &self,
        candidate: &Candidate,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Option<Observed>, TestError> {
        let Some(line) = &self.criteria().valid else { return Ok(None) };
        let words = |folder: &Path| line.words(&self.criteria().target.name(candidate, folder));
        self.perform(candidate, &words, timeout, OutputRule::Discard, cancel).map(Some)
    }

    fn run(
        &self,
        candidate: &Candidate,
        timeout: Duration,
        output: OutputRule,
        cancel: &Cancel,
    ) -> Result<Observed, TestError> {
        let observed = self.run_by(candidate, timeout, output, self.only_fresh.load(Ordering::Relaxed), cancel)?;
        match observed.server {
            // It may have died of what came before.
            Some(ServerState { is_used: true, has_died: true, .. }) => {
                self.run_by(candidate, timeout, output, true, cancel)
            }
            _ => Ok(observed),
        }
    }

    /// Runs the command once. A server must be a new one if `fresh` is set.
    fn run_by(
        &self,
        candidate: &Candidate,
        timeout: Duration,
        output: OutputRule,
        fresh: bool,
        cancel: &Cancel,
    ) -> Result<Observed, TestError> {
        let Criteria { command, target, .. } = self.criteria();
        let words = |folder: &Path| -> Vec<OsString> {
            match command {
                Invocation::Script(path) => {
                    std::iter::once(path.into()).chain(target.arguments(candidate, folder)).collect()
                }
                Invocation::Line(line) => line.words(&target.name(candidate, folder)),
                Invocation::Server(line, _) => line.words("".as_ref()),
            }
        };
        let Invocation::Server(_, rules) = command else {
            return self.perform(candidate, &words, timeout, output, cancel);
        };
        let question =
            |folder: &Path| Question { line: target.path(candidate, folder), is_dialogue: false, fresh, rules: *rules };
        let (stdin, surroundings) = (None, None);
        let assignment = Assignment { words: &words, surroundings, stdin, timeout, output, question: Some(&question) };
        perform(&self.crew, candidate, &assignment, cancel)
    }

    fn perform(
        &self,
        candidate: &Candidate,
        words: &dyn Fn(&Path) -> Vec<OsString>,
        timeout: Duration,
        output: OutputRule,
        cancel: &Cancel,
    ) -> Result<Observed, TestError> {
        let stdin = self.criteria().stdin.then(|| self.criteria().target.first(candidate));
        let assignment = Assignment { words, surroundings: None, stdin, timeout, output, question: None };
        perform(&self.crew, candidate, &assignment, cancel)
    }

    /// The output to keep for the eyes of the user.
    fn shown_output(&self) -> OutputRule {
        match self.output_rule() {
            OutputRule::Discard => OutputRule::Head(SHOWN_OUTPUT),
            needed => needed,
        }
    }

    /// Where the output has to be kept, and how much of it.
    fn output_rule(&self) -> OutputRule {
        match self.criteria().output_limit {
            Some(limit) => OutputRule::Keep(limit),
            None if self.criteria().conditions.needs_output() => OutputRule::Keep(DEFAULT_OUTPUT_LIMIT),
            None => OutputRule::Discard,
        }
    }
}

impl Observed {
    /// Whether a server was asked and has answered.
    pub(crate) fn has_answered(&self) -> bool {
        self.server.is_some_and(|server| !server.has_died)
    }
}

/// Runs a command by one of the helpers.
pub(crate) fn perform(
    crew: &Crew,
    candidate: &Candidate,
    assignment: &Assignment<'_>,
    cancel: &Cancel,
) -> Result<Observed, TestError> {
    let report = crew.perform(candidate, assignment, cancel).map_err(|error| cannot_prepare(crew, &error))?;
    match report {
        // A command that kills the process that runs it has killed itself, as far as a user can see.
        None => Ok(Observed {
            observation: Observation { ending: Ending::Signalled(SIGKILL), stdout: Vec::new(), stderr: Vec::new() },
            elapsed: Duration::ZERO,
            processor: Duration::ZERO,
            server: None,
        }),
        Some(Report::Unrunnable(number, text)) => {
            let program = (assignment.words)(Path::new("")).swap_remove(0);
            Err(TestError::Failed(cannot_run(Path::new(&program), number, &text)))
        }
        Some(Report::Ran(run)) => observed(run),
    }
}

fn cannot_prepare(crew: &Crew, error: &io::Error) -> TestError {
    let folder = crew.scratch().display();
    TestError::Failed(format!("a test cannot be prepared in {folder}: {error}"))
}

fn observed(run: Run) -> Result<Observed, TestError> {
    let ending = match run.end {
        End::Exited(code) => Ending::Exited(code),
        End::Signalled(signal) => Ending::Signalled(signal),
        End::TimedOut => Ending::TimedOut,
        End::OverLimit => Ending::OverLimit,
        End::Cancelled => return Err(TestError::Cancelled),
    };
    let observation = Observation { ending, stdout: run.stdout, stderr: run.stderr };
    Ok(Observed { observation, elapsed: run.elapsed, processor: run.processor, server: run.server })
}

fn cannot_run(program: &Path, number: Option<i32>, text: &str) -> String {
    let remedy = match number.map(Errno::from_raw) {
        Some(Errno::ENOEXEC) => "; it is a program for another system",
        Some(Errno::ENOENT) if has_crlf_shebang(program) => {
            "; its #! line ends with CRLF, as on Windows: remove the carriage returns, as with dos2unix"
        }
        Some(Errno::ENOENT) if program.exists() => "; the interpreter in its #! line does not exist",
        _ => "",
    };
    format!("cannot run {}: {text}{remedy}", program.display())
}

/// Whether the system looks for an interpreter whose name ends with a carriage return.
fn has_crlf_shebang(program: &Path) -> bool {
    let text = std::fs::read(program).unwrap_or_default();
    text.starts_with(b"#!") && text.split(|&byte| byte == b'\n').next().is_some_and(|line| line.ends_with(b"\r"))
}

/// A [`CommandTest`] with everything measured: the property of a run.
#[derive(Debug)]
pub struct CommandProperty {
    test: Arc<CommandTest>,
    constants: Constants,
    /// Tests hold it shared; one whose timeout is in doubt holds it alone.
    turnstile: RwLock<()>,
    parallel: bool,
    others: Mutex<HashMap<Fingerprint, Vec<u8>>>,
}

/// A verdict, and what led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict and the time it took.
    pub tested: Tested,
    /// Which condition was not met, if the candidate was rejected.
    pub reason: Option<String>,
    /// What the signature captured, for [`Verdict::Other`].
    pub signature: Option<Vec<u8>>,
}

/// What one run of everything came to.
struct Attempt {
    judged: Judged,
    /// Whether its timeout is to be confirmed.
    doubtful: bool,
}

impl CommandProperty {
    /// The property of a run with `jobs` tests at once.
    pub fn new(test: Arc<CommandTest>, constants: Constants, jobs: usize) -> Self {
        Self { test, constants, turnstile: RwLock::default(), parallel: jobs > 1, others: Mutex::default() }
    }

    /// The signature with which a candidate failed that got [`Verdict::Other`] in this run.
    pub fn other_signature(&self, fingerprint: Fingerprint) -> Option<Vec<u8>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner).get(&fingerprint).cloned()
    }

    /// The same as [`Property::test`], with what led to the verdict.
    pub fn judge(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Judged, TestError> {
        let first = {
            let _shared = self.turnstile.read().unwrap_or_else(PoisonError::into_inner);
            self.attempt(candidate, cancel)?
        };
        if !first.doubtful || !self.parallel {
            return Ok(first.judged);
        }
        let _alone = self.turnstile.write().unwrap_or_else(PoisonError::into_inner);
        let mut judged = self.attempt(candidate, cancel)?.judged;
        judged.tested.elapsed += first.judged.tested.elapsed;
        Ok(judged)
    }

    /// Takes note of what another machine found out with the same command.
    pub fn take_note(&self, candidate: &Candidate, judged: &Judged) {
        if let Some(reason) = &judged.reason {
            let unseen = Observation { ending: Ending::Exited(0), stdout: Vec::new(), stderr: Vec::new() };
            self.test.rejections.add(|| reason.clone(), &unseen);
        }
        if let Some(signature) = &judged.signature {
            self.note_other(candidate, signature.clone());
        }
    }

    /// How long a test may take.
    pub fn timeout(&self) -> Duration {
        self.constants.timeout
    }

    /// The signature of the input.
    pub fn signature(&self) -> Option<&[u8]> {
        self.constants.signature.as_deref()
    }

    /// The command.
    pub fn command_test(&self) -> &Arc<CommandTest> {
        &self.test
    }

    fn note_other(&self, candidate: &Candidate, signature: Vec<u8>) {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        others.insert(candidate.fingerprint(), signature);
    }

    fn attempt(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Attempt, TestError> {
        let timeout = self.constants.timeout;
        let mut before = Duration::ZERO;
        if let Some(check) = self.test.check_validity(candidate, timeout, cancel)? {
            before = check.elapsed;
            if check.observation.ending != Ending::Exited(0) {
                let grade =
                    self.reject(Verdict::Invalid, "rejected by the validity check".to_owned(), &check.observation);
                return Ok(Attempt { judged: grade.after(before), doubtful: self.doubts(&check) });
            }
        }
        let is_watched = self.test.rejections.are_watched();
        let output = if is_watched { self.test.shown_output() } else { self.test.output_rule() };
        let observed = self.test.run(candidate, timeout, output, cancel)?;
        let mut grade = self.grade(candidate, &observed.observation);
        if let Some(ServerState { is_used: true, is_due: true, .. }) = observed.server {
            grade = self.check(candidate, grade, cancel)?;
        }
        Ok(Attempt { judged: grade.after(before + observed.elapsed), doubtful: self.doubts(&observed) })
    }

    /// Asks a new server what the last one was asked, and gives the verdict that counts.
    fn check(&self, candidate: &Candidate, used: Grade, cancel: &Cancel) -> Result<Grade, TestError> {
        let (timeout, output) = (self.constants.timeout, self.test.output_rule());
        let observed = self.test.run_by(candidate, timeout, output, true, cancel)?;
        let fresh = self.grade(candidate, &observed.observation);
        // One that takes too long now says nothing about the state of the other.
        if fresh.verdict == Verdict::TimedOut {
            return Ok(used);
        }
        let mut checks = self.test.checks.lock().unwrap_or_else(PoisonError::into_inner);
        checks.made += 1;
        checks.failed += u64::from(fresh.verdict != used.verdict);
        Ok(fresh)
    }

    /// Whether the command might have ended in time on an idle machine. One that had a processor nearly all the time
    /// would not have: without this, every endless loop among the candidates would cost twice, and all workers wait.
    fn doubts(&self, observed: &Observed) -> bool {
        observed.observation.ending == Ending::TimedOut && observed.processor < self.constants.timeout.mul_f64(0.9)
    }

    fn grade(&self, candidate: &Candidate, observation: &Observation) -> Grade {
        let criteria = self.test.criteria();
        if observation.ending == Ending::TimedOut && !criteria.conditions.timeout_is_interesting {
            return self.reject(Verdict::TimedOut, observation.ending.to_string(), observation);
        }
        if let Err(unmet) = criteria.conditions.judge(observation) {
            return self.reject(Verdict::Uninteresting, unmet.to_string(), observation);
        }
        let interesting = Grade { verdict: Verdict::Interesting, reason: None, signature: None };
        let Some(signature) = &criteria.conditions.signature else { return interesting };
        match signature.capture(observation) {
            None => self.reject(Verdict::Uninteresting, "no signature".to_owned(), observation),
            captured if captured == self.constants.signature => interesting,
            Some(other) => {
                self.note_other(candidate, other.clone());
                let grade = self.reject(Verdict::Other, "another signature".to_owned(), observation);
                Grade { signature: Some(other), ..grade }
            }
        }
    }

    fn reject(&self, verdict: Verdict, reason: String, observation: &Observation) -> Grade {
        self.test.rejections.add(|| reason.clone(), observation);
        Grade { verdict, reason: Some(reason), signature: None }
    }
}

/// What the conditions make of a run.
struct Grade {
    verdict: Verdict,
    reason: Option<String>,
    signature: Option<Vec<u8>>,
}

impl Grade {
    /// The grade with the time that led to it.
    fn after(self, elapsed: Duration) -> Judged {
        let Self { verdict, reason, signature } = self;
        Judged { tested: Tested { verdict, elapsed }, reason, signature }
    }
}

impl Property for CommandProperty {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        Ok(self.judge(candidate, cancel)?.tested)
    }
}
