//! The proposals that are being tested ahead of sequential order, oldest first.

use std::collections::VecDeque;

use crate::Cancel;
use crate::examine::Report;
use crate::workers::JobId;

/// Proposals whose verdicts sequential order has not reached yet. All but the last known success in it rest on the
/// assumption that everything before them fails.
#[derive(Default)]
pub(crate) struct Window {
    slots: VecDeque<Slot>,
}

struct Slot {
    job: JobId,
    cancel: Cancel,
    report: Option<Report>,
}

impl Window {
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn push(&mut self, job: JobId, cancel: Cancel) {
        self.slots.push_back(Slot { job, cancel, report: None });
    }

    /// Records a report. A success cancels everything after it. Reports of jobs that were cancelled earlier are
    /// ignored.
    pub(crate) fn record(&mut self, job: JobId, report: Report) {
        let Ok(index) = self.slots.binary_search_by_key(&job, |slot| slot.job) else { return };
        if report.is_success() {
            self.cancel_from(index + 1);
        }
        self.slots[index].report = Some(report);
    }

    /// Whether some proposal succeeded, so that nothing beyond it is worth testing.
    pub(crate) fn has_success(&self) -> bool {
        self.slots.back().and_then(|slot| slot.report.as_ref()).is_some_and(Report::is_success)
    }

    /// The report of the oldest proposal, once it is there.
    pub(crate) fn pop_ready(&mut self) -> Option<Report> {
        self.slots.front()?.report.as_ref()?;
        self.slots.pop_front()?.report
    }

    fn cancel_from(&mut self, index: usize) {
        for slot in self.slots.drain(index..) {
            slot.cancel.cancel();
        }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.cancel_from(0);
    }
}
