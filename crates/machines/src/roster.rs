//! [`Roster`]: who is at work, who gets the next test, and who said what.
//!
//! A test waits its turn for a free slot, here or on a worker. If the worker is lost, or cannot run the test, another one gets
//! it. The first verdicts of a worker, and later a sample, are compared with those of another machine. Where two disagree, this
//! machine decides, and a worker that said something else is left out.

use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use whittle_property::Judged;
use whittle_search::{Cancel, Candidate, TestError, Tested, Verdict};

use crate::edits::Base;
use crate::fleet::{Basis, FleetReport, FleetView, Machines, SharedView};
use crate::frames::{Answer, Question, ToWorker};
use crate::here::Here;
use crate::news::{News, NewsListener};
use crate::payload::Payload;
use crate::remote::{Remote, Reply};

/// The first verdicts of each worker are all compared.
const FIRST_COMPARED: u64 = 2;

/// After that, one candidate in so many is, chosen by its content.
const COMPARED_SHARE: u128 = 64;

/// A test that was lost with so many workers runs here: it may be the test that ends them.
const MAX_LOSSES: u32 = 8;

/// A test that so many workers could not run also runs here. If it fails again, the reason can be examined on this machine.
const MAX_FAILURES: u32 = 3;

/// What all threads of a fleet share.
pub(crate) struct Roster {
    local: Here,
    local_slots: usize,
    pub(crate) payload: Payload,
    /// Whether one run makes a verdict, so that two machines must agree about it.
    compares: bool,
    input_bytes: u64,
    listener: NewsListener,
    view: SharedView,
    state: Mutex<State>,
    changed: Condvar,
    /// The smallest interesting candidate that is known: what edits are made against.
    base: Mutex<Arc<Base>>,
    is_retired: AtomicBool,
    /// Dropped at retirement, which disconnects `retirement`.
    in_service: Mutex<Option<Sender<Infallible>>>,
    retirement: Receiver<Infallible>,
}

#[derive(Default)]
struct State {
    free_here: usize,
    workers: Vec<Member>,
    /// Who waits for a slot, in order.
    queue: VecDeque<u64>,
    tickets: u64,
    said_waiting: bool,
    /// How many addresses may still bring workers.
    addresses: usize,
    report: FleetReport,
    sent: Vec<u32>,
}

impl State {
    fn slots(&self) -> usize {
        self.workers.iter().map(|member| member.remote.slots).sum()
    }

    /// Takes a slot of the worker with the most free ones. One that has ended stays in the list for a moment, until its thread
    /// notices. It is not chosen: a test would be lost with it again and again.
    fn take_worker(&mut self, is_wanted: impl Fn(&Arc<Remote>) -> bool) -> Option<Arc<Remote>> {
        let usable = |member: &&mut Member| member.free > 0 && is_wanted(&member.remote) && !member.remote.has_ended();
        let member = self.workers.iter_mut().filter(usable).max_by_key(|member| member.free)?;
        member.free -= 1;
        Some(Arc::clone(&member.remote))
    }

    fn view(&self) -> FleetView {
        let hosts: BTreeSet<&str> = self.workers.iter().map(|member| member.remote.host.as_str()).collect();
        FleetView { hosts: hosts.len(), slots: self.slots() }
    }
}

struct Member {
    remote: Arc<Remote>,
    free: usize,
}

enum Slot {
    Here,
    At(Arc<Remote>),
}

