//! The search: best, property, cache, workers, budget and events behind one interface.
//!
//! Algorithms hand in a [`Proposer`]; the search tests its proposals on all workers by telling clones of it how tests that
//! still run may end. Verdicts are settled in the order of a sequential run: each decides which proposals come next, and
//! cancels what rests on the other outcome. So what is accepted is what a sequential run would accept, for any number of
//! workers and any order in which tests end.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::cache::Cache;
use crate::event::{Event, Listener, Moment, Tally};
use crate::examine::{Examiner, Judgement, Report};
use crate::odds::Odds;
use crate::workers::Workers;
use crate::{
    Candidate, Chain, Fingerprint, Interrupter, Lens, Measured, Property, Proposer, Setup, Stages, StartError, Stop,
    Verdict,
};

mod ahead;
mod confirm;
mod scout;
mod scouting;
mod starting_over;

use ahead::Accepts;
use scout::{Checkpoint, Scout};
use scouting::Scouting;

/// The only connection between algorithms and the property.
pub struct Search {
    examiner: Arc<Examiner>,
    workers: Workers,
    odds: Odds,
    /// The input, without what was found out about it: that may take many times its memory.
    first: Arc<Measured>,
    best: Arc<Measured>,
    view: Option<View>,
    tally: Tally,
    budget: Budget,
    deadline: Option<Instant>,
    interrupter: Interrupter,
    listeners: Vec<Box<dyn Listener>>,
    started: Instant,
    in_trial: bool,
    has_skipped: bool,
    /// How many verdicts were known at the start, and how many of them are counted.
    replayable: u64,
    remembered: u64,
    /// Contents whose verdicts the property has withdrawn.
    withdrawn: Vec<Fingerprint>,
    checkpoint: Option<Checkpoint>,
    scout: Option<Scout>,
    /// The threads of scouts, called back or not.
    scouts: Vec<JoinHandle<()>>,
    /// This search is a scout itself.
    scouting: Option<Scouting>,
}

/// How a lens shows the best.
struct View {
    lens: Arc<dyn Lens>,
    best: Arc<Measured>,
}

/// The limit on counted tests that is reached first, and what reaching it means.
#[derive(Clone)]
struct Budget {
    tests: u64,
    stop: Stop,
}

impl Search {
    pub(crate) fn start(setup: Setup, property: Arc<dyn Property>, input: Candidate) -> Result<Self, StartError> {
        let started = Instant::now();
        let max_tests = setup.max_tests.unwrap_or(u64::MAX);
        let replayable = setup.replay.len() as u64;
        let examiner = Examiner {
            property: Arc::clone(&property),
            measure: setup.measure,
            alphabet: setup.alphabet,
            order: setup.order,
            layout: setup.layout,
            cache: Cache::replaying(setup.replay),
            journal: setup.journal,
            pause: setup.interrupter.pause.clone(),
        };
        let first = examiner.measure(input);
        let mut search = Self {
            first: Arc::new(first.bare()),
            best: Arc::new(first),
            view: None,
            replayable,
            remembered: 0,
            withdrawn: Vec::new(),
            examiner: Arc::new(examiner),
            workers: Workers::new(setup.jobs.max(1), setup.simulation, property),
            odds: Odds::default(),
            tally: Tally::default(),
            budget: Budget { tests: max_tests, stop: Stop::MaxTests(max_tests) },
            deadline: setup.max_time.and_then(|limit| started.checked_add(limit)),
            interrupter: setup.interrupter,
            listeners: setup.listeners,
            started,
            in_trial: false,
            has_skipped: false,
            checkpoint: None,
            scout: None,
            scouts: Vec::new(),
            scouting: None,
        };
        search.begin()?;
        Ok(search)
    }

    /// Tests the input, which is the best.
    fn test_input(&mut self) -> Result<(), StartError> {
        let input = self.best.candidate.clone();
        let fingerprint = input.fingerprint();
        if self.attempt_at(input, Accepts::AnySize)? {
            return Ok(());
        }
        let known = self.examiner.cache.lookup(fingerprint);
        Err(StartError::NotInteresting(known.map_or(Verdict::Uninteresting, |known| known.verdict)))
    }

    /// The smallest interesting candidate so far, as the lens shows it if there is one.
    pub fn best(&self) -> &Measured {
        self.view.as_ref().map_or(&self.best, |view| &view.best)
    }

