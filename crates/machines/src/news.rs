//! What happens to workers, for users.

use std::fmt;
use std::sync::Arc;

/// Is called with what happens to workers, from any thread.
#[derive(Clone)]
pub struct NewsListener(pub Arc<dyn Fn(&News) + Send + Sync>);

impl fmt::Debug for NewsListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewsListener")
    }
}

/// Something that happened to workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A worker runs tests from now on.
    Joined {
        /// How it is called.
        worker: String,
        /// How many tests it runs at once.
        slots: usize,
    },
    /// A worker is gone. Others do its tests.
    Lost {
        /// How it is called.
        worker: String,
        /// Why.
        reason: String,
    },
    /// A worker is not used, or no longer.
    LeftOut {
        /// How it is called.
        worker: String,
        /// Why.
        reason: String,
    },
    /// There is nobody to run tests, and this machine is not to.
    Waiting,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joined { worker, slots: 1 } => write!(f, "worker {worker} runs one test at a time"),
            Self::Joined { worker, slots } => write!(f, "worker {worker} runs {slots} tests at once"),
            Self::Lost { worker, reason } => write!(f, "worker {worker} is lost: {reason}"),
            Self::LeftOut { worker, reason } => write!(f, "worker {worker} is left out: {reason}"),
            Self::Waiting => {
                f.write_str("waiting for workers: none is there, and --workers-only keeps tests off this machine")
            }
        }
    }
}
