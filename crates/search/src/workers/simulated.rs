//! Workers in virtual time: any number of them on one thread, without waiting, and the same at every run.
//!
//! A test takes a fixed virtual time, everything else none. The property is asked when the virtual test ends, so that a
//! verdict is not known before, and never if the test was cancelled.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::Sender;

use super::{Job, JobId, Message, Prepared};
use crate::Cancel;
use crate::examine::Report;

pub(super) struct Simulated {
    count: usize,
    duration: Duration,
    now: Duration,
    waiting: VecDeque<(JobId, Job)>,
    /// In the order in which they began, which is the order in which they end.
    running: VecDeque<Running>,
    outbox: Sender<Message>,
}

struct Running {
    id: JobId,
    test: Box<dyn FnOnce() -> Report + Send>,
    cancel: Cancel,
    ends: Duration,
}

impl Simulated {
    pub(super) fn new(count: usize, duration: Duration, outbox: Sender<Message>) -> Self {
        Self { count, duration, now: Duration::ZERO, waiting: VecDeque::new(), running: VecDeque::new(), outbox }
    }

    pub(super) fn hand_out(&mut self, id: JobId, job: Job) {
        self.waiting.push_back((id, job));
    }

    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// Goes on until there is a message: jobs start while workers are free, then the first test ends.
    pub(super) fn advance(&mut self) {
        self.drop_cancelled();
        while self.running.len() < self.count && self.outbox.is_empty() {
            let Some((id, Job { prepare, cancel })) = self.waiting.pop_front() else { break };
            match prepare() {
                Prepared::Ended(report) => self.send(Message::Ended(id, report)),
                Prepared::Test(test) => {
                    self.running.push_back(Running { id, test, cancel, ends: self.now + self.duration });
                    self.send(Message::Begun);
                }
            }
        }
        if self.outbox.is_empty()
            && let Some(first) = self.running.pop_front()
        {
            self.now = first.ends;
            self.send(Message::Ended(first.id, (first.test)()));
        }
    }

    /// A cancelled test ends at once.
    fn drop_cancelled(&mut self) {
        let (cancelled, running): (VecDeque<_>, _) =
            self.running.drain(..).partition(|running| running.cancel.is_cancelled());
        self.running = running;
        cancelled.into_iter().for_each(|running| self.send(Message::Ended(running.id, Report::Cancelled)));
    }

    fn send(&self, message: Message) {
        self.outbox.send(message).expect("the search holds the other end");
    }
}
