//! How a candidate is tested wherever there is room. If the worker is lost, or cannot run the test, another one gets it.

use std::sync::Arc;

use whittle_property::Judged;
use whittle_search::{Cancel, Candidate, TestError, Tested, Verdict};

use crate::edits::Base;
use crate::frames::{Answer, Question};
use crate::remote::{Remote, Reply};
use crate::roster::Roster;
use crate::slots::Slot;

/// A test that was lost with so many workers runs here: it may be the test that ends them.
const MAX_LOSSES: u32 = 8;

/// A test that so many workers could not run also runs here. If it fails again, the reason can be examined on this machine.
const MAX_FAILURES: u32 = 3;

impl Roster {
    /// Tests a candidate wherever there is room.
    pub(crate) fn test(self: &Arc<Self>, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let (mut losses, mut failures) = (0, 0);
        loop {
            let slot = self.acquire(cancel)?;
            let Slot::At(remote) = &slot else {
                let tested = self.test_here(candidate, cancel);
                self.release(&slot);
                return tested;
            };
            let (reply, sent) = self.ask(remote, candidate, Question::Verdict, cancel);
            self.release(&slot);
            match reply {
                Reply::Answer(Answer::Verdict { verdict, elapsed, reason, signature }) => {
                    self.note_sent(sent);
                    if self.believe(remote, candidate, verdict) {
                        let judged = Judged { tested: Tested { verdict, elapsed }, reason, signature };
                        self.local.take_note(candidate, &judged);
                        self.adopt(candidate, Some(verdict));
                        return Ok(judged.tested);
                    }
                }
                Reply::Answer(Answer::Cancelled) => return Err(TestError::Cancelled),
                Reply::Answer(Answer::Failed(reason)) => {
                    failures += 1;
                    self.dismiss(remote, &reason);
                }
                Reply::Answer(Answer::Output(_)) | Reply::Lost => losses += 1,
            }
            if failures == MAX_FAILURES || losses == MAX_LOSSES {
                return self.test_here(candidate, cancel);
            }
        }
    }

    /// Tests a candidate on this machine, whatever `Machines::only` says.
    fn test_here(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let tested = self.local.test(candidate, cancel);
        self.adopt(candidate, tested.as_ref().ok().map(|tested| tested.verdict));
        tested
    }

    /// Asks a worker, and says how many bytes were sent for that.
    pub(crate) fn ask(
        &self,
        remote: &Remote,
        candidate: &Candidate,
        question: Question,
        cancel: &Cancel,
    ) -> (Reply, u64) {
        let base = Arc::clone(&self.lock_base());
        remote.ask(candidate, question, &base, self.local.timeout(), cancel)
    }

    /// Makes an interesting candidate what edits are made against. Tests are mostly about changes of the best.
    fn adopt(&self, candidate: &Candidate, verdict: Option<Verdict>) {
        if verdict != Some(Verdict::Interesting) {
            return;
        }
        let mut base = self.lock_base();
        if candidate.byte_count() < base.candidate().byte_count() {
            *base = Arc::new(Base::new(candidate.clone()));
        }
    }
}
