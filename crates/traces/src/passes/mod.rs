//! The default passes over traces, which go beyond the paper: remove rounds of loops, minimize calls, replace a call by
//! one nested in it, flip selections, and lower draws; repeated until nothing changes.
//!
//! Only smaller candidates are accepted: a smaller input, or one of the same size from a shorter trace. So a generator
//! that prints more when it does less does no harm, and steps without effect are still removed. No pass loops to a
//! fixpoint itself.

mod drift;
mod hoists;
mod lowering;
mod prunes;
mod rounds;
mod turns;
mod values;

use std::sync::Arc;

use whittle_lists::Algorithm;
use whittle_search::{Proposer, Search, Stop};

use crate::edits::Edits;
use crate::runs::Alignment;
use crate::session::{Bar, Session};

/// How every pass replays, and what it accepts.
const OURS: (Alignment, Bar) = (Alignment::Realign, Bar::Smaller);

/// The default reducer of traces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shrink {
    /// How lists of rounds and draws are minimized.
    pub algorithm: Algorithm,
}

impl Shrink {
    /// Runs all passes until none of them changes anything.
    pub fn reduce(&self, session: &mut Session, search: &mut Search) -> Result<(), Stop> {
        search.fixpoint(|search| {
            search.pass("rounds", |search| rounds::run(session, search, self.algorithm))?;
            search.pass("prunes", |search| sweep(session, search, prunes::list))?;
            search.pass("hoists", |search| sweep(session, search, hoists::list))?;
            search.pass("turns", |search| sweep(session, search, turns::list))?;
            search.pass("zeros", |search| values::zero(session, search, self.algorithm))?;
            search.pass("values", |search| values::lower(session, search))?;
            search.pass("pairs", |search| values::lower_pairs(session, search))?;
            search.pass("transfers", |search| sweep(session, search, values::transfers))
        })
    }
}

/// Tries single edits in order. After one is accepted, continues at the same place in the list for the new trace.
fn sweep(session: &mut Session, search: &mut Search, list: impl Fn(&Session) -> Vec<Edits>) -> Result<(), Stop> {
    let mut from = 0;
    loop {
        let edits = list(session);
        let (trace, queue) = (Arc::clone(session.trace()), Queue { next: from, len: edits.len(), accepted: None });
        let edit = move |place: &usize| Some(edits[*place].apply(&trace));
        match session.pursue(search, queue, OURS, edit)?.accepted {
            Some(place) => from = place,
            None => return Ok(()),
        }
    }
}

/// Proposes places in a list until one is accepted.
#[derive(Clone)]
struct Queue {
    next: usize,
    len: usize,
    accepted: Option<usize>,
}

impl Proposer for Queue {
    type Proposal = usize;

    fn propose(&self) -> Option<usize> {
        (self.next < self.len && self.accepted.is_none()).then_some(self.next)
    }

    fn observe(&mut self, interesting: bool) {
        self.accepted = interesting.then_some(self.next);
        self.next += 1;
    }
}
