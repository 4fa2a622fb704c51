//! Flips selections in both directions, to remove a block or to take an early exit.

use crate::edits::Edits;
use crate::learn::extremes;
use crate::parts::condition_draws;
use crate::session::Session;
use crate::trace::{Kind, NodeId};

/// Edits that set draws in conditions to their extremes, the largest selections first.
pub(super) fn list(session: &Session) -> Vec<Edits> {
    let trace = session.trace();
    let mut selections: Vec<NodeId> =
        trace.nodes().filter(|(_, node)| node.kind == Kind::Selection).map(|(id, _)| id).collect();
    selections.sort_by_key(|id| std::cmp::Reverse(trace.size(*id)));
    let draws = selections.into_iter().flat_map(|id| condition_draws(trace, id));
    draws
        .flat_map(|id| {
            trace.node(id).draw().map(extremes).into_iter().flatten().map(move |value| Edits::value(id, value))
        })
        .collect()
}
