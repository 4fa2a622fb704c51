//! Calls of Python code from a reduction that runs on threads of its own.
//!
//! With one worker, Python code is called on the thread that called Whittle: there, Ctrl-C interrupts it, and it sees the
//! thread's own state. With more, workers call it, and code that releases the GIL runs in parallel. All other work is done
//! without the GIL. The calling thread also looks for signals, so that Ctrl-C ends a reduction whose test is a command.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use whittle::search::Interrupter;

/// How soon Ctrl-C is noticed while Python code is not running.
const SIGNALS_CHECKED: Duration = Duration::from_millis(50);

type Work = Box<dyn for<'py> FnOnce(Python<'py>) + Send>;

enum Message {
    Work(Work),
    /// The reduction is over.
    End,
}

/// Whether a call gave a value.
pub(crate) enum Called<T> {
    Value(T),
    /// An exception, by the text under which it is kept.
    Raised(String),
    /// The reduction is being stopped: nothing was called.
    Stopped,
}

/// What threads of a reduction use to call Python.
#[derive(Clone)]
pub(crate) struct Caller {
    /// The way to the calling thread.
    line: Sender<Message>,
    /// Whether calls take that way, or are made where they come from.
    is_direct: bool,
    state: Arc<State>,
}

/// What the threads of one reduction share.
#[derive(Default)]
struct State {
    stopped: AtomicBool,
    /// The exception that stopped the reduction.
    stopped_by: Mutex<Option<PyErr>>,
    /// Exceptions of the user's code, by their texts. Whether one of them matters is up to the search: it may belong to a test
    /// ahead that is never needed.
    raised: Mutex<HashMap<String, PyErr>>,
    interrupter: Interrupter,
}

/// The calling thread's side.
pub(crate) struct Exchange {
    messages: Receiver<Message>,
    state: Arc<State>,
}

/// Both sides. Python code is called by the threads that need it if `is_direct`.
pub(crate) fn exchange(is_direct: bool, interrupter: Interrupter) -> (Caller, Exchange) {
    let (line, messages) = unbounded();
    let state = Arc::new(State { interrupter, ..State::default() });
    (Caller { line, is_direct, state: Arc::clone(&state) }, Exchange { messages, state })
}

impl Caller {
    /// Calls Python, and waits for the result.
    pub(crate) fn call<T: Send + 'static>(
        &self,
        work: impl for<'py> FnOnce(Python<'py>) -> PyResult<T> + Send + 'static,
    ) -> Called<T> {
        if self.state.stopped.load(Ordering::SeqCst) {
            return Called::Stopped;
        }
        if self.is_direct {
            return Python::attach(|py| self.state.sort(py, work(py)));
        }
        let (reply, answer) = bounded(1);
        let state = Arc::clone(&self.state);
        let sent = self.line.send(Message::Work(Box::new(move |py| {
            // Nobody waits if the reduction has ended.
            let _ = reply.send(state.sort(py, work(py)));
        })));
        sent.ok().and_then(|()| answer.recv().ok()).unwrap_or(Called::Stopped)
    }

    /// Calls Python on the calling thread, later. An exception stops the reduction.
    pub(crate) fn post(&self, work: impl for<'py> FnOnce(Python<'py>) -> PyResult<()> + Send + 'static) {
        let state = Arc::clone(&self.state);
        let _ = self.line.send(Message::Work(Box::new(move |py| {
            if let Err(error) = work(py) {
                state.stop(error);
            }
        })));
    }

    /// What ends a reduction from another thread.
    pub(crate) fn interrupter(&self) -> &Interrupter {
        &self.state.interrupter
    }

    /// Lets the calling thread go when the result is dropped.
    pub(crate) fn ending(&self) -> impl Drop + use<> {
        Ending(self.line.clone())
    }
}

impl State {
    /// Keeps an exception. One that is no error, such as KeyboardInterrupt, stops the reduction.
    fn sort<T>(&self, py: Python<'_>, result: PyResult<T>) -> Called<T> {
        match result {
            Ok(value) => Called::Value(value),
            Err(error) if error.is_instance_of::<PyException>(py) => {
                let text = error.to_string();
                lock(&self.raised).entry(text.clone()).or_insert(error);
                Called::Raised(text)
            }
            Err(error) => {
                self.stop(error);
                Called::Stopped
            }
        }
    }

    fn stop(&self, error: PyErr) {
        lock(&self.stopped_by).get_or_insert(error);
        self.stopped.store(true, Ordering::SeqCst);
        self.interrupter.interrupt();
    }
}

impl Exchange {
    /// Does what is asked for until the reduction is over, and looks for signals meanwhile.
    pub(crate) fn serve(&self, py: Python<'_>) {
        loop {
            let message = py.detach(|| self.messages.recv_timeout(SIGNALS_CHECKED));
            if let Err(error) = py.check_signals() {
                self.state.stop(error);
            }
            match message {
                Ok(Message::Work(work)) if !self.state.stopped.load(Ordering::SeqCst) => work(py),
                // Dropped: who waits for it learns that the reduction is stopped.
                Ok(Message::Work(_)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// The exception that stopped the reduction, if one did.
    pub(crate) fn stopped_by(&self) -> Option<PyErr> {
        lock(&self.state.stopped_by).take()
    }

    /// The exception of the user's code with this text.
    pub(crate) fn raised(&self, text: &str) -> Option<PyErr> {
        lock(&self.state.raised).remove(text)
    }
}

struct Ending(Sender<Message>);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.send(Message::End);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
