//! Testing ahead of sequential order: free workers get the proposals that are most likely to be needed, and reports are
//! settled oldest first.

use std::sync::Arc;

use crossbeam_channel::{at, never, select};

use super::Search;
use crate::examine::{Bar, Judgement, Report};
use crate::odds::Context;
use crate::window::{Node, Window};
use crate::workers::{Job, Message, Prepared, Test};
use crate::{Candidate, FirstOf, Proposer, Stop};

/// What a run may accept, besides interesting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Accepts {
    Smaller,
    AnySize,
}

impl Search {
    pub(super) fn attempt_at(&mut self, candidate: Candidate, accepts: Accepts) -> Result<bool, Stop> {
        let only = FirstOf::new(vec![candidate]);
        let ended = self.run_at(only, &Arc::new(|candidate: &Candidate| Some(candidate.clone())), accepts)?;
        Ok(ended.taken().is_some())
    }

    pub(super) fn run_at<P, R>(&mut self, mut state: P, render: &Arc<R>, accepts: Accepts) -> Result<P, Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        if self.scouting.is_some() {
            return self.scout_run(state, render, accepts);
        }
        let result = self.drive(&mut state, render, accepts);
        if result.is_err() {
            // The window is gone and all its tests are cancelled: nothing may outlive the search's end.
            self.await_idle();
        }
        result.map(|()| state)
    }

    fn drive<P, R>(&mut self, state: &mut P, render: &Arc<R>, accepts: Accepts) -> Result<(), Stop>
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        let mut window = Window::default();
        let mut context = self.odds.start();
        loop {
            self.check_withdrawn()?;
            self.check_limits()?;
            self.check_skip()?;
            self.check_budget(state, &window)?;
            self.run_ahead((state, context), &mut window, render, accepts);
            if window.is_empty() {
                return Ok(());
            }
            self.await_report(&mut window)?;
            while let Some((tested, report)) = window.pop_ready() {
                let was_tested = matches!(report, Report::Judged(_));
                let accepted = self.settle(report)?;
                state.observe(accepted);
                self.follow(accepted);
                context = tested;
                if was_tested {
                    self.odds.learn(context, accepted);
                    context = context.after(accepted);
                }
                self.check_budget(state, &window)?;
            }
        }
    }

    /// Hands out proposals while workers want more, those first that are most likely to be needed.
    fn run_ahead<P, R>(
        &mut self,
        (state, context): (&P, Context),
        window: &mut Window<P>,
        render: &Arc<R>,
        accepts: Accepts,
    ) where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        if !window.is_empty() && !self.workers.want_more() {
            return;
        }
        let mut leaves = window.leaves(self.workers.are_many());
        // Cancelled tests may still keep all workers busy, but the next proposal is needed in any case.
        while self.workers.want_more() || (window.is_empty() && !leaves.is_empty()) {
            let chance = leaves.peek().map_or(0.0, |leaf| leaf.chance);
            if self.scout_chance().is_some_and(|scouted| scouted > chance) && self.hand_out_scouted() {
                continue;
            }
            let Some(leaf) = leaves.pop() else { return };
            if !leaf.is_ready && self.workers.prepare_at_once() {
                return;
            }
            if !leaf.is_ready || !self.may_run_ahead(window.ahead(&leaf)) {
                continue;
            }
            let mut node = match leaf.after {
                None => Node::new(state.clone(), self.bar(accepts), context, window.settled()),
                Some(last) if leaf.is_end => {
                    self.scout_from(window, last);
                    continue;
                }
                Some(last) => window.next(last),
            };
            let Some(proposal) = node.propose() else {
                leaves.extend(window.close(leaf));
                continue;
            };
            node.odds = self.odds.of(node.context);
            let job = self.workers.hand_out(self.job(proposal, &node, render));
            let after = window.add(&leaf, job, node);
            leaves.extend(after.into_iter().filter(|leaf| !leaf.assumes_success() || self.workers.are_many()));
        }
    }

    pub(super) fn bar(&self, accepts: Accepts) -> Bar {
        match accepts {
            Accepts::AnySize => Bar::AnySize,
            Accepts::Smaller => Bar::Best(Arc::clone(&self.best)),
        }
    }

    /// Whether a proposal may be tested while this many before it are not settled.
    fn may_run_ahead(&self, ahead: u64) -> bool {
        (ahead == 0 || !self.is_replaying()) && self.tests_left() > ahead
    }

    /// While every verdict was known before, from the journal or from before the search started over, running ahead would only begin tests beyond successes that are
    /// about to be replayed.
    pub(super) fn is_replaying(&self) -> bool {
        self.remembered == self.tally.tests && self.remembered < self.replayable
    }

    fn job<P, R>(&self, proposal: P::Proposal, node: &Node<P>, render: &Arc<R>) -> Job
    where
        P: Proposer,
        R: Fn(&P::Proposal) -> Option<Candidate> + Send + Sync + 'static,
    {
        let (examiner, render, bar) = (Arc::clone(&self.examiner), Arc::clone(render), node.bar.clone());
        let (signal, begun) = (node.cancel.clone(), Arc::clone(&node.draft));
        let lens = self.view.as_ref().map(|view| Arc::clone(&view.lens));
        let restore = move |candidate: Candidate| match &lens {
            Some(lens) => lens.restore(&candidate),
            None => Some(candidate),
        };
        let prepare = move || {
            let Some(candidate) = render(&proposal).and_then(restore) else {
                return Prepared::Ended(Report::Inapplicable);
            };
            match examiner.prepare(candidate, bar, &signal) {
                Err(report) => Prepared::Ended(report),
                Ok(draft) => {
                    let draft = Arc::clone(begun.get_or_init(|| Arc::new(draft)));
                    let content = draft.fingerprint;
                    Prepared::Test(Test { content, run: Box::new(move || examiner.test(&draft, &signal)) })
                }
            }
        };
        Job { prepare: Box::new(prepare), cancel: node.cancel.clone() }
    }

    /// Waits for a report, and takes all that are there: what to test next is looked for once for all of them.
    pub(super) fn await_report<P>(&mut self, window: &mut Window<P>) -> Result<(), Stop> {
        let deadline = self.deadline.map_or_else(never, at);
        let first = select! {
            recv(self.workers.messages()) -> message => message.expect("worker threads live as long as the search"),
            recv(self.interrupter.rung) -> _ => return self.check_limits(),
            recv(deadline) -> _ => return self.check_limits(),
        };
        let mut next = Some(first);
        while let Some(message) = next {
            if let Message::Ended(job, report) = message {
                let success = report.is_success();
                self.tally_run(&report);
                self.take_scouted(job, &report);
                window.record(job, report);
                self.workers.took(success);
            }
            next = self.workers.message_there();
        }
        Ok(())
    }

    pub(super) fn await_idle(&mut self) {
        self.await_scouts();
        while !self.workers.are_idle() {
            let message = self.workers.messages().recv().expect("worker threads live as long as the search");
            if let Message::Ended(_, report) = message {
                self.tally_run(&report);
                self.workers.took(report.is_success());
            }
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

    pub(super) fn tests_left(&self) -> u64 {
        self.budget.tests.saturating_sub(self.tally.tests)
    }

    /// Tests may be spent; that matters only if there is something left to test.
    fn check_budget<P: Proposer>(&self, state: &P, window: &Window<P>) -> Result<(), Stop> {
        if self.tests_left() == 0 && (!window.is_empty() || state.propose().is_some()) {
            return Err(self.budget.stop.clone());
        }
        Ok(())
    }
}
