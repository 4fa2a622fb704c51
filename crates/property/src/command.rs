//! The user's test as a [`Property`]: C-Reduce's convention. The candidate lies under its own name in the folder in
//! which the test runs, its path is the first argument, and exit status 0 means interesting.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use whittle_search::{Cancel, Candidate, Property, TestError, Tested, Verdict};

use crate::process::{self, End};
use crate::scratch::{Scratch, ScratchRoot};
use crate::watchdog::Watchdog;

/// Runs an executable for each candidate, as a plain child process in a scratch folder.
#[derive(Debug)]
pub struct CommandProperty {
    program: PathBuf,
    timeout: Duration,
    scratch: ScratchRoot,
    watchdog: Watchdog,
}

impl CommandProperty {
    /// A property that runs `program`, which must be an absolute path, and gives it `timeout` each time.
    pub fn new(program: PathBuf, timeout: Duration) -> io::Result<Self> {
        Ok(Self { program, timeout, scratch: ScratchRoot::new()?, watchdog: Watchdog::new() })
    }

    /// The folder in which the scratch folders are.
    pub fn scratch_root(&self) -> &Path {
        self.scratch.path()
    }

    /// Runs the test once more and keeps what it prints, to tell the user why a candidate is not interesting.
    pub fn observe(&self, candidate: &Candidate) -> io::Result<Output> {
        let scratch = self.scratch.unpack(candidate)?;
        self.command(candidate, &scratch).stdout(Stdio::piped()).stderr(Stdio::piped()).output()
    }

    /// Kills all running tests and removes all scratch folders, for a process that is about to end.
    pub fn abort(&self) {
        self.watchdog.kill_all();
        self.scratch.remove_all();
    }

    fn command(&self, candidate: &Candidate, scratch: &Scratch) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(scratch.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(file) = candidate.files().first() {
            command.arg(scratch.path().join(file.path()));
        }
        command
    }
}

impl Property for CommandProperty {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let scratch = self.scratch.unpack(candidate).map_err(|error| {
            TestError::Failed(format!("cannot write the candidate to {}: {error}", self.scratch.path().display()))
        })?;
        let start = Instant::now();
        let end = process::run(&mut self.command(candidate, &scratch), start + self.timeout, &self.watchdog, cancel);
        let elapsed = start.elapsed();
        match end {
            Ok(End::Exited(status)) => Ok(Tested { verdict: verdict(status), elapsed }),
            Ok(End::TimedOut) => Ok(Tested { verdict: Verdict::TimedOut, elapsed }),
            Ok(End::Cancelled) => Err(TestError::Cancelled),
            Err(error) => Err(TestError::Failed(self.explain(&error))),
        }
    }
}

impl CommandProperty {
    fn explain(&self, error: &io::Error) -> String {
        let remedy = match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOEXEC) => "; a script needs a first line such as #!/bin/sh",
            Some(Errno::NOENT) if self.program.exists() => "; the interpreter in its #! line does not exist",
            _ => "",
        };
        format!("cannot run {}: {error}{remedy}", self.program.display())
    }
}

fn verdict(status: ExitStatus) -> Verdict {
    if status.success() { Verdict::Interesting } else { Verdict::Uninteresting }
}
