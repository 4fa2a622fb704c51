//! Which verdicts of workers are compared with those of other machines, and what follows.
//!
//! Nothing waits for a comparison: a verdict counts at once, and the comparison runs beside. Compared are the first verdicts of
//! each worker, every "interesting", of which there are few and on which everything after them rests, and a sample of the others.
//! Where two machines disagree, this machine decides. A worker that said something else is left out, and all that rests on its
//! word is withdrawn, so that the search starts over without it.
//!
//! At the end, this machine must find the result interesting, and so must every worker: most verdicts are "not interesting", and
//! those of a worker that never says anything else agree with most others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::{Builder, ScopedJoinHandle};

use whittle_search::{Cancel, Candidate, Verdict};

use crate::edits::Base;
use crate::frames::{Answer, Question, ToWorker};
use crate::news::News;
use crate::remote::{Remote, Reply};
use crate::roster::{CANCEL_CHECK, Roster};
use crate::slots::{Slot, Wish};

/// How much of what is known of the property a worker must know too before it tests anything: the verdict on the input. What it
/// gets wrong after that is withdrawn.
pub(crate) const FIRST_CHECKS: usize = 1;

/// The first verdicts of each worker are all compared.
const FIRST_COMPARED: u64 = 2;

/// After that, of those that are not interesting, one candidate in so many is, chosen by its content.
const COMPARED_SHARE: u128 = 64;

/// Who said what.
type Said = (Arc<Remote>, Verdict);

impl Roster {
    /// Takes in the verdict of a worker; `false` if the worker was left out meanwhile, so that the verdict does not count.
    pub(crate) fn believe(self: &Arc<Self>, remote: &Arc<Remote>, candidate: &Candidate, verdict: Verdict) -> bool {
        if !self.compares {
            return true;
        }
        let content = candidate.fingerprint();
        {
            let mut state = self.lock();
            if remote.is_left_out() {
                return false;
            }
            state.ledger.note(content, &remote.name);
        }
        let is_sample = content.0.is_multiple_of(COMPARED_SHARE);
        let is_first = remote.believed.fetch_add(1, Ordering::Relaxed) < FIRST_COMPARED;
        if verdict == Verdict::Interesting || is_first || is_sample {
            // All workers may have the same other compiler, so some verdicts are compared with this machine's.
            let asks_here = is_sample && (content.0 / COMPARED_SHARE).is_multiple_of(2);
            let (remote, candidate) = (Arc::clone(remote), candidate.clone());
            self.start_audit(move |roster| roster.compare(&remote, &candidate, verdict, asks_here));
        }
        true
    }

    /// Waits until all comparisons are over, and lets this machine and every worker confirm the result, unless `cancel` fires.
    /// `true` if this machine has just done so.
    pub(crate) fn settle(self: &Arc<Self>, result: &Candidate, cancel: &Cancel) -> bool {
        let confirmed = Arc::<AtomicBool>::default();
        if self.compares && result.fingerprint() != self.input.fingerprint() {
            let (result, confirmed) = (result.clone(), Arc::clone(&confirmed));
            self.start_audit(move |roster| confirmed.store(roster.examine(&result), Ordering::Relaxed));
        }
        let mut state = self.lock();
        while state.audits > 0 && !cancel.is_cancelled() {
            state = self.changed.wait_timeout(state, CANCEL_CHECK).unwrap_or_else(PoisonError::into_inner).0;
        }
        confirmed.load(Ordering::Relaxed)
    }

    /// Runs a comparison on a thread of its own.
    fn start_audit(self: &Arc<Self>, audit: impl FnOnce(&Arc<Self>) + Send + 'static) {
        self.lock().audits += 1;
        let roster = Arc::clone(self);
        let ends = Ends(Arc::clone(self));
        // Without a thread, there is no comparison: that is what `ends` notes as it is dropped.
        let _ = Builder::new().name("whittle-audit".to_owned()).spawn(move || {
            let _ends = ends;
            audit(&roster);
        });
    }

