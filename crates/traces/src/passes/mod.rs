//! The default passes over traces, which go beyond the paper: remove rounds of loops, minimize calls, replace a call by
//! one nested in it, flip selections, and lower draws; repeated until nothing changes.
//!
//! Only smaller candidates are accepted: a smaller input, or one of the same size from a shorter trace. So a generator
//! that prints more when it does less does no harm, and steps without effect are still removed. No pass loops to a
//! fixpoint itself: after a success, `sweep` lists its edits anew and continues at the same place of the list.

mod drift;
mod hoists;
mod lowering;
mod prunes;
mod rounds;
mod turns;
mod values;

use std::sync::Arc;

use whittle_lists::Algorithm;
use whittle_search::{FirstOf, Search, Stop};

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
        let mut edits = list(session);
        edits.drain(..from.min(edits.len()));
        let trace = Arc::clone(session.trace());
        let edit = move |edits: &Edits| Some(edits.apply(&trace));
        match session.pursue(search, FirstOf::new(edits), OURS, edit)?.position() {
            Some(position) => from += position,
            None => return Ok(()),
        }
    }
}
