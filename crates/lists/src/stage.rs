//! [`Stage`]: what a pass tries at one place, on top of the edits so far: the first of several edits that works, or a
//! list that loses elements.
//!
//! A pass over a tree or over tokens is a chain of stages, so proposals carry the edits that they are made on. An edit
//! is made on a worker, and may be anything: edits of a tree, other texts for tokens.

use std::sync::Arc;

use whittle_search::{FirstOf, Proposer};

use crate::{AnyMinimizer, EmptyFirst, Subset};

/// What a pass tries at one place, on top of the edits so far, which are a `B`. Each edit is an `E`.
pub struct Stage<B, E> {
    so_far: Arc<B>,
    trial: Trial<E>,
}

#[derive(Clone)]
enum Trial<E> {
    FirstOf(FirstOf<E>, Option<Filter<E>>),
    List(ListTrial<E>),
}

/// Whether an edit is worth a test.
type Filter<E> = Arc<dyn Fn(&E) -> bool + Send + Sync>;

/// An edit on top of those so far.
pub struct Proposed<B, E> {
    /// The edits so far.
    pub so_far: Arc<B>,
    pending: Pending<E>,
}

/// An edit that is made on a worker.
enum Pending<E> {
    Made(E, Option<Filter<E>>),
    Kept { kept: Subset, completion: Option<Arc<dyn Completion>>, removal: Removal<E> },
}

/// Makes the edit that leaves some elements of a list; `None` if that makes no sense.
type Removal<E> = Arc<dyn Fn(&Subset) -> Option<E> + Send + Sync>;

/// Adds to some elements of a list those that they need.
pub trait Completion: Send + Sync {
    /// These elements with all that they need.
    fn complete(&self, kept: &Subset) -> Subset;

    /// Whether `kept` needs, directly or not, all other elements of `current`, of which it is a part. Costs less than a
    /// completion if these are few.
    fn needs_all(&self, kept: &Subset, current: &Subset) -> bool;
}

impl<B, E: Clone> Proposed<B, E> {
    /// The edit; `None` if it makes no sense.
    pub fn edit(&self) -> Option<E> {
        match &self.pending {
            Pending::Made(edit, filter) => filter.as_ref().is_none_or(|is_worth| is_worth(edit)).then(|| edit.clone()),
            Pending::Kept { kept, completion, removal } => removal(&completed(completion.as_ref(), kept)),
        }
    }
}

impl<B, E> Stage<B, E> {
    /// Takes the first of several edits that works.
    pub fn first_of(so_far: &Arc<B>, edits: Vec<E>) -> Self {
        Self { so_far: Arc::clone(so_far), trial: Trial::FirstOf(FirstOf::new(edits), None) }
    }

    /// The same, of those that `is_worth` a test. Workers ask for that, so it may take its time.
    pub fn first_of_those(
        so_far: &Arc<B>,
        edits: Vec<E>,
        is_worth: impl Fn(&E) -> bool + Send + Sync + 'static,
    ) -> Self {
        let trial = Trial::FirstOf(FirstOf::new(edits), Some(Arc::new(is_worth)));
        Self { so_far: Arc::clone(so_far), trial }
    }

    /// Lets a minimizer choose the elements of a list that stay; `removal` makes the edit that leaves them.
    ///
    /// With a completion, proposals also keep what the chosen elements need. At the end, one more test does without.
    pub fn list(
        so_far: &Arc<B>,
        minimizer: EmptyFirst<AnyMinimizer>,
        completion: Option<Arc<dyn Completion>>,
        removal: impl Fn(&Subset) -> Option<E> + Send + Sync + 'static,
    ) -> Self {
        let (len, removal) = (minimizer.current().len(), Arc::new(removal));
        let mut list = ListTrial { len, removal, completion, phase: Phase::Minimizing(minimizer) };
        list.go_on();
        Self { so_far: Arc::clone(so_far), trial: Trial::List(list) }
    }
}

impl<B, E: Clone> Stage<B, E> {
    /// The edit that works, if there is one.
    pub fn taken(&self) -> Option<E> {
        match &self.trial {
            Trial::FirstOf(first, _) => first.taken().cloned(),
            Trial::List(list) => list.taken(),
        }
    }

    /// The edits of which none worked.
    pub fn failed(&self) -> &[E] {
        match &self.trial {
            Trial::FirstOf(first, _) => first.failed(),
            Trial::List(_) => &[],
        }
    }

    /// The elements of a list that stay; `None` if no list was tried.
    pub fn kept(&self) -> Option<Subset> {
        match &self.trial {
            Trial::FirstOf(..) => None,
            Trial::List(list) => Some(list.kept()),
        }
    }
}

impl<B, E: Clone> Clone for Stage<B, E> {
    fn clone(&self) -> Self {
        Self { so_far: Arc::clone(&self.so_far), trial: self.trial.clone() }
    }
}

impl<B: Send + Sync + 'static, E: Clone + Send + 'static> Proposer for Stage<B, E> {
    type Proposal = Proposed<B, E>;

    fn propose(&self) -> Option<Self::Proposal> {
        let pending = match &self.trial {
            Trial::FirstOf(first, filter) => Pending::Made(first.propose()?, filter.clone()),
            Trial::List(list) => list.propose()?,
        };
        Some(Proposed { so_far: Arc::clone(&self.so_far), pending })
    }

