//! What a worker does with one candidate: look it up, compare it with the best, test it.
//!
//! Measuring may cost a parse. A candidate with fewer non-whitespace bytes than the best is nearly always smaller, so
//! it is tested first and measured only if it is interesting. Others are measured first, and tested only if they are
//! smaller.

use std::sync::Arc;
use std::time::Duration;

use crate::cache::{Cache, Claim};
use crate::size::count_solid;
use crate::{
    Alphabet, Cancel, Candidate, Fingerprint, Journal, LayoutMeasure, Measure, Measured, Property, SizeOrder,
    TestError, Verdict,
};

/// What all workers share.
pub(crate) struct Examiner {
    pub(crate) property: Arc<dyn Property>,
    pub(crate) measure: Measure,
    pub(crate) alphabet: Alphabet,
    pub(crate) order: SizeOrder,
    pub(crate) layout: Option<LayoutMeasure>,
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
    /// It was cancelled before a test.
    Unneeded,
    /// The test was cancelled.
    Cancelled,
    /// The test could not be run.
    Failed(String),
}

impl Report {
    /// Whether the search would accept the candidate: it has been compared with the best already.
    pub(crate) fn is_success(&self) -> bool {
        matches!(self, Self::Judged(judgement) if judgement.winner.is_some())
    }
}

/// A verdict and where it comes from.
#[derive(Debug)]
pub(crate) struct Judgement {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) verdict: Verdict,
    /// How large the candidate is.
    pub(crate) bytes: u64,
    /// The candidate, if it is interesting and smaller than the best.
    pub(crate) winner: Option<Arc<Measured>>,
    /// The candidate, if it fails otherwise and is new.
    pub(crate) other: Option<Candidate>,
    /// How long the property ran, if it did.
    pub(crate) ran: Option<Duration>,
}

impl Judgement {
    fn new(fingerprint: Fingerprint, candidate: &Candidate, verdict: Verdict, ran: Option<Duration>) -> Self {
        Self { fingerprint, verdict, bytes: candidate.byte_count(), winner: None, other: None, ran }
    }
}

impl Examiner {
    /// Finds out about `candidate`; with a `best`, only what is smaller can win.
    pub(crate) fn examine(&self, candidate: Candidate, best: Option<&Measured>, cancel: &Cancel) -> Report {
        if cancel.is_cancelled() {
            return Report::Unneeded;
        }
        let fingerprint = candidate.fingerprint();
        let known = self.cache.lookup(fingerprint);
        // Content that was counted before costs no test, so its size does not matter.
        if let Some(known) = known.filter(|known| known.counted && known.verdict != Verdict::Interesting) {
            return Report::Judged(Judgement::new(fingerprint, &candidate, known.verdict, None));
        }
        // Its own content is not smaller than the best, and measuring may cost a parse.
        if best.is_some_and(|best| {
            best.candidate.fingerprint() == fingerprint && best.candidate.cost() <= candidate.cost()
        }) {
            return Report::NotSmaller(fingerprint);
        }
        let mut measured = None;
        if best.is_some_and(|best| count_solid(&candidate) >= best.size.solid) {
            let candidate = self.measure(candidate.clone());
            if best.is_some_and(|best| !candidate.is_smaller_than(best)) {
                return Report::NotSmaller(fingerprint);
            }
            measured = Some(candidate);
        }
        let (verdict, ran) = match self.judge(fingerprint, &candidate, cancel) {
            Ok(judged) => judged,
            Err(error) => return error.into(),
        };
        let mut judgement = Judgement::new(fingerprint, &candidate, verdict, ran);
        match verdict {
            Verdict::Interesting => {
                let measured = measured.unwrap_or_else(|| self.measure(candidate));
                let wins = best.is_none_or(|best| measured.is_smaller_than(best));
                judgement.winner = wins.then(|| Arc::new(measured));
            }
            Verdict::Other => judgement.other = Some(candidate),
            _ => {}
        }
        Report::Judged(judgement)
    }

    /// The candidate with its size.
    pub(crate) fn measure(&self, candidate: Candidate) -> Measured {
        let (alphabet, layout) = (self.alphabet.clone(), self.layout.clone());
        Measured { size: (self.measure)(&candidate), alphabet, order: self.order, layout, candidate }
    }

    /// Runs the property once more on a candidate that is known to be interesting. Only the caller gets the verdict.
    pub(crate) fn confirm(&self, measured: &Measured, cancel: &Cancel) -> Report {
        if cancel.is_cancelled() {
            return Report::Unneeded;
        }
        match self.property.test(&measured.candidate, cancel) {
            Ok(tested) => {
                let fingerprint = measured.candidate.fingerprint();
                let ran = Some(tested.elapsed);
                Report::Judged(Judgement::new(fingerprint, &measured.candidate, tested.verdict, ran))
            }
            Err(error) => error.into(),
        }
    }

    /// The verdict on a candidate, and how long the property ran for it, if it did.
    fn judge(
        &self,
        fingerprint: Fingerprint,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<(Verdict, Option<Duration>), TestError> {
        match self.cache.claim(fingerprint) {
            Claim::Known(verdict) => Ok((verdict, None)),
            Claim::Granted(ticket) => {
                let tested = self.property.test(candidate, cancel)?;
                // What others act upon must be on record, or a resumed run could not follow them.
                if let Some(journal) = &self.journal {
                    journal.append(fingerprint, tested.verdict);
                }
                ticket.publish(tested.verdict);
                Ok((tested.verdict, Some(tested.elapsed)))
            }
        }
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
