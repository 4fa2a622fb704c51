//! [`Repeated`]: a flaky property, run as often as a verdict needs.

use std::sync::Arc;
use std::time::Duration;

use whittle_search::{Cancel, Candidate, Fingerprint, Property, TestError, Tested, Verdict};

use crate::trust::{Decision, Trust};

/// A property whose verdicts are made of several runs of another.
pub struct Repeated {
    single: Arc<dyn Property>,
    trust: Trust,
}

impl Repeated {
    /// Runs `single` as often as `trust` asks for.
    pub fn new(single: Arc<dyn Property>, trust: Trust) -> Self {
        Self { single, trust }
    }
}

impl Property for Repeated {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let mut decision = Decision::new(self.trust);
        let mut elapsed = Duration::ZERO;
        let mut no = Verdict::Uninteresting;
        loop {
            let tested = self.single.test(candidate, cancel)?;
            elapsed += tested.elapsed;
            let success = tested.verdict == Verdict::Interesting;
            if !success {
                no = tested.verdict;
            }
            match decision.observe(success) {
                None => {}
                Some(true) => return Ok(Tested { verdict: Verdict::Interesting, elapsed }),
                Some(false) => return Ok(Tested { verdict: no, elapsed }),
            }
        }
    }

    fn capacity(&self) -> Option<usize> {
        self.single.capacity()
    }

    fn withdrawn(&self) -> Vec<Fingerprint> {
        self.single.withdrawn()
    }
}
