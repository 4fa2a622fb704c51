//! How the command ends: exit statuses and the one message that goes with a failure.

use std::process::ExitCode;

use super::print::tell;

/// The exit statuses of `whittle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Reduced, or nothing smaller was found.
    Done = 0,
    /// Stopped early by a limit or a signal; the best so far is kept. Also: a check found errors.
    Stopped = 1,
    /// Wrong usage, or the input is not interesting.
    Usage = 2,
    /// Something failed inside; the best so far is kept if there is one.
    Internal = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Something the user can fix: what is wrong, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{problem}\n  {remedy}")]
pub(crate) struct Refusal {
    problem: String,
    remedy: String,
}

impl Refusal {
    pub(crate) fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { problem: problem.into(), remedy: remedy.into() }
    }
}

/// It was stopped before there was anything to keep.
#[derive(Debug, thiserror::Error)]
#[error("{0} before the input was tested")]
pub(crate) struct StoppedEarly(pub(crate) String);

/// Prints the error, and says how the command ends.
pub(crate) fn explain(error: &anyhow::Error) -> Exit {
    tell(&format!("whittle: {error:#}"));
    if error.is::<Refusal>() {
        Exit::Usage
    } else if error.is::<StoppedEarly>() {
        Exit::Stopped
    } else {
        Exit::Internal
    }
}
