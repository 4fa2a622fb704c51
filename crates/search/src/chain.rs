//! [`Chain`]: a pass of many small steps as one proposer, so that the search can test beyond the step at hand.
//!
//! A pass goes from place to place and tries something at each. If each place were a proposer of its own, the workers
//! would fall idle at the end of every one of them, and most of them propose little. In a chain, what is proposed at the
//! next places, should everything at this one fail, is known at once.

use crate::Proposer;

/// What a pass does, one stage after the other. A clone of it is told that proposals failed, so stages must depend on
/// nothing but what came of those before.
pub trait Stages: Clone {
    /// What tries something at one place.
    type Stage: Proposer;

    /// The next stage, or `None` at the end of the pass.
    fn begin(&mut self) -> Option<Self::Stage>;

    /// Takes in what a stage has come to.
    fn end(&mut self, stage: Self::Stage);
}

/// Stages one after the other.
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
    /// Never one that is done.
    stage: Option<S::Stage>,
}

impl<S: Stages> Chain<S> {
    /// At the first proposal of the first stage that has one.
    pub fn new(mut stages: S) -> Self {
        let stage = stages.begin();
        let mut chain = Self { stages, stage };
        chain.go_on();
        chain
    }

    /// What the stages have come to.
    pub fn into_stages(self) -> S {
        self.stages
    }

    /// Leaves stages that are done.
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
