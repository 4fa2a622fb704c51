//! Minimizes calls: gives the draws of a call the values they have in the smallest call of the same function.

use crate::edits::Edits;
use crate::session::Session;
use crate::trace::{Kind, NodeId, Trace};

/// One edit for each call that makes further calls, largest first.
pub(super) fn list(session: &Session) -> Vec<Edits> {
    let trace = session.trace();
    let mut calls: Vec<NodeId> = trace.nodes().filter(|(_, node)| node.kind == Kind::Call).map(|(id, _)| id).collect();
    calls.retain(|id| trace.within(*id).any(|(_, node)| node.kind == Kind::Call));
    calls.sort_by_key(|id| std::cmp::Reverse(trace.size(*id)));
    let pruned = |call: NodeId| {
        let own = trace.within(call).filter(|(id, _)| caller(trace, *id) == call);
        let values = own.filter_map(|(id, node)| {
            let default = session.runs.default_value(&node.site)?;
            (node.draw()?.value != *default).then(|| (id, default.clone()))
        });
        Edits { values: values.collect(), ..Edits::default() }
    };
    calls.into_iter().map(pruned).filter(|edits| *edits != Edits::default()).collect()
}

/// The innermost call around a node.
fn caller(trace: &Trace, id: NodeId) -> NodeId {
    let parent = trace.node(id).parent;
    trace.ancestors(parent).find(|around| trace.node(*around).kind == Kind::Call).unwrap_or(NodeId::ROOT)
}
