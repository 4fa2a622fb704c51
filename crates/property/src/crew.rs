//! The helpers of a run, as Whittle sees them: hire one when all are busy, give it a task, let it go at the end.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use whittle_search::{Cancel, Candidate};

use crate::helper::{HELPER, is_initialized};
use crate::host;
use crate::protocol::{Order, OutputRule, Question, Report, Surroundings, Task, receive, send};
use crate::running::Running;
use crate::scratch::{ScratchRoot, remove_folder, unpack};
use crate::standing::Standing;
use crate::test_command::SentFile;

/// The folder below the root of scratch folders for files that a command uses. Homes of helpers are numbers.
const FILES: &str = "files";

/// How the names of variables begin that hold secrets, or paths of files with secrets.
const SECRETS: &[u8] = b"WHITTLE_NATS_";

/// The program that a helper process runs: one that calls [`init`](crate::init) first thing in `main`.
#[derive(Clone, Debug)]
pub struct HelperProgram {
    words: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

impl HelperProgram {
    /// The program that is running now. Fails unless it has called [`init`](crate::init): a program that does not know
    /// how to become a helper would do its own work again instead.
    pub fn this() -> Result<Self, CrewError> {
        if !is_initialized() {
            return Err(CrewError::NotInitialized);
        }
        if let Some(words) = host::stated() {
            return Ok(Self { words: words.to_vec(), environment: Vec::new() });
        }
        // On Linux this name leads to the running program even if its file has been replaced since.
        let linux = Path::new("/proc/self/exe");
        Ok(Self::at(if linux.exists() { linux.to_owned() } else { std::env::current_exe()? }))
    }

    /// Another program that calls [`init`](crate::init), such as an installed `whittle`: for hosts whose `main` is not
    /// theirs to change.
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self { words: vec![program.into().into()], environment: Vec::new() }
    }

    /// The same with these variables in the environment of its tests, beside those of this process.
    #[must_use]
    pub fn with_environment(self, environment: Vec<(OsString, OsString)>) -> Self {
        Self { environment, ..self }
    }

    fn command(&self) -> Command {
        let (program, words) = self.words.split_first().expect("there is always a program");
        let mut command = Command::new(program);
        // An interpreter looks for its library by the name that it was called with.
        if words.is_empty() {
            command.arg0("whittle-helper");
        }
        // Tests must not see the secrets with which Whittle connects to a server.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(SECRETS)) {
            command.env_remove(name);
        }
        command.args(words).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Why there are no helpers to run tests.
#[derive(Debug, thiserror::Error)]
pub enum CrewError {
    /// The running program cannot become a helper.
    #[error("a command can be the property only in a program that calls whittle::init() first thing in main")]
    NotInitialized,
    /// There is no place for scratch folders.
    #[error("cannot create scratch folders: {0}")]
    Scratch(#[from] io::Error),
}

/// What a crew is given for the whole run.
#[derive(Clone, Debug)]
pub struct CrewSetup {
    /// How to start a helper.
    pub helper: HelperProgram,
    /// Where scratch folders go; `None`: where it is best.
    pub scratch: Option<PathBuf>,
    /// The size of the input, and how many tests run at once: scratch folders must have room for that.
    pub room: (u64, u64),
    /// The address space that each process of a test may have, in bytes.
    pub memory_limit: Option<u64>,
    /// Folders of a project that a helper keeps from test to test, as relative paths.
    pub warm: Arc<[PathBuf]>,
}

/// All helpers of a run and the folders they work in. Dropping it ends them and removes the folders.
#[derive(Debug)]
pub struct Crew {
    setup: CrewSetup,
    idle: Mutex<Vec<Helper>>,
    running: Running,
    hired: AtomicUsize,
    // Dropped last: no helper is at work any more.
    scratch: ScratchRoot,
}

/// How long a helper may take beyond the time of its task to end everything and to report.
const GRACE: Duration = Duration::from_secs(10);

/// How often, and at what distance, a candidate is written again if there is no room for it: other tests end and free some.
const RETRIES: (u32, Duration) = (20, Duration::from_millis(100));

/// The name of the folder in which a helper tests projects. Paths may become long, so it is short.
const PROJECT: &str = "p";

/// What a command is run with, besides the candidate.
pub(crate) struct Assignment<'a> {
    /// Program and arguments, made for the folder that holds the candidate.
    pub(crate) words: &'a dyn Fn(&Path) -> Vec<OsString>,
    /// Where else than with the candidate it runs.
    pub(crate) surroundings: Option<Surroundings>,
    /// The file of the candidate that is fed on standard input.
    pub(crate) stdin: Option<&'a Path>,
    pub(crate) timeout: Duration,
    pub(crate) output: OutputRule,
    /// If the words start a server: what to ask it about the candidate in a folder.
    pub(crate) question: Option<&'a dyn Fn(&Path) -> Question>,
}

#[derive(Debug)]
struct Helper {
    process: Child,
    orders: Arc<Mutex<Option<ChildStdin>>>,
    reports: ChildStdout,
    home: PathBuf,
    tasks: u64,
    /// Where projects are tested. A single file gets a fresh folder for each test.
    standing: Standing,
}

impl Crew {
    /// Makes the root of the scratch folders. The first helper is there before the root is, so that somebody removes it if
    /// this process is killed at any moment; the others are hired when they are needed.
    pub fn new(setup: CrewSetup) -> Result<Self, CrewError> {
        let (size, copies) = setup.room;
        let root = ScratchRoot::choose_path(setup.scratch.as_deref(), size, copies);
        // If it cannot be started, the first test says why.
        let first = Helper::start(&setup, root.join("0")).ok();
        let scratch = ScratchRoot::create(root)?;
        scratch.home(0)?;
        let idle = Mutex::new(first.into_iter().collect());
        Ok(Self { setup, idle, running: Running::default(), hired: AtomicUsize::new(1), scratch })
    }

