//! Draws get lower values: as many as possible the lowest, then each on its own the lowest that is possible, then two
//! together that must keep their distance or their sum.

use std::collections::BTreeMap;
use std::sync::Arc;

use whittle_lists::{Algorithm, EmptyFirst, Subset, Weights};
use whittle_search::{Search, Stop};

use super::OURS;
use super::lowering::{Choice, Lowering, Values};
use crate::edits::Edits;
use crate::session::Session;
use crate::trace::{Draw, DrawKind, NodeId, Trace, Value};

/// If the maximum of a draw is at most this, every other value is tried, larger ones too: such a draw is likely to
/// choose what to do. Not measured.
const MAX_OF_A_CHOICE: u64 = 7;

/// How many draws behind a draw are tried as its partner. Not measured.
const PARTNERS_TRIED: usize = 3;

/// Sets as many draws as possible to their lowest values, by a list minimizer over those that keep theirs.
pub(super) fn zero(session: &mut Session, search: &mut Search, algorithm: Algorithm) -> Result<(), Stop> {
    let trace = Arc::clone(session.trace());
    let lowered = trace.nodes().filter_map(|(id, node)| {
        let draw = node.draw()?;
        let lowest = lowest(draw);
        (lowest != draw.value).then_some((id, lowest))
    });
    let lowered: Vec<(NodeId, Value)> = lowered.collect();
    if lowered.is_empty() {
        return Ok(());
    }
    let state = EmptyFirst::new(algorithm.minimizer(&Weights::uniform(lowered.len())));
    let edit = move |kept: &Subset| {
        let values = lowered.iter().enumerate().filter(|(place, _)| !kept.contains(*place)).map(|(_, set)| set.clone());
        Some(Edits { values: values.collect(), ..Edits::default() }.apply(&trace))
    };
    session.pursue(search, state, OURS, edit).map(drop)
}

/// Lowers one draw after the other.
pub(super) fn lower(session: &mut Session, search: &mut Search) -> Result<(), Stop> {
    let trace = Arc::clone(session.trace());
    let choices = trace.nodes().filter_map(|(id, node)| {
        let draw = node.draw()?;
        let values = simpler(draw, session.runs.default_value(&node.site));
        let from = draw.value.number().filter(|_| draw.kind == DrawKind::Integer && draw.max > MAX_OF_A_CHOICE);
        (!values.is_empty()).then_some(Choice { id, from, partner: None, values })
    });
    pursue(session, search, choices.collect(), &trace)
}

/// Lowers two numbers of one range by the same amount.
pub(super) fn lower_pairs(session: &mut Session, search: &mut Search) -> Result<(), Stop> {
    let trace = Arc::clone(session.trace());
    let choices = pairs(&trace).filter_map(|[(id, one), (partner, other)]| {
        let most = one.0.min(other.0);
        let mut values: Vec<Value> = [most, most / 2, 1].map(|amount| Value::One(one.0.saturating_sub(amount))).into();
        values.dedup();
        (most > 0).then_some(Choice { id, from: Some(one.0), partner: Some((partner, other.0)), values })
    });
    pursue(session, search, choices.collect(), &trace)
}

/// Moves what one number has to another, so that their sum stays: the first may be of no use then.
pub(super) fn transfers(session: &Session) -> Vec<Edits> {
    let trace = session.trace();
    // Nothing can be moved to or from what is at the lowest already.
    let movable = pairs(trace).filter(|pair| pair.iter().all(|(_, number)| number.0 > 0));
    let moved = |[(first, one), (second, other)]: [(NodeId, Number); 2]| {
        let Number(value, max) = one;
        let sum = u128::from(value) + u128::from(other.0);
        let rest = move |kept: u64| u64::try_from(sum.checked_sub(u128::from(kept))?).ok().filter(|rest| *rest <= max);
        let set = move |a: u64, b: u64| Edits {
            values: BTreeMap::from([(first, Value::One(a)), (second, Value::One(b))]),
            ..Edits::default()
        };
        [0, max / 2, middle(max)]
            .into_iter()
            .filter_map(move |kept| Some([set(kept, rest(kept)?), set(rest(kept)?, kept)]))
    };
    movable.flat_map(moved).flatten().collect()
}

