//! What a scout does on its own thread: it runs the rest of the search with outcomes that are settled or assumed.
//!
//! A proposal that is likely to fail is not rendered there: whether it turns out to be no candidate, not smaller, or not
//! interesting, the scout goes on in the same way. So workers render and check it, and the scout has only to propose.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::Search;
use super::ahead::Accepts;
use super::scout::{Checkpoint, Settled};
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
    /// What has to be done to know.
    pub(super) errand: Option<Arc<Errand>>,
    /// The work since the step before, if it is measured.
    pub(super) cost: Duration,
}

/// A proposal whose outcome is not known. Who first needs the candidate renders it, and finds out whether it must be tested.
pub(super) struct Errand {
    work: Mutex<Option<Work>>,
    prepared: OnceLock<Result<Arc<Draft>, Report>>,
}

type Work = Box<dyn FnOnce() -> Result<Arc<Draft>, Report> + Send>;

impl Errand {
    fn new(work: Work) -> Self {
        Self { work: Mutex::new(Some(work)), prepared: OnceLock::new() }
    }

    /// The candidate, if it must be tested.
    pub(super) fn prepared(&self) -> &Result<Arc<Draft>, Report> {
        self.prepared.get_or_init(|| {
            let work = self.work.lock().unwrap_or_else(PoisonError::into_inner).take();
            work.map_or(Err(Report::Unneeded), |work| work())
        })
    }
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
            let before = self.clock.map(|(clock, _)| clock());
            self.wanted.recv().map_err(|_| Stop::Interrupted)?;
            self.is_asked = true;
            // Waiting may use the processor, too, but is no work.
            if let (Some((clock, last)), Some(before)) = (&mut self.clock, before) {
                *last += clock() - before;
            }
        }
        Ok(())
    }

    fn report(&mut self, mut step: Step) -> Result<(), Stop> {
        if let Some((clock, last)) = &mut self.clock {
            let now = clock();
            step.cost = now - std::mem::replace(last, now);
        }
        let finds_test = step.errand.is_some();
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
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        let mut context = self.odds.start();
        while !state.is_done() {
            if self.scouting.as_ref().is_some_and(|scouting| scouting.cancel.is_cancelled()) {
                return Err(Stop::Interrupted);
            }
            if self.tests_left() == 0 {
                return Err(self.budget.stop.clone());
            }
            let known = self.scouting.as_mut().and_then(|scouting| scouting.script.pop_front());
            let settled = match known {
                Some(settled) => settled,
                None => {
                    self.scouting.as_mut().map_or(Ok(()), Scouting::await_wish)?;
                    let errand = state.propose().map(|proposal| self.errand(proposal, render, accepts));
                    let step = self.scout_step(errand, context);
                    let settled = step.settled.clone();
                    self.scouting.as_mut().map_or(Ok(()), |scouting| scouting.report(step))?;
                    settled
                }
            };
            let accepted = settled.winner.is_some();
            self.tally.tests += u64::from(settled.counts);
            match settled.winner {
                Some(Winner::Known(winner)) => self.accept(winner),
                Some(Winner::Assumed(draft)) => self.accept(Arc::clone(self.examiner.measured(&draft))),
                None => {}
            }
            state.observe(accepted);
            if settled.counts {
                context = context.after(accepted);
            }
        }
        Ok(state)
    }

    /// What finds out about a proposal.
    fn errand<T, R>(&self, proposal: T, render: &Arc<R>, accepts: Accepts) -> Arc<Errand>
    where
        T: Send + 'static,
        R: Fn(&T) -> Option<Candidate> + Send + Sync + 'static,
    {
        let (examiner, render, bar) = (Arc::clone(&self.examiner), Arc::clone(render), self.bar(accepts));
        let lens = self.view.as_ref().map(|view| Arc::clone(&view.lens));
        let work = move || {
            let candidate = render(&proposal);
            let restored = match lens {
                Some(lens) => candidate.and_then(|candidate| lens.restore(&candidate)),
                None => candidate,
            };
            // It may be wanted after the scout is called back: the next one may go on from there.
            examiner.prepare(restored.ok_or(Report::Inapplicable)?, bar, &Cancel::new()).map(Arc::new)
        };
        Arc::new(Errand::new(Box::new(work)))
    }

    /// What the outcome of a proposal is, or most likely will be.
    fn scout_step(&mut self, errand: Option<Arc<Errand>>, context: Context) -> Step {
        let step = |winner, counts, chance, errand| Step {
            settled: Settled { winner, counts },
            chance,
            errand,
            cost: Duration::ZERO,
        };
        let (Some(errand), Some(scouting)) = (errand, &mut self.scouting) else { return step(None, false, 1.0, None) };
        let odds = self.odds.of(context);
        if odds <= 0.5 {
            return step(None, true, 1.0 - odds, Some(errand));
        }
        match errand.prepared() {
            Err(Report::Judged(judgement)) => {
                let content = judgement.fingerprint;
                let is_new = !self.examiner.cache.is_counted(content) && scouting.counted.insert(content);
                step(judgement.winner.clone().map(Winner::Known), is_new, 1.0, None)
            }
            Err(_) => step(None, false, 1.0, None),
            Ok(draft) if !scouting.counted.insert(draft.fingerprint) => step(None, false, 1.0, None),
            Ok(draft) => {
                let winner = Winner::Assumed(Arc::clone(draft));
                step(Some(winner), true, odds, Some(Arc::clone(&errand)))
            }
        }
    }
}
