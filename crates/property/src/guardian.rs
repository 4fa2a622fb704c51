//! The guardian: the process around a helper that clears up if a test kills or stops the helper.
//!
//! A test knows its parent, the helper, and may kill it, by mistake or not. What the test has started would then be
//! nobody's. On Linux the guardian is a subreaper too and has no other child than the helper: what it is left with is
//! what has to end, and when it has no child left, nothing is left. Looking through a table of all processes, by
//! contrast, misses the ones that start while it is read. Elsewhere only the helper itself is ended.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork, getppid};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use crate::descendants::{become_subreaper, drain, end_descendants};
use crate::scratch::{remove_abandoned_root, remove_folder};

/// How long a helper may go on after Whittle has closed its pipe: as long as it may chase a test's processes, twice.
const GRACE: Duration = Duration::from_secs(10);

/// Runs `work` in a child of this process, which must have one thread. Ends what that leaves if it is killed, if it does
/// not notice that Whittle is gone, or if this process is asked to end by `SIGTERM`; if Whittle is gone, `home` goes
/// too. Returns in both processes, each of which should end then.
pub(crate) fn guarded(home: &Path, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let whittle = getppid();
    // Failing is fine: then this process leads a session already.
    let _ = nix::unistd::setsid();
    become_subreaper()?;
    let helper = match split()? {
        ForkResult::Child => return work(),
        ForkResult::Parent { child } => child,
    };
    let mut watch = Watch::start()?;
    if watch.ends_well(helper) {
        return Ok(());
    }
    end_descendants(&watch.bell);
    if getppid() != whittle {
        remove_folder(home);
        remove_abandoned_root(home);
    }
    Err(io::Error::other("the helper was killed"))
}

#[allow(unsafe_code, reason = "there is no safe way to divide a process")]
fn split() -> io::Result<ForkResult> {
    // SAFETY: this process has one thread, so no lock is held by another that the child would not have.
    Ok(unsafe { fork() }?)
}

/// What a guardian looks out for.
struct Watch {
    /// Rings when a child has changed its state, or this process was asked to end.
    bell: UnixStream,
    asked: Arc<AtomicBool>,
    /// When the helper must have ended: some time after Whittle has closed its pipe.
    deadline: Option<Instant>,
}

impl Watch {
    fn start() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGTERM, Arc::clone(&asked))?;
        for signal in [SIGHUP, SIGINT] {
            signal_hook::flag::register(signal, Arc::default())?;
        }
        let (bell, ringer) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        signal_hook::low_level::pipe::register(SIGTERM, ringer.try_clone()?)?;
        signal_hook::low_level::pipe::register(SIGCHLD, ringer)?;
        Ok(Self { bell, asked, deadline: None })
    }

    /// Waits for the end of the helper; `false` if it was killed, here or elsewhere.
    fn ends_well(&mut self, helper: Pid) -> bool {
        loop {
            match waitpid(helper, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) if !self.is_over() => self.sleep(),
                Ok(WaitStatus::StillAlive) => {
                    let _ = kill(helper, Signal::SIGKILL);
                    return false;
                }
                status => return matches!(status, Ok(WaitStatus::Exited(_, 0))),
            }
        }
    }

    fn is_over(&self) -> bool {
        self.asked.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Sleeps until the bell rings, Whittle closes its pipe, or the time is over.
    fn sleep(&mut self) {
        let stdin = io::stdin();
        let mut watched = vec![PollFd::new(self.bell.as_fd(), PollFlags::POLLIN)];
        let timeout = match self.deadline {
            // That the pipe is closed would be told again and again.
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                PollTimeout::try_from(left.as_millis() + 1).unwrap_or(PollTimeout::MAX)
            }
            None => {
                // No events are requested, since only the helper reads. Poll reports the end of the pipe anyway.
                watched.push(PollFd::new(stdin.as_fd(), PollFlags::empty()));
                PollTimeout::NONE
            }
        };
        let _ = poll(&mut watched, timeout);
        if watched.get(1).is_some_and(|pipe| pipe.any().unwrap_or(false)) {
            self.deadline = Some(Instant::now() + GRACE);
        }
        drain(&self.bell);
    }
}