    /// Compares the verdict of a worker with that of another, or with this machine's.
    fn compare(&self, remote: &Arc<Remote>, candidate: &Candidate, said: Verdict, asks_here: bool) {
        let judge = || self.local.judge(candidate, &self.audits_end);
        // An idle machine is asked first, as it would decide anyway.
        let here = if asks_here { Some(judge()) } else { self.local.judge_if_idle(candidate, &self.audits_end) };
        let other = if here.is_some() { None } else { self.ask_another(remote, candidate) };
        if let Some((other, verdict)) = &other
            && *verdict == said
        {
            self.lock().report.compared += 1;
            if said == Verdict::Interesting {
                [remote, other].iter().for_each(|agreeing| agreeing.note_confirmed(candidate));
            }
            return;
        }
        let Ok(truth) = here.unwrap_or_else(judge) else { return };
        let truth = truth.tested.verdict;
        let mut state = self.lock();
        state.report.compared += 1;
        if said == truth && !remote.is_left_out() {
            state.ledger.vouch(candidate.fingerprint());
        }
        drop(state);
        for (remote, said) in std::iter::once((Arc::clone(remote), said)).chain(other) {
            if said != truth {
                self.leave_out(&remote.name, Some(&remote), candidate, said, truth);
            } else if said == Verdict::Interesting {
                remote.note_confirmed(candidate);
            }
        }
    }

    /// Lets a worker test what is known of the property, beside its first tests of the reduction.
    pub(crate) fn check_beside(self: &Arc<Self>, remote: &Arc<Remote>) {
        if !self.compares {
            return;
        }
        for number in FIRST_CHECKS..self.payload.known.len() {
            let remote = Arc::clone(remote);
            self.start_audit(move |roster| {
                let (candidate, truth) = &roster.payload.known[number];
                let said = roster.ask_in_slot(Wish::Of(Arc::clone(&remote)), candidate);
                if let Some((_, said)) = said.filter(|(_, said)| said != truth) {
                    roster.leave_out(&remote.name, Some(&remote), candidate, said, *truth);
                }
            });
        }
    }

    /// Lets this machine and each worker whose verdicts count confirm the result; `true` if this machine did. Where it has given
    /// that verdict before, it is not asked again.
    fn examine(self: &Arc<Self>, result: &Candidate) -> bool {
        let content = result.fingerprint();
        let (source, due) = {
            let state = self.lock();
            let (source, sources) = (state.ledger.source(content).cloned(), state.ledger.sources());
            let is_due = |remote: &&Arc<Remote>| {
                let is_source = source.as_ref() == Some(&remote.name);
                let has_confirmed = remote.confirmed.load(Ordering::Relaxed) <= result.byte_count();
                sources.contains(&remote.name) && !is_source && !has_confirmed
            };
            let due: Vec<Arc<Remote>> = state.slots.remotes().filter(is_due).cloned().collect();
            (source, due)
        };
        let (truth, said) = std::thread::scope(|scope| {
            // Without a thread, there is no answer.
            let ask = |remote: &Arc<Remote>| {
                let wish = Wish::Of(Arc::clone(remote));
                Builder::new().spawn_scoped(scope, move || self.ask_in_slot(wish, result)).ok()
            };
            let asked: Vec<_> = due.iter().map(ask).collect();
            let truth = source.as_ref().map(|_| self.local.judge(result, &self.audits_end));
            let answer = |thread: Option<ScopedJoinHandle<'_, Option<Said>>>| thread?.join().ok()?;
            (truth, asked.into_iter().filter_map(answer).collect::<Vec<_>>())
        });
        let truth = match truth {
            None => Verdict::Interesting,
            Some(Ok(judged)) => judged.tested.verdict,
            Some(Err(_)) => return false,
        };
        let confirmed = source.is_some() && truth == Verdict::Interesting;
        let source = source.map(|source| {
            let mut state = self.lock();
            if truth == Verdict::Interesting {
                state.ledger.vouch(content);
            }
            (state.slots.remotes().find(|remote| remote.name == source).cloned(), source)
        });
        if let Some((remote, source)) = source.filter(|_| truth != Verdict::Interesting) {
            self.leave_out(&source, remote.as_deref(), result, Verdict::Interesting, truth);
        }
        for (remote, said) in said {
            if said != truth {
                self.leave_out(&remote.name, Some(&remote), result, said, truth);
            } else if said == Verdict::Interesting {
                remote.note_confirmed(result);
            }
        }
        confirmed
    }

