//! The search: best, property, cache, workers, budget and events behind one door.
//!
//! Algorithms hand in a [`Proposer`]; the search tests its proposals on all workers by telling a clone of it that
//! what is still being tested failed. A success at position k cancels everything after k, everything before k is
//! awaited, and the proposer goes on from the lowest success. So what is accepted is what a sequential run would
//! accept, for any number of workers and any order in which tests end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{at, never, select};

use crate::cache::Cache;
use crate::event::{Event, Listener, Moment, Tally};
use crate::examine::{Examiner, Judgement, Report};
use crate::window::Window;
use crate::workers::Workers;
use crate::{Cancel, Candidate, Interrupter, Measured, Property, Proposer, Setup, StartError, Stop, Verdict};

/// The one door between algorithms and the property. See the [module](self) text.
pub struct Search {
    examiner: Arc<Examiner>,
    workers: Workers,
    best: Arc<Measured>,
    tally: Tally,
    budget: Budget,
    deadline: Option<Instant>,
    interrupter: Interrupter,
    listeners: Vec<Box<dyn Listener>>,
    started: Instant,
    in_trial: bool,
}

/// The limit on counted tests that is reached first, and what reaching it means.
#[derive(Clone)]
struct Budget {
    tests: u64,
    stop: Stop,
}

/// What a candidate must be to be accepted, besides interesting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bar {
    Smaller,
    AnySize,
}

impl Search {
    pub(crate) fn start(setup: Setup, property: Arc<dyn Property>, input: Candidate) -> Result<Self, StartError> {
        let started = Instant::now();
        let max_tests = setup.max_tests.unwrap_or(u64::MAX);
        let mut search = Self {
            best: Arc::new(Measured { size: (setup.measure)(&input), candidate: input.clone() }),
            examiner: Arc::new(Examiner { property, measure: setup.measure, cache: Cache::default() }),
            workers: Workers::new(setup.jobs.max(1)),
            tally: Tally::default(),
            budget: Budget { tests: max_tests, stop: Stop::MaxTests(max_tests) },
            deadline: setup.max_time.and_then(|limit| started.checked_add(limit)),
            interrupter: setup.interrupter,
            listeners: setup.listeners,
            started,
            in_trial: false,
        };
        let fingerprint = input.fingerprint();
        if search.attempt_at(input, Bar::AnySize)? {
            return Ok(search);
        }
        let known = search.examiner.cache.lookup(fingerprint);
        Err(StartError::NotInteresting(known.map_or(Verdict::Uninteresting, |known| known.verdict)))
    }

    /// The smallest interesting candidate so far.
    pub fn best(&self) -> &Measured {
        &self.best
    }