    /// The folder in which the scratch folders are.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Writes files into a folder that is removed with the scratch folders, and returns where each is now. No test runs yet.
    pub(crate) fn write_files(&self, files: &[SentFile]) -> io::Result<Vec<(PathBuf, PathBuf)>> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let folder = self.scratch().join(FILES);
        std::fs::create_dir(&folder)?;
        let mut moved = Vec::new();
        for file in files {
            let place = folder.join(file.path.file_name().ok_or(io::ErrorKind::InvalidInput)?);
            let mode = if file.executable { 0o755 } else { 0o644 };
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create_new(true).mode(mode).open(&place)?.write_all(&file.bytes)?;
            moved.push((file.path.clone(), place));
        }
        Ok(moved)
    }

    /// What is under way.
    pub(crate) fn running(&self) -> &Running {
        &self.running
    }

    pub(crate) fn abandon(&self) {
        self.scratch.remove();
    }

    /// Runs a command on `candidate`. `None`: the helper was killed twice over it, so it is the command that does so.
    pub(crate) fn perform(
        &self,
        candidate: &Candidate,
        assignment: &Assignment<'_>,
        cancel: &Cancel,
    ) -> io::Result<Option<Report>> {
        let _run = self.running.begin();
        for _ in 0..2 {
            let mut helper = self.take()?;
            if let Some(report) = helper.perform(candidate, assignment, cancel)? {
                self.lock().push(helper);
                return Ok(Some(report));
            }
        }
        Ok(None)
    }

    fn take(&self) -> io::Result<Helper> {
        let idle = self.lock().pop();
        idle.map_or_else(|| self.hire(), Ok)
    }

    fn hire(&self) -> io::Result<Helper> {
        Helper::start(&self.setup, self.scratch.home(self.hired.fetch_add(1, Ordering::Relaxed))?)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Helper>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        // Until it is dismissed, a helper removes the root if this process is killed, so the root goes first. All helpers are
        // dismissed before we wait for the first.
        self.scratch.remove();
        let idle = std::mem::take(&mut *self.lock());
        idle.iter().for_each(Helper::dismiss);
    }
}

