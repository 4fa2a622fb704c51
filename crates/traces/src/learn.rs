//! Finds out by intervention which draw decides what: change one draw, run only the generator, and see which loop or
//! selection changes. This takes no test runs, and the result applies to all nodes of a site.

use crate::edits::Edits;
use crate::parts::{Count, Decision, Facts, Link, condition_draws, then_branch};
use crate::runs::Runs;
use crate::trace::{Draw, DrawKind, Kind, NodeId, Trace, Value};

/// How many draws before a loop are looked at, nearest first. Not measured.
const MAX_DRAWS_BEFORE: usize = 12;

impl Facts {
    /// Learns about sites of `trace` that are not yet known.
    pub fn learn(&mut self, trace: &Trace, runs: &Runs) {
        for (id, node) in trace.nodes() {
            match node.kind {
                Kind::Loop { .. } if trace.size(id) > 1 && !self.loops.contains_key(&node.site) => {
                    self.loops.insert(node.site.clone(), find_count(trace, id, runs));
                }
                // Only a condition that is true can show what makes it false.
                Kind::Selection if then_branch(trace, id).is_some() && !self.selections.contains_key(&node.site) => {
                    self.selections.insert(node.site.clone(), find_decision(trace, id, runs));
                }
                _ => {}
            }
        }
    }
}

fn find_count(trace: &Trace, looping: NodeId, runs: &Runs) -> Count {
    let rounds = |trace: &Trace, id: NodeId| trace.rounds(id).count() as u64;
    let before = rounds(trace, looping);
    let numbers = (1..looping.0).rev().map(NodeId).filter(|id| nudged(trace.node(*id).draw()).is_some());
    for id in numbers.take(MAX_DRAWS_BEFORE) {
        let Some((value, upwards)) = nudged(trace.node(id).draw()) else { continue };
        let outcome = runs.realigned(Edits::value(id, value).apply(trace));
        let Ok(generated) = &*outcome else { continue };
        let Some(there) = generated.trace.counterpart(trace, looping) else { continue };
        let after = rounds(&generated.trace, there);
        if (after > before) == upwards && after != before {
            return Count::Drawn(Link::between(trace, looping, id, after.abs_diff(before)));
        }
    }
    Count::NotDrawn
}

/// Another value for a draw, close enough to show how many rounds one step makes; and whether it is larger.
fn nudged(draw: Option<&Draw>) -> Option<(Value, bool)> {
    let Draw { kind, max, value, .. } = draw?;
    let value = value.number()?;
    match kind {
        DrawKind::Integer if value > 0 => Some((Value::One(value - 1), false)),
        DrawKind::Integer if value < *max => Some((Value::One(value + 1), true)),
        // One unit would have no visible effect.
        DrawKind::Fraction if value > 0 => Some((Value::One(value / 2), false)),
        _ => None,
    }
}

fn find_decision(trace: &Trace, selection: NodeId, runs: &Runs) -> Decision {
    for (place, id) in condition_draws(trace, selection).into_iter().enumerate() {
        for value in trace.node(id).draw().map(extremes).unwrap_or_default() {
            let outcome = runs.realigned(Edits::value(id, value.clone()).apply(trace));
            let Ok(generated) = &*outcome else { continue };
            let there = generated.trace.counterpart(trace, selection);
            if there.is_some_and(|there| then_branch(&generated.trace, there).is_none()) {
                return Decision::Drawn(place, value);
            }
        }
    }
    Decision::NotDrawn
}

/// The values most likely to flip a condition.
pub(crate) fn extremes(draw: &Draw) -> Vec<Value> {
    if !matches!(draw.kind, DrawKind::Integer | DrawKind::Fraction) {
        return Vec::new();
    }
    let values = [0, draw.max].map(Value::One);
    values.into_iter().filter(|value| *value != draw.value).collect()
}
