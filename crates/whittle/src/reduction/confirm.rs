//! The last test: does the result hold? If it does not, the smallest earlier candidate that does becomes the result.

use std::sync::Arc;

use whittle_property::{Rates, Trust};
use whittle_search::{Fingerprint, Interrupter, Measured, Property, Search, Stop, TestError, Verdict};

use super::history::History;
use super::reliability::{decide, measure_rates};
use super::{Confidence, Confirmation};

/// What confirms a result.
pub(super) struct Confirmer {
    /// The input.
    pub(super) first: Measured,
    pub(super) history: History,
    /// The property, one run a verdict.
    pub(super) single: Arc<dyn Property>,
    pub(super) trust: Trust,
    pub(super) interrupter: Interrupter,
    pub(super) jobs: usize,
    /// What this machine has found interesting after the search had ended.
    pub(super) confirmed: Option<Fingerprint>,
}

impl Confirmer {
    /// Tests the best once more, unless it is the input, which was tested before. A best that does not hold is replaced
    /// by an earlier one that does: a run must not end with less than it had.
    pub(super) fn confirm(&self, search: &mut Search) -> Confirmation {
        if search.best().candidate == self.first.candidate {
            return Confirmation::NotNeeded;
        }
        if self.confirmed == Some(search.best().candidate.fingerprint()) {
            return Confirmation::Confirmed(None);
        }
        let confirmed = match (search.confirm(), self.trust) {
            (Err(stop), _) => return Confirmation::Unknown(stop),
            (Ok(Verdict::Interesting), Trust::Rates(rates)) => self.weigh(search.best(), rates),
            (Ok(Verdict::Interesting), _) => return Confirmation::Confirmed(None),
            (Ok(_), _) => Ok(None),
        };
        let confirmation = confirmed.and_then(|confidence| match confidence {
            Some(confidence) => Ok(Confirmation::Confirmed(Some(confidence))),
            None => self.step_back(search),
        });
        confirmation.unwrap_or_else(|error| Confirmation::Unknown(stop_of(error)))
    }

    /// What more runs say about a candidate; `None` if they say that it is not interesting.
    fn weigh(&self, candidate: &Measured, rates: Rates) -> Result<Option<Confidence>, TestError> {
        let (holds, confidence) = decide(self.single.as_ref(), &candidate.candidate, rates, self.interrupter.cancel())?;
        Ok(holds.then_some(confidence))
    }

    /// Makes the smallest earlier candidate that holds the best, or the input if none does.
    fn step_back(&self, search: &mut Search) -> Result<Confirmation, TestError> {
        let rejected = search.best().candidate.clone();
        let rates = match self.trust {
            Trust::Rates(rates) => rates,
            _ => measure_rates(self.single.as_ref(), &self.first.candidate, self.jobs, self.interrupter.cancel())?,
        };
        let earlier = self.history.smallest_first().into_iter().map(|accepted| accepted.best);
        for candidate in earlier.filter(|best| best.candidate != rejected).chain([self.first.clone()]) {
            if let Some(confidence) = self.weigh(&candidate, rates)? {
                search.step_back(candidate);
                return Ok(Confirmation::SteppedBack { rejected, confidence: Some(confidence) });
            }
        }
        search.step_back(self.first.clone());
        Ok(Confirmation::SteppedBack { rejected, confidence: None })
    }
}

fn stop_of(error: TestError) -> Stop {
    match error {
        TestError::Cancelled => Stop::Interrupted,
        TestError::Failed(reason) => Stop::Failed(reason),
    }
}
