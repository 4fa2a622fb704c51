//! What each pass cost and brought, for the views of a run.

use serde::Serialize;
use whittle::search::{Event, Moment};

/// The passes of a run, in the order in which they first ended.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Passes {
    ended: Vec<Pass>,
    /// Those that are under way, the innermost last.
    #[serde(skip)]
    open: Vec<String>,
}

/// What a pass cost and brought, in all its turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Pass {
    pub(crate) name: String,
    pub(crate) tests: u64,
    pub(crate) saved: u64,
}

impl Passes {
    /// Takes note of passes that begin and end.
    pub(crate) fn take_in(&mut self, event: &Event, moment: &Moment<'_>) {
        match event {
            Event::PassBegun { pass } => self.begin(pass),
            Event::PassEnded { pass, tests, from } => {
                self.end(pass, *tests, from.units.saturating_sub(moment.best.size.units));
            }
            Event::StartedOver { .. } => self.start_over(),
            _ => {}
        }
    }

    /// The pass that runs; empty between passes.
    pub(crate) fn current(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    /// All that have ended.
    pub(crate) fn ended(&self) -> &[Pass] {
        &self.ended
    }

    /// What was found so far means nothing.
    pub(crate) fn start_over(&mut self) {
        self.ended.clear();
    }

    /// A pass begins.
    pub(crate) fn begin(&mut self, name: &str) {
        self.open.push(name.to_owned());
    }

    /// The innermost pass ends.
    pub(crate) fn end(&mut self, name: &str, tests: u64, saved: u64) {
        self.open.pop();
        match self.ended.iter_mut().find(|pass| pass.name == name) {
            Some(pass) => (pass.tests, pass.saved) = (pass.tests + tests, pass.saved + saved),
            None => self.ended.push(Pass { name: name.to_owned(), tests, saved }),
        }
    }
}