impl Roster {
    pub(crate) fn new(machines: &Machines, basis: Basis, payload: Payload) -> Self {
        let local_slots = if machines.only { 0 } else { basis.jobs };
        let (in_service, retirement) = crossbeam_channel::bounded(0);
        let state = State { free_here: local_slots, addresses: machines.addresses.len(), ..State::default() };
        Self {
            local: Here::new(basis.local, basis.jobs),
            local_slots,
            payload,
            compares: basis.is_stable,
            input_bytes: basis.input.byte_count(),
            listener: machines.listener.clone(),
            view: machines.view.clone(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            base: Mutex::new(Arc::new(Base::new(basis.input))),
            is_retired: AtomicBool::new(false),
            in_service: Mutex::new(Some(in_service)),
            retirement,
        }
    }

    /// The size of the input, in bytes.
    pub(crate) fn input_bytes(&self) -> u64 {
        self.input_bytes
    }

    /// How many tests can run at once now.
    pub(crate) fn capacity(&self) -> usize {
        self.local_slots + self.lock().slots()
    }

    pub(crate) fn report(&self) -> FleetReport {
        let mut state = self.lock();
        state.sent.sort_unstable();
        let median_bytes = state.sent.get(state.sent.len() / 2).copied().unwrap_or(0);
        FleetReport { median_bytes, tests: state.sent.len() as u64, ..state.report.clone() }
    }

    /// Tests a candidate wherever there is room.
    pub(crate) fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let (mut losses, mut failures) = (0, 0);
        loop {
            let slot = self.acquire(cancel)?;
            let Slot::At(remote) = &slot else {
                let tested = self.test_here(candidate, cancel);
                self.release(&slot);
                return tested;
            };
            let confirms_base = self.confirms_base(remote, cancel);
            let asked =
                matches!(confirms_base, Ok(true)).then(|| self.ask(remote, candidate, Question::Verdict, cancel));
            self.release(&slot);
            confirms_base?;
            let Some((reply, sent)) = asked else { continue };
            match reply {
                Reply::Answer(Answer::Verdict { verdict, elapsed, reason, signature }) => {
                    let judged = Judged { tested: Tested { verdict, elapsed }, reason, signature };
                    self.note_sent(sent);
                    let judged = self.compare(remote, candidate, judged, cancel)?;
                    self.local.take_note(candidate, &judged);
                    self.adopt(candidate, Some(judged.tested.verdict));
                    return Ok(judged.tested);
                }
                Reply::Answer(Answer::Cancelled) => return Err(TestError::Cancelled),
                Reply::Answer(Answer::Failed(reason)) => {
                    failures += 1;
                    self.dismiss(remote, &reason);
                }
                Reply::Answer(Answer::Output(_)) | Reply::Lost => losses += 1,
            }
            if failures == MAX_FAILURES || losses == MAX_LOSSES {
                return self.test_here(candidate, cancel);
            }
        }
    }

    /// Tests a candidate on this machine, whatever `Machines::only` says.
    fn test_here(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let tested = self.local.test(candidate, cancel);
        self.adopt(candidate, tested.as_ref().ok().map(|tested| tested.verdict));
        tested
    }

    pub(crate) fn ask(
        &self,
        remote: &Remote,
        candidate: &Candidate,
        question: Question,
        cancel: &Cancel,
    ) -> (Reply, u64) {
        let base = Arc::clone(&self.lock_base());
        remote.ask(candidate, question, &base, self.local.timeout(), cancel)
    }

    /// Whether a worker finds the base interesting, as others do. It is asked about the first base that is not the input, and
    /// each time that the base has a quarter of the size: most verdicts are "not interesting", and those of a worker that never says
    /// anything else agree with most others.
    fn confirms_base(&self, remote: &Arc<Remote>, cancel: &Cancel) -> Result<bool, TestError> {
        let base = Arc::clone(&self.lock_base());
        let bytes = base.candidate().byte_count();
        let last = remote.confirmed.load(Ordering::Relaxed);
        if !self.compares || bytes >= last || (last < self.input_bytes && bytes > last / 4) {
            return Ok(true);
        }
        let verdict = match self.ask(remote, base.candidate(), Question::Verdict, cancel).0 {
            Reply::Answer(Answer::Verdict { verdict, .. }) => verdict,
            Reply::Answer(Answer::Cancelled) => return Err(TestError::Cancelled),
            // The test itself shows what is wrong.
            Reply::Answer(Answer::Failed(_) | Answer::Output(_)) | Reply::Lost => return Ok(true),
        };
        remote.confirmed.fetch_min(bytes, Ordering::Relaxed);
        if verdict == Verdict::Interesting {
            return Ok(true);
        }
        let truth = self.local.judge(base.candidate(), cancel)?.tested.verdict;
        if truth != verdict {
            self.leave_out(remote, base.candidate(), verdict, truth, cancel);
        }
        Ok(truth == verdict)
    }

