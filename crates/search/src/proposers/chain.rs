//! [`Chain`]: a pass of many small stages as one proposer, so that the search can test beyond the current stage.
//!
//! A pass goes from place to place and tries something at each. If each place were a proposer of its own, the workers
//! would be idle at the end of every one of them, and most of them propose little. A chain knows at once what it will
//! propose at the next places, whatever comes of this one.

use crate::Proposer;

/// The stages of a pass, in order. The search runs ahead with clones that it tells how tests may end, so a stage may
/// depend only on the results of the stages before it.
pub trait Stages: Clone {
    /// Tries something at one place.
    type Stage: Proposer;

    /// The next stage, or `None` at the end of the pass.
    fn begin(&mut self) -> Option<Self::Stage>;

    /// Takes the result of a finished stage.
    fn end(&mut self, stage: Self::Stage);
}

/// Runs stages one after the other.
///
/// ```
/// use whittle_search::{Chain, Proposer, Stages};
///
/// /// Proposes a number once.
/// #[derive(Clone)]
/// struct Number(u32, bool);
/// impl Proposer for Number {
///     type Proposal = u32;
///     fn propose(&self) -> Option<u32> {
///         (!self.1).then_some(self.0)
///     }
///     fn observe(&mut self, _: bool) {
///         self.1 = true;
///     }
/// }
///
/// #[derive(Clone)]
/// struct Down(u32);
/// impl Stages for Down {
///     type Stage = Number;
///     fn begin(&mut self) -> Option<Number> {
///         (self.0 > 0).then_some(Number(self.0, false))
///     }
///     fn end(&mut self, stage: Number) {
///         self.0 = stage.0 - 1;
///     }
/// }
///
/// let mut chain = Chain::new(Down(2));
/// assert_eq!(chain.propose(), Some(2));
/// chain.observe(false);
/// assert_eq!(chain.propose(), Some(1));
/// chain.observe(false);
/// assert_eq!((chain.propose(), chain.into_stages().0), (None, 0));
/// ```
#[derive(Clone, Debug)]
pub struct Chain<S: Stages> {
    stages: S,
    /// The current stage; never a finished one.
    stage: Option<S::Stage>,
}

impl<S: Stages> Chain<S> {
    /// Starts at the first stage that has a proposal.
    pub fn new(mut stages: S) -> Self {
        let stage = stages.begin();
        let mut chain = Self { stages, stage };
        chain.go_on();
        chain
    }

    /// The stages with their results.
    pub fn into_stages(self) -> S {
        self.stages
    }

    /// Moves past finished stages.
    fn go_on(&mut self) {
        while let Some(stage) = self.stage.take_if(|stage| stage.is_done()) {
            self.stages.end(stage);
            self.stage = self.stages.begin();
        }
    }
}

impl<S: Stages> Proposer for Chain<S> {
    type Proposal = <S::Stage as Proposer>::Proposal;

    fn propose(&self) -> Option<Self::Proposal> {
        self.stage.as_ref()?.propose()
    }

    fn is_done(&self) -> bool {
        self.stage.is_none()
    }

    fn observe(&mut self, interesting: bool) {
        if let Some(stage) = &mut self.stage {
            stage.observe(interesting);
            self.go_on();
        }
    }
}
