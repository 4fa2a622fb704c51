//! The seam to the outside world: a [`Property`] answers whether a candidate is interesting.
//!
//! Search knows nothing of processes; whoever implements [`Property`] knows nothing of search.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use crate::Candidate;

/// What the property said of a candidate. Only [`Verdict::Interesting`] can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The candidate still shows the bug.
    Interesting,
    /// It does not.
    Uninteresting,
    /// The test did not end in time.
    TimedOut,
    /// A cheap check said that it makes no sense: the test itself did not run.
    Invalid,
    /// It fails, but with another signature than the input's.
    Other,
}

/// A verdict, and how long the property itself ran for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tested {
    /// The answer.
    pub verdict: Verdict,
    /// The time spent in the property, without what surrounds it.
    pub elapsed: Duration,
}

/// Why a test gave no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TestError {
    /// The test was cancelled; nothing was learnt.
    #[error("the test was cancelled")]
    Cancelled,
    /// The test could not be run at all.
    #[error("{0}")]
    Failed(String),
}

/// Says whether a candidate is interesting. Called from several threads at once.
pub trait Property: Send + Sync {
    /// Tests `candidate`. The answer must depend on its content alone. When `cancel` fires, the test should end
    /// at once with [`TestError::Cancelled`].
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError>;
}

/// Tells a running test that its verdict is no longer wanted.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<CancelState>,
}

#[derive(Default)]
struct CancelState {
    cancelled: AtomicBool,
    hook: Mutex<Option<Hook>>,
}

type Hook = Box<dyn FnOnce() + Send>;

impl Cancel {
    /// A signal that has not fired.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it has fired.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::SeqCst)
    }

    /// Fires: runs the hook that is registered, if one is.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::SeqCst);
        self.run_hook();
    }

    /// Runs `body`; if the signal fires meanwhile (or had fired before), `hook` is called once, on the thread that
    /// fired it. Once this returns, `hook` will not be called any more.
    pub fn watch<R>(&self, hook: impl FnOnce() + Send + 'static, body: impl FnOnce() -> R) -> R {
        *self.lock() = Some(Box::new(hook));
        if self.is_cancelled() {
            self.run_hook();
        }
        let result = body();
        self.lock().take();
        result
    }

    /// The lock is held while the hook runs: whoever removes the hook waits for its end.
    fn run_hook(&self) {
        let mut hook = self.lock();
        if let Some(hook) = hook.take() {
            hook();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Hook>> {
        self.shared.hook.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancel").field(&self.is_cancelled()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn a_hook_runs_once_if_the_signal_fires_before_or_during_and_never_after() {
        let calls = Arc::new(AtomicUsize::new(0));
        let hook = || {
            let calls = Arc::clone(&calls);
            move || {
                calls.fetch_add(1, Ordering::SeqCst);
            }
        };
        let late = Cancel::new();
        late.watch(hook(), || ());
        late.cancel();
        assert_eq!(calls.load(Ordering::SeqCst), 0);

        let during = Cancel::new();
        during.watch(hook(), || during.cancel());
        assert_eq!(calls.load(Ordering::SeqCst), 1);

        during.watch(hook(), || ());
        assert_eq!(calls.load(Ordering::SeqCst), 2);
    }
}
