//! [`Edits`]: changes to a trace before it is replayed.

use std::collections::{BTreeMap, BTreeSet};

use crate::trace::{Draw, Kind, NodeId, Trace, TraceBuilder, Value};

/// Changes to one trace. A node is removed with everything in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// Nodes to remove, with everything in them.
    pub removed: BTreeSet<NodeId>,
    /// Draws with other values.
    pub values: BTreeMap<NodeId, Value>,
    /// Nodes whose content is replaced by that of another node.
    pub bodies: BTreeMap<NodeId, NodeId>,
}

impl Edits {
    /// Gives one draw another value.
    pub fn value(id: NodeId, value: Value) -> Self {
        Self { values: BTreeMap::from([(id, value)]), ..Self::default() }
    }

    /// Replaces the content of one node by that of another.
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
            (Kind::Draw(draw), Some(value)) => Kind::Draw(Draw { value: value.clone(), output: None, ..draw.clone() }),
            (kind, _) => kind.clone(),
        };
        builder.open(kind, node.site.clone());
        self.copy_body(trace, id, builder);
        builder.close();
    }
}
