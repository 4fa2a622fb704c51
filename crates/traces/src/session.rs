//! [`Session`]: the trace being reduced, what is known about its generator, and how edits of it are searched.

use std::path::Path;
use std::sync::Arc;

use whittle_search::{Candidate, Proposer, Search, Stop};

use crate::generator::{Generated, Generator};
use crate::parts::Facts;
use crate::runs::{Alignment, RunTally, Runs};
use crate::trace::Trace;

/// A trace being reduced.
pub struct Session {
    pub(crate) runs: Arc<Runs>,
    pub(crate) facts: Arc<Facts>,
    pub(crate) current: Arc<Trace>,
    input: Candidate,
}

/// What is accepted among interesting inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bar {
    Smaller,
    AnySize,
}

impl Session {
    /// Starts from a generated input. `name` is the file name of candidates.
    pub fn new(generator: Arc<dyn Generator>, name: impl AsRef<Path>, generated: &Generated) -> Self {
        let runs = Arc::new(Runs::new(generator, &generated.trace));
        let input = Candidate::single(name, generated.input.clone()).at_cost(generated.trace.len() as u64);
        Self { runs, facts: Arc::default(), current: Arc::clone(&generated.trace), input }
    }

    /// The first input, to start the search with.
    pub fn input(&self) -> &Candidate {
        &self.input
    }

    /// The trace of the last accepted input.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.current
    }

    /// How often the generator ran so far.
    pub fn tally(&self) -> RunTally {
        self.runs.tally()
    }

    /// Learns about the sites of the current trace that are not yet known.
    pub(crate) fn learn(&mut self) {
        let (runs, trace) = (Arc::clone(&self.runs), Arc::clone(&self.current));
        Arc::make_mut(&mut self.facts).learn(&trace, &runs);
    }

    /// Tests what `state` proposes. On a worker, `edit` turns a proposal into a trace, and the generator turns that
    /// into an input. If something was accepted, the trace of the last accepted input becomes the current one.
    pub(crate) fn pursue<P, E>(
        &mut self,
        search: &mut Search,
        state: P,
        (alignment, bar): (Alignment, Bar),
        edit: E,
    ) -> Result<P, Stop>
    where
        P: Proposer,
        P::Proposal: Clone,
        E: Fn(&P::Proposal) -> Option<Trace> + Send + Sync + 'static,
    {
        let edit = Arc::new(edit);
        let (runs, facts, input) = (Arc::clone(&self.runs), Arc::clone(&self.facts), self.input.clone());
        let their_edit = Arc::clone(&edit);
        let render = move |proposal: &P::Proposal| {
            let outcome = runs.aligned(their_edit(proposal)?, alignment, &facts);
            let generated = outcome.as_ref().as_ref().ok()?;
            Some(input.with_bytes(0, generated.input.clone()).at_cost(generated.trace.len() as u64))
        };
        let tracked = Tracked { state, accepted: None };
        let Tracked { state, accepted } = match bar {
            Bar::Smaller => search.run(tracked, render)?,
            Bar::AnySize => search.run_any_size(tracked, render)?,
        };
        // It was just generated, so its result is remembered.
        let outcome = accepted
            .as_ref()
            .and_then(|proposal| edit(proposal))
            .map(|trace| self.runs.aligned(trace, alignment, &self.facts));
        if let Some(Ok(generated)) = outcome.as_deref() {
            self.current = Arc::clone(&generated.trace);
        }
        Ok(state)
    }
}

/// Remembers the last accepted proposal.
#[derive(Clone)]
struct Tracked<P: Proposer> {
    state: P,
    accepted: Option<P::Proposal>,
}

impl<P: Proposer> Proposer for Tracked<P>
where
    P::Proposal: Clone,
{
    type Proposal = P::Proposal;

    fn propose(&self) -> Option<P::Proposal> {
        self.state.propose()
    }

    fn observe(&mut self, interesting: bool) {
        if interesting {
            self.accepted = self.state.propose();
        }
        self.state.observe(interesting);
    }
}
