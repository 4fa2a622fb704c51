//! The empty list, which minimizers do not propose, then what a minimizer does.

use whittle_lists::Subset;
use whittle_search::Proposer;

/// A minimizer that tries to do without anything first.
#[derive(Clone)]
pub(crate) struct EmptyFirst<M> {
    stage: Stage,
    minimizer: M,
}

#[derive(Clone, Copy)]
enum Stage {
    Empty,
    NothingLeft,
    Lists,
}

impl<M> EmptyFirst<M> {
    pub(crate) fn new(minimizer: M) -> Self {
        Self { stage: Stage::Empty, minimizer }
    }
}

impl<M: Proposer<Proposal = Subset>> Proposer for EmptyFirst<M> {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        match self.stage {
            Stage::Empty => Some(Subset::full(0)),
            Stage::NothingLeft => None,
            Stage::Lists => self.minimizer.propose(),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match self.stage {
            Stage::Empty => self.stage = if interesting { Stage::NothingLeft } else { Stage::Lists },
            Stage::NothingLeft => {}
            Stage::Lists => self.minimizer.observe(interesting),
        }
    }
}
