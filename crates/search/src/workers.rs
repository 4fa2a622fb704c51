//! Who renders and tests candidates: threads, or simulated workers in virtual time.
//!
//! A job has two parts. The first prepares a candidate: it is rendered, looked up and compared with the best. Often that
//! is enough. If not, the second part is the test, and the search hears of it when it begins: from then on it may test
//! what comes after a success. Each worker has a second job waiting, so that after a failure it continues at once, while
//! the search handles the report. A property that runs tests elsewhere may say how many it can run at once; that may change
//! at any time, and never changes what a search finds. A job whose content is being tested by another worker is parked until that test ends.

mod parking;
mod simulated;
mod threads;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use crate::examine::Report;
use crate::{Cancel, Fingerprint, Property};
use simulated::Simulated;
use threads::Threads;

pub use simulated::{Clock, Simulation};
pub(crate) use threads::panic_text;

/// Jobs are numbered in the order in which they are handed out.
pub(crate) type JobId = u64;

/// What to do for one candidate.
pub(crate) struct Job {
    pub(crate) prepare: Box<dyn FnOnce() -> Prepared + Send>,
    /// Fires when the verdict is no longer wanted.
    pub(crate) cancel: Cancel,
}

/// How the preparation of a candidate ends.
pub(crate) enum Prepared {
    /// There is nothing to test.
    Ended(Report),
    /// The content must be tested.
    Test(Test),
}

/// The test of a content.
pub(crate) struct Test {
    pub(crate) content: Fingerprint,
    pub(crate) run: Box<dyn FnOnce() -> Report + Send>,
}

/// What the search hears of a job.
pub(crate) enum Message {
    /// There may be more to hand out: a test begins, or a scout has found one.
    More,
    /// It is over.
    Ended(JobId, Report),
}

/// A number of workers; each does one job at a time, the oldest first.
pub(crate) struct Workers {
    pool: Pool,
    messages: Receiver<Message>,
    outbox: Sender<Message>,
    count: usize,
    /// Says how many tests can run at once now.
    property: Arc<dyn Property>,
    handed_out: u64,
    reported: u64,
}

enum Pool {
    Threads(Threads),
    Simulated(Simulated),
}

impl Workers {
    /// Threads, or simulated workers.
    pub(crate) fn new(count: usize, simulation: Option<Simulation>, property: Arc<dyn Property>) -> Self {
        let (outbox, messages) = crossbeam_channel::unbounded();
        let pool = match simulation {
            None => Pool::Threads(Threads::new(&outbox)),
            Some(simulation) => Pool::Simulated(Simulated::new(count, simulation, outbox.clone())),
        };
        Self { pool, messages, outbox, count, property, handed_out: 0, reported: 0 }
    }

    /// How many there are now.
    pub(crate) fn count(&self) -> usize {
        self.property.capacity().map_or(self.count, |capacity| capacity.max(1).min(self.count))
    }

    /// How many have work, cancelled work included.
    pub(crate) fn busy(&self) -> usize {
        self.unreported().min(self.count())
    }

    /// Whether there is nothing to wait for.
    pub(crate) fn are_idle(&self) -> bool {
        self.unreported() == 0
    }

    /// Whether another job would not have to wait for long. If the search takes no time, workers get it the moment they
    /// are free.
    pub(crate) fn want_more(&self) -> bool {
        let count = self.count();
        let (parked, wanted) = match &self.pool {
            Pool::Simulated(simulated) if simulated.clock().is_none() => (simulated.parked(), count),
            Pool::Simulated(simulated) => (simulated.parked(), count + count / 4 + 1),
            Pool::Threads(threads) => (threads.parked(), count + count / 4 + 1),
        };
        self.unreported().saturating_sub(parked) < wanted
    }

    /// Whether there is a second worker, which could test what is only assumed to be needed.
    pub(crate) fn are_many(&self) -> bool {
        self.count > 1
    }

    /// Whether nothing happens while the search waits for something else.
    pub(crate) fn are_simulated(&self) -> bool {
        matches!(self.pool, Pool::Simulated(_))
    }

    /// Whether jobs are prepared the moment they are handed out, before anything else happens.
    pub(crate) fn prepare_at_once(&self) -> bool {
        self.are_simulated() && self.clock().is_none()
    }

    /// What measures the work beside tests, if workers are simulated and it takes time.
    pub(crate) fn clock(&self) -> Option<Clock> {
        match &self.pool {
            Pool::Threads(_) => None,
            Pool::Simulated(simulated) => simulated.clock(),
        }
    }

    /// Where others can wake up the search.
    pub(crate) fn bell(&self) -> Sender<Message> {
        self.outbox.clone()
    }

    fn unreported(&self) -> usize {
        (self.handed_out - self.reported) as usize
    }

    pub(crate) fn hand_out(&mut self, job: Job) -> JobId {
        let id = self.handed_out;
        self.handed_out += 1;
        let needed = self.unreported().min(self.count());
        match &mut self.pool {
            Pool::Threads(threads) => {
                threads.grow_to(needed);
                threads.hand_out(id, job);
            }
            Pool::Simulated(simulated) => simulated.hand_out(id, job),
        }
        id
    }

    /// Waits for something else than a job; simulated workers count no time of it.
    pub(crate) fn waiting<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        match &mut self.pool {
            Pool::Threads(_) => wait(),
            Pool::Simulated(simulated) => simulated.waiting(wait),
        }
    }

    /// Sends the search a message at a virtual time, if it waits then.
    pub(crate) fn wake_at(&mut self, time: Duration) {
        if let Pool::Simulated(simulated) = &mut self.pool {
            simulated.wake_at(time);
        }
    }

    /// Where messages arrive. Each must be acknowledged by [`Workers::took`] after the jobs that it makes useless are
    /// cancelled.
    pub(crate) fn messages(&mut self) -> &Receiver<Message> {
        if let Pool::Simulated(simulated) = &mut self.pool
            && self.messages.is_empty()
        {
            simulated.advance();
        }
        &self.messages
    }

    /// A message that has arrived.
    pub(crate) fn message_there(&self) -> Option<Message> {
        self.messages.try_recv().ok()
    }

    /// Acknowledges that a job is over, and whether its candidate succeeded.
    pub(crate) fn took(&mut self, success: bool) {
        self.reported += 1;
        if let Pool::Threads(threads) = &self.pool
            && success
        {
            threads.go_on();
        }
    }

    /// The virtual time that workers were in tests, if they are simulated.
    pub(crate) fn virtual_time_in_tests(&self) -> Option<Duration> {
        match &self.pool {
            Pool::Threads(_) => None,
            Pool::Simulated(simulated) => Some(simulated.tested()),
        }
    }

    /// The virtual time since the start, if workers are simulated.
    pub(crate) fn virtual_time(&self) -> Option<Duration> {
        match &self.pool {
            Pool::Threads(_) => None,
            Pool::Simulated(simulated) => Some(simulated.now()),
        }
    }
}
