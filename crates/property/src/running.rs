//! [`Running`]: which test runs are under way, for those who show progress while slow tests run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The test runs that are under way. Clones share one view; any thread may look.
#[derive(Clone, Debug, Default)]
pub struct Running(Arc<Mutex<Vec<Instant>>>);

impl Running {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// How long the oldest has been running.
    pub fn longest(&self) -> Option<Duration> {
        self.lock().iter().map(Instant::elapsed).max()
    }

    /// Counts a run until the guard is dropped.
    pub(crate) fn begin(&self) -> RunGuard {
        let began = Instant::now();
        self.lock().push(began);
        RunGuard { running: self.clone(), began }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run that is under way.
pub(crate) struct RunGuard {
    running: Running,
    began: Instant,
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        let mut runs = self.running.lock();
        if let Some(index) = runs.iter().position(|began| *began == self.began) {
            runs.swap_remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_count_until_they_end_and_the_oldest_is_the_longest() {
        let running = Running::default();
        assert_eq!((running.count(), running.longest()), (0, None));
        let first = running.begin();
        std::thread::sleep(Duration::from_millis(20));
        let second = running.begin();
        assert_eq!(running.count(), 2);
        assert!(running.longest().unwrap() >= Duration::from_millis(20));
        drop(first);
        assert_eq!(running.count(), 1);
        assert!(running.longest().unwrap() < Duration::from_secs(60));
        drop(second);
        assert_eq!((running.count(), running.longest()), (0, None));
    }
}
