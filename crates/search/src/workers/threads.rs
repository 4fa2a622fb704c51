//! Workers that are threads. After a success none starts a job until the search has cancelled all jobs beyond it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender};

use super::parking::{Parking, Task};
use super::{Job, JobId, Message, Prepared};
use crate::examine::Report;

pub(super) struct Threads {
    gate: Arc<Gate>,
    parking: Arc<Mutex<Parking>>,
    jobs: Option<Sender<(JobId, Job)>>,
    queue: Receiver<(JobId, Job)>,
    outbox: Sender<Message>,
    threads: Vec<JoinHandle<()>>,
}

impl Threads {
    pub(super) fn new(outbox: &Sender<Message>) -> Self {
        let (jobs, queue) = crossbeam_channel::unbounded::<(JobId, Job)>();
        let (gate, parking) = (Arc::default(), Arc::default());
        Self { gate, parking, jobs: Some(jobs), queue, outbox: outbox.clone(), threads: Vec::new() }
    }

    /// Starts threads until there are this many. None ever ends before the search does.
    pub(super) fn grow_to(&mut self, count: usize) {
        while self.threads.len() < count {
            let (gate, parking) = (Arc::clone(&self.gate), Arc::clone(&self.parking));
            let worker = Worker { outbox: self.outbox.clone(), gate, parking };
            self.threads.push(spawn(self.queue.clone(), worker));
        }
    }

    pub(super) fn hand_out(&self, id: JobId, job: Job) {
        let jobs = self.jobs.as_ref().expect("the queue is open until the workers are dropped");
        jobs.send((id, job)).expect("worker threads live as long as the queue is open");
    }

    /// How many jobs wait for a test of the same content.
    pub(super) fn parked(&self) -> usize {
        lock(&self.parking).parked()
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

/// What a worker thread needs.
struct Worker {
    outbox: Sender<Message>,
    gate: Arc<Gate>,
    parking: Arc<Mutex<Parking>>,
}

fn spawn(queue: Receiver<(JobId, Job)>, worker: Worker) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for (id, job) in queue {
            worker.gate.pass();
            let cancel = job.cancel.clone();
            match catch_unwind(AssertUnwindSafe(job.prepare)) {
                Err(panic) => worker.report(id, broken(&*panic)),
                Ok(Prepared::Ended(report)) => worker.report(id, report),
                Ok(Prepared::Test(test)) => worker.test(Task { id, test, cancel }),
            }
        }
    })
}

impl Worker {
    /// Tests a content, and then lets those have the verdict that wait for it.
    fn test(&self, task: Task) {
        self.send(Message::More);
        let mut next = lock(&self.parking).enter(task);
        while let Some(Task { id, test, .. }) = next {
            let content = test.content;
            self.report(id, catch_unwind(AssertUnwindSafe(test.run)).unwrap_or_else(|panic| broken(&*panic)));
            next = lock(&self.parking).next(content);
        }
    }

    fn report(&self, id: JobId, report: Report) {
        if report.is_success() {
            self.gate.close();
        }
        self.send(Message::Ended(id, report));
    }

    fn send(&self, message: Message) {
        // Nobody listens any more if the search is over. Then there will be no more jobs either.
        let _ = self.outbox.send(message);
    }
}

fn broken(panic: &(dyn std::any::Any + Send)) -> Report {
    Report::Failed(format!("the property panicked: {}", panic_text(panic)))
}

fn lock(parking: &Mutex<Parking>) -> MutexGuard<'_, Parking> {
    parking.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
