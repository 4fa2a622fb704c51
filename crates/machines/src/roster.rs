//! [`Roster`]: who is at work, and what all threads of a fleet share. Who gets the next test is in `slots.rs`, how a test is run
//! in `testing.rs`, and which verdicts are compared in `audit.rs`.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use whittle_search::{Cancel, Candidate, Fingerprint, TestError};

use crate::edits::Base;
use crate::fleet::{Basis, FleetReport, Machines, SharedView};
use crate::here::Here;
use crate::ledger::Ledger;
use crate::news::{News, NewsListener};
use crate::payload::Payload;
use crate::remote::Remote;
use crate::slots::{Slot, Slots, Wish};

/// How often somebody who waits for a slot looks whether it is still wanted. Few wait, and they hold nothing.
pub(crate) const CANCEL_CHECK: Duration = Duration::from_millis(20);

/// What all threads of a fleet share.
pub(crate) struct Roster {
    pub(crate) local: Here,
    pub(crate) payload: Payload,
    /// Whether one run makes a verdict, so that two machines must agree about it.
    pub(crate) compares: bool,
    pub(crate) input: Candidate,
    listener: NewsListener,
    view: SharedView,
    state: Mutex<State>,
    pub(crate) changed: Condvar,
    /// The smallest interesting candidate that is known: what edits are made against.
    base: Mutex<Arc<Base>>,
    /// Ends comparisons.
    pub(crate) audits_end: Cancel,
    is_retired: AtomicBool,
    /// Dropped at retirement, which disconnects `retirement`.
    in_service: Mutex<Option<Sender<Infallible>>>,
    retirement: Receiver<Infallible>,
}

pub(crate) struct State {
    pub(crate) slots: Slots,
    pub(crate) ledger: Ledger,
    /// How many comparisons are under way.
    pub(crate) audits: usize,
    pub(crate) report: FleetReport,
    said_waiting: bool,
    prospects: Vec<Prospect>,
    sent: Vec<u32>,
}

/// What is to be expected of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prospect {
    /// Workers may come.
    Open,
    /// Nobody was ever reached there, for a while, for this reason. It is tried again all the same.
    Unreachable(String),
    /// No worker will come any more.
    Closed,
}

