//! The threads on which candidates are rendered and tested.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender};

use crate::examine::Report;

/// Jobs are numbered in the order in which they are handed out.
pub(crate) type JobId = u64;

type Job = Box<dyn FnOnce() -> Report + Send>;

/// A fixed number of threads; each does one job at a time, the oldest first.
pub(crate) struct Workers {
    jobs: Option<Sender<(JobId, Job)>>,
    reports: Receiver<(JobId, Report)>,
    threads: Vec<JoinHandle<()>>,
    handed_out: u64,
    reported: u64,
}

impl Workers {
    pub(crate) fn new(count: usize) -> Self {
        let (jobs, queue) = crossbeam_channel::unbounded::<(JobId, Job)>();
        let (outbox, reports) = crossbeam_channel::unbounded();
        let threads = (0..count).map(|_| spawn(queue.clone(), outbox.clone())).collect();
        Self { jobs: Some(jobs), reports, threads, handed_out: 0, reported: 0 }
    }

    /// How many have work, cancelled work included.
    pub(crate) fn busy(&self) -> usize {
        (self.handed_out - self.reported) as usize
    }

    pub(crate) fn any_free(&self) -> bool {
        self.busy() < self.threads.len()
    }

    pub(crate) fn hand_out(&mut self, job: impl FnOnce() -> Report + Send + 'static) -> JobId {
        let id = self.handed_out;
        self.handed_out += 1;
        let jobs = self.jobs.as_ref().expect("the queue is open until the workers are dropped");
        jobs.send((id, Box::new(job))).expect("worker threads live as long as the queue is open");
        id
    }

    /// Where reports arrive. Each one taken must be acknowledged by [`Workers::took_report`].
    pub(crate) fn reports(&self) -> &Receiver<(JobId, Report)> {
        &self.reports
    }

    pub(crate) fn took_report(&mut self) {
        self.reported += 1;
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A worker thread catches panics of its jobs, so there is nothing to learn from how it ended.
            let _ = thread.join();
        }
    }
}

fn spawn(queue: Receiver<(JobId, Job)>, outbox: Sender<(JobId, Report)>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for (id, job) in queue {
            let report = catch_unwind(AssertUnwindSafe(job))
                .unwrap_or_else(|panic| Report::Failed(format!("the property panicked: {}", panic_text(&*panic))));
            if outbox.send((id, report)).is_err() {
                break;
            }
        }
    })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
