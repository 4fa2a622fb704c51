//! [`Stage`]: what a pass tries at one place of a tree, on top of the edits so far.

use std::sync::Arc;

use whittle_lists::{Algorithm, AnyMinimizer, Minimizer, Subset, Weights};
use whittle_search::Proposer;

use super::alternatives::Alternatives;
use super::needs::Needs;
use crate::{Edit, Edits, NodeId};

/// Edits that belong together.
pub(crate) type EditSet = Vec<(NodeId, Edit)>;

/// Something tried at one place.
#[derive(Clone)]
pub(crate) enum Stage {
    /// Sets of edits of which the first that works is taken.
    Sets(SetStage),
    /// A list that loses what it can.
    List(ListStage),
}

/// More edits on top of those so far.
pub(crate) struct Proposed {
    so_far: Arc<Edits>,
    more: More,
}

enum More {
    Set(Arc<Vec<EditSet>>, usize),
    AllBut { edits: Arc<EditSet>, needs: Option<Arc<Needs>>, kept: Subset },
}

impl Proposed {
    /// All of them together.
    pub(crate) fn edits(&self) -> Edits {
        match &self.more {
            More::Set(sets, number) => with(&self.so_far, sets[*number].iter().copied()),
            More::AllBut { edits, needs, kept } => {
                let completed = needs.as_ref().map(|needs| needs.closure(kept));
                with(&self.so_far, removed(edits, completed.as_ref().unwrap_or(kept)))
            }
        }
    }
}

impl Proposer for Stage {
    type Proposal = Proposed;

    fn propose(&self) -> Option<Proposed> {
        match self {
            Self::Sets(stage) => stage.propose(),
            Self::List(stage) => stage.propose(),
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Self::Sets(stage) => stage.is_done(),
            Self::List(stage) => stage.is_done(),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match self {
            Self::Sets(stage) => stage.observe(interesting),
            Self::List(stage) => stage.observe(interesting),
        }
    }
}

/// Sets of edits of which the first that works is taken.
#[derive(Clone)]
pub(crate) struct SetStage {
    so_far: Arc<Edits>,
    sets: Arc<Vec<EditSet>>,
    alternatives: Alternatives,
}

impl SetStage {
    pub(crate) fn new(so_far: &Arc<Edits>, sets: Vec<EditSet>) -> Self {
        let alternatives = Alternatives::new(sets.len());
        Self { so_far: Arc::clone(so_far), sets: Arc::new(sets), alternatives }
    }

    /// Those before the one that works.
    pub(crate) fn failed(&self) -> &[EditSet] {
        &self.sets[..self.alternatives.taken().unwrap_or(self.sets.len())]
    }

    /// The set that works.
    pub(crate) fn taken(&self) -> Option<&EditSet> {
        self.alternatives.taken().map(|number| &self.sets[number])
    }
}

impl Proposer for SetStage {
    type Proposal = Proposed;

    fn propose(&self) -> Option<Proposed> {
        let more = More::Set(Arc::clone(&self.sets), self.alternatives.propose()?);
        Some(Proposed { so_far: Arc::clone(&self.so_far), more })
    }

    fn is_done(&self) -> bool {
        self.alternatives.is_done()
    }

    fn observe(&mut self, interesting: bool) {
        self.alternatives.observe(interesting);
    }
}

/// Edits of which a minimizer chooses those that are left out. All of them are tried together first, if that is allowed.
/// What is left out is completed by what it needs; in the end the completion goes, if that works.
#[derive(Clone)]
pub(crate) struct ListStage {
    so_far: Arc<Edits>,
    edits: Arc<EditSet>,
    needs: Option<Arc<Needs>>,
    phase: Phase,
}

#[derive(Clone)]
enum Phase {
    All(AnyMinimizer),
    Some(AnyMinimizer),
    WithoutNeeds(Subset),
    Done(Subset),
}

impl ListStage {
    /// Edits with a weight each.
    pub(crate) fn new(
        so_far: &Arc<Edits>,
        edits: EditSet,
        weights: &[u32],
        needs: Option<Needs>,
        may_be_empty: bool,
        algorithm: Algorithm,
    ) -> Self {
        let minimizer = algorithm.minimizer(&Weights::new(weights));
        let phase = if may_be_empty { Phase::All(minimizer) } else { Phase::Some(minimizer) };
        let (edits, needs) = (Arc::new(edits), needs.map(Arc::new));
        let mut stage = Self { so_far: Arc::clone(so_far), edits, needs, phase };
        stage.go_on();
        stage
    }

