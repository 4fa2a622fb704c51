//! Removes rounds of loops, outer loops first, with a list minimizer over the rounds of each loop.
//!
//! Each list is tried twice: as it is, and with later draws adjusted that seem to be indices into what the rounds made.

use std::sync::Arc;

use whittle_lists::{Algorithm, EmptyFirst, Subset, Weights};
use whittle_search::{Proposer, Search, Stop};

use super::OURS;
use super::drift::Drift;
use crate::parts::Parts;
use crate::session::Session;

/// Reduces one loop after the other; loops that share the draw that decides them are reduced together.
pub(super) fn run(session: &mut Session, search: &mut Search, algorithm: Algorithm) -> Result<(), Stop> {
    for place in 0.. {
        session.learn();
        let parts = Parts::of(session.trace(), &session.facts);
        let Some(rounds) = parts.rounds().into_iter().nth(place) else { break };
        let state = EitherWay::new(EmptyFirst::new(algorithm.minimizer(&Weights::uniform(rounds.len()))));
        let drift = Drift::new(Arc::clone(&session.runs), Arc::clone(session.trace()), parts, rounds);
        session.pursue(search, state, OURS, move |(kept, moved): &(Subset, bool)| match moved {
            false => Some(drift.plain(kept)),
            true => drift.moved(kept),
        })?;
    }
    Ok(())
}

/// Proposes what another proposer does, and if that fails, the same with indices adjusted.
#[derive(Clone)]
struct EitherWay<P> {
    state: P,
    moved: bool,
}

impl<P> EitherWay<P> {
    fn new(state: P) -> Self {
        Self { state, moved: false }
    }
}

impl<P: Proposer> Proposer for EitherWay<P> {
    type Proposal = (P::Proposal, bool);

    fn propose(&self) -> Option<Self::Proposal> {
        Some((self.state.propose()?, self.moved))
    }

    fn observe(&mut self, interesting: bool) {
        if interesting || self.moved {
            self.state.observe(interesting);
            self.moved = false;
        } else {
            self.moved = true;
        }
    }
}
