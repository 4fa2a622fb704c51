//! What a scout does on its own thread: it runs the rest of the search with outcomes that are settled or assumed.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::Search;
use super::ahead::Accepts;
use super::scout::{Checkpoint, Settled};
use crate::event::Tally;
use crate::examine::{Draft, Examiner, Report};
use crate::odds::{Context, Odds};
use crate::window::Winner;
use crate::workers::{Message, Workers};
use crate::{Cancel, Candidate, Clock, Fingerprint, Interrupter, Proposer, Stop};

/// A scout runs what otherwise runs on the main thread, and must not have a smaller stack. Only what is used takes memory.
const STACK_BYTES: usize = 64 << 20;

/// What a scout came to: an outcome that it goes on with.
pub(super) struct Step {
    pub(super) settled: Settled,
    /// How likely that outcome is.
    pub(super) chance: f64,
    /// What has to be tested to know.
    pub(super) test: Option<Arc<Draft>>,
    /// The work since the step before, if it is measured.
    pub(super) cost: Duration,
}

/// What makes a search a scout.
pub(super) struct Scouting {
    script: VecDeque<Settled>,
    wanted: Receiver<()>,
    /// Whether a test is wanted.
    is_asked: bool,
    steps: Sender<Step>,
    /// Wakes up the search, unless it waits for the scout.
    bell: Option<Sender<Message>>,
    cancel: Cancel,
    /// Measures its work, and what it said last.
    clock: Option<(Clock, Duration)>,
    /// Content that is counted on the way, but not yet by the search.
    counted: HashSet<Fingerprint>,
}

impl Scouting {
    /// Begins with the outcomes of `script`.
    pub(super) fn new(
        script: VecDeque<Settled>,
        (wanted, steps, bell): (Receiver<()>, Sender<Step>, Option<Sender<Message>>),
        cancel: Cancel,
        clock: Option<Clock>,
    ) -> Self {
        let clock = clock.map(|clock| (clock, Duration::ZERO));
        Self { script, wanted, is_asked: false, steps, bell, cancel, clock, counted: HashSet::new() }
    }

    /// Runs the rest of the search from a checkpoint.
    pub(super) fn start(
        self,
        checkpoint: &Checkpoint,
        examiner: &Arc<Examiner>,
        odds: Odds,
    ) -> std::io::Result<JoinHandle<()>> {
        let (rest, examiner) = (Arc::clone(&checkpoint.rest), Arc::clone(examiner));
        let property = Arc::clone(&examiner.property);
        let (best, tally, budget) = checkpoint.state();
        std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
            let mut scout = Search {
                examiner,
                workers: Workers::new(0, None, property),
                odds,
                first: Arc::clone(&best),
                best,
                view: None,
                tally,
                budget,
                deadline: None,
                interrupter: Interrupter::default(),
                listeners: Vec::new(),
                started: Instant::now(),
                in_trial: false,
                has_skipped: false,
                replayable: 0,
                remembered: 0,
                withdrawn: Vec::new(),
                checkpoint: None,
                scout: None,
                scouts: Vec::new(),
                scouting: Some(self),
            };
            rest(&mut scout);
        })
    }

    /// Waits until a test is wanted.
    fn await_wish(&mut self) -> Result<(), Stop> {
        if !self.is_asked {
            self.wanted.recv().map_err(|_| Stop::Interrupted)?;
            self.is_asked = true;
        }
        Ok(())
    }

    fn report(&mut self, mut step: Step) -> Result<(), Stop> {
        if let Some((clock, last)) = &mut self.clock {
            let now = clock();
            step.cost = now - std::mem::replace(last, now);
        }
        let finds_test = step.test.is_some();
        self.steps.send(step).map_err(|_| Stop::Interrupted)?;
        if finds_test {
            self.is_asked = false;
            self.bell.iter().try_for_each(|bell| bell.send(Message::More)).map_err(|_| Stop::Interrupted)?;
        }
        Ok(())
    }
}

impl Search {
    /// What [`Search::run`] is for a scout.
    pub(super) fn scout_run<P, R>(&mut self, mut state: P, render: &Arc<R>, accepts: Accepts) -> Result<P, Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate>,
    {
        let mut context = self.odds.start();
        while !state.is_done() {
            if self.scouting.as_ref().is_some_and(|scouting| scouting.cancel.is_cancelled()) {
                return Err(Stop::Interrupted);
            }
            if self.tests_left() == 0 {
                return Err(self.budget.stop.clone());
            }
            let tests = self.tally.tests;
            let known = self.scouting.as_mut().and_then(|scouting| scouting.script.pop_front());
            let settled = match known {
                Some(settled) => settled,
                None => {
                    self.scouting.as_mut().map_or(Ok(()), Scouting::await_wish)?;
                    let candidate = state.propose().and_then(|proposal| render(&proposal));
                    let step = self.scout_step(candidate, accepts, context);
                    let settled = step.settled.clone();
                    self.scouting.as_mut().map_or(Ok(()), |scouting| scouting.report(step))?;
                    settled
                }
            };
            let accepted = settled.winner.is_some();
            self.tally = settled.tally;
            match settled.winner {
                Some(Winner::Known(winner)) => self.accept(winner),
                Some(Winner::Assumed(draft)) => self.accept(Arc::clone(self.examiner.measured(&draft))),
                None => {}
            }
            state.observe(accepted);
            if self.tally.tests > tests {
                context = context.after(accepted);
            }
        }
        Ok(state)
    }

    /// What the outcome of a proposal is, or most likely will be.
    fn scout_step(&mut self, candidate: Option<Candidate>, accepts: Accepts, context: Context) -> Step {
        let step = |winner, tally, chance| Step {
            settled: Settled { winner, tally },
            chance,
            test: None,
            cost: Duration::ZERO,
        };
        let failed = |tally: Tally| step(None, tally, 1.0);
        let (bar, mut tally) = (self.bar(accepts), self.tally);
        let restored = match &self.view {
            Some(view) => candidate.and_then(|candidate| view.lens.restore(&candidate)),
            None => candidate,
        };
        let (Some(candidate), Some(scouting)) = (restored, &mut self.scouting) else { return failed(tally) };
        match self.examiner.prepare(candidate, bar, &scouting.cancel) {
            Err(Report::Judged(judgement)) => {
                let content = judgement.fingerprint;
                let is_new = !self.examiner.cache.is_counted(content) && scouting.counted.insert(content);
                tally.tests += u64::from(is_new);
                let winner = judgement.winner.map(Winner::Known);
                step(winner, tally, 1.0)
            }
            Err(_) => failed(tally),
            Ok(draft) if !scouting.counted.insert(draft.fingerprint) => failed(tally),
            Ok(draft) => {
                let (draft, odds) = (Arc::new(draft), self.odds.of(context));
                tally.tests += 1;
                let winner = (odds > 0.5).then(|| Winner::Assumed(Arc::clone(&draft)));
                Step { test: Some(draft), ..step(winner, tally, odds.max(1.0 - odds)) }
            }
        }
    }
}
