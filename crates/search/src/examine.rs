//! What a worker does with one candidate: known? smaller? then test it.

use std::sync::Arc;
use std::time::Duration;

use crate::cache::{Cache, Claim};
use crate::{Cancel, Candidate, Fingerprint, Journal, Measure, Measured, Property, Size, TestError, Verdict};

/// What all workers share.
pub(crate) struct Examiner {
    pub(crate) property: Arc<dyn Property>,
    pub(crate) measure: Measure,
    pub(crate) cache: Cache,
    pub(crate) journal: Option<Arc<Journal>>,
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

impl Report {
    /// Whether the search would accept the candidate: it has been compared with the best already.
    pub(crate) fn is_success(&self) -> bool {
        matches!(self, Self::Judged(judgement) if judgement.verdict == Verdict::Interesting)
    }
}

/// A verdict and where it comes from.
#[derive(Debug)]
pub(crate) struct Judgement {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) verdict: Verdict,
    /// Unknown only for content whose test was counted before.
    pub(crate) size: Option<Size>,
    /// The candidate itself, if somebody may want it: it is interesting, or fails otherwise and is new.
    pub(crate) candidate: Option<Measured>,
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
            return Report::Judged(Judgement { fingerprint, verdict, size: None, candidate: None, ran: None });
        }
        let measured = Measured { size: (self.measure)(&candidate), candidate };
        if best.is_some_and(|best| !measured.is_smaller_than(best)) {
            return Report::NotSmaller(fingerprint);
        }
        self.judge(fingerprint, measured, cancel)
    }

    /// Runs the property on what is known to be interesting once more. Nobody learns of the verdict but the caller.
    pub(crate) fn confirm(&self, measured: &Measured, cancel: &Cancel) -> Report {
        if cancel.is_cancelled() {
            return Report::Unneeded;
        }
        match self.property.test(&measured.candidate, cancel) {
            Ok(tested) => Report::Judged(Judgement {
                fingerprint: measured.candidate.fingerprint(),
                verdict: tested.verdict,
                size: Some(measured.size),
                candidate: None,
                ran: Some(tested.elapsed),
            }),
            Err(error) => error.into(),
        }
    }

    fn judge(&self, fingerprint: Fingerprint, measured: Measured, cancel: &Cancel) -> Report {
        let (verdict, ran) = match self.cache.claim(fingerprint) {
            Claim::Known(verdict) => (verdict, None),
            Claim::Granted(ticket) => match self.property.test(&measured.candidate, cancel) {
                Ok(tested) => {
                    // What others act upon must be on record, or a resumed run could not follow them.
                    if let Some(journal) = &self.journal {
                        journal.append(fingerprint, tested.verdict);
                    }
                    ticket.publish(tested.verdict);
                    (tested.verdict, Some(tested.elapsed))
                }
                Err(error) => return error.into(),
            },
        };
        let size = Some(measured.size);
        let candidate = matches!(verdict, Verdict::Interesting | Verdict::Other).then_some(measured);
        Report::Judged(Judgement { fingerprint, verdict, size, candidate, ran })
    }
}

impl From<TestError> for Report {
    fn from(error: TestError) -> Self {
        match error {
            TestError::Cancelled => Self::Cancelled,
            TestError::Failed(reason) => Self::Failed(reason),
        }
    }
}
