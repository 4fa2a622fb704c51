//! [`Edits`]: what is changed in a trace before it is replayed.

use std::collections::{BTreeMap, BTreeSet};

use crate::trace::{Draw, Kind, NodeId, Trace, TraceBuilder, Value};

/// Changes of one trace. What lies within a removed node is gone with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// Nodes that go, with all that is in them.
    pub removed: BTreeSet<NodeId>,
    /// Draws that come out otherwise.
    pub values: BTreeMap<NodeId, Value>,
    /// Nodes that get what is in another node in the place of what is in them.
    pub bodies: BTreeMap<NodeId, NodeId>,
}

impl Edits {
    /// One draw comes out otherwise.
    pub fn value(id: NodeId, value: Value) -> Self {
        Self { values: BTreeMap::from([(id, value)]), ..Self::default() }
    }

    /// One node gets what is in another.
    pub fn body(id: NodeId, from: NodeId) -> Self {
        Self { bodies: BTreeMap::from([(id, from)]), ..Self::default() }
    }

    /// The trace after all changes.
    pub fn apply(&self, trace: &Trace) -> Trace {
        let mut builder = TraceBuilder::default();
        self.copy_body(trace, NodeId::ROOT, &mut builder);
        builder.finish()
    }

    fn copy_body(&self, trace: &Trace, id: NodeId, builder: &mut TraceBuilder) {
        let source = self.bodies.get(&id).copied().unwrap_or(id);
        for child in trace.children(source) {
            if !self.removed.contains(&child) {
                self.copy(trace, child, builder);
            }
        }
    }

    fn copy(&self, trace: &Trace, id: NodeId, builder: &mut TraceBuilder) {
        let node = trace.node(id);
        let kind = match (&node.kind, self.values.get(&id)) {
            (Kind::Draw(draw), Some(value)) => Kind::Draw(Draw { value: value.clone(), ..draw.clone() }),
            (kind, _) => kind.clone(),
        };
        builder.open(kind, node.site.clone());
        self.copy_body(trace, id, builder);
        builder.close();
    }
}
