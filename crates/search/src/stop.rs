//! Why a search ends before its algorithms do, and how to end it from outside.

use crossbeam_channel::{Receiver, Sender};

use crate::Cancel;

/// Unwinds every pass when the search must end; the best so far is the result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The allowed number of tests is counted.
    #[error("the limit of {0} tests is reached")]
    MaxTests(u64),
    /// The time limit is reached.
    #[error("the time limit is reached")]
    MaxTime,
    /// Somebody called [`Interrupter::interrupt`].
    #[error("interrupted")]
    Interrupted,
    /// The test budget of one [`Search::trial`](crate::Search::trial) is spent; it ends that trial alone.
    #[error("the test budget of the trial is spent")]
    TrialSpent,
    /// The property could not be run.
    #[error("a test could not be run: {0}")]
    Failed(String),
}

/// Ends a search from another thread. Clones end the same search.
#[derive(Clone, Debug)]
pub struct Interrupter {
    cancel: Cancel,
    bell: Sender<()>,
    pub(crate) rung: Receiver<()>,
}

impl Default for Interrupter {
    fn default() -> Self {
        // One message is enough to wake the search; more would only pile up.
        let (bell, rung) = crossbeam_channel::bounded(1);
        Self { cancel: Cancel::new(), bell, rung }
    }
}

impl Interrupter {
    /// Asks the search to cancel running tests and to unwind with [`Stop::Interrupted`].
    pub fn interrupt(&self) {
        self.cancel.cancel();
        // A full channel already holds a message that wakes the search.
        let _ = self.bell.try_send(());
    }

    /// Whether [`interrupt`](Self::interrupt) was called.
    pub fn is_interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Fires on [`interrupt`](Self::interrupt): for work that runs outside the search, such as checks of the input.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}
