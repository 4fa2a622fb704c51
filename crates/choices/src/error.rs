//! Errors in what the environment asks for.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why choices cannot be recorded or replayed as the environment asks.
#[derive(Debug)]
pub enum TraceError {
    /// The file to record to cannot be created.
    Record(PathBuf, io::Error),
    /// The file to replay cannot be read.
    Replay(PathBuf, io::Error),
    /// A file is not in the binary format, or is not meant to be.
    Form(PathBuf),
    /// The limit of draws is not a number.
    Budget(String),
}

impl fmt::Display for TraceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(path, error) => {
                write!(formatter, "cannot record to {} (from WHITTLE_TRACE_RECORD): {error}", path.display())
            }
            Self::Replay(path, error) => {
                write!(formatter, "cannot replay {} (from WHITTLE_TRACE_REPLAY): {error}", path.display())
            }
            Self::Form(path) => {
                write!(
                    formatter,
                    "{} is not a binary trace file; this generator supports no other format",
                    path.display()
                )
            }
            Self::Budget(text) => write!(formatter, "WHITTLE_TRACE_BUDGET is {text:?}; it must be a number of draws"),
        }
    }
}

impl std::error::Error for TraceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Record(_, error) | Self::Replay(_, error) => Some(error),
            Self::Form(_) | Self::Budget(_) => None,
        }
    }
}
