//! Adjusts indices: a generator that makes things in a loop and later draws one of them draws by position. When earlier
//! things are removed, the same position means another thing, so the draw must change with it.

use std::sync::Arc;

use whittle_lists::Subset;

use crate::parts::Parts;
use crate::runs::Runs;
use crate::trace::{DrawKind, NodeId, Trace, Value};

/// The rounds of a loop, and the trace they are in.
pub(super) struct Drift {
    runs: Arc<Runs>,
    trace: Arc<Trace>,
    parts: Parts,
    rounds: Vec<usize>,
}

impl Drift {
    pub(super) fn new(runs: Arc<Runs>, trace: Arc<Trace>, parts: Parts, rounds: Vec<usize>) -> Self {
        Self { runs, trace, parts, rounds }
    }

    /// The trace without the rounds that are not kept.
    pub(super) fn plain(&self, kept: &Subset) -> Trace {
        self.parts.without(&self.trace, self.removed(kept).map(|place| self.rounds[place]))
    }

    /// The same with indices adjusted; `None` if none changes.
    pub(super) fn moved(&self, kept: &Subset) -> Option<Trace> {
        let removed: Vec<usize> = self.removed(kept).collect();
        let mut edits = self.parts.removal(&self.trace, removed.iter().map(|place| self.rounds[*place]));
        let outcome = self.runs.realigned(edits.apply(&self.trace));
        let generated = outcome.as_ref().as_ref().ok()?;
        let before = edits.values.len();
        for (id, there) in self.survivors(&edits.removed, &generated.trace) {
            if let Some(value) = self.moved_value(id, there, &generated.trace, &removed) {
                edits.values.entry(id).or_insert(value);
            }
        }
        (edits.values.len() > before).then(|| edits.apply(&self.trace))
    }

    fn removed(&self, kept: &Subset) -> impl Iterator<Item = usize> {
        (0..self.rounds.len()).filter(move |place| !kept.contains(*place))
    }

    /// The remaining draws of the trace, and where they are in the run without the removed rounds.
    fn survivors(&self, removed: &std::collections::BTreeSet<NodeId>, after: &Trace) -> Vec<(NodeId, NodeId)> {
        let mut pairs = Vec::new();
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((here, there)) = open.pop() {
            let mut theirs: Vec<NodeId> = after.children(there).collect();
            for child in self.trace.children(here).filter(|child| !removed.contains(child)) {
                let node = self.trace.node(child);
                let Some(place) = theirs.iter().position(|other| after.node(*other).matches(node)) else { continue };
                let other = theirs.remove(place);
                if node.draw().is_some() { pairs.push((child, other)) } else { open.push((child, other)) }
            }
        }
        pairs
    }

    /// The new index in a draw, if its range shrank by the number of rounds removed before it.
    fn moved_value(&self, id: NodeId, there: NodeId, after: &Trace, removed: &[usize]) -> Option<Value> {
        let draw = self.trace.node(id).draw().filter(|draw| draw.kind == DrawKind::Integer)?;
        let value = draw.value.number()?;
        let max = after.node(there).draw()?.max;
        let done = |place: &&usize| self.trace.node(self.parts.list()[self.rounds[**place]].nodes[0]).end <= id;
        let gone: Vec<u64> = removed.iter().filter(done).map(|place| *place as u64).collect();
        if gone.is_empty() || draw.max.checked_sub(max)? != gone.len() as u64 {
            return None;
        }
        let all: Vec<usize> = (0..self.rounds.len()).collect();
        let made = all.iter().filter(done).count() as u64;
        // What existed before the first round keeps its position.
        let base = draw.max.checked_sub(made - 1)?;
        let passed = gone.iter().filter(|place| base + **place < value).count() as u64;
        // A choice that was matched by its output has moved already.
        let moved = Value::One(value - passed);
        (passed > 0 && after.node(there).draw()?.value != moved).then_some(moved)
    }
}
