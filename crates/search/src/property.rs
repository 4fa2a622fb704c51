//! The interface to the outside world: a [`Property`] says whether a candidate is interesting.
//!
//! The search knows nothing of processes, and an implementation of [`Property`] knows nothing of the search.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Candidate, Fingerprint};

/// What the property said of a candidate. Only [`Verdict::Interesting`] can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The candidate still shows the bug.
    Interesting,
    /// It does not.
    Uninteresting,
    /// The test did not end in time.
    TimedOut,
    /// A cheap check rejected it: the test itself did not run.
    Invalid,
    /// It fails, but with another signature than the input's.
    Other,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interesting => "interesting",
            Self::Uninteresting => "not interesting",
            Self::Invalid => "invalid",
            Self::Other => "another bug",
            Self::TimedOut => "timed out",
        })
    }
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

    /// How many tests can run at once now, if that changes while a search runs; at least one is handed out in any case.
    /// `None`: as many as the search was started with.
    fn capacity(&self) -> Option<usize> {
        None
    }

    /// Takes the contents whose verdicts turned out to be wrong, or may be, since the last call. The search then ends with
    /// [`Stop::Withdrawn`](crate::Stop::Withdrawn), and can [start over](crate::Search::start_over).
    fn withdrawn(&self) -> Vec<Fingerprint> {
        Vec::new()
    }
}

/// Tells running tests that their verdicts are no longer wanted.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<CancelState>,
}

#[derive(Default)]
struct CancelState {
    cancelled: AtomicBool,
    hooks: Mutex<Hooks>,
}

#[derive(Default)]
struct Hooks {
    next: u64,
    waiting: BTreeMap<u64, Hook>,
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

    /// Fires: runs the hooks that are registered.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::SeqCst);
        self.run_hooks();
    }

    /// Runs `body`; if the signal fires meanwhile (or had fired before), `hook` is called once, on the thread that
    /// fired it. Once this returns, `hook` will not be called any more.
    pub fn watch<R>(&self, hook: impl FnOnce() + Send + 'static, body: impl FnOnce() -> R) -> R {
        let number = self.register(Box::new(hook));
        if self.is_cancelled() {
            self.run_hooks();
        }
        let result = body();
        self.lock().waiting.remove(&number);
        result
    }

    fn register(&self, hook: Hook) -> u64 {
        let mut hooks = self.lock();
        hooks.next += 1;
        let number = hooks.next;
        hooks.waiting.insert(number, hook);
        number
    }

    /// The lock is held while hooks run, so removing a hook waits for its end.
    fn run_hooks(&self) {
        let mut hooks = self.lock();
        while let Some((_, hook)) = hooks.waiting.pop_first() {
            hook();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Hooks> {
        self.shared.hooks.lock().unwrap_or_else(PoisonError::into_inner)
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

        let shared = Cancel::new();
        shared.watch(hook(), || shared.watch(hook(), || shared.cancel()));
        assert_eq!(calls.load(Ordering::SeqCst), 4, "each of several has its own hook");
    }
}
