//! Rounds: edits that have little to do with each other are tested side by side, and those that work are put together.
//!
//! Running ahead rests on the guess that proposals fail. Where most of them succeed it is of no use: every success makes
//! the tests beyond it worthless. In a round nothing is thrown away: each edit is tested alone against the best of that
//! moment, then all that work are tested together, and halved where they do not get along. The width of a round is
//! fixed, so the result is the same for any number of workers.

use std::sync::Arc;

use super::Search;
use super::ahead::Bar;
use crate::examine::Report;
use crate::window::Window;
use crate::{Candidate, Measured, Stop};

/// How many edits are tested against the same best. A wider round keeps more workers busy; in a narrower one, what works
/// counts sooner.
pub const ROUND_WIDTH: usize = 32;

impl Search {
    /// Tests `edits`, a round of them at a time, and gives those that were taken, all of them together.
    ///
    /// `render` makes a candidate of any of the edits together, in their order, on top of what was the best when
    /// this was called; `None` means that they make no sense.
    pub fn merge<T, R>(&mut self, edits: &[T], render: R) -> Result<Vec<T>, Stop>
    where
        T: Clone + Send + 'static,
        R: Fn(&[T]) -> Option<Candidate> + Send + Sync + 'static,
    {
        let render = Arc::new(render);
        let mut taken = Vec::new();
        for round in edits.chunks(ROUND_WIDTH) {
            let works = self.test_alone(&taken, round, &render)?;
            let works: Vec<T> =
                round.iter().zip(works).filter(|(_, works)| *works).map(|(edit, _)| edit.clone()).collect();
            self.put_together(&mut taken, &works, &*render)?;
        }
        Ok(taken)
    }

    /// Adds edits that work alone to those that were taken, as many as get along with each other.
    fn put_together<T: Clone>(
        &mut self,
        taken: &mut Vec<T>,
        edits: &[T],
        render: &impl Fn(&[T]) -> Option<Candidate>,
    ) -> Result<(), Stop> {
        if edits.is_empty() {
            return Ok(());
        }
        let together = [taken, edits].concat();
        let works = render(&together).map_or(Ok(false), |candidate| self.attempt(candidate))?;
        if works {
            *taken = together;
        } else if edits.len() > 1 {
            let (first, second) = edits.split_at(edits.len() / 2);
            self.put_together(taken, first, render)?;
            self.put_together(taken, second, render)?;
        }
        Ok(())
    }

    /// Which of the edits work, each alone on top of those that were taken. The best stays as it is, unless the search is
    /// stopped: then the smallest that was found is not thrown away.
    fn test_alone<T, R>(&mut self, taken: &[T], edits: &[T], render: &Arc<R>) -> Result<Vec<bool>, Stop>
    where
        T: Clone + Send + 'static,
        R: Fn(&[T]) -> Option<Candidate> + Send + Sync + 'static,
    {
        let proposals = edits.iter().map(|edit| [taken, std::slice::from_ref(edit)].concat());
        let together = Arc::clone(render);
        let render = Arc::new(move |edits: &Vec<T>| together(edits));
        let mut winners = Vec::with_capacity(edits.len());
        let result = self.settle_all(proposals, &render, &mut winners);
        if result.is_err() {
            let smaller = |a: Arc<Measured>, b: Arc<Measured>| if b.is_smaller_than(&a) { b } else { a };
            winners.iter().flatten().cloned().reduce(smaller).into_iter().for_each(|winner| self.accept(winner));
            self.await_idle();
        }
        result.map(|()| winners.iter().map(Option::is_some).collect())
    }

    fn settle_all<T, R>(
        &mut self,
        proposals: impl ExactSizeIterator<Item = T>,
        render: &Arc<R>,
        winners: &mut Vec<Option<Arc<Measured>>>,
    ) -> Result<(), Stop>
    where
        T: Send + 'static,
        R: Fn(&T) -> Option<Candidate> + Send + Sync + 'static,
    {
        let mut window = Window::of_independent();
        let mut proposals = proposals.peekable();
        while proposals.peek().is_some() || !window.is_empty() {
            self.check_limits()?;
            if self.tests_left() == 0 {
                return Err(self.budget.stop.clone());
            }
            while self.workers.want_more() && self.tests_left() > window.len() as u64 {
                let Some(proposal) = proposals.next() else { break };
                self.hand_out(proposal, &mut window, render, Bar::Smaller);
            }
            self.await_report(&mut window)?;
            while let Some(report) = window.pop_ready() {
                winners.push(self.settle_alone(report)?);
            }
        }
        Ok(())
    }

    /// Takes a report in sequential order without accepting its candidate.
    fn settle_alone(&mut self, mut report: Report) -> Result<Option<Arc<Measured>>, Stop> {
        let winner = match &mut report {
            Report::Judged(judgement) => judgement.winner.take(),
            _ => None,
        };
        self.settle(report)?;
        Ok(winner)
    }
}