    /// Makes an interesting candidate what edits are made against. Tests are mostly about changes of the best.
    fn adopt(&self, candidate: &Candidate, verdict: Option<Verdict>) {
        if verdict != Some(Verdict::Interesting) {
            return;
        }
        let mut base = self.lock_base();
        if candidate.byte_count() < base.candidate().byte_count() {
            *base = Arc::new(Base::new(candidate.clone()));
        }
    }

    /// What edits are made against now.
    pub(crate) fn lock_base(&self) -> MutexGuard<'_, Arc<Base>> {
        self.base.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The verdict of `remote`, or the one of this machine if another worker says something else.
    fn compare(
        &self,
        remote: &Arc<Remote>,
        candidate: &Candidate,
        judged: Judged,
        cancel: &Cancel,
    ) -> Result<Judged, TestError> {
        let (number, content) = (remote.tests.load(Ordering::Relaxed), candidate.fingerprint().0);
        if !self.compares || !(number <= FIRST_COMPARED || content.is_multiple_of(COMPARED_SHARE)) {
            return Ok(judged);
        }
        self.lock().report.compared += 1;
        // All workers may have the same other compiler, so some verdicts are compared with this machine's.
        let asks_here = number <= 1 || (content / COMPARED_SHARE).is_multiple_of(2);
        let verdict = judged.tested.verdict;
        let other = if asks_here { None } else { self.ask_another(remote, candidate, cancel) };
        if other.as_ref().is_some_and(|(_, said)| *said == verdict) {
            return Ok(judged);
        }
        let truth = self.local.judge(candidate, cancel)?;
        let said = std::iter::once((Arc::clone(remote), verdict)).chain(other);
        for (remote, said) in said.filter(|(_, said)| *said != truth.tested.verdict) {
            self.leave_out(&remote, candidate, said, truth.tested.verdict, cancel);
        }
        Ok(truth)
    }

