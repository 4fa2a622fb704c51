//! The helper: a small process that runs tests for one worker and leaves nothing behind.
//!
//! Whittle re-executes its own binary as a helper, one per worker. A helper runs one command at a time, in a process
//! group of its own. It is in a session without a terminal, so that no test can wait for a key. On Linux it is also a
//! subreaper: what a test's processes leave behind becomes the helper's child, however they tried to hide, and
//! is killed when the test ends. Elsewhere only the process group is killed. `TMPDIR` is a folder that is empty for each
//! test: a compiler that is killed leaves its temporary files behind. When its pipe to Whittle closes, also
//! because Whittle was killed, the helper kills what runs, removes its folder and ends.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use crate::captured::Captured;
use crate::descendants::{Group, become_subreaper, drain, end_descendants, has_exited};
use crate::guardian::guarded;
use crate::host::{self, Host};
use crate::protocol::{End, Order, OutputRule, Report, Run, Task, receive, send};
use crate::scratch::{remove_abandoned_root, remove_folder};
use crate::server::Server;

/// The argument that makes a program a helper.
pub(crate) const HELPER: &str = "__whittle-helper";

/// The folder for temporary files of tests, in the home of the helper.
const TEMPORARY: &str = "tmp";

/// Whether the program has shown that it can become a helper.
static INITIALIZED: AtomicBool = AtomicBool::new(false);

/// Lets this program run commands as properties. Call it first thing in `main`, before any thread starts: tests run in
/// helper processes, which are this program started again, and this call is where those stay and end.
pub fn init() {
    become_helper_if_asked();
}

/// The same for a program that the system takes for another one, such as a module of an interpreter. Only the first call
/// in a process says what the program is.
pub fn init_as(host: Host) {
    host::set(host);
    become_helper_if_asked();
}

fn become_helper_if_asked() {
    let mut arguments = host::arguments().into_iter().skip(1);
    if arguments.next().is_some_and(|first| first == HELPER) {
        std::process::exit(i32::from(serve(arguments).is_err()));
    }
    INITIALIZED.store(true, Ordering::Relaxed);
}

/// Whether [`init`] was called.
pub(crate) fn is_initialized() -> bool {
    INITIALIZED.load(Ordering::Relaxed)
}

/// Serves Whittle over standard input and output until Whittle dismisses it or dies. The process must have one
/// thread: it is divided into the helper and its guardian.
fn serve(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let home = PathBuf::from(arguments.next().ok_or(io::ErrorKind::InvalidInput)?);
    guarded(&home, || {
        let helper = Helper::start(home.clone(), arguments.next())?;
        let dismissed = helper.serve_orders();
        helper.end_server();
        remove_folder(&helper.home);
        if !matches!(dismissed, Ok(true)) {
            remove_abandoned_root(&helper.home);
        }
        dismissed.map(drop)
    })
}

pub(crate) struct Helper {
    /// The folder in which its scratch folders are. The helper removes it when it ends.
    home: PathBuf,
    /// The address space that each process of a test may have, in bytes.
    memory_limit: Option<u64>,
    /// Unbuffered: what has been read but not used would not show when this is polled.
    pub(crate) orders: File,
    reports: File,
    /// Becomes readable when a child has changed its state.
    pub(crate) children: UnixStream,
    /// The server that stays from task to task, if tests are put to one.
    pub(crate) server: RefCell<Option<Server>>,
}

/// Longer than anybody waits.
const NO_LIMIT: Duration = Duration::from_secs(1 << 30);

/// Where a program for another machine has a zero byte: in its header.
const HEAD_BYTES: u64 = 128;

/// What ends the wait for a command.
enum Wake {
    Exited,
    TimedOut,
    OverLimit,
    Cancelled,
    /// Whittle is gone.
    Abandoned,
}

