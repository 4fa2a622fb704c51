//! Where tests wait while another worker tests the same content: they take no worker.

use std::collections::{HashMap, VecDeque};

use super::{JobId, Test};
use crate::{Cancel, Fingerprint};

/// A test that has begun, or would have.
pub(super) struct Task {
    pub(super) id: JobId,
    pub(super) test: Test,
    pub(super) cancel: Cancel,
}

/// The contents that are being tested, with those that wait for their verdicts.
#[derive(Default)]
pub(super) struct Parking {
    waiting: HashMap<Fingerprint, VecDeque<Task>>,
    parked: usize,
}

impl Parking {
    /// Parks a task if its content is being tested; if not, gives it back.
    pub(super) fn enter(&mut self, task: Task) -> Option<Task> {
        match self.waiting.get_mut(&task.test.content) {
            Some(waiting) => {
                waiting.push_back(task);
                self.parked += 1;
                None
            }
            None => {
                self.waiting.insert(task.test.content, VecDeque::new());
                Some(task)
            }
        }
    }

    /// The next task for this content after a test of it has ended. The last one is followed by nothing.
    pub(super) fn next(&mut self, content: Fingerprint) -> Option<Task> {
        let next = self.waiting.get_mut(&content).and_then(VecDeque::pop_front);
        match next {
            Some(_) => self.parked -= 1,
            None => drop(self.waiting.remove(&content)),
        }
        next
    }

    pub(super) fn parked(&self) -> usize {
        self.parked
    }
}