    /// Runs `body` under a lens: the best is shown in another form, and candidates are proposed in that form.
    pub fn under<T>(&mut self, lens: Arc<dyn Lens>, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.view.replace(View { best: Arc::clone(&self.best), lens });
        self.set_best(Arc::clone(&self.best));
        let result = body(self);
        self.view = outer;
        self.set_best(Arc::clone(&self.best));
        result
    }

    /// Whether this only looks ahead for another search. What it tests is kept, what else it does must have no effect.
    pub fn is_scout(&self) -> bool {
        self.scouting.is_some()
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether a pass was skipped, so that something may be left to find.
    pub fn has_skipped(&self) -> bool {
        self.has_skipped
    }

    /// The time since the search began; virtual time if workers are simulated.
    pub fn elapsed(&self) -> Duration {
        self.workers.virtual_time().unwrap_or_else(|| self.started.elapsed())
    }

    /// The virtual time that workers were in tests, cancelled ones included; `None` if they are not simulated.
    pub fn virtual_time_in_tests(&self) -> Option<Duration> {
        self.workers.virtual_time_in_tests()
    }

    /// Tests what `state` proposes until it has nothing left, and gives the state back.
    ///
    /// `render` makes a candidate of a proposal, on a worker; `None` means that there is no such candidate, and
    /// counts as failed. A proposal is accepted if its candidate is interesting and smaller than the best.
    pub fn run<P, R>(&mut self, state: P, render: R) -> Result<P, Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        self.run_at(state, &Arc::new(render), Accepts::Smaller)
    }