impl Helper {
    /// Starts a helper that works in `home`, which must be there when it gets its first task.
    fn start(setup: &CrewSetup, home: PathBuf) -> io::Result<Self> {
        let mut command = setup.helper.command();
        command.arg(HELPER).arg(&home);
        command.args(setup.memory_limit.map(|bytes| bytes.to_string()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let orders = process.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let reports = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let standing = Standing::new(home.join(PROJECT), Arc::clone(&setup.warm));
        Ok(Self { process, orders: Arc::new(Mutex::new(Some(orders))), reports, home, tasks: 0, standing })
    }

    /// `None`: the helper died over it.
    fn perform(
        &mut self,
        candidate: &Candidate,
        assignment: &Assignment<'_>,
        cancel: &Cancel,
    ) -> io::Result<Option<Report>> {
        // Where the file is gone, there is nothing to feed.
        let stdin = assignment.stdin.filter(|path| candidate.files().iter().any(|file| file.path() == *path));
        let folder = self.prepare(candidate, cancel)?;
        let task = Task {
            words: (assignment.words)(&folder),
            surroundings: assignment.surroundings.clone(),
            stdin: stdin.map(|path| folder.join(path).into()),
            timeout: assignment.timeout,
            output: assignment.output,
            question: assignment.question.map(|question| question(&folder)),
            folder: folder.into(),
            keeps_folder: candidate.is_project(),
        };
        if self.order(&Order::Run(Box::new(task))).is_err() {
            return Ok(None);
        }
        let orders = Arc::clone(&self.orders);
        // If the helper is dead, the wait for its report ends too.
        let hook = move || drop(order(&orders, &Order::Cancel));
        Ok(cancel.watch(hook, || self.await_report(assignment.timeout, cancel)).unwrap_or(None))
    }

    /// A folder that holds the candidate.
    fn prepare(&mut self, candidate: &Candidate, cancel: &Cancel) -> io::Result<PathBuf> {
        if candidate.is_project() {
            patiently(cancel, |attempt| {
                if attempt > 0 {
                    self.standing.start_anew()?;
                }
                self.standing.hold(candidate)
            })?;
            return Ok(self.standing.folder().to_owned());
        }
        let folder = self.home.join(self.tasks.to_string());
        self.tasks += 1;
        patiently(cancel, |_| unpack(candidate, &folder).inspect_err(|_| remove_folder(&folder)))?;
        Ok(folder)
    }

    /// Waits for the report. `None`: the helper is dead, or so late that it must have been stopped; then it is killed.
    fn await_report(&mut self, timeout: Duration, cancel: &Cancel) -> io::Result<Option<Report>> {
        let mut left = timeout.saturating_add(GRACE);
        let step = Duration::from_secs(1);
        while !is_readable(&self.reports, step.min(left))? {
            left = left.saturating_sub(step);
            if cancel.is_cancelled() {
                left = left.min(GRACE);
            }
            if left.is_zero() {
                self.stop();
                return Ok(None);
            }
        }
        receive(&mut self.reports)
    }

    fn order(&self, message: &Order) -> io::Result<()> {
        order(&self.orders, message)
    }

    /// Asks the guardian to kill the helper and what it has started, also if somebody has stopped it.
    fn stop(&self) {
        let guardian = Pid::from_raw(self.process.id() as i32);
        for signal in [Signal::SIGTERM, Signal::SIGCONT] {
            let _ = kill(guardian, signal);
        }
    }

    /// Waits for the end of the helper and its guardian, and enforces it if it does not come.
    fn await_exit(&mut self) {
        if !self.exits_within(GRACE) {
            self.stop();
        }
        if !self.exits_within(GRACE) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }

    fn exits_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while Instant::now() < deadline {
            match self.process.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(Some(_)) | Err(_) => return true,
            }
        }
        false
    }

    /// Tells the helper to end.
    fn dismiss(&self) {
        // One that is dead already need not be told.
        let _ = self.order(&Order::Leave);
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.dismiss();
        self.await_exit();
        // Only a helper that was killed has left it.
        remove_folder(&self.home);
    }
}

/// Tries to write files until there is room for them.
fn patiently(cancel: &Cancel, mut write: impl FnMut(u32) -> io::Result<()>) -> io::Result<()> {
    let (retries, pause) = RETRIES;
    let mut attempt = 0;
    while let Err(error) = write(attempt) {
        if attempt == retries || cancel.is_cancelled() || error.kind() != io::ErrorKind::StorageFull {
            return Err(error);
        }
        attempt += 1;
        std::thread::sleep(pause);
    }
    Ok(())
}

fn is_readable(pipe: &ChildStdout, longest: Duration) -> io::Result<bool> {
    let millis = u16::try_from(longest.as_millis() + 1).unwrap_or(u16::MAX);
    match poll(&mut [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)], PollTimeout::from(millis)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn order(pipe: &Mutex<Option<ChildStdin>>, message: &Order) -> io::Result<()> {
    let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
    send(message, pipe.as_mut().ok_or(io::ErrorKind::BrokenPipe)?)
}
