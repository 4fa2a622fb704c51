//! [`Lowering`]: searches for the simplest value of each draw in turn.
//!
//! All proposals are edits of one trace, so that many draws can be tested at once. A draw that is no longer reached has
//! no effect.

use std::collections::BTreeMap;
use std::sync::Arc;

use whittle_search::Proposer;

use crate::trace::{NodeId, Value};

/// A draw and its possible values.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) id: NodeId,
    /// Its value, if that is a number that can be changed step by step.
    pub(super) from: Option<u64>,
    /// A draw that is lowered by the same amount, and its value.
    pub(super) partner: Option<(NodeId, u64)>,
    /// The values to try, the most promising first.
    pub(super) values: Vec<Value>,
}

pub(super) type Values = Arc<BTreeMap<NodeId, Value>>;

/// Tries the values of each draw until one is accepted, then bisects between it and the nearest value known to be
/// rejected.
#[derive(Clone, Debug)]
pub(super) struct Lowering {
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
    /// The first number is known to be rejected, the second was accepted.
    Between(u64, u64),
}

impl Lowering {
    pub(super) fn new(choices: Vec<Choice>) -> Self {
        Self { choices: Arc::new(choices), accepted: Values::default(), place: 0, stage: Stage::Listed(0) }
    }

    fn value(&self) -> Option<Value> {
        let choice = self.choices.get(self.place)?;
        match self.stage {
            Stage::Listed(number) => choice.values.get(number).cloned(),
            Stage::Between(bad, good) if bad < good => Some(Value::One(bad + (good - bad) / 2)),
            Stage::Between(bad, good) => Some(Value::One(good + (bad - good).div_ceil(2))),
        }
    }

    fn next_draw(&mut self) {
        self.place += 1;
        self.stage = Stage::Listed(0);
    }

    fn bisect(&mut self, bad: u64, good: u64) {
        self.stage = Stage::Between(bad, good);
        if bad.abs_diff(good) < 2 {
            self.next_draw();
        }
    }
}

impl Choice {
    /// The edit that gives the draw this value.
    fn changes(&self, value: &Value) -> Vec<(NodeId, Value)> {
        let mut changes = vec![(self.id, value.clone())];
        if let (Some((id, other)), Some(from), Some(to)) = (self.partner, self.from, value.number()) {
            changes.push((id, Value::One(other.saturating_sub(from.saturating_sub(to)))));
        }
        changes
    }

    /// The rejected number nearest to an accepted one, on the far side.
    fn beyond(&self, tried: usize) -> Option<(u64, u64)> {
        let from = self.from?;
        let good = self.values[tried].number()?;
        let failed = self.values[..tried].iter().filter_map(Value::number);
        let bad = if good < from { failed.filter(|n| *n < good).max() } else { failed.filter(|n| *n > good).min() };
        Some((bad?, good))
    }
}

impl Proposer for Lowering {
    type Proposal = Values;

    fn propose(&self) -> Option<Values> {
        let value = self.value()?;
        let mut values = self.accepted.as_ref().clone();
        values.extend(self.choices[self.place].changes(&value));
        Some(Arc::new(values))
    }

    fn observe(&mut self, interesting: bool) {
        let (Some(proposal), Some(value)) = (self.propose(), self.value()) else { return };
        if interesting {
            self.accepted = proposal;
        }
        let choices = Arc::clone(&self.choices);
        let choice = &choices[self.place];
        match self.stage {
            Stage::Listed(tried) if interesting => match choice.beyond(tried) {
                Some((bad, good)) => self.bisect(bad, good),
                None => self.next_draw(),
            },
            Stage::Listed(tried) if tried + 1 < choice.values.len() => self.stage = Stage::Listed(tried + 1),
            Stage::Listed(_) => self.next_draw(),
            Stage::Between(bad, good) => {
                let middle = value.number().unwrap_or(good);
                if interesting { self.bisect(bad, middle) } else { self.bisect(middle, good) }
            }
        }
    }
}