impl Roster {
    pub(crate) fn new(machines: &Machines, basis: Basis, payload: Payload) -> Self {
        let local_slots = if machines.only { 0 } else { basis.jobs };
        let (in_service, retirement) = crossbeam_channel::bounded(0);
        let state = State {
            slots: Slots::new(local_slots),
            ledger: Ledger::default(),
            audits: 0,
            report: FleetReport::default(),
            said_waiting: false,
            prospects: vec![Prospect::Open; machines.addresses.len()],
            sent: Vec::new(),
        };
        Self {
            local: Here::new(basis.local, basis.jobs),
            payload,
            compares: basis.is_stable,
            listener: machines.listener.clone(),
            view: machines.view.clone(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            base: Mutex::new(Arc::new(Base::new(basis.input.clone()))),
            input: basis.input,
            audits_end: Cancel::new(),
            is_retired: AtomicBool::new(false),
            in_service: Mutex::new(Some(in_service)),
            retirement,
        }
    }

    /// How many tests can run at once now.
    pub(crate) fn capacity(&self) -> usize {
        self.lock().slots.count()
    }

    /// The contents whose verdicts were withdrawn since the last time.
    pub(crate) fn take_withdrawn(&self) -> Vec<Fingerprint> {
        self.lock().ledger.take_withdrawn()
    }

    pub(crate) fn report(&self) -> FleetReport {
        let mut state = self.lock();
        state.sent.sort_unstable();
        let median_bytes = state.sent.get(state.sent.len() / 2).copied().unwrap_or(0);
        FleetReport { median_bytes, tests: state.sent.len() as u64, ..state.report.clone() }
    }

    pub(crate) fn note_sent(&self, bytes: u64) {
        self.lock().sent.push(u32::try_from(bytes).unwrap_or(u32::MAX));
    }

    /// What edits are made against now.
    pub(crate) fn lock_base(&self) -> MutexGuard<'_, Arc<Base>> {
        self.base.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a worker in, unless the fleet has retired.
    pub(crate) fn join(&self, remote: &Arc<Remote>) {
        let mut state = self.lock();
        if self.is_retired() {
            drop(state);
            return remote.end();
        }
        state.slots.add(remote);
        state.report.hosts.insert(remote.host.clone());
        state.report.slots = state.report.slots.max(state.slots.remote_count());
        self.view.set(state.slots.view());
        state.said_waiting = false;
        drop(state);
        self.changed.notify_all();
        self.tell(&News::Joined { worker: remote.name.to_string(), slots: remote.slots });
    }

    /// `true` if it was there.
    pub(crate) fn forget(&self, remote: &Remote) -> bool {
        let mut state = self.lock();
        let was_there = state.slots.remove(remote);
        self.view.set(state.slots.view());
        was_there
    }

    /// A worker that cannot run a test may be able to later: it is asked to leave, and may come again.
    pub(crate) fn dismiss(&self, remote: &Remote, reason: &str) {
        if self.forget(remote) {
            self.tell(&News::Lost { worker: remote.name.to_string(), reason: reason.to_owned() });
        }
        remote.end();
    }

    /// Waits for a free slot.
    pub(crate) fn acquire(&self, cancel: &Cancel) -> Result<Slot, TestError> {
        let (ticket, given) = self.lock().slots.queue(Wish::Any);
        loop {
            if let Ok(slot) = given.recv_timeout(CANCEL_CHECK) {
                return Ok(slot);
            }
            let mut state = self.lock();
            let hopeless = if state.slots.are_none() { state.hopeless() } else { None };
            if cancel.is_cancelled() || hopeless.is_some() {
                state.slots.leave_queue(ticket, &given);
                return Err(hopeless.map_or(TestError::Cancelled, TestError::Failed));
            }
            if state.slots.are_none() && !std::mem::replace(&mut state.said_waiting, true) {
                drop(state);
                self.tell(&News::Waiting);
            }
        }
    }

    pub(crate) fn release(&self, slot: &Slot) {
        self.lock().slots.release(slot);
    }

    pub(crate) fn retire(&self) {
        self.is_retired.store(true, Ordering::SeqCst);
        self.audits_end.cancel();
        self.in_service.lock().unwrap_or_else(PoisonError::into_inner).take();
        let workers = self.lock().slots.retire();
        workers.iter().for_each(|remote| remote.end());
        self.changed.notify_all();
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.is_retired.load(Ordering::SeqCst)
    }

    /// Is disconnected when the fleet retires.
    pub(crate) fn retirement(&self) -> &Receiver<Infallible> {
        &self.retirement
    }

    /// Says what is to be expected of an address from now on.
    pub(crate) fn expect(&self, address: usize, prospect: Prospect) {
        self.lock().prospects[address] = prospect;
    }

    /// Sleeps, but not beyond the end.
    pub(crate) fn rest(&self, time: Duration) {
        let deadline = Instant::now() + time;
        let mut state = self.lock();
        while Instant::now() < deadline && !self.is_retired() {
            let left = deadline.saturating_duration_since(Instant::now());
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Reports what happens to workers. After retirement, all of them leave, and that is not reported.
    pub(crate) fn tell(&self, news: &News) {
        if !self.is_retired() {
            (self.listener.0)(news);
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Why nobody will come, if that is so.
    fn hopeless(&self) -> Option<String> {
        let only = "and --workers-only keeps tests off this machine";
        let reason = |prospect: &Prospect| match prospect {
            Prospect::Open => None,
            Prospect::Unreachable(reason) => Some(Some(reason.clone())),
            Prospect::Closed => Some(None),
        };
        let reasons: Vec<Option<String>> = self.prospects.iter().map(reason).collect::<Option<_>>()?;
        let unreachable: Vec<String> = reasons.into_iter().flatten().collect();
        Some(match unreachable.is_empty() {
            // The reasons were reported.
            true => format!("every worker was left out, {only}; --with names the files that a test uses"),
            false => format!("no worker can be reached, {only}: {}", unreachable.join("; ")),
        })
    }
}
