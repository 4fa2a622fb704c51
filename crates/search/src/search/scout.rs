//! A scout goes ahead of the search, beyond the end of the current run: into the next passes.
//!
//! What comes after a run is ordinary code, which cannot be cloned as a proposer can. But it can be run a second time, on
//! another thread, from a [checkpoint](Search::checkpoint): first with the outcomes that the search has settled since, then
//! with those that are most likely. What it proposes there is tested, and only the cache learns the verdicts. So a scout may
//! be wrong: the result does not depend on it. It is of use until an outcome is not the one it assumed.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use super::scouting::{Errand, Scouting, Step};
use super::{Budget, Search};
use crate::event::Tally;
use crate::examine::Report;
use crate::window::{MIN_CHANCE, Window, Winner};
use crate::workers::{Job, JobId, Prepared, Test, Workers};
use crate::{Cancel, Measured};

/// The fewest proposals that a scout makes before they are wanted. With many workers it is one for each: they are free at the
/// same time after a success, and what the scout has not proposed by then keeps them waiting.
const MIN_ASKED: usize = 4;

/// What a search does from some point on.
pub(super) type Rest = Arc<dyn Fn(&mut Search) + Send + Sync>;

/// A point from which a scout can start, and what was settled since.
pub(super) struct Checkpoint {
    pub(super) rest: Rest,
    pub(super) best: Arc<Measured>,
    pub(super) tally: Tally,
    pub(super) budget: Budget,
    settled: Vec<Settled>,
    /// How many tests were counted when the last of them was settled.
    tests: u64,
}

/// The outcome of a proposal.
#[derive(Clone)]
pub(super) struct Settled {
    /// What was accepted, if it was.
    pub(super) winner: Option<Winner>,
    /// Whether it costs a test.
    pub(super) counts: bool,
}

/// A scout, as the search sees it.
pub(super) struct Scout {
    wanted: Sender<()>,
    steps: Receiver<Step>,
    /// How many proposals were asked for and are not there yet, and the most that may be.
    asked: usize,
    max_asked: usize,
    /// It has come to the end.
    is_done: bool,
    cancel: Cancel,
    path: Path,
    pace: Pace,
}

/// When a scout comes to its steps in virtual time, if its work is measured.
struct Pace {
    now: Duration,
    /// A step that it comes to only later than the search is.
    ahead: Option<Step>,
    /// When its last tests were taken: it waits while as many as it may find ahead are not.
    taken: VecDeque<Duration>,
}

/// The outcomes that a scout assumes, from the next one that the search settles on.
#[derive(Default)]
struct Path {
    outcomes: VecDeque<Assumed>,
    /// How many came before the first of them.
    settled: usize,
    /// The place of each outcome that is being tested.
    jobs: HashMap<JobId, usize>,
}

struct Assumed {
    settled: Settled,
    chance: f64,
    cancel: Option<Cancel>,
}

impl Search {
    /// Says what the search does from here on, if `rest` is run with a search in the state of this one. It must come to
    /// the same proposals after the same outcomes, on any thread, at any time, and any number of times.
    pub fn checkpoint(&mut self, rest: impl Fn(&mut Self) + Send + Sync + 'static) {
        if self.workers.are_many() && self.view.is_none() && !self.in_trial {
            let (best, tally, budget) = (Arc::clone(&self.best), self.tally, self.budget.clone());
            let (rest, tests) = (Arc::new(rest), tally.tests);
            self.checkpoint = Some(Checkpoint { rest, best, tally, budget, settled: Vec::new(), tests });
        }
    }

    /// Takes back what [`Search::checkpoint`] said: something else comes next.
    pub fn forget_checkpoint(&mut self) {
        (self.checkpoint, self.scout) = (None, None);
    }

    /// Takes note of an outcome. The scout is called back if it has assumed another, or is no longer ahead.
    pub(super) fn follow(&mut self, accepted: bool) {
        let winner = accepted.then(|| Winner::Known(Arc::clone(&self.best)));
        if let Some(checkpoint) = &mut self.checkpoint {
            let counts = self.tally.tests > std::mem::replace(&mut checkpoint.tests, self.tally.tests);
            checkpoint.settled.push(Settled { winner, counts });
        }
        if self.scout.as_mut().is_some_and(|scout| scout.path.pop() != Some(accepted)) {
            self.scout = None;
        }
    }

