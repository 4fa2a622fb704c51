//! Replaces a call by a nested call of the same function: `f(… f(x) …)` becomes `f(x)`.

use crate::edits::Edits;
use crate::session::Session;
use crate::trace::{Kind, NodeId};

/// All hoists, largest calls first, and for each the nearest nested call first.
pub(super) fn list(session: &Session) -> Vec<Edits> {
    let trace = session.trace();
    let mut calls: Vec<NodeId> = trace.nodes().filter(|(_, node)| node.kind == Kind::Call).map(|(id, _)| id).collect();
    calls.sort_by_key(|id| std::cmp::Reverse(trace.size(*id)));
    let nested = |outer: NodeId| {
        let same = trace.node(outer);
        trace.within(outer).filter(move |(_, node)| node.matches(same)).map(move |(inner, _)| Edits::body(outer, inner))
    };
    calls.into_iter().flat_map(nested).collect()
}
