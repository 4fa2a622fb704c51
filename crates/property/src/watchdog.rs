//! Kills process groups whose time is over: one thread for all workers, asleep until the earliest deadline.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use crate::process::Group;

/// Watches over running groups. Dropping it ends its thread.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    watched: BTreeMap<(Instant, Group), ()>,
    closing: bool,
}

impl Watchdog {
    pub(crate) fn new() -> Self {
        let shared = Arc::<Shared>::default();
        let theirs = Arc::clone(&shared);
        let thread = std::thread::spawn(move || theirs.patrol());
        Self { shared, thread: Some(thread) }
    }

    /// Runs `body`, which waits for `group` without reaping it; kills the group at `deadline`. `true` if it had to.
    pub(crate) fn guard(&self, group: Group, deadline: Instant, body: impl FnOnce()) -> bool {
        {
            let mut state = self.shared.lock();
            let earliest = state.watched.first_key_value().is_none_or(|((first, _), ())| deadline < *first);
            state.watched.insert((deadline, group), ());
            if earliest {
                self.shared.changed.notify_one();
            }
        }
        body();
        // The entry is still there unless the deadline has passed; after this the group is never killed from here.
        self.shared.lock().watched.remove(&(deadline, group)).is_none()
    }

    /// Kills every group that is being waited for.
    pub(crate) fn kill_all(&self) {
        let state = self.shared.lock();
        state.watched.keys().for_each(|(_, group)| group.kill());
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn patrol(&self) {
        let mut state = self.lock();
        while !state.closing {
            let now = Instant::now();
            let next = state.watched.first_key_value().map(|(&key, ())| key);
            state = match next {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some((deadline, group)) if deadline <= now => {
                    group.kill();
                    state.watched.remove(&(deadline, group));
                    state
                }
                Some((deadline, _)) => {
                    let waited = self.changed.wait_timeout(state, deadline - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}