    /// What it chooses among.
    pub(crate) fn edits(&self) -> &EditSet {
        &self.edits
    }

    /// The nodes whose edits were left out.
    pub(crate) fn kept(&self) -> Vec<NodeId> {
        self.subset().elements().map(|element| self.edits[element].0).collect()
    }

    /// The numbers of the edits that were left out.
    pub(crate) fn subset(&self) -> Subset {
        match &self.phase {
            Phase::All(minimizer) | Phase::Some(minimizer) => self.completed(minimizer.current()),
            Phase::WithoutNeeds(chosen) => self.completed(chosen),
            Phase::Done(kept) => kept.clone(),
        }
    }

    /// The edits that work.
    pub(crate) fn taken(&self) -> EditSet {
        removed(&self.edits, &self.subset()).collect()
    }

    fn completed(&self, chosen: &Subset) -> Subset {
        self.needs.as_ref().map_or_else(|| chosen.clone(), |needs| needs.closure(chosen))
    }

    /// Leaves the minimizer when it is done.
    fn go_on(&mut self) {
        if let Phase::Some(minimizer) = &self.phase
            && minimizer.is_done()
        {
            let chosen = minimizer.current().clone();
            let is_complete = self.completed(&chosen) == chosen;
            self.phase = if is_complete { Phase::Done(chosen) } else { Phase::WithoutNeeds(chosen) };
        }
    }
}

impl Proposer for ListStage {
    type Proposal = Proposed;

    fn propose(&self) -> Option<Proposed> {
        let (kept, needs) = match &self.phase {
            Phase::All(_) => (Subset::default(), None),
            Phase::Some(minimizer) => (minimizer.propose()?, self.needs.clone()),
            Phase::WithoutNeeds(chosen) => (chosen.clone(), None),
            Phase::Done(_) => return None,
        };
        let more = More::AllBut { edits: Arc::clone(&self.edits), needs, kept };
        Some(Proposed { so_far: Arc::clone(&self.so_far), more })
    }

    fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done(_))
    }

    fn observe(&mut self, interesting: bool) {
        match &mut self.phase {
            Phase::All(_) if interesting => self.phase = Phase::Done(Subset::default()),
            Phase::All(minimizer) => self.phase = Phase::Some(minimizer.clone()),
            Phase::Some(minimizer) => minimizer.observe(interesting),
            Phase::WithoutNeeds(chosen) => {
                let chosen = std::mem::take(chosen);
                let kept = if interesting { chosen } else { self.completed(&chosen) };
                self.phase = Phase::Done(kept);
            }
            Phase::Done(_) => {}
        }
        self.go_on();
    }
}

/// More edits on top of those that stay.
pub(crate) fn with(so_far: &Edits, more: impl IntoIterator<Item = (NodeId, Edit)>) -> Edits {
    so_far.iter().chain(more).collect()
}

/// The edits of all that is not kept.
fn removed<'a>(edits: &'a [(NodeId, Edit)], kept: &'a Subset) -> impl Iterator<Item = (NodeId, Edit)> + 'a {
    let ends = kept.runs().map(|run| run.end);
    let gaps = std::iter::once(0).chain(ends).zip(kept.runs().map(|run| run.start).chain([edits.len()]));
    gaps.flat_map(move |(start, end)| edits[start..end].iter().copied())
}
