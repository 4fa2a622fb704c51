//! Results that parse: candidates with more syntax errors than the input are rejected untested.
//!
//! Without it, a candidate that a compiler crashes on is accepted whether it is a program or not, and the smallest often
//! is not. The parser is Whittle's own, which may be stricter or more lenient than the tool.

use std::sync::Arc;
use std::time::Duration;

use whittle_search::{Cancel, Candidate, Fingerprint, Measure, Property, TestError, Tested, Verdict};

/// A property of candidates that parse at least as well as the input.
pub(super) struct WellFormed {
    property: Arc<dyn Property>,
    measure: Measure,
    allowed: u64,
}

impl WellFormed {
    /// Candidates may have as many errors as `input`.
    pub(super) fn new(property: Arc<dyn Property>, measure: Measure, input: &Candidate) -> Self {
        let allowed = measure(input).errors;
        Self { property, measure, allowed }
    }
}

impl Property for WellFormed {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        match (self.measure)(candidate).errors > self.allowed {
            true => Ok(Tested { verdict: Verdict::Invalid, elapsed: Duration::ZERO }),
            false => self.property.test(candidate, cancel),
        }
    }

    fn capacity(&self) -> Option<usize> {
        self.property.capacity()
    }

    fn withdrawn(&self) -> Vec<Fingerprint> {
        self.property.withdrawn()
    }
}
