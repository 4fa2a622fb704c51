//! A property that is asked once per content.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use whittle::search::{Cancel, Candidate, Fingerprint, Property, TestError, Tested, Verdict};

pub(crate) struct Memo<P> {
    property: P,
    verdicts: Mutex<HashMap<Fingerprint, Verdict>>,
}

impl<P> Memo<P> {
    pub(crate) fn new(property: P) -> Self {
        Self { property, verdicts: Mutex::default() }
    }

    /// What it has answered so far.
    pub(crate) fn verdicts(&self) -> MutexGuard<'_, HashMap<Fingerprint, Verdict>> {
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Property> Property for Memo<P> {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let fingerprint = candidate.fingerprint();
        let known = self.verdicts().get(&fingerprint).copied();
        if let Some(verdict) = known {
            return Ok(Tested { verdict, elapsed: Duration::ZERO });
        }
        let tested = self.property.test(candidate, cancel)?;
        self.verdicts().insert(fingerprint, tested.verdict);
        Ok(tested)
    }
}
