//! What was seen of one run of a command.

use std::fmt;

use super::signal_name::SignalName;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited by itself, with this status.
    Exited(i32),
    /// A signal of this number ended it.
    Signalled(i32),
    /// It was killed because its time was over.
    TimedOut,
    /// It was killed because it printed more than it may.
    OverLimit,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exited(status) => write!(f, "exit status {status}"),
            Self::Signalled(number) => write!(f, "ended by signal {}", SignalName::from_raw(number)),
            Self::TimedOut => f.write_str("timed out"),
            Self::OverLimit => f.write_str("printed more than the output limit"),
        }
    }
}

/// One run: how it ended, and what it printed until then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// How the run ended.
    pub ending: Ending,
    /// All that was written to standard output.
    pub stdout: Vec<u8>,
    /// All that was written to standard error.
    pub stderr: Vec<u8>,
}

impl Observation {
    /// What was written to `stream`.
    pub fn printed(&self, stream: Stream) -> &[u8] {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }
}

/// One of the two streams to which a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_told_in_words() {
        let segv = nix::sys::signal::Signal::SIGSEGV as i32;
        for (ending, text) in [
            (Ending::Exited(3), "exit status 3"),
            (Ending::Signalled(segv), "ended by signal SEGV"),
            (Ending::Signalled(63), "ended by signal 63"),
            (Ending::TimedOut, "timed out"),
            (Ending::OverLimit, "printed more than the output limit"),
        ] {
            assert_eq!(ending.to_string(), text);
        }
    }
}
