//! The threads on which candidates are rendered and tested.
//!
//! Each worker has a second job waiting, so that after a failure it continues at once, while the search handles the
//! report. After a success no worker starts a job until the search has cancelled all jobs beyond it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender};

use crate::examine::Report;

/// Jobs are numbered in the order in which they are handed out.
pub(crate) type JobId = u64;

type Job = Box<dyn FnOnce() -> Report + Send>;

/// A fixed number of threads; each does one job at a time, the oldest first.
pub(crate) struct Workers {
    gate: Arc<Gate>,
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
        let gate = Arc::<Gate>::default();
        let threads = (0..count).map(|_| spawn(queue.clone(), outbox.clone(), Arc::clone(&gate))).collect();
        Self { gate, jobs: Some(jobs), reports, threads, handed_out: 0, reported: 0 }
    }

    /// How many have work, cancelled work included.
    pub(crate) fn busy(&self) -> usize {
        self.unreported().min(self.threads.len())
    }

    /// Whether there is nothing to wait for.
    pub(crate) fn are_idle(&self) -> bool {
        self.unreported() == 0
    }

    /// Whether another job would not have to wait for long.
    pub(crate) fn want_more(&self) -> bool {
        self.unreported() < 2 * self.threads.len()
    }

    fn unreported(&self) -> usize {
        (self.handed_out - self.reported) as usize
    }

    pub(crate) fn hand_out(&mut self, job: impl FnOnce() -> Report + Send + 'static) -> JobId {
        let id = self.handed_out;
        self.handed_out += 1;
        let jobs = self.jobs.as_ref().expect("the queue is open until the workers are dropped");
        jobs.send((id, Box::new(job))).expect("worker threads live as long as the queue is open");
        id
    }

    /// Where reports arrive. Each report must be acknowledged by [`Workers::took_report`] after the jobs that it makes
    /// useless are cancelled.
    pub(crate) fn reports(&self) -> &Receiver<(JobId, Report)> {
        &self.reports
    }

    pub(crate) fn took_report(&mut self, success: bool) {
        self.reported += 1;
        if success {
            self.gate.open();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.jobs = None;
        self.gate.remove();
        for thread in self.threads.drain(..) {
            // A worker thread catches panics of its jobs, so there is nothing to learn from how it ended.
            let _ = thread.join();
        }
    }
}

/// Closed while there is a success that the search does not know of.
#[derive(Default)]
struct Gate {
    state: Mutex<GateState>,
    opened: Condvar,
}

#[derive(Default)]
struct GateState {
    /// Successes that are on their way to the search.
    unreported: usize,
    /// The search is over.
    removed: bool,
}

impl Gate {
    fn close(&self) {
        self.lock().unreported += 1;
    }

    fn open(&self) {
        self.lock().unreported -= 1;
        self.opened.notify_all();
    }

    fn remove(&self) {
        self.lock().removed = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let mut state = self.lock();
        while state.unreported > 0 && !state.removed {
            state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn spawn(queue: Receiver<(JobId, Job)>, outbox: Sender<(JobId, Report)>, gate: Arc<Gate>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for (id, job) in queue {
            gate.pass();
            let report = catch_unwind(AssertUnwindSafe(job))
                .unwrap_or_else(|panic| Report::Failed(format!("the property panicked: {}", panic_text(&*panic))));
            if report.is_success() {
                gate.close();
            }
            if outbox.send((id, report)).is_err() {
                break;
            }
        }
    })
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
