//! Ends what a test has started: its process group, and on Linux every process that descends from it.
//!
//! A helper is a subreaper, so a process whose parent has died becomes its child. Killing all children, reaping them
//! and looking again until there are none therefore reaches every descendant, in whatever group or session it is.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

/// How long to chase processes that do not die, such as those of another user or in an uninterruptible call.
const PATIENCE: Duration = Duration::from_secs(5);

/// From now on a process whose parent dies and that descends from this one becomes a child of this one.
pub(crate) fn become_subreaper() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_child_subreaper(true)?;
    Ok(())
}

/// A process group that a child leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(Pid);

impl Group {
    pub(crate) fn of(leader: &Child) -> Self {
        Self(pid_of(leader))
    }

    /// Kills all processes in the group. The leader must not have been reaped: until then its number is its own.
    pub(crate) fn kill(self) {
        // The only failure is that nobody is there any more, which is what is wanted.
        let _ = killpg(self.0, Signal::SIGKILL);
    }
}

/// Whether the process has ended. It is not reaped.
pub(crate) fn has_exited(child: &Child) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(pid_of(child)), flags), Ok(WaitStatus::StillAlive))
}

/// Kills and reaps all children of this process, and what becomes its child thereby. `bell` is readable when a child
/// has changed its state.
pub(crate) fn end_descendants(bell: &UnixStream) {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Err(Errno::ECHILD) => return,
            Ok(WaitStatus::StillAlive) => {
                for child in children() {
                    let _ = kill(child, Signal::SIGKILL);
                }
                await_bell(bell);
            }
            _ => {}
        }
    }
}

/// Empties the bell.
pub(crate) fn drain(mut bell: &UnixStream) {
    let mut buffer = [0; 64];
    while matches!(bell.read(&mut buffer), Ok(count) if count == buffer.len()) {}
}

fn await_bell(bell: &UnixStream) {
    let mut watched = [PollFd::new(bell.as_fd(), PollFlags::POLLIN)];
    // Not for long: a ring may have come before.
    let _ = poll(&mut watched, PollTimeout::from(10u8));
    drain(bell);
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32)
}

/// The living children of this process, which has one thread. Empty where the system does not tell.
fn children() -> Vec<Pid> {
    let own = std::process::id();
    let listed = std::fs::read_to_string(format!("/proc/self/task/{own}/children"));
    match listed {
        Ok(text) => text.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw).collect(),
        // Kernels can be built without that list.
        Err(_) => processes().filter(|&(_, parent)| parent == own).map(|(pid, _)| pid).collect(),
    }
}

/// All processes with their parents.
fn processes() -> impl Iterator<Item = (Pid, u32)> {
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name before the last parenthesis may hold anything; behind it come the state and the parent.
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        Some((Pid::from_raw(pid), parent))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_table_of_processes_knows_this_process_and_its_child() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let own = std::process::id();
        let found: Vec<Pid> = processes().filter(|&(_, parent)| parent == own).map(|(pid, _)| pid).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.contains(&pid_of(&child)), "{found:?}");
    }
}