    /// Sends out a scout if there is none, to what comes after the end of the current run: its last proposal and
    /// the outcome.
    pub(super) fn scout_from<P>(&mut self, window: &Window<P>, last: (JobId, bool)) {
        if self.scout.is_some() || self.checkpoint.is_none() || self.is_replaying() {
            return;
        }
        let outcomes = window.path_to(last).into_iter().map(|(node, success)| {
            let winner = if success { node.winner() } else { None };
            let settled = Settled { winner, counts: node.is_test() };
            Assumed { settled, chance: node.chance(success), cancel: None }
        });
        let path = Path { outcomes: outcomes.collect(), ..Path::default() };
        self.send_out(path);
    }

    fn send_out(&mut self, path: Path) {
        let Some(checkpoint) = &self.checkpoint else { return };
        let script = checkpoint.settled.iter().chain(path.outcomes.iter().map(|assumed| &assumed.settled));
        let (wanted, wants) = unbounded();
        let (outbox, steps) = unbounded();
        let cancel = Cancel::new();
        let bell = (!self.workers.are_simulated()).then(|| self.workers.bell());
        let script = script.cloned().collect();
        let scouting = Scouting::new(script, (wants, outbox, bell), cancel.clone(), self.workers.clock());
        self.scouts.retain(|thread| !thread.is_finished());
        // Without another thread the search goes on as well, only later.
        let Ok(thread) = scouting.start(checkpoint, &self.examiner, self.odds.clone()) else { return };
        self.scouts.push(thread);
        let now = self.workers.virtual_time().unwrap_or_default();
        let pace = Pace { now, ahead: None, taken: VecDeque::new() };
        let max_asked = self.workers.count().max(MIN_ASKED);
        self.scout = Some(Scout { wanted, steps, asked: 0, max_asked, is_done: false, cancel, path, pace });
    }

    /// How likely it is that what the scout finds next is needed.
    pub(super) fn scout_chance(&self) -> Option<f64> {
        let scout = self.scout.as_ref().filter(|scout| !scout.is_done)?;
        if self.tests_left() <= scout.path.outcomes.len() as u64 {
            return None;
        }
        Some(scout.path.outcomes.iter().map(|assumed| assumed.chance).product()).filter(|&chance| chance >= MIN_CHANCE)
    }

    /// Hands out the next test that the scout has found; `false` if there is none yet.
    pub(super) fn hand_out_scouted(&mut self) -> bool {
        let Some(scout) = &mut self.scout else { return false };
        let errand = match self.workers.virtual_time() {
            None => scout.next_errand(),
            Some(now) => match scout.errand_at(now, &mut self.workers) {
                Ok(errand) => errand,
                Err(later) => {
                    self.workers.wake_at(later);
                    None
                }
            },
        };
        let Some(errand) = errand else { return false };
        let (examiner, cancel) = (Arc::clone(&self.examiner), Cancel::new());
        let signal = cancel.clone();
        let prepare = move || {
            if signal.is_cancelled() {
                return Prepared::Ended(Report::Unneeded);
            }
            match errand.prepared().clone() {
                Err(report) => Prepared::Ended(report),
                Ok(draft) => {
                    let content = draft.fingerprint;
                    Prepared::Test(Test { content, run: Box::new(move || examiner.test(&draft, &signal)) })
                }
            }
        };
        let job = self.workers.hand_out(Job { prepare: Box::new(prepare), cancel: cancel.clone() });
        scout.path.set_job(job, &cancel);
        true
    }

    /// Takes the report on what a scout has proposed. If it has assumed another outcome, a new one starts there.
    pub(super) fn take_scouted(&mut self, job: JobId, report: &Report) {
        let Some(scout) = &mut self.scout else { return };
        let Some(place) = scout.path.jobs.remove(&job) else { return };
        let (winner, counts) = match report {
            Report::Judged(judgement) => {
                (judgement.winner.as_ref(), !self.examiner.cache.is_counted(judgement.fingerprint))
            }
            Report::Inapplicable | Report::NotSmaller(_) => (None, false),
            Report::Unneeded | Report::Cancelled | Report::Failed(_) => {
                self.scout = None;
                return;
            }
        };
        if !scout.path.confirm(place, winner, counts) {
            let path = scout.path.cut_after(place);
            self.send_out(path);
        }
    }

    /// Calls the scout back, and waits until no thread of a scout is left.
    pub(super) fn await_scouts(&mut self) {
        self.scout = None;
        for thread in self.scouts.drain(..) {
            // If it has panicked, so will the search once it comes to the same place.
            let _ = thread.join();
        }
    }
}