    /// What was counted so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tests what `state` proposes until it has nothing left, and gives the state back.
    ///
    /// `render` makes a candidate of a proposal, on a worker; `None` means the proposal makes no sense and counts
    /// as failed. A proposal is accepted if its candidate is interesting and smaller than the best.
    pub fn run<P, R>(&mut self, state: P, render: R) -> Result<P, Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        self.run_at(state, &Arc::new(render), Bar::Smaller)
    }

    /// Tests one candidate; `true` if it is the new best.
    pub fn attempt(&mut self, candidate: Candidate) -> Result<bool, Stop> {
        self.attempt_at(candidate, Bar::Smaller)
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
        let result = match self.attempt_at(start, Bar::AnySize) {
            Ok(true) => body(self),
            Ok(false) => Ok(()),
            Err(stop) => Err(stop),
        };
        let end = Arc::clone(&self.best);
        (self.best, self.budget, self.in_trial) = outer;
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

    /// Runs `body` as a pass that listeners hear of.
    pub fn pass<T>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> T) -> T {
        let (tests, from) = (self.tally.tests, self.best.size);
        self.emit(&Event::PassBegun { pass: name.to_owned() });
        let result = body(self);
        self.emit(&Event::PassEnded { pass: name.to_owned(), tests: self.tally.tests - tests, from });
        result
    }

    /// Waits for cancelled tests to end, and tells listeners that the search is over, and why.
    pub fn finish(&mut self, reason: &str) {
        self.await_idle();
        self.emit(&Event::Finished { reason: reason.to_owned() });
    }

    fn attempt_at(&mut self, candidate: Candidate, bar: Bar) -> Result<bool, Stop> {
        let once =
            self.run_at(Once::new(candidate), &Arc::new(|candidate: &Candidate| Some(candidate.clone())), bar)?;
        Ok(once.accepted)
    }

    fn run_at<P, R>(&mut self, mut state: P, render: &Arc<R>, bar: Bar) -> Result<P, Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        let result = self.drive(&mut state, render, bar);
        if result.is_err() {
            // The window is gone and all its tests are cancelled: nothing may outlive the search's end.
            self.await_idle();
        }
        result.map(|()| state)
    }

    fn drive<P, R>(&mut self, state: &mut P, render: &Arc<R>, bar: Bar) -> Result<(), Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        let mut window = Window::default();
        let mut ahead: Option<P> = None;
        loop {
            self.check_limits()?;
            self.check_budget(state, &window)?;
            self.run_ahead(state, &mut ahead, &mut window, render, bar);
            if window.is_empty() {
                return Ok(());
            }
            self.await_report(&mut window)?;
            while let Some(report) = window.pop_ready() {
                let accepted = self.settle(report)?;
                state.observe(accepted);
                if accepted {
                    window = Window::default();
                    ahead = None;
                }
                self.check_budget(state, &window)?;
            }
        }
    }

    /// Hands out proposals while workers are free. `ahead` is `state` after the failure of all that is in `window`.
    fn run_ahead<P, R>(&mut self, state: &P, ahead: &mut Option<P>, window: &mut Window, render: &Arc<R>, bar: Bar)
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        while self.workers.any_free() && !window.has_success() && self.tests_left() > window.len() as u64 {
            // One worker never gets this far: it proposes from `state` itself, without a clone.
            if ahead.is_none() && !window.is_empty() {
                let mut clone = state.clone();
                (0..window.len()).for_each(|_| clone.observe(false));
                *ahead = Some(clone);
            }
            let Some(proposal) = ahead.as_ref().unwrap_or(state).propose() else { return };
            self.hand_out(proposal, window, render, bar);
            if let Some(ahead) = ahead {
                ahead.observe(false);
            }
        }
    }

    fn hand_out<T, R>(&mut self, proposal: T, window: &mut Window, render: &Arc<R>, bar: Bar)
    where
        T: Send + 'static,
        R: Fn(&T) -> Option<Candidate> + Send + Sync + 'static,
    {
        let cancel = Cancel::new();
        let best = (bar == Bar::Smaller).then(|| Arc::clone(&self.best));
        let (examiner, render, signal) = (Arc::clone(&self.examiner), Arc::clone(render), cancel.clone());
        let job = self.workers.hand_out(move || match render(&proposal) {
            Some(candidate) => examiner.examine(candidate, best.as_deref(), &signal),
            None => Report::Inapplicable,
        });
        window.push(job, cancel);
    }

    fn await_report(&mut self, window: &mut Window) -> Result<(), Stop> {
        let deadline = self.deadline.map_or_else(never, at);
        select! {
            recv(self.workers.reports()) -> message => {
                let (job, report) = message.expect("worker threads live as long as the search");
                self.tally_run(&report);
                window.record(job, report);
                Ok(())
            }
            recv(self.interrupter.rung) -> _ => self.check_limits(),
            recv(deadline) -> _ => self.check_limits(),
        }
    }

    fn await_idle(&mut self) {
        while self.workers.busy() > 0 {
            let (_, report) = self.workers.reports().recv().expect("worker threads live as long as the search");
            self.tally_run(&report);
        }
    }

    fn tally_run(&mut self, report: &Report) {
        self.workers.took_report();
        match report {
            Report::Judged(Judgement { ran: Some(time), .. }) => {
                self.tally.runs += 1;
                self.tally.property_time += *time;
            }
            Report::Cancelled => self.tally.runs += 1,
            _ => {}
        }
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
            Report::Unneeded | Report::Cancelled => Err(Stop::Failed("a test gave up without being asked to".into())),
            Report::Failed(reason) => Err(Stop::Failed(reason)),
        }
    }

    fn settle_judgement(&mut self, judgement: Judgement) -> bool {
        let Judgement { fingerprint, verdict, size, interesting, ran } = judgement;
        if self.examiner.cache.count(fingerprint) {
            self.tally.tests += 1;
            self.tally.timed_out += u64::from(verdict == Verdict::TimedOut);
            let seconds = ran.unwrap_or_default().as_secs_f64();
            self.emit(&Event::Tested { verdict, candidate: size.unwrap_or_default(), seconds });
        } else {
            self.tally.cached += 1;
        }
        let accepted = interesting.is_some();
        if let Some(candidate) = interesting {
            self.accept(Arc::new(candidate));
        }
        accepted
    }

    fn accept(&mut self, candidate: Arc<Measured>) {
        let improves = candidate.is_smaller_than(&self.best);
        self.best = candidate;
        if improves && !self.in_trial {
            self.emit(&Event::Improved);
        }
    }

    fn tests_left(&self) -> u64 {
        self.budget.tests.saturating_sub(self.tally.tests)
    }

    /// Tests may be spent; that matters only if there is something left to test.
    fn check_budget(&self, state: &impl Proposer, window: &Window) -> Result<(), Stop> {
        if self.tests_left() == 0 && (!window.is_empty() || state.propose().is_some()) {
            return Err(self.budget.stop.clone());
        }
        Ok(())
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

    fn emit(&mut self, event: &Event) {
        let moment =
            Moment { elapsed: self.started.elapsed(), best: &self.best, tally: self.tally, busy: self.workers.busy() };
        for listener in &mut self.listeners {
            listener.notify(event, &moment);
        }
    }
}

/// Proposes one candidate.
#[derive(Clone)]
struct Once {
    candidate: Option<Candidate>,
    accepted: bool,
}

impl Once {
    fn new(candidate: Candidate) -> Self {
        Self { candidate: Some(candidate), accepted: false }
    }
}

impl Proposer for Once {
    type Proposal = Candidate;

    fn propose(&self) -> Option<Candidate> {
        self.candidate.clone()
    }

    fn observe(&mut self, interesting: bool) {
        self.candidate = None;
        self.accepted = interesting;
    }
}