impl Helper {
    fn start(home: PathBuf, memory_limit: Option<OsString>) -> io::Result<Self> {
        let memory_limit = memory_limit.and_then(|limit| limit.to_str()?.parse().ok());
        become_subreaper()?;
        // Crashing compilers are the usual case here; their core dumps are of no use and fill disks.
        let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
        // Handled, not ignored: only its guardian ends a helper, but what a helper starts must not inherit deaf ears.
        let unused = Arc::new(AtomicBool::new(false));
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&unused))?;
        }
        let (children, bell) = UnixStream::pair()?;
        children.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(SIGCHLD, bell)?;
        let orders = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let reports = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        Ok(Self { home, memory_limit, orders, reports, children, server: RefCell::default() })
    }

    /// `true` if Whittle has said good-bye, `false` if it is just gone.
    fn serve_orders(&self) -> io::Result<bool> {
        while let Some(order) = receive(&mut &self.orders)? {
            match order {
                Order::Run(task) => {
                    let report = match &task.question {
                        Some(question) => self.ask(&task, question),
                        None => self.perform(&task),
                    };
                    let Some(report) = report else { return Ok(false) };
                    send(&report, &mut &self.reports)?;
                    if !task.keeps_folder {
                        remove_folder(Path::new(&task.folder));
                    }
                    // A server may need what it has there.
                    if task.question.is_none() {
                        self.clear_temporary();
                    }
                }
                // It came too late: its task has been reported.
                Order::Cancel => {}
                Order::Leave => return Ok(true),
            }
        }
        Ok(false)
    }

    fn temporary(&self) -> PathBuf {
        self.home.join(TEMPORARY)
    }

    /// Makes the folder for temporary files. It is there already, unless the last test left something in it. Without it, the
    /// test says what is wrong.
    pub(crate) fn make_temporary(&self) {
        let _ = fs::create_dir(self.temporary());
    }

    /// Removes what a test left in the folder for temporary files.
    pub(crate) fn clear_temporary(&self) {
        let is_empty = fs::read_dir(self.temporary()).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty {
            remove_folder(&self.temporary());
        }
    }

    /// Runs a task to its end; `None` if Whittle went away meanwhile.
    fn perform(&self, task: &Task) -> Option<Report> {
        // Everything that descends from this process ends with the task.
        self.end_server();
        self.make_temporary();
        let before = processor_time();
        let start = Instant::now();
        let mut child = match self.spawn(task) {
            Ok(child) => child,
            Err(error) => return Some(Report::Unrunnable(error.raw_os_error(), error.to_string())),
        };
        let mut captured = Captured::new(&mut child, task.output);
        let deadline = start.checked_add(task.timeout).unwrap_or(start + NO_LIMIT);
        let wake = self.await_end(&child, deadline, &mut captured);
        let elapsed = start.elapsed();
        Group::of(&child).kill();
        let status = child.wait().ok()?;
        end_descendants(&self.children);
        // Nobody is left to print: what is in the pipes now is all that will ever be there.
        let over = captured.read_rest();
        let end = match wake {
            Wake::Abandoned => return None,
            Wake::Cancelled => End::Cancelled,
            Wake::TimedOut => End::TimedOut,
            Wake::OverLimit => End::OverLimit,
            Wake::Exited if over => End::OverLimit,
            Wake::Exited => ending(status),
        };
        let (stdout, stderr) = captured.into_parts();
        let processor = processor_time().saturating_sub(before);
        Some(Report::Ran(Run { end, stdout, stderr, elapsed, processor, server: None }))
    }

    /// Starts the command of a task. A script without `#!` is run by `sh`, as shells do.
    fn spawn(&self, task: &Task) -> io::Result<Child> {
        let result = self.spawn_words(task, &task.words);
        match &result {
            Err(error) if error.raw_os_error() == Some(Errno::ENOEXEC as i32) && is_text(Path::new(&task.words[0])) => {
                let words: Vec<OsString> =
                    std::iter::once("/bin/sh".into()).chain(task.words.iter().cloned()).collect();
                self.spawn_words(task, &words)
            }
            _ => result,
        }
    }

    /// Starts a server. It runs in the home of the helper: it has no candidate yet.
    pub(crate) fn spawn_server(&self, task: &Task) -> io::Result<Child> {
        let (program, arguments) = task.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.home).env("TMPDIR", self.temporary());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.confine(&mut command);
        command.spawn()
    }

    /// A process group of its own, and the memory that a test may have.
    fn confine(&self, command: &mut Command) {
        command.process_group(0);
        if let Some(bytes) = self.memory_limit {
            limit_memory(command, bytes);
        }
    }

    fn spawn_words(&self, task: &Task, words: &[OsString]) -> io::Result<Child> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let output = || match task.output {
            OutputRule::Discard => Stdio::null(),
            OutputRule::Head(_) | OutputRule::Keep(_) => Stdio::piped(),
        };
        let stdin = task.stdin.as_ref().map_or(Ok(Stdio::null()), |path| File::open(path).map(Stdio::from))?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&task.folder).env("TMPDIR", self.temporary());
        if let Some(surroundings) = &task.surroundings {
            command.current_dir(&surroundings.folder);
            command.envs(surroundings.environment.iter().map(|(name, value)| (name, value)));
        }
        command.stdin(stdin).stdout(output()).stderr(output());
        self.confine(&mut command);
        command.spawn()
    }

    /// Waits until the command has ended or has to be ended. The leader is not reaped, so that its number stays its own.
    fn await_end(&self, child: &Child, deadline: Instant, captured: &mut Captured) -> Wake {
        loop {
            if has_exited(child) {
                return Wake::Exited;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Wake::TimedOut;
            }
            let orders_wait = self.sleep(left, captured.pipes());
            drain(&self.children);
            if captured.read_some() {
                return Wake::OverLimit;
            }
            if orders_wait {
                match receive(&mut &self.orders) {
                    Ok(Some(Order::Cancel)) => return Wake::Cancelled,
                    // One task at a time: anything else now is as wrong as a broken pipe.
                    Ok(Some(Order::Run(_) | Order::Leave) | None) | Err(_) => return Wake::Abandoned,
                }
            }
        }
    }

    /// Sleeps until something happens; `true` if it is a message or the end of the pipe from Whittle.
    pub(crate) fn sleep<'a>(&'a self, longest: Duration, pipes: impl Iterator<Item = BorrowedFd<'a>>) -> bool {
        // Rounded up, so that a wait below a millisecond does not spin.
        let millis = i32::try_from(longest.as_millis() + 1).unwrap_or(i32::MAX);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        let mut watched = vec![
            PollFd::new(self.orders.as_fd(), PollFlags::POLLIN),
            PollFd::new(self.children.as_fd(), PollFlags::POLLIN),
        ];
        watched.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::POLLIN)));
        match poll(&mut watched, timeout) {
            Ok(_) => watched[0].any().unwrap_or(false),
            // A signal; the caller looks at everything anyway.
            Err(_) => false,
        }
    }
}

/// Whether a file looks like a script, not like a program for another machine.
fn is_text(file: &Path) -> bool {
    let mut head = Vec::new();
    File::open(file).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head)).is_ok() && !head.contains(&0)
}

pub(crate) fn ending(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Signalled(signal),
        // A process that is neither has not ended, and we have waited for its end.
        (None, None) => End::Exited(-1),
    }
}

/// What all children together have used so far.
fn processor_time() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let micros = |time: nix::sys::time::TimeVal| {
        Duration::from_secs(time.tv_sec().max(0) as u64) + Duration::from_micros(time.tv_usec().max(0) as u64)
    };
    micros(usage.user_time()) + micros(usage.system_time())
}

#[allow(unsafe_code, reason = "limits must be set between fork and exec, and only this hook runs there")]
fn limit_memory(command: &mut Command, bytes: u64) {
    // SAFETY: the hook makes one system call and allocates nothing.
    unsafe {
        command.pre_exec(move || Ok(setrlimit(Resource::RLIMIT_AS, bytes, bytes)?));
    }
}
