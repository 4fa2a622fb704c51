//! Runs a reducer to its end or to a limit, watches its memory, and leaves no process behind.
//!
//! On Linux, this program becomes a subreaper: whatever a reducer starts stays among its descendants, so the bench can
//! find and kill all of it. Elsewhere it kills the reducer's process group.
//!
//! Memory is that of the reducer, not of the tests it runs. About ten times a second, the bench sums the resident memory
//! of the reducer's processes, except those below a wrapped test. The peak of each process, which the kernel records,
//! counts too. Without `/proc`, memory is not measured.
//!
//! Processor time is that of the reducer and everything it started, as the kernel adds it up when processes are reaped. Only
//! one reducer runs at a time, so the difference between before and after is its own.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

/// How often to poll the reducer, and after how many polls to measure its memory.
const LOOK: Duration = Duration::from_millis(10);
const LOOKS_PER_SAMPLE: u32 = 10;
/// The unit of processor times in `/proc`, the same on all machines that run Linux.
const TICKS_PER_SECOND: f64 = 100.0;
/// How long to keep killing processes that do not die.
const PATIENCE: Duration = Duration::from_secs(5);

/// How a reducer ended.
#[derive(Debug)]
pub(crate) struct Ending {
    /// `None` if it was stopped at the limit.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) peak_memory: Option<u64>,
    pub(crate) cpu_seconds: f64,
}

impl Ending {
    /// What is wrong with how it ended by itself.
    pub(crate) fn complaint(&self) -> Option<String> {
        let status = self.status.filter(|status| !status.success())?;
        Some(match status.signal() {
            Some(signal) => format!("ended by signal {signal}"),
            None => format!("exit status {}", status.code().unwrap_or_default()),
        })
    }
}

/// When to stop a reducer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) wall: Duration,
    /// Its processor time, with the tests.
    pub(crate) cpu: Option<Duration>,
}

/// Runs reducers one at a time.
pub(crate) struct Watch {
    pub(crate) limits: Limits,
    /// The program that runs wrapped tests.
    tester: PathBuf,
    interrupted: Arc<AtomicBool>,
}

impl Watch {
    pub(crate) fn new(limits: Limits, tester: PathBuf) -> Result<Self> {
        #[cfg(target_os = "linux")]
        nix::sys::prctl::set_child_subreaper(true)?;
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
        }
        Ok(Self { limits, tester, interrupted })
    }

    /// Runs a command and writes its output to a file.
    pub(crate) fn run(&self, command: &mut Command, output: &Path) -> Result<Ending> {
        let file = File::create(output)?;
        let before = cpu_of_children()?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).process_group(0);
        let mut child = command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
        let followed = self.follow(&child);
        // Before it is reaped: until then the number of its group is its own.
        let _ = killpg(pid_of(&child), Signal::SIGKILL);
        let status = child.wait()?;
        end_descendants();
        let (has_ended, peak_memory) = followed?;
        Ok(Ending { status: has_ended.then_some(status), peak_memory, cpu_seconds: cpu_of_children()? - before })
    }

    /// Waits for the end or the limit. Returns whether it ended, and its peak memory.
    fn follow(&self, child: &Child) -> Result<(bool, Option<u64>)> {
        let deadline = Instant::now() + self.limits.wall;
        let mut peak_memory = None;
        for look in 0.. {
            if has_ended(child) {
                return Ok((true, peak_memory));
            }
            if self.interrupted.load(Ordering::Relaxed) {
                bail!("interrupted; run the same command again to continue");
            }
            if Instant::now() >= deadline {
                break;
            }
            if look % LOOKS_PER_SAMPLE == 0 {
                peak_memory = peak_memory.max(self.memory(child.id()));
                if self.limits.cpu.is_some_and(|limit| cpu_below(child.id()) >= limit) {
                    break;
                }
            }
            std::thread::sleep(LOOK);
        }
        Ok((false, peak_memory))
    }

    /// The larger of two: what the reducer's processes use now, and the most that one of them ever used.
    fn memory(&self, reducer: u32) -> Option<u64> {
        let children = children_by_parent();
        let mut open = vec![reducer];
        let (mut sum, mut highest) = (0, 0);
        while let Some(pid) = open.pop() {
            if fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|program| program == self.tester) {
                continue;
            }
            let (now, peak) = resident(pid).unwrap_or_default();
            sum += now;
            highest = highest.max(peak);
            open.extend(children.get(&pid).into_iter().flatten());
        }
        Some(sum.max(highest)).filter(|&bytes| bytes > 0)
    }
}

/// The processor time of all children that were reaped so far, in seconds.
fn cpu_of_children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}

/// The processor time so far of a process and its descendants, those included that were reaped.
fn cpu_below(reducer: u32) -> Duration {
    let children = children_by_parent();
    let mut open = vec![reducer];
    let mut ticks = 0;
    while let Some(pid) = open.pop() {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // Its own time in user and kernel mode, then that of its reaped children.
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().skip(11).take(4);
        ticks += fields.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
        open.extend(children.get(&pid).into_iter().flatten());
    }
    Duration::from_secs_f64(ticks as f64 / TICKS_PER_SECOND)
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32)
}

/// Whether the process has ended. It is not reaped.
fn has_ended(child: &Child) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(pid_of(child)), flags), Ok(WaitStatus::StillAlive))
}

/// The resident memory of a process and its peak, in bytes.
fn resident(pid: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
    };
    Some((field("VmRSS:")?, field("VmHWM:")?))
}

fn children_by_parent() -> HashMap<u32, Vec<u32>> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name before the last parenthesis may contain anything; after it come the state and the parent.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        children.entry(parent.unwrap_or_default()).or_default().push(pid);
    }
    children
}

/// Kills and reaps all children of this process, including orphans that it inherits, until none is left.
fn end_descendants() {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Err(Errno::ECHILD) => return,
            Ok(WaitStatus::StillAlive) => {
                for pid in children_by_parent().remove(&std::process::id()).unwrap_or_default() {
                    let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
                }
                std::thread::sleep(LOOK);
            }
            _ => {}
        }
    }
}
