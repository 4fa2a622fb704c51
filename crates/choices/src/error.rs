//! What can be wrong with the files that the environment names.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why choices cannot be recorded or replayed as the environment says.
#[derive(Debug)]
pub enum TraceError {
    /// The file to record to cannot be made.
    Record(PathBuf, io::Error),
    /// The file to replay cannot be read.
    Replay(PathBuf, io::Error),
    /// A file is in another form than the binary one, or is to be.
    Form(PathBuf),
    /// A number of draws is none.
    Budget(String),
}

impl fmt::Display for TraceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(path, error) => {
                write!(formatter, "cannot record to {}, as WHITTLE_TRACE_RECORD says: {error}", path.display())
            }
            Self::Replay(path, error) => {
                write!(formatter, "cannot replay {}, as WHITTLE_TRACE_REPLAY says: {error}", path.display())
            }
            Self::Form(path) => {
                write!(formatter, "{} is not a binary trace file; this generator knows no other form", path.display())
            }
            Self::Budget(text) => write!(formatter, "WHITTLE_TRACE_BUDGET is {text:?}, which is not a number of draws"),
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