    /// What another worker says, if one is free.
    fn ask_another(
        &self,
        first: &Arc<Remote>,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Option<(Arc<Remote>, Verdict)> {
        let other = self.lock().take_worker(|remote| !Arc::ptr_eq(remote, first))?;
        let (reply, _) = self.ask(&other, candidate, Question::Verdict, cancel);
        self.release(&Slot::At(Arc::clone(&other)));
        match reply {
            Reply::Answer(Answer::Verdict { verdict, .. }) => Some((other, verdict)),
            _ => None,
        }
    }

    /// Leaves out a worker whose verdict is not that of this machine, and shows what both see.
    pub(crate) fn leave_out(
        &self,
        remote: &Remote,
        candidate: &Candidate,
        said: Verdict,
        truth: Verdict,
        cancel: &Cancel,
    ) {
        let there = match self.ask(remote, candidate, Question::Output, cancel).0 {
            Reply::Answer(Answer::Output(text)) => text,
            _ => "unknown".to_owned(),
        };
        let here = self.local.shown(candidate, cancel).unwrap_or_else(|error| error.to_string());
        let reason = format!(
            "its verdict on a candidate of {} bytes is {}, and here it is {}\n  there: {there}\n  here: {here}",
            candidate.byte_count(),
            said,
            truth,
        );
        remote.send(&ToWorker::Disagreed);
        self.payload.ban(&remote.name);
        self.forget(remote);
        remote.end();
        self.tell(&News::LeftOut { worker: remote.name.clone(), reason });
    }

    /// A worker that cannot run a test may be able to later: it is asked to leave, and may come again.
    fn dismiss(&self, remote: &Remote, reason: &str) {
        if self.forget(remote) {
            self.tell(&News::Lost { worker: remote.name.clone(), reason: reason.to_owned() });
        }
        remote.end();
    }

    /// Takes a worker in, unless the fleet has retired.
    pub(crate) fn join(&self, remote: &Arc<Remote>) {
        let mut state = self.lock();
        if self.is_retired() {
            drop(state);
            return remote.end();
        }
        state.workers.push(Member { remote: Arc::clone(remote), free: remote.slots });
        state.report.hosts.insert(remote.host.clone());
        state.report.slots = state.report.slots.max(state.slots());
        self.view.set(state.view());
        state.said_waiting = false;
        drop(state);
        self.changed.notify_all();
        self.tell(&News::Joined { worker: remote.name.clone(), slots: remote.slots });
    }

    /// `true` if it was there.
    pub(crate) fn forget(&self, remote: &Remote) -> bool {
        let mut state = self.lock();
        let before = state.workers.len();
        state.workers.retain(|member| !std::ptr::eq(&*member.remote, remote));
        self.view.set(state.view());
        state.workers.len() < before
    }

    /// Waits for a free slot.
    fn acquire(&self, cancel: &Cancel) -> Result<Slot, TestError> {
        let ticket = {
            let mut state = self.lock();
            state.tickets += 1;
            let ticket = state.tickets;
            state.queue.push_back(ticket);
            ticket
        };
        let mut state = self.lock();
        loop {
            if cancel.is_cancelled() {
                state.queue.retain(|waiting| *waiting != ticket);
                self.changed.notify_all();
                return Err(TestError::Cancelled);
            }
            if state.queue.front() == Some(&ticket)
                && let Some(slot) = self.free_slot(&mut state)
            {
                state.queue.pop_front();
                self.changed.notify_all();
                return Ok(slot);
            }
            if self.is_abandoned(&state) && state.addresses == 0 {
                state.queue.retain(|waiting| *waiting != ticket);
                // The reasons were reported.
                let problem = "every worker was left out, and --workers-only keeps tests off this machine";
                return Err(TestError::Failed(problem.to_owned()));
            }
            if self.is_abandoned(&state) && !std::mem::replace(&mut state.said_waiting, true) {
                drop(state);
                self.tell(&News::Waiting);
                state = self.lock();
                continue;
            }
            state = self.changed.wait_timeout(state, CANCEL_CHECK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn is_abandoned(&self, state: &State) -> bool {
        self.local_slots == 0 && state.workers.is_empty() && !self.is_retired()
    }

    /// Here if possible, since nothing has to travel; else where most is free.
    fn free_slot(&self, state: &mut State) -> Option<Slot> {
        if state.free_here > 0 || self.is_retired() {
            state.free_here = state.free_here.saturating_sub(1);
            return Some(Slot::Here);
        }
        state.take_worker(|_| true).map(Slot::At)
    }

    fn release(&self, slot: &Slot) {
        let mut state = self.lock();
        match slot {
            Slot::Here => state.free_here = (state.free_here + 1).min(self.local_slots),
            Slot::At(remote) => {
                let member = state.workers.iter_mut().find(|member| Arc::ptr_eq(&member.remote, remote));
                if let Some(member) = member {
                    member.free += 1;
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn note_sent(&self, bytes: u64) {
        self.lock().sent.push(u32::try_from(bytes).unwrap_or(u32::MAX));
    }

    pub(crate) fn retire(&self) {
        self.is_retired.store(true, Ordering::SeqCst);
        self.in_service.lock().unwrap_or_else(PoisonError::into_inner).take();
        let workers = std::mem::take(&mut self.lock().workers);
        workers.iter().for_each(|member| member.remote.end());
        self.changed.notify_all();
    }

    pub(crate) fn is_retired(&self) -> bool {
        self.is_retired.load(Ordering::SeqCst)
    }

    /// Is disconnected when the fleet retires.
    pub(crate) fn retirement(&self) -> &Receiver<Infallible> {
        &self.retirement
    }

    /// No worker will come from one of the addresses any more.
    pub(crate) fn give_up_address(&self) {
        self.lock().addresses -= 1;
        self.changed.notify_all();
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

    pub(crate) fn compares(&self) -> bool {
        self.compares
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often a test that waits for a slot looks whether it is still wanted. Few wait, and they hold nothing.
const CANCEL_CHECK: Duration = Duration::from_millis(20);
