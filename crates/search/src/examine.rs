//! What a worker does with one candidate: look it up, compare it with the best, test it.
//!
//! Measuring may cost a parse. A candidate with fewer non-whitespace bytes than the best is nearly always smaller, so
//! it is tested first and measured only if it is interesting. Others are measured first, and tested only if they are
//! smaller. What is tested beyond an assumed success is compared with the candidate that would be the best then.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::cache::{Cache, Claim};
use crate::size::count_solid;
use crate::stop::Pause;
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
    pub(crate) pause: Pause,
}

/// What a worker found out.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
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

/// What a candidate must be smaller than to be accepted.
#[derive(Clone)]
pub(crate) enum Bar {
    /// Nothing.
    AnySize,
    /// The best.
    Best(Arc<Measured>),
    /// What will be the best if it is interesting.
    Draft(Arc<Draft>),
}

/// A candidate whose test has begun.
pub(crate) struct Draft {
    candidate: Candidate,
    pub(crate) fingerprint: Fingerprint,
    bar: Bar,
    /// Measuring may cost a parse.
    measured: OnceLock<Arc<Measured>>,
}

impl Bar {
    fn candidate(&self) -> Option<&Candidate> {
        match self {
            Self::AnySize => None,
            Self::Best(best) => Some(&best.candidate),
            Self::Draft(draft) => Some(&draft.candidate),
        }
    }
}

impl Examiner {
    /// Finds out about `candidate`, until it must be tested.
    pub(crate) fn prepare(&self, candidate: Candidate, bar: Bar, cancel: &Cancel) -> Result<Draft, Report> {
        if cancel.is_cancelled() {
            return Err(Report::Unneeded);
        }
        let fingerprint = candidate.fingerprint();
        let known = self.cache.lookup(fingerprint);
        // Content that was counted before costs no test, so its size does not matter.
        if let Some(known) = known.filter(|known| known.counted && known.verdict != Verdict::Interesting) {
            return Err(Report::Judged(Judgement::new(fingerprint, &candidate, known.verdict, None)));
        }
        // Its own content is not smaller than the best, and measuring may cost a parse.
        let is_best = |best: &Candidate| best.fingerprint() == fingerprint && best.cost() <= candidate.cost();
        if bar.candidate().is_some_and(is_best) {
            return Err(Report::NotSmaller(fingerprint));
        }
        let is_surely_smaller = bar.candidate().is_none_or(|best| count_solid(&candidate) < count_solid(best));
        let draft = Draft { candidate, fingerprint, bar, measured: OnceLock::new() };
        if !is_surely_smaller && !self.is_smaller(&draft) {
            return Err(Report::NotSmaller(fingerprint));
        }
        match known {
            Some(known) => Err(self.grade(&draft, known.verdict, None)),
            None => Ok(draft),
        }
    }

    /// Tests a candidate, or waits until another worker has tested the same content.
    pub(crate) fn test(&self, draft: &Draft, cancel: &Cancel) -> Report {
        self.pause.wait(cancel);
        match self.judge(draft.fingerprint, &draft.candidate, cancel) {
            Ok((verdict, ran)) => self.grade(draft, verdict, ran),
            Err(error) => error.into(),
        }
    }

    fn grade(&self, draft: &Draft, verdict: Verdict, ran: Option<Duration>) -> Report {
        let mut judgement = Judgement::new(draft.fingerprint, &draft.candidate, verdict, ran);
        match verdict {
            Verdict::Interesting => {
                judgement.winner = self.is_smaller(draft).then(|| Arc::clone(self.measured(draft)));
            }
            Verdict::Other => judgement.other = Some(draft.candidate.clone()),
            _ => {}
        }
        Report::Judged(judgement)
    }

    fn is_smaller(&self, draft: &Draft) -> bool {
        match &draft.bar {
            Bar::AnySize => true,
            Bar::Best(best) => self.measured(draft).is_smaller_than(best),
            Bar::Draft(best) => self.measured(draft).is_smaller_than(self.measured(best)),
        }
    }

    pub(crate) fn measured<'a>(&self, draft: &'a Draft) -> &'a Arc<Measured> {
        draft.measured.get_or_init(|| Arc::new(self.measure(draft.candidate.clone())))
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
