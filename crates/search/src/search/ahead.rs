//! Testing ahead of sequential order: proposals go to all free workers, and reports are settled oldest first.

use std::sync::Arc;

use crossbeam_channel::{at, never, select};

use super::Search;
use crate::examine::{Judgement, Report};
use crate::window::Window;
use crate::{Cancel, Candidate, FirstOf, Proposer, Stop};

/// What a candidate must be to be accepted, besides interesting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    Smaller,
    AnySize,
}

impl Search {
    pub(super) fn attempt_at(&mut self, candidate: Candidate, bar: Bar) -> Result<bool, Stop> {
        let only = FirstOf::new(vec![candidate]);
        let ended = self.run_at(only, &Arc::new(|candidate: &Candidate| Some(candidate.clone())), bar)?;
        Ok(ended.taken().is_some())
    }

    pub(super) fn run_at<P, R>(&mut self, mut state: P, render: &Arc<R>, bar: Bar) -> Result<P, Stop>
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

    /// Hands out proposals while workers want more. `ahead` is `state` after the failure of all that is in `window`.
    fn run_ahead<P, R>(&mut self, state: &P, ahead: &mut Option<P>, window: &mut Window, render: &Arc<R>, bar: Bar)
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        while self.workers.want_more() && self.may_run_ahead(window) {
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

    fn may_run_ahead(&self, window: &Window) -> bool {
        if self.is_replaying() && !window.is_empty() {
            return false;
        }
        !window.has_success() && self.tests_left() > window.len() as u64
    }

    /// While every verdict comes from the journal, running ahead would only begin tests beyond successes that are
    /// about to be replayed.
    fn is_replaying(&self) -> bool {
        self.tally.replayed == self.tally.tests && self.tally.replayed < self.replayable
    }

    fn hand_out<T, R>(&mut self, proposal: T, window: &mut Window, render: &Arc<R>, bar: Bar)
    where
        T: Send + 'static,
        R: Fn(&T) -> Option<Candidate> + Send + Sync + 'static,
    {
        let cancel = Cancel::new();
        let best = (bar == Bar::Smaller).then(|| Arc::clone(&self.best));
        let (examiner, render, signal) = (Arc::clone(&self.examiner), Arc::clone(render), cancel.clone());
        let lens = self.view.as_ref().map(|view| Arc::clone(&view.lens));
        let restore = move |candidate: Candidate| match &lens {
            Some(lens) => lens.restore(&candidate),
            None => Some(candidate),
        };
        let job = self.workers.hand_out(move || match render(&proposal).and_then(restore) {
            Some(candidate) => examiner.examine(candidate, best.as_deref(), &signal),
            None => Report::Inapplicable,
        });
        window.push(job, cancel);
    }

    pub(super) fn await_report(&mut self, window: &mut Window) -> Result<(), Stop> {
        let deadline = self.deadline.map_or_else(never, at);
        select! {
            recv(self.workers.reports()) -> message => {
                let (job, report) = message.expect("worker threads live as long as the search");
                let success = report.is_success();
                self.tally_run(&report);
                window.record(job, report);
                self.workers.took_report(success);
                Ok(())
            }
            recv(self.interrupter.rung) -> _ => self.check_limits(),
            recv(deadline) -> _ => self.check_limits(),
        }
    }

    pub(super) fn await_idle(&mut self) {
        while !self.workers.are_idle() {
            let (_, report) = self.workers.reports().recv().expect("worker threads live as long as the search");
            self.tally_run(&report);
            self.workers.took_report(report.is_success());
        }
    }

    fn tally_run(&mut self, report: &Report) {
        match report {
            Report::Judged(Judgement { ran: Some(time), .. }) => {
                self.tally.runs += 1;
                self.tally.property_time += *time;
            }
            Report::Cancelled => self.tally.runs += 1,
            _ => {}
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
}
