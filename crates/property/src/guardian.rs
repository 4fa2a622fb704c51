//! The guardian: the process around a helper that clears up if a test kills the helper.
//!
//! A test knows its parent, the helper, and may kill it, by mistake or not. What the test has started would then be
//! nobody's. The guardian is a subreaper too and has no other child than the helper: what it is left with is what has to
//! end, and when it has no child left, nothing is left. Looking through a table of all processes, by contrast, misses
//! the ones that start while it is read.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::poll::PollTimeout;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use crate::descendants::{await_bell, become_subreaper, end_descendants};

/// Runs `work` in a child of this process, which must have one thread, and ends what that leaves if it is killed, or if
/// this process is asked to end by `SIGTERM`. Returns in both processes, each of which should end then.
pub(crate) fn guarded(work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    // Failing is fine: then this process leads a session already.
    let _ = nix::unistd::setsid();
    become_subreaper()?;
    match split()? {
        ForkResult::Child => work(),
        ForkResult::Parent { child } => guard(child),
    }
}

#[allow(unsafe_code, reason = "there is no safe way to divide a process")]
fn split() -> io::Result<ForkResult> {
    // SAFETY: this process has one thread, so no lock is held by another that the child would not have.
    Ok(unsafe { fork() }?)
}

fn guard(helper: Pid) -> io::Result<()> {
    let asked = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGTERM, Arc::clone(&asked))?;
    for signal in [SIGHUP, SIGINT] {
        signal_hook::flag::register(signal, Arc::default())?;
    }
    let (bell, ringer) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(SIGTERM, ringer.try_clone()?)?;
    signal_hook::low_level::pipe::register(SIGCHLD, ringer)?;
    loop {
        match waitpid(helper, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(_, 0)) => return Ok(()),
            Ok(WaitStatus::StillAlive) if !asked.load(Ordering::Relaxed) => await_bell(&bell, PollTimeout::NONE),
            Ok(WaitStatus::StillAlive) => {
                let _ = kill(helper, Signal::SIGKILL);
                break;
            }
            _ => break,
        }
    }
    end_descendants(&bell);
    Err(io::Error::other("the helper was killed"))
}