    fn is_done(&self) -> bool {
        match &self.trial {
            Trial::FirstOf(first, _) => first.is_done(),
            Trial::List(list) => matches!(list.phase, Phase::Done(_)),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match &mut self.trial {
            Trial::FirstOf(first, _) => first.observe(interesting),
            Trial::List(list) => list.observe(interesting),
        }
    }
}

fn completed(completion: Option<&Arc<dyn Completion>>, chosen: &Subset) -> Subset {
    completion.map_or_else(|| chosen.clone(), |completion| completion.complete(chosen))
}

/// A list that loses elements.
#[derive(Clone)]
struct ListTrial<E> {
    len: usize,
    removal: Removal<E>,
    completion: Option<Arc<dyn Completion>>,
    phase: Phase,
}

#[derive(Clone)]
enum Phase {
    Minimizing(EmptyFirst<AnyMinimizer>),
    /// These were chosen; now they are tried without what they need.
    WithoutNeeds(Subset),
    Done(Subset),
}

impl<E> ListTrial<E> {
    fn kept(&self) -> Subset {
        match &self.phase {
            Phase::Minimizing(minimizer) => self.completed(minimizer.current()),
            Phase::WithoutNeeds(chosen) => self.completed(chosen),
            Phase::Done(kept) => kept.clone(),
        }
    }

    fn completed(&self, chosen: &Subset) -> Subset {
        completed(self.completion.as_ref(), chosen)
    }

    fn taken(&self) -> Option<E> {
        let kept = self.kept();
        (kept.len() < self.len).then(|| (self.removal)(&kept)).flatten()
    }

    fn propose(&self) -> Option<Pending<E>> {
        let (completion, kept) = match &self.phase {
            Phase::Minimizing(minimizer) => (self.completion.clone(), minimizer.propose()?),
            Phase::WithoutNeeds(chosen) => (None, chosen.clone()),
            Phase::Done(_) => return None,
        };
        Some(Pending::Kept { kept, completion, removal: Arc::clone(&self.removal) })
    }

    fn observe(&mut self, interesting: bool) {
        match &mut self.phase {
            Phase::Minimizing(minimizer) => minimizer.observe(interesting),
            Phase::WithoutNeeds(chosen) => {
                let chosen = std::mem::take(chosen);
                self.phase = Phase::Done(if interesting { chosen } else { self.completed(&chosen) });
            }
            Phase::Done(_) => {}
        }
        self.go_on();
    }

    /// Takes proposals that remove nothing, since what they keep needs all the rest: the choice becomes smaller, and what
    /// is needed stays as long as its need does. Leaves the minimizer when it is done.
    fn go_on(&mut self) {
        let Phase::Minimizing(minimizer) = &mut self.phase else { return };
        if let Some(completion) = &self.completion {
            let removes_nothing =
                |kept: &Subset, current: &Subset| !kept.is_empty() && completion.needs_all(kept, current);
            while minimizer.propose().is_some_and(|kept| removes_nothing(&kept, minimizer.current())) {
                minimizer.observe(true);
            }
        }
        if minimizer.is_done() {
            let chosen = minimizer.current().clone();
            let is_complete = self.completed(&chosen) == chosen;
            self.phase = if is_complete { Phase::Done(chosen) } else { Phase::WithoutNeeds(chosen) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Weights};

    /// The last element needs the first.
    struct LastNeedsFirst;

    impl Completion for LastNeedsFirst {
        fn complete(&self, kept: &Subset) -> Subset {
            let first = kept.contains(2).then_some(0);
            Subset::from_elements(first.into_iter().chain(kept.elements().filter(|&element| Some(element) != first)))
        }

        fn needs_all(&self, kept: &Subset, current: &Subset) -> bool {
            kept.contains(2) && current.difference(kept).all(|element| element == 0)
        }
    }

    /// The tested lists, and what stays of three elements of which the last needs the first.
    fn run(is_interesting: fn(&[usize]) -> bool) -> (Vec<Vec<usize>>, Vec<usize>) {
        let minimizer = EmptyFirst::new(Algorithm::default().minimizer(&Weights::uniform(3)));
        let removal = |kept: &Subset| Some(kept.elements().collect::<Vec<_>>());
        let mut stage = Stage::list(&Arc::new(()), minimizer, Some(Arc::new(LastNeedsFirst)), removal);
        let mut tested = Vec::new();
        while let Some(kept) = stage.propose().and_then(|proposed| proposed.edit()) {
            stage.observe(is_interesting(&kept));
            tested.push(kept);
        }
        (tested, stage.taken().unwrap_or_default())
    }

    #[test]
    fn the_empty_list_comes_first_and_ends_the_stage_if_it_works() {
        assert_eq!(run(|_| true), (vec![vec![]], vec![]));
    }

    #[test]
    fn chosen_elements_are_kept_with_what_they_need_and_at_the_end_without() {
        let (tested, kept) = run(|kept| kept.contains(&2));
        assert_eq!((tested.first(), tested.last()), (Some(&vec![]), Some(&vec![2])));
        assert!(tested.contains(&vec![0, 2]) && kept == [2], "{tested:?}");
        assert_eq!(run(|kept| kept.contains(&2) && kept.contains(&0)).1, [0, 2]);
        let is_new = |(number, kept): (usize, &Vec<usize>)| !tested[..number].contains(kept) && kept.len() < 3;
        assert!(tested.iter().enumerate().all(is_new), "what removes nothing is not tested: {tested:?}");
    }
}
