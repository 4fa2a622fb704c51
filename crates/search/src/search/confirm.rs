//! Testing the best once more.

use std::sync::Arc;

use super::{Search, no_verdict};
use crate::examine::{Bar, Report};
use crate::window::{Leaf, Node, Window};
use crate::workers::{Job, Prepared, Test};
use crate::{Stop, Verdict};

impl Search {
    /// Tests the best once more, and returns the new verdict, which is neither cached nor counted as a test. Stops as
    /// other tests do, except for limits on their number.
    pub fn confirm(&mut self) -> Result<Verdict, Stop> {
        let result = self.await_confirmation();
        if result.is_err() {
            self.await_idle();
        }
        result
    }

    fn await_confirmation(&mut self) -> Result<Verdict, Stop> {
        self.check_limits()?;
        let mut window = Window::default();
        let node = Node::new((), Bar::AnySize, self.odds.start(), 0);
        let (signal, best, examiner) = (node.cancel.clone(), Arc::clone(&self.best), Arc::clone(&self.examiner));
        let content = best.candidate.fingerprint();
        let run = move || examiner.confirm(&best, &signal);
        let prepare = move || Prepared::Test(Test { content, run: Box::new(run) });
        let job = self.workers.hand_out(Job { prepare: Box::new(prepare), cancel: node.cancel.clone() });
        window.add(&Leaf::ROOT, job, node);
        loop {
            self.await_report(&mut window)?;
            match window.pop_ready() {
                Some((_, Report::Judged(judgement))) => {
                    self.tally.confirmations += 1;
                    return Ok(judgement.verdict);
                }
                Some((_, report)) => return Err(no_verdict(report)),
                None => {}
            }
        }
    }
}