fn pursue(session: &mut Session, search: &mut Search, choices: Vec<Choice>, trace: &Arc<Trace>) -> Result<(), Stop> {
    let trace = Arc::clone(trace);
    let edit = move |values: &Values| Some(Edits { values: values.as_ref().clone(), ..Edits::default() }.apply(&trace));
    session.pursue(search, Lowering::new(choices), OURS, edit).map(drop)
}

/// A number that was drawn, and the largest that could have been.
#[derive(Clone, Copy, PartialEq)]
struct Number(u64, u64);

/// Numbers of one range that are close to each other.
fn pairs(trace: &Trace) -> impl Iterator<Item = [(NodeId, Number); 2]> {
    let numbers = trace.nodes().filter_map(|(id, node)| {
        let draw = node.draw().filter(|draw| draw.kind == DrawKind::Integer && draw.max > MAX_OF_A_CHOICE)?;
        Some((id, Number(draw.value.number()?, draw.max)))
    });
    let numbers: Vec<(NodeId, Number)> = numbers.collect();
    (0..numbers.len()).flat_map(move |place| {
        let first = numbers[place];
        let near: Vec<_> = numbers[place + 1..].iter().take(PARTNERS_TRIED).copied().collect();
        near.into_iter().filter(move |(_, second)| second.1 == first.1.1).map(move |second| [first, second])
    })
}

/// The middle of a range: zero, if the range is one of numbers around zero.
fn middle(max: u64) -> u64 {
    max / 2 + max % 2
}

fn lowest(draw: &Draw) -> Value {
    match &draw.value {
        Value::One(_) => Value::One(0),
        Value::Many(numbers) if draw.kind == DrawKind::Arrangement => Value::Many((0..numbers.len() as u64).collect()),
        Value::Many(numbers) => Value::Many(numbers.iter().map(|_| 0).collect()),
    }
}

/// What else a draw could come out as, the most promising first.
fn simpler(draw: &Draw, default: Option<&Value>) -> Vec<Value> {
    let mut values = vec![lowest(draw)];
    match (&draw.value, draw.kind) {
        (Value::One(_), DrawKind::Integer) if draw.max <= MAX_OF_A_CHOICE => {
            values.extend((1..=draw.max).map(Value::One));
        }
        // It is the lowest already; but where a range is one of numbers around zero, zero is shorter.
        (Value::One(0), DrawKind::Integer) => values.push(Value::One(middle(draw.max))),
        (Value::One(number), DrawKind::Integer) => {
            // What is simplest may be too simple by one only.
            let zero = middle(draw.max);
            values.extend([1, zero, zero + 1, zero - 1].map(Value::One));
            values.extend(default.cloned());
            let steps = [number.saturating_sub(1), number.saturating_add(1).min(draw.max)];
            values.extend([draw.max - number, number / 2].into_iter().chain(steps).map(Value::One));
        }
        (Value::One(number), DrawKind::Fraction) => {
            // Values with few bits are short when they are printed.
            values.extend([1 << 52, draw.max, *number >> 49 << 49, *number >> 45 << 45].map(Value::One));
        }
        (Value::One(bits), _) => {
            let number = f64::from_bits(*bits);
            values.extend([1.0, number.trunc()].map(|simple| Value::One(simple.to_bits())));
        }
        (Value::Many(numbers), DrawKind::Arrangement) => values.extend(swaps(numbers)),
        (Value::Many(_), _) => {}
    }
    let mut seen = vec![draw.value.clone()];
    values.retain(|value| {
        let new = !seen.contains(value);
        seen.push(value.clone());
        new
    });
    values
}

/// Arrangements with one more neighbour in order.
fn swaps(numbers: &[u64]) -> impl Iterator<Item = Value> + '_ {
    let falls = (1..numbers.len()).filter(|place| numbers[place - 1] > numbers[*place]);
    falls.map(|place| {
        let mut swapped = numbers.to_vec();
        swapped.swap(place - 1, place);
        Value::Many(swapped.into())
    })
}
