//! Why a search ends before its algorithms do, and how to end it from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender};

/// Unwinds every pass when the search must end; the best so far is the result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// As many tests as were allowed are counted.
    #[error("the limit of {0} tests is reached")]
    MaxTests(u64),
    /// The time is over.
    #[error("the time limit is reached")]
    MaxTime,
    /// Somebody called [`Interrupter::interrupt`].
    #[error("interrupted")]
    Interrupted,
    /// The tests allowed to one [`Search::trial`](crate::Search::trial) are counted; it ends that trial alone.
    #[error("the tests of the trial are spent")]
    TrialSpent,
    /// The property could not be run.
    #[error("a test could not be run: {0}")]
    Failed(String),
}

/// Ends a search from another thread. Clones end the same search.
#[derive(Clone, Debug)]
pub struct Interrupter {
    interrupted: Arc<AtomicBool>,
    bell: Sender<()>,
    pub(crate) rung: Receiver<()>,
}

impl Default for Interrupter {
    fn default() -> Self {
        // One message is enough to wake the search; more would only pile up.
        let (bell, rung) = crossbeam_channel::bounded(1);
        Self { interrupted: Arc::default(), bell, rung }
    }
}

impl Interrupter {
    /// Asks the search to cancel what runs and to unwind with [`Stop::Interrupted`].
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        // A full channel has a message that wakes the search already.
        let _ = self.bell.try_send(());
    }

    /// Whether it was asked to.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }
}
