//! [`Lowering`]: the search for the simplest value of one draw after the other.
//!
//! Everything is an edit of one trace, so that verdicts on many draws can be awaited at once; a draw that is not reached
//! any more changes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use whittle_search::Proposer;

use crate::trace::{NodeId, Value};

/// A draw and what it could come out as.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) id: NodeId,
    /// What it came out as, if that is a number that one can go away from step by step.
    pub(super) from: Option<u64>,
    /// A draw that is lowered by the same amount, and what that came out as.
    pub(super) partner: Option<(NodeId, u64)>,
    /// What to try, the most promising first.
    pub(super) values: Vec<Value>,
}

pub(super) type Values = Arc<BTreeMap<NodeId, Value>>;

/// Tries the values of each draw until one is accepted; from there it goes on by bisection to the nearest value that is
/// known not to be.
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
    /// The first number is known not to be accepted, the second was.
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
    /// What to set so that the draw comes out as `value`.
    fn changes(&self, value: &Value) -> Vec<(NodeId, Value)> {
        let mut changes = vec![(self.id, value.clone())];
        if let (Some((id, other)), Some(from), Some(to)) = (self.partner, self.from, value.number()) {
            changes.push((id, Value::One(other.saturating_sub(from.saturating_sub(to)))));
        }
        changes
    }

    /// The nearest number beyond an accepted one that was tried in vain.
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
