//! [`Swept`]: a minimizer, then a one-minimal sweep over what it left.
//!
//! `wddmin` ends with one (`ensureOneMinimal` in its Algorithm 1); for the probabilistic algorithms it is an option.
//! Promise: with a sweep, one-minimal whatever the first minimizer does.

use whittle_search::Proposer;

use crate::{Complements, Minimizer, Onemin, Subset};

/// A minimizer that may be followed by [`Onemin`].
#[derive(Clone, Debug)]
pub struct Swept<M> {
    stage: Stage<M>,
    sweep: Option<Complements>,
}

#[derive(Clone, Debug)]
enum Stage<M> {
    First(M),
    Sweep(Onemin),
}

impl<M: Minimizer> Swept<M> {
    /// Runs `first`, and a sweep in the given order after it if there is one.
    pub fn new(first: M, sweep: Option<Complements>) -> Self {
        let mut swept = Self { stage: Stage::First(first), sweep };
        swept.change_stage();
        swept
    }

    fn change_stage(&mut self) {
        if let (Stage::First(first), Some(order)) = (&self.stage, self.sweep)
            && first.is_done()
        {
            self.stage = Stage::Sweep(Onemin::new(first.current().clone(), order));
        }
    }
}

impl<M: Minimizer> Proposer for Swept<M> {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        match &self.stage {
            Stage::First(first) => first.propose(),
            Stage::Sweep(sweep) => sweep.propose(),
        }
    }

    fn is_done(&self) -> bool {
        match &self.stage {
            Stage::First(first) => first.is_done(),
            Stage::Sweep(sweep) => sweep.is_done(),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match &mut self.stage {
            Stage::First(first) => first.observe(interesting),
            Stage::Sweep(sweep) => sweep.observe(interesting),
        }
        self.change_stage();
    }
}

impl<M: Minimizer> Minimizer for Swept<M> {
    fn current(&self) -> &Subset {
        match &self.stage {
            Stage::First(first) => first.current(),
            Stage::Sweep(sweep) => sweep.current(),
        }
    }
}
