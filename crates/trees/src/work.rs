//! [`Work`]: edits of one file so far, and how more of them are tried.
//!
//! Passes over trees and passes over tokens differ in what an edit is; how edits are tried is the same.

use std::sync::Arc;

use whittle_lists::{AnyMinimizer, Completion, EmptyFirst, Proposed, Stage, Subset};
use whittle_search::{Candidate, Proposer, Search, Stages, Stop};

/// What can be edited: a tree, or the tokens of a file.
pub trait Editable: Send + Sync + 'static {
    /// Changes that are made together.
    type Edit: Clone + Send + 'static;

    /// All edits so far.
    type Edits: Send + Sync + 'static;

    /// The edits so far and one more.
    fn with(so_far: &Self::Edits, edit: &Self::Edit) -> Self::Edits;

    /// The candidate after some edits; `None` if it is not worth a test.
    fn render(&self, edits: &Self::Edits) -> Option<Candidate>;
}

/// What a pass over `T` tries at one place.
pub type StageOf<T> = Stage<<T as Editable>::Edits, <T as Editable>::Edit>;

/// What is edited, and the edits so far.
pub struct Work<T: Editable> {
    original: Arc<T>,
    so_far: Arc<T::Edits>,
}

impl<T: Editable> Clone for Work<T> {
    fn clone(&self) -> Self {
        Self { original: Arc::clone(&self.original), so_far: Arc::clone(&self.so_far) }
    }
}

impl<T: Editable> Work<T> {
    /// Starts with these edits.
    pub fn new(original: T, edits: T::Edits) -> Self {
        Self { original: Arc::new(original), so_far: Arc::new(edits) }
    }

    /// What is edited, without the edits.
    pub fn original(&self) -> &T {
        &self.original
    }

    /// The edits so far.
    pub fn so_far(&self) -> &T::Edits {
        &self.so_far
    }

    /// Adds an edit that is known to work.
    pub fn edit(&mut self, edit: &T::Edit) {
        self.so_far = Arc::new(T::with(&self.so_far, edit));
    }

    /// The candidate with one more edit; `None` if it is not worth a test.
    pub fn render_with(&self, edit: &T::Edit) -> Option<Candidate> {
        self.original.render(&T::with(&self.so_far, edit))
    }

    /// A stage that takes the first of several edits that works.
    pub fn first_of(&self, edits: Vec<T::Edit>) -> StageOf<T> {
        Stage::first_of(&self.so_far, edits)
    }

    /// The same, of those that `is_worth` a test, which workers ask for.
    pub fn first_of_those(
        &self,
        edits: Vec<T::Edit>,
        is_worth: impl Fn(&T::Edit) -> bool + Send + Sync + 'static,
    ) -> StageOf<T> {
        Stage::first_of_those(&self.so_far, edits, is_worth)
    }

    /// A stage in which a minimizer chooses the elements of a list that stay, as [`Stage::list`] says.
    pub fn list(
        &self,
        minimizer: EmptyFirst<AnyMinimizer>,
        completion: Option<Arc<dyn Completion>>,
        removal: impl Fn(&Subset) -> Option<T::Edit> + Send + Sync + 'static,
    ) -> StageOf<T> {
        Stage::list(&self.so_far, minimizer, completion, removal)
    }

    /// Adds the edit of a stage that works, and returns it.
    pub fn take(&mut self, stage: &StageOf<T>) -> Option<T::Edit> {
        let taken = stage.taken();
        // Most stages find nothing, and there may be many edits already.
        taken.iter().for_each(|edit| self.edit(edit));
        taken
    }

    /// Runs one stage, and adds the edit that works.
    pub fn run_stage(&mut self, search: &mut Search, stage: StageOf<T>) -> Result<StageOf<T>, Stop> {
        let ended = search.run(stage, self.renderer())?;
        self.take(&ended);
        Ok(ended)
    }

    /// Runs stages one after the other, and gives them back with their results.
    pub fn run_stages<S: Stages<Stage = StageOf<T>>>(&self, search: &mut Search, stages: S) -> Result<S, Stop> {
        search.run_stages(stages, self.renderer())
    }

    /// Tries the edits that `edit_of` makes of proposals, each on top of those so far. The caller adds those that work.
    pub fn run<P, F>(&self, search: &mut Search, proposer: P, edit_of: F) -> Result<P, Stop>
    where
        P: Proposer,
        F: Fn(&P::Proposal) -> T::Edit + Send + Sync + 'static,
    {
        let work = self.clone();
        search.run(proposer, move |proposal| work.render_with(&edit_of(proposal)))
    }

    fn renderer(&self) -> impl Fn(&Proposed<T::Edits, T::Edit>) -> Option<Candidate> + Send + Sync + 'static {
        let original = Arc::clone(&self.original);
        move |proposed| original.render(&T::with(&proposed.so_far, &proposed.edit()?))
    }
}
