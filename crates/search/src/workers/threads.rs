//! Workers that are threads. After a success none starts a job until the search has cancelled all jobs beyond it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender};

use super::{Job, JobId, Message, Prepared};
use crate::examine::Report;

pub(super) struct Threads {
    gate: Arc<Gate>,
    jobs: Option<Sender<(JobId, Job)>>,
    threads: Vec<JoinHandle<()>>,
}

impl Threads {
    pub(super) fn new(count: usize, outbox: Sender<Message>) -> Self {
        let (jobs, queue) = crossbeam_channel::unbounded::<(JobId, Job)>();
        let gate = Arc::<Gate>::default();
        let threads = (0..count).map(|_| spawn(queue.clone(), outbox.clone(), Arc::clone(&gate))).collect();
        Self { gate, jobs: Some(jobs), threads }
    }

    pub(super) fn hand_out(&self, id: JobId, job: Job) {
        let jobs = self.jobs.as_ref().expect("the queue is open until the workers are dropped");
        jobs.send((id, job)).expect("worker threads live as long as the queue is open");
    }

    /// The search knows of a success.
    pub(super) fn go_on(&self) {
        self.gate.open();
    }
}

impl Drop for Threads {
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

fn spawn(queue: Receiver<(JobId, Job)>, outbox: Sender<Message>, gate: Arc<Gate>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for (id, job) in queue {
            gate.pass();
            let report = catch_unwind(AssertUnwindSafe(|| perform(job, &outbox)))
                .unwrap_or_else(|panic| Report::Failed(format!("the property panicked: {}", panic_text(&*panic))));
            if report.is_success() {
                gate.close();
            }
            if outbox.send(Message::Ended(id, report)).is_err() {
                break;
            }
        }
    })
}

fn perform(job: Job, outbox: &Sender<Message>) -> Report {
    match (job.prepare)() {
        Prepared::Ended(report) => report,
        Prepared::Test(test) => {
            // Nobody listens any more if the search is over; then the test is cancelled.
            let _ = outbox.send(Message::Begun);
            test()
        }
    }
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
