//! Draws get lower values: as many as possible the lowest, then each on its own the lowest that is possible.
//!
//! Everything is an edit of one trace, so that verdicts on many draws can be awaited at once; a draw that is not reached
//! any more changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use whittle_lists::{Algorithm, Subset, Weights};
use whittle_search::{Proposer, Search, Stop};

use super::OURS;
use crate::edits::Edits;
use crate::empty_first::EmptyFirst;
use crate::session::Session;
use crate::trace::{Draw, DrawKind, NodeId, Value};

/// Up to this maximum every other value is tried, larger ones too: such a draw is likely to choose what to do.
const FEW: u64 = 7;

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
        let values = simpler(node.draw()?, session.runs.default_value(&node.site));
        Some(Choice { id, steps: node.draw().and_then(steps), values })
    });
    let state = Lowering::new(choices.filter(|choice| !choice.values.is_empty()).collect());
    let edit = move |values: &Values| Some(Edits { values: values.as_ref().clone(), ..Edits::default() }.apply(&trace));
    session.pursue(search, state, OURS, edit).map(drop)
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
        (Value::One(_), DrawKind::Integer) if draw.max <= FEW => values.extend((1..=draw.max).map(Value::One)),
        (Value::One(number), DrawKind::Integer) => {
            values.extend(default.cloned());
            values.extend([number / 2, number.saturating_sub(1)].map(Value::One));
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

/// The number from which one can go down step by step.
fn steps(draw: &Draw) -> Option<u64> {
    draw.value.number().filter(|_| draw.kind == DrawKind::Integer && draw.max > FEW)
}

/// A draw and what it could come out as.
#[derive(Clone, Debug)]
struct Choice {
    id: NodeId,
    /// Its number, if it is one of many.
    steps: Option<u64>,
    values: Vec<Value>,
}

type Values = Arc<BTreeMap<NodeId, Value>>;

/// Tries the values of each draw until one is accepted. Where going down by one was, the lowest number that is accepted
/// is found by bisection.
#[derive(Clone, Debug)]
struct Lowering {
    choices: Arc<Vec<Choice>>,
    /// What was accepted so far.
    accepted: Values,
    place: usize,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Trying the value of this number.
    Listed(usize),
    /// The first number is known to be too low, the second was accepted.
    Between(u64, u64),
}

impl Lowering {
    fn new(choices: Vec<Choice>) -> Self {
        Self { choices: Arc::new(choices), accepted: Values::default(), place: 0, stage: Stage::Listed(0) }
    }

    fn next_draw(&mut self) {
        self.place += 1;
        self.stage = Stage::Listed(0);
    }

    fn bisect(&mut self, low: u64, high: u64) {
        self.stage = Stage::Between(low, high);
        if high - low < 2 {
            self.next_draw();
        }
    }

    fn value(&self) -> Option<Value> {
        let choice = self.choices.get(self.place)?;
        match self.stage {
            Stage::Listed(number) => choice.values.get(number).cloned(),
            Stage::Between(low, high) => Some(Value::One(low + (high - low) / 2)),
        }
    }

    /// After the failure of all values below it, going down from `number` is what is left.
    fn follow_up(&self, choice: &Choice, tried: usize) -> Option<(u64, u64)> {
        let from = choice.steps?;
        let accepted = choice.values[tried].number().filter(|number| *number < from)?;
        let too_low =
            choice.values[..tried].iter().filter_map(Value::number).filter(|number| *number < accepted).max()?;
        Some((too_low, accepted))
    }
}

impl Proposer for Lowering {
    type Proposal = Values;

    fn propose(&self) -> Option<Values> {
        let value = self.value()?;
        let mut values = self.accepted.as_ref().clone();
        values.insert(self.choices[self.place].id, value);
        Some(Arc::new(values))
    }

    fn observe(&mut self, interesting: bool) {
        let Some(proposal) = self.propose() else { return };
        let Some(value) = self.value() else { return };
        if interesting {
            self.accepted = proposal;
        }
        let choices = Arc::clone(&self.choices);
        let choice = &choices[self.place];
        match self.stage {
            Stage::Listed(tried) if interesting => match self.follow_up(choice, tried) {
                Some((low, high)) => self.bisect(low, high),
                None => self.next_draw(),
            },
            Stage::Listed(tried) if tried + 1 < choice.values.len() => self.stage = Stage::Listed(tried + 1),
            Stage::Listed(_) => self.next_draw(),
            Stage::Between(low, high) => {
                let middle = value.number().unwrap_or(high);
                if interesting { self.bisect(low, middle) } else { self.bisect(middle, high) }
            }
        }
    }
}
