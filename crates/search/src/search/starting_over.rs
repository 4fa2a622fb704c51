//! Starting over after the property has withdrawn verdicts: what was found with them means nothing.
//!
//! Algorithms are deterministic, so a search that starts over proposes what a search without these verdicts would have
//! proposed. All others are known, and nothing runs for them. The result and the counted tests are those of a search
//! that was never told anything wrong.

use std::sync::Arc;

use super::Search;
use crate::event::{Event, Tally};
use crate::{StartError, Stop};

impl Search {
    /// Whether verdicts were withdrawn, so that the best means nothing.
    pub fn must_start_over(&mut self) -> bool {
        self.take_withdrawn();
        !self.withdrawn.is_empty()
    }

    /// Forgets the verdicts that were withdrawn, and begins again with the input. Limits on time go on.
    pub fn start_over(&mut self) -> Result<(), StartError> {
        self.forget_withdrawn();
        self.begin()
    }

    /// Tests the input, again if its verdict is withdrawn.
    pub(super) fn begin(&mut self) -> Result<(), StartError> {
        loop {
            match self.test_input() {
                Err(StartError::Stopped(Stop::Withdrawn)) => self.forget_withdrawn(),
                result => return result,
            }
        }
    }

    fn forget_withdrawn(&mut self) {
        self.forget_checkpoint();
        self.await_idle();
        self.take_withdrawn();
        // Once more: a test that ended after the withdrawal may have appended its verdict.
        self.withdraw_from_journal(0);
        let withdrawn = std::mem::take(&mut self.withdrawn);
        self.replayable = self.examiner.cache.start_over(&withdrawn);
        self.remembered = 0;
        let Tally { runs, confirmations, property_time, .. } = self.tally;
        self.tally = Tally { runs, confirmations, property_time, ..Tally::default() };
        self.set_best(Arc::clone(&self.first));
        self.emit(&Event::StartedOver { withdrawn: withdrawn.len() as u64 });
    }

    /// Ends what runs if verdicts were withdrawn.
    pub(super) fn check_withdrawn(&mut self) -> Result<(), Stop> {
        if self.must_start_over() { Err(Stop::Withdrawn) } else { Ok(()) }
    }

    pub(super) fn take_withdrawn(&mut self) {
        let before = self.withdrawn.len();
        self.withdrawn.extend(self.examiner.property.withdrawn());
        self.withdraw_from_journal(before);
    }

    fn withdraw_from_journal(&self, from: usize) {
        if let Some(journal) = &self.examiner.journal {
            self.withdrawn[from..].iter().for_each(|content| journal.withdraw(*content));
        }
    }
}
