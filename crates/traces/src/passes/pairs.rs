//! Two draws that must keep their distance get lower values together.

use std::collections::BTreeMap;

use crate::edits::Edits;
use crate::session::Session;
use crate::trace::{DrawKind, NodeId, Value};

/// How far apart two draws may be, counted in draws.
const REACH: usize = 3;

/// Pairs of numbers with one range, each lowered by the same amount.
pub(super) fn list(session: &Session) -> Vec<Edits> {
    let numbers: Vec<(NodeId, u64, u64)> = session
        .trace()
        .nodes()
        .filter_map(|(id, node)| {
            let draw = node.draw().filter(|draw| draw.kind == DrawKind::Integer)?;
            Some((id, draw.max, draw.value.number().filter(|value| *value > 0)?))
        })
        .collect();
    let mut edits = Vec::new();
    for (place, (first, max, one)) in numbers.iter().enumerate() {
        for (second, _, other) in numbers[place + 1..].iter().take(REACH).filter(|(_, range, _)| range == max) {
            let most = *one.min(other);
            let mut amounts = vec![most, most / 2, 1];
            amounts.retain(|amount| *amount > 0);
            amounts.dedup();
            edits.extend(amounts.into_iter().map(|amount| Edits {
                values: BTreeMap::from([(*first, Value::One(one - amount)), (*second, Value::One(other - amount))]),
                ..Edits::default()
            }));
        }
    }
    edits
}