    /// What another worker says, if there is one.
    fn ask_another(&self, first: &Arc<Remote>, candidate: &Candidate) -> Option<(Arc<Remote>, Verdict)> {
        self.ask_in_slot(Wish::OtherThan(Arc::clone(first)), candidate)
    }

    /// Asks a worker that has room; `None` if there is none any more, or if it does not say.
    fn ask_in_slot(&self, wish: Wish, candidate: &Candidate) -> Option<(Arc<Remote>, Verdict)> {
        let is_possible = {
            let (but, only) = match &wish {
                Wish::Any => (None, None),
                Wish::OtherThan(first) => (Some(Arc::clone(first)), None),
                Wish::Of(only) => (None, Some(Arc::clone(only))),
            };
            move |remote: &Arc<Remote>| {
                let is = |other: &Arc<Remote>| Arc::ptr_eq(remote, other);
                !but.as_ref().is_some_and(is) && only.as_ref().is_none_or(is)
            }
        };
        let (ticket, given) = self.lock().slots.queue(wish);
        let slot = loop {
            if let Ok(slot) = given.recv_timeout(CANCEL_CHECK) {
                break slot;
            }
            let mut state = self.lock();
            if self.audits_end.is_cancelled() || !state.slots.remotes().any(&is_possible) {
                state.slots.leave_queue(ticket, &given);
                return None;
            }
        };
        let Slot::Comparing(remote) = &slot else { return None };
        let (reply, _) = self.ask(remote, candidate, Question::Verdict, &self.audits_end);
        self.release(&slot);
        match reply {
            Reply::Answer(Answer::Verdict { verdict, .. }) => Some((Arc::clone(remote), verdict)),
            _ => None,
        }
    }

    /// Leaves out a worker whose verdict is not that of this machine, withdraws what rests on its word, and shows what both
    /// see. It may be gone.
    pub(crate) fn leave_out(
        &self,
        worker: &str,
        remote: Option<&Remote>,
        candidate: &Candidate,
        said: Verdict,
        truth: Verdict,
    ) {
        {
            let mut state = self.lock();
            if remote.is_some_and(|remote| !remote.set_left_out()) {
                return;
            }
            state.report.withdrawn += state.ledger.withdraw(worker) as u64;
        }
        if let Some(remote) = remote {
            self.forget(remote);
        }
        self.payload.ban(worker);
        *self.lock_base() = Arc::new(Base::new(self.input.clone()));
        let cancel = &self.audits_end;
        let there = match remote.map(|remote| self.ask(remote, candidate, Question::Output, cancel).0) {
            Some(Reply::Answer(Answer::Output(text))) => text,
            _ => "unknown".to_owned(),
        };
        let here = self.local.shown(candidate, cancel).unwrap_or_else(|error| error.to_string());
        let bytes = candidate.byte_count();
        let reason = format!(
            "its verdict on a candidate of {bytes} bytes is {said}, and here it is {truth}\n  there: {there}\n  here: {here}",
        );
        self.tell(&News::LeftOut { worker: worker.to_owned(), reason });
        if let Some(remote) = remote {
            remote.send(&ToWorker::Disagreed);
            remote.end();
        }
    }
}

/// Notes the end of a comparison.
struct Ends(Arc<Roster>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.lock().audits -= 1;
        self.0.changed.notify_all();
    }
}
