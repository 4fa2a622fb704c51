//! [`Here`]: this machine as one that runs tests, never more at once than its jobs. Comparisons count too: with many workers,
//! they would overload it otherwise.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use whittle_property::{CommandProperty, Judged};
use whittle_search::{Cancel, Candidate, Property, TestError, Tested};

use crate::session::shown;

/// The property as this machine tests it.
pub(crate) struct Here {
    property: Arc<CommandProperty>,
    permits: Permits,
}

impl Here {
    pub(crate) fn new(property: Arc<CommandProperty>, jobs: usize) -> Self {
        Self { property, permits: Permits::new(jobs.max(1)) }
    }

    pub(crate) fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let _permit = self.permits.take(cancel)?;
        self.property.test(candidate, cancel)
    }

    pub(crate) fn judge(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Judged, TestError> {
        let _permit = self.permits.take(cancel)?;
        self.property.judge(candidate, cancel)
    }

    /// How the command ends on a candidate, and what it prints, in words.
    pub(crate) fn shown(&self, candidate: &Candidate, cancel: &Cancel) -> Result<String, TestError> {
        let _permit = self.permits.take(cancel)?;
        shown(&self.property, candidate, cancel)
    }

    /// The same, if it can run a test at once.
    pub(crate) fn judge_if_idle(&self, candidate: &Candidate, cancel: &Cancel) -> Option<Result<Judged, TestError>> {
        let _permit = self.permits.take_free()?;
        Some(self.property.judge(candidate, cancel))
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.property.timeout()
    }

    /// Notes what a worker found.
    pub(crate) fn take_note(&self, candidate: &Candidate, judged: &Judged) {
        self.property.take_note(candidate, judged);
    }
}

/// A counting semaphore.
struct Permits {
    free: Mutex<usize>,
    changed: Condvar,
}

/// Permission for one run, until it is dropped.
struct Permit<'a>(&'a Permits);

/// How often a run that waits for its turn checks whether it was cancelled.
const CANCEL_CHECK: Duration = Duration::from_millis(20);

impl Permits {
    fn new(count: usize) -> Self {
        Self { free: Mutex::new(count), changed: Condvar::new() }
    }

    fn take(&self, cancel: &Cancel) -> Result<Permit<'_>, TestError> {
        let mut free = self.lock();
        while *free == 0 {
            if cancel.is_cancelled() {
                return Err(TestError::Cancelled);
            }
            free = self.changed.wait_timeout(free, CANCEL_CHECK).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Ok(Permit(self))
    }

    /// One of those that are free; `None` if there is none.
    fn take_free(&self) -> Option<Permit<'_>> {
        let mut free = self.lock();
        *free = free.checked_sub(1)?;
        Some(Permit(self))
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.lock() += 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_run_at_once_than_there_are_permits_and_a_cancelled_wait_ends() {
        let permits = Permits::new(3);
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _permit = permits.take(&Cancel::new()).unwrap();
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    running.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= 3);
        let _held: Vec<_> = (0..3).map(|_| permits.take_free().unwrap()).collect();
        assert!(permits.take_free().is_none());
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(matches!(permits.take(&cancel), Err(TestError::Cancelled)));
    }
}
