//! Why a search ends before its algorithms do, and how to end, shorten or pause it from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    /// Somebody called [`Interrupter::skip`]; it ends the pass that runs. Who ran that pass may go on with the next one.
    #[error("a pass was skipped")]
    Skipped,
    /// The test budget of one [`Search::trial`](crate::Search::trial) is spent; it ends that trial alone.
    #[error("the test budget of the trial is spent")]
    TrialSpent,
    /// Verdicts were [withdrawn](crate::Property::withdrawn): what was found with them means nothing.
    #[error("verdicts were withdrawn")]
    Withdrawn,
    /// The property could not be run.
    #[error("a test could not be run: {0}")]
    Failed(String),
}

/// How soon a paused worker notices that its test is not wanted any more.
const CANCEL_NOTICED: Duration = Duration::from_millis(50);

/// Ends, shortens or pauses a search from another thread. Clones act on the same search.
#[derive(Clone, Debug)]
pub struct Interrupter {
    cancel: Cancel,
    skip: Arc<AtomicBool>,
    pub(crate) pause: Pause,
    bell: Sender<()>,
    pub(crate) rung: Receiver<()>,
}

impl Default for Interrupter {
    fn default() -> Self {
        // One message is enough to wake the search; more would only pile up.
        let (bell, rung) = crossbeam_channel::bounded(1);
        Self { cancel: Cancel::new(), skip: Arc::default(), pause: Pause::default(), bell, rung }
    }
}

impl Interrupter {
    /// Asks the search to cancel running tests and to unwind with [`Stop::Interrupted`].
    pub fn interrupt(&self) {
        self.cancel.cancel();
        self.ring();
    }

    /// Whether [`interrupt`](Self::interrupt) was called.
    pub fn is_interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Asks the search to cancel running tests and to unwind the pass that runs with [`Stop::Skipped`].
    pub fn skip(&self) {
        self.skip.store(true, Ordering::Relaxed);
        self.ring();
    }

    /// Whether [`skip`](Self::skip) was called since the last time.
    pub(crate) fn takes_skip(&self) -> bool {
        self.skip.swap(false, Ordering::Relaxed)
    }

    /// Lets no test begin until [`resume`](Self::resume). Tests that run go on, and time limits too.
    pub fn pause(&self) {
        self.pause.set(true);
    }

    /// Ends a [`pause`](Self::pause).
    pub fn resume(&self) {
        self.pause.set(false);
    }

    /// Whether tests may not begin.
    pub fn is_paused(&self) -> bool {
        *self.pause.lock()
    }

    /// Fires on [`interrupt`](Self::interrupt): for work that runs outside the search, such as checks of the input.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn ring(&self) {
        // A full channel already holds a message that wakes the search.
        let _ = self.bell.try_send(());
    }
}

/// What workers wait at before they begin a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pause(Arc<(Mutex<bool>, Condvar)>);

impl Pause {
    fn set(&self, is_paused: bool) {
        *self.lock() = is_paused;
        self.0.1.notify_all();
    }

    /// Returns when there is no pause, or when `cancel` fires.
    pub(crate) fn wait(&self, cancel: &Cancel) {
        let mut is_paused = self.lock();
        while *is_paused && !cancel.is_cancelled() {
            let woken = self.0.1.wait_timeout(is_paused, CANCEL_NOTICED);
            is_paused = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