impl Checkpoint {
    /// A search in the state of that time.
    pub(super) fn state(&self) -> (Arc<Measured>, Tally, Budget) {
        (Arc::clone(&self.best), self.tally, self.budget.clone())
    }
}

impl Scout {
    /// What the scout has found by now, and keeps it looking for more.
    fn next_errand(&mut self) -> Option<Arc<Errand>> {
        while self.asked < self.max_asked && self.wanted.send(()).is_ok() {
            self.asked += 1;
        }
        loop {
            match self.steps.try_recv() {
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    self.is_done = true;
                    return None;
                }
                Ok(step) => {
                    if let Some(errand) = self.follow(step) {
                        self.asked -= 1;
                        return Some(errand);
                    }
                }
            }
        }
    }

    /// What the scout has found by this virtual time, or the time at which there is more, said once.
    fn errand_at(&mut self, now: Duration, workers: &mut Workers) -> Result<Option<Arc<Errand>>, Duration> {
        if self.pace.ahead.is_some() && self.pace.now > now {
            return Ok(None);
        }
        loop {
            let Some(step) = self.pace.ahead.take().or_else(|| self.next_step(workers)) else {
                self.is_done = true;
                return Ok(None);
            };
            if self.pace.now > now {
                self.pace.ahead = Some(step);
                return Err(self.pace.now);
            }
            if let Some(errand) = self.follow(step) {
                self.pace.take(now, self.max_asked);
                return Ok(Some(errand));
            }
        }
    }

    /// Waits for the next step, and adds its work to the time of the scout.
    fn next_step(&mut self, workers: &mut Workers) -> Option<Step> {
        if self.asked == 0 && self.wanted.send(()).is_ok() {
            self.asked = 1;
        }
        let step = workers.waiting(|| self.steps.recv()).ok()?;
        self.asked -= usize::from(step.errand.is_some());
        self.pace.now += step.cost;
        Some(step)
    }

    /// Assumes what the scout assumes.
    fn follow(&mut self, step: Step) -> Option<Arc<Errand>> {
        self.path.outcomes.push_back(Assumed { settled: step.settled, chance: step.chance, cancel: None });
        step.errand
    }
}

impl Pace {
    /// A proposal is taken. The scout makes the next one as soon as it is done, unless too many wait.
    fn take(&mut self, now: Duration, max_asked: usize) {
        self.taken.push_back(now);
        if self.taken.len() >= max_asked {
            self.now = self.now.max(self.taken.pop_front().unwrap_or_default());
        }
    }
}

impl Path {
    /// Whether the next outcome is assumed to be a success; `None` if nothing is assumed.
    fn pop(&mut self) -> Option<bool> {
        let assumed = self.outcomes.pop_front()?;
        self.settled += 1;
        Some(assumed.settled.winner.is_some())
    }

    fn set_job(&mut self, job: JobId, cancel: &Cancel) {
        self.jobs.insert(job, self.settled + self.outcomes.len() - 1);
        self.outcomes.back_mut().into_iter().for_each(|last| last.cancel = Some(cancel.clone()));
    }

    /// Whether an outcome is what was assumed; it is known from now on.
    fn confirm(&mut self, place: usize, winner: Option<&Arc<Measured>>, counts: bool) -> bool {
        let Some(assumed) = place.checked_sub(self.settled).and_then(|index| self.outcomes.get_mut(index)) else {
            return true;
        };
        let as_assumed = assumed.settled.winner.is_some() == winner.is_some();
        assumed.settled = Settled { winner: winner.cloned().map(Winner::Known), counts };
        assumed.chance = 1.0;
        as_assumed
    }

    /// The path up to a place. What comes after it is cancelled.
    fn cut_after(&mut self, place: usize) -> Self {
        let mut outcomes = std::mem::take(&mut self.outcomes);
        let later = outcomes.split_off((place + 1 - self.settled).min(outcomes.len()));
        later.iter().filter_map(|assumed| assumed.cancel.as_ref()).for_each(Cancel::cancel);
        let jobs = std::mem::take(&mut self.jobs).into_iter().filter(|(_, at)| *at <= place).collect();
        Self { outcomes, settled: self.settled, jobs }
    }
}

impl Drop for Scout {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.path.outcomes.iter().filter_map(|assumed| assumed.cancel.as_ref()).for_each(Cancel::cancel);
    }
}
