//! What a worker does with one candidate: known? smaller? then test it.

use std::sync::Arc;
use std::time::Duration;

use crate::cache::{Cache, Claim};
use crate::{Cancel, Candidate, Fingerprint, Measure, Measured, Property, Size, TestError, Verdict};

/// What all workers share.
pub(crate) struct Examiner {
    pub(crate) property: Arc<dyn Property>,
    pub(crate) measure: Measure,
    pub(crate) cache: Cache,
}

/// What a worker found out.
#[derive(Debug)]
pub(crate) enum Report {
    /// The proposal made no candidate.
    Inapplicable,
    /// The candidate is not smaller than the best; it was not tested.
    NotSmaller(Fingerprint),
    /// There is a verdict.
    Judged(Judgement),
    /// It was cancelled before it came to a test.
    Unneeded,
    /// The test was cancelled.
    Cancelled,
    /// The test could not be run.
    Failed(String),
}

/// A verdict and where it comes from.
#[derive(Debug)]
pub(crate) struct Judgement {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) verdict: Verdict,
    /// Unknown only for content whose test was counted before.
    pub(crate) size: Option<Size>,
    /// The candidate itself, if it can be accepted.
    pub(crate) interesting: Option<Measured>,
    /// How long the property ran, if it did.
    pub(crate) ran: Option<Duration>,
}

impl Examiner {
    /// Finds out about `candidate`; with a `best`, only what is smaller is tested.
    pub(crate) fn examine(&self, candidate: Candidate, best: Option<&Measured>, cancel: &Cancel) -> Report {
        if cancel.is_cancelled() {
            return Report::Unneeded;
        }
        let fingerprint = candidate.fingerprint();
        let known = self.cache.lookup(fingerprint);
        // Content that was counted before costs no test whatever its size: measuring it would be in vain.
        if let Some(known) = known.filter(|known| known.counted && known.verdict != Verdict::Interesting) {
            let verdict = known.verdict;
            return Report::Judged(Judgement { fingerprint, verdict, size: None, interesting: None, ran: None });
        }
        let measured = Measured { size: (self.measure)(&candidate), candidate };
        if best.is_some_and(|best| !measured.is_smaller_than(best)) {
            return Report::NotSmaller(fingerprint);
        }
        self.judge(fingerprint, measured, cancel)
    }

    fn judge(&self, fingerprint: Fingerprint, measured: Measured, cancel: &Cancel) -> Report {
        let (verdict, ran) = match self.cache.claim(fingerprint) {
            Claim::Known(verdict) => (verdict, None),
            Claim::Granted(ticket) => match self.property.test(&measured.candidate, cancel) {
                Ok(tested) => {
                    ticket.publish(tested.verdict);
                    (tested.verdict, Some(tested.elapsed))
                }
                Err(TestError::Cancelled) => return Report::Cancelled,
                Err(TestError::Failed(reason)) => return Report::Failed(reason),
            },
        };
        let size = Some(measured.size);
        let interesting = (verdict == Verdict::Interesting).then_some(measured);
        Report::Judged(Judgement { fingerprint, verdict, size, interesting, ran })
    }
}
