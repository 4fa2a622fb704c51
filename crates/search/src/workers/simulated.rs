//! Workers in virtual time: any number of them on one thread, without waiting, and the same at every run.
//!
//! A test takes a fixed virtual time, everything else none. The property is asked when the virtual test ends, so that a
//! verdict is not known before, and never if the test was cancelled.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::Sender;

use super::parking::{Parking, Task};
use super::{Job, JobId, Message, Prepared};
use crate::examine::Report;

pub(super) struct Simulated {
    count: usize,
    duration: Duration,
    now: Duration,
    waiting: VecDeque<(JobId, Job)>,
    /// With the time of its end, in the order in which they began, which is the order in which they end.
    running: VecDeque<(Duration, Task)>,
    parking: Parking,
    outbox: Sender<Message>,
}

impl Simulated {
    pub(super) fn new(count: usize, duration: Duration, outbox: Sender<Message>) -> Self {
        let (waiting, running, parking) = (VecDeque::new(), VecDeque::new(), Parking::default());
        Self { count, duration, now: Duration::ZERO, waiting, running, parking, outbox }
    }

    pub(super) fn hand_out(&mut self, id: JobId, job: Job) {
        self.waiting.push_back((id, job));
    }

    pub(super) fn now(&self) -> Duration {
        self.now
    }

    pub(super) fn parked(&self) -> usize {
        self.parking.parked()
    }

    /// Goes on until there is a message: jobs start while workers are free, then the first test ends.
    pub(super) fn advance(&mut self) {
        self.end_cancelled();
        while self.running.len() < self.count && self.outbox.is_empty() {
            let Some((id, Job { prepare, cancel })) = self.waiting.pop_front() else { break };
            match prepare() {
                Prepared::Ended(report) => self.send(Message::Ended(id, report)),
                Prepared::Test(test) => {
                    self.send(Message::More);
                    if let Some(task) = self.parking.enter(Task { id, test, cancel }) {
                        self.begin(task);
                    }
                }
            }
        }
        if self.outbox.is_empty()
            && let Some((end, task)) = self.running.pop_front()
        {
            self.now = end;
            self.end(task);
        }
    }

    fn begin(&mut self, task: Task) {
        self.running.push_back((self.now + self.duration, task));
    }

    /// All that wait for the verdict have it at the same time.
    fn end(&mut self, task: Task) {
        let mut next = Some(task);
        while let Some(Task { id, test, .. }) = next {
            self.send(Message::Ended(id, (test.run)()));
            next = self.parking.next(test.content);
        }
    }

    /// A cancelled test ends at once, without a verdict; the next that waits for one begins.
    fn end_cancelled(&mut self) {
        let (cancelled, running): (VecDeque<_>, _) =
            self.running.drain(..).partition(|(_, task)| task.cancel.is_cancelled());
        self.running = running;
        for (_, Task { id, test, .. }) in cancelled {
            self.send(Message::Ended(id, Report::Cancelled));
            if let Some(next) = self.parking.next(test.content) {
                self.begin(next);
            }
        }
    }

    fn send(&self, message: Message) {
        self.outbox.send(message).expect("the search holds the other end");
    }
}