    /// The same, but accepts every interesting candidate, even a larger one: the best may grow. Use it in a
    /// [`trial`](Self::trial), which keeps only a smaller result.
    pub fn run_any_size<P, R>(&mut self, state: P, render: R) -> Result<P, Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        self.run_at(state, &Arc::new(render), Accepts::AnySize)
    }

    /// Runs stages one after the other as one [`Chain`], and gives them back with their results.
    pub fn run_stages<S, R>(&mut self, stages: S, render: R) -> Result<S, Stop>
    where
        S: Stages,
        R: Fn(&<S::Stage as Proposer>::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        Ok(self.run(Chain::new(stages), render)?.into_stages())
    }

    /// Tests one candidate; `true` if it is the new best.
    pub fn attempt(&mut self, candidate: Candidate) -> Result<bool, Stop> {
        self.attempt_at(candidate, Accepts::Smaller)
    }

    /// Searches from `start`, which may be larger than the best, with at most `budget` counted tests. If `start` is
    /// interesting, `body` runs with it as the best; what it ends with is kept only if it is smaller than the best
    /// before. `true` if it was.
    pub fn trial(
        &mut self,
        start: Candidate,
        budget: u64,
        body: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let outer = (Arc::clone(&self.best), self.budget.clone(), self.in_trial);
        let own_limit = self.tally.tests.saturating_add(budget);
        let own = own_limit < self.budget.tests;
        if own {
            self.budget = Budget { tests: own_limit, stop: Stop::TrialSpent };
        }
        self.in_trial = true;
        let result = match self.attempt_at(start, Accepts::AnySize) {
            Ok(true) => body(self),
            Ok(false) => Ok(()),
            Err(stop) => Err(stop),
        };
        let end = Arc::clone(&self.best);
        let (best, budget, in_trial) = outer;
        (self.budget, self.in_trial) = (budget, in_trial);
        self.set_best(best);
        // Whatever ended the trial, a smaller candidate is never thrown away.
        let commits = end.is_smaller_than(&self.best);
        if commits {
            self.accept(end);
        }
        match result {
            Err(Stop::TrialSpent) if own => Ok(commits),
            result => result.map(|()| commits),
        }
    }

    /// Makes `candidate` the best, although it may be larger: the best turned out not to be interesting, or a
    /// [`trial`](Self::trial) came to nothing. What happens in a trial follows from its outcomes, so a scout can repeat it.
    pub fn step_back(&mut self, candidate: Measured) {
        if !self.in_trial {
            self.forget_checkpoint();
        }
        self.set_best(Arc::new(candidate));
    }

    /// Measures the best anew, without what was found out about it before.
    pub fn measure_again(&mut self) {
        self.forget_checkpoint();
        let best = self.examiner.measure(self.best.bare().candidate);
        self.set_best(Arc::new(best));
    }

    fn set_best(&mut self, best: Arc<Measured>) {
        if let Some(view) = &mut self.view {
            let candidate = view.lens.show(&best.candidate);
            view.best = Arc::new(Measured { candidate, ..(*best).clone() });
        }
        self.best = best;
    }

    /// Runs `body` as a pass that is reported to listeners.
    pub fn pass<T>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> T) -> T {
        let (tests, from) = (self.tally.tests, self.best.size);
        self.emit(&Event::PassBegun { pass: name.to_owned() });
        let outer = self.odds.enter(name);
        let result = body(self);
        self.odds.leave(outer);
        self.emit(&Event::PassEnded { pass: name.to_owned(), tests: self.tally.tests - tests, from });
        result
    }

    /// Repeats `pass` until it changes nothing.
    pub fn fixpoint<E>(&mut self, mut pass: impl FnMut(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let standing = |best: &Candidate| (best.fingerprint(), best.cost());
        loop {
            let before = standing(&self.best.candidate);
            pass(self)?;
            if standing(&self.best.candidate) == before {
                return Ok(());
            }
        }
    }

    /// Passes a message on to the listeners.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.emit(&Event::Notice { text: text.into() });
    }

    /// Waits for cancelled tests to end, and notifies listeners that the search is over, and why.
    pub fn finish(&mut self, reason: &str) {
        self.await_idle();
        self.take_withdrawn();
        self.emit(&Event::Finished { reason: reason.to_owned() });
    }

    /// Takes a report in sequential order; `true` if its candidate is the new best.
    fn settle(&mut self, report: Report) -> Result<bool, Stop> {
        match report {
            Report::Judged(judgement) => Ok(self.settle_judgement(judgement)),
            Report::NotSmaller(fingerprint) if self.examiner.cache.is_counted(fingerprint) => {
                self.tally.cached += 1;
                Ok(false)
            }
            Report::NotSmaller(_) => {
                self.tally.refused += 1;
                Ok(false)
            }
            Report::Inapplicable => Ok(false),
            report => Err(no_verdict(report)),
        }
    }

    fn settle_judgement(&mut self, judgement: Judgement) -> bool {
        let Judgement { fingerprint, verdict, bytes, winner, other, ran } = judgement;
        if let Some(known) = self.examiner.cache.count(fingerprint) {
            self.tally.count_test(verdict, known.replayed);
            self.remembered += u64::from(known.remembered);
            let seconds = ran.unwrap_or_default().as_secs_f64();
            self.emit_about(&Event::Tested { verdict, candidate: bytes, seconds }, other.as_ref());
        } else {
            self.tally.cached += 1;
        }
        let accepted = winner.is_some();
        if let Some(winner) = winner {
            self.accept(winner);
        }
        accepted
    }

    fn accept(&mut self, candidate: Arc<Measured>) {
        let improves = candidate.is_smaller_than(&self.best);
        self.set_best(candidate);
        if improves && !self.in_trial {
            self.emit(&Event::Improved);
        }
    }

    fn check_limits(&self) -> Result<(), Stop> {
        if self.interrupter.is_interrupted() {
            return Err(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::MaxTime);
        }
        Ok(())
    }

    fn check_skip(&mut self) -> Result<(), Stop> {
        match self.interrupter.takes_skip() {
            true => {
                self.has_skipped = true;
                Err(Stop::Skipped)
            }
            false => Ok(()),
        }
    }

    fn emit(&mut self, event: &Event) {
        self.emit_about(event, None);
    }

    fn emit_about(&mut self, event: &Event, tested: Option<&Candidate>) {
        let moment =
            Moment { elapsed: self.elapsed(), best: &self.best, tally: self.tally, busy: self.workers.busy(), tested };
        for listener in &mut self.listeners {
            listener.notify(event, &moment);
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.await_scouts();
    }
}

/// Why the search cannot continue after a report without a verdict.
fn no_verdict(report: Report) -> Stop {
    match report {
        Report::Failed(reason) => Stop::Failed(reason),
        _ => Stop::Failed("a test gave up without being asked to".into()),
    }
}
