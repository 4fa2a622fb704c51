//! One test as a child process: in its own process group, with a deadline, killed whole when it ends.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::time::Instant;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use whittle_search::Cancel;

use crate::watchdog::Watchdog;

/// A process group that a child leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group(u32);

impl Group {
    /// Kills all processes in the group. The leader must not have been reaped: until then its number is its own.
    pub(crate) fn kill(self) {
        if let Some(pid) = self.pid() {
            // The only failure left is that nobody is there any more, which is what is wanted.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    fn pid(self) -> Option<Pid> {
        i32::try_from(self.0).ok().and_then(Pid::from_raw)
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Exited(ExitStatus),
    TimedOut,
    Cancelled,
}

/// Runs `command` to its end, to `deadline`, or until `cancel` fires; no process of its group is left then.
pub(crate) fn run(command: &mut Command, deadline: Instant, watchdog: &Watchdog, cancel: &Cancel) -> io::Result<End> {
    let mut child = command.process_group(0).spawn()?;
    let group = Group(child.id());
    let timed_out = watchdog.guard(group, deadline, || {
        cancel.watch(move || group.kill(), || await_exit(group));
    });
    // Also what the leader left behind. Nobody else kills the group from here on, so its number may be freed.
    group.kill();
    let status = reap(&mut child)?;
    Ok(match (cancel.is_cancelled(), timed_out) {
        (true, _) => End::Cancelled,
        (false, true) => End::TimedOut,
        (false, false) => End::Exited(status),
    })
}

/// Waits until the leader is dead, but leaves it as a zombie, so that its number is not given to another process.
fn await_exit(group: Group) {
    let Some(pid) = group.pid() else { return };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
}

fn reap(child: &mut Child) -> io::Result<ExitStatus> {
    child.wait()
}
