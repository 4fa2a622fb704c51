//! [`Memory`]: answers by content. Most candidates are met again and again, by one reducer after the other.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use whittle::search::{Candidate, Fingerprint};

/// What was found out about candidates.
pub(crate) struct Memory<T>(Mutex<HashMap<Fingerprint, T>>);

impl<T: Copy> Memory<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::default())
    }

    /// The answer for a candidate, found out the first time.
    pub(crate) fn get(&self, candidate: &Candidate, find_out: impl FnOnce() -> T) -> T {
        let key = candidate.fingerprint();
        let known = self.lock().get(&key).copied();
        // The lock is not held meanwhile: other workers need not wait.
        known.unwrap_or_else(|| *self.lock().entry(key).insert_entry(find_out()).get())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, T>> {
        self.0.lock().expect("nobody panics while it is held")
    }
}
