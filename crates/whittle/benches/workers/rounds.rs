//! What rounds could gain at best, from the outcomes of a sequential run.
//!
//! In a round, a fixed number of proposals of one pass are tested from the same base, and all that succeed are merged by one more
//! test. The model is generous: every merge works, and no proposal depends on one before it, so no test is added but the merges.
//! Failures are speculated upon perfectly, within and between rounds. So the sequential steps are the rounds in which something
//! succeeds, and the merges. With a width of one this is the bound that the other tables show.
//!
//! In a pass that minimizes lists, each proposal rests on the outcomes before it, so there are no rounds in such passes unless
//! `everywhere` is asked for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use whittle::search::{Event, Listener, Moment, Verdict};

/// The passes that minimize lists.
const LIST_PASSES: [&str; 4] = ["perses", "declarations", "comments", "lines"];

/// How many proposals make a round.
pub(crate) const WIDTHS: [usize; 5] = [1, 4, 16, 64, 256];

/// Whether each counted test succeeded, pass by pass.
#[derive(Clone, Default)]
pub(crate) struct Outcomes(Arc<Mutex<Record>>);

#[derive(Default)]
struct Record {
    /// The passes that the search is in, the innermost last.
    within: Vec<String>,
    /// What happened in a pass without another one in between.
    stretches: Vec<(String, Vec<bool>)>,
}

/// What a run with rounds takes.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) tests: u64,
    /// How many tests come one after the other.
    pub(crate) steps: u64,
}

impl Outcomes {
    fn lock(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// With rounds of this width and so many workers.
    pub(crate) fn cost(&self, width: usize, everywhere: bool, workers: u64) -> Cost {
        let record = self.lock();
        let (mut cost, mut ahead) = (Cost::default(), 0);
        let rounds = record.stretches.iter().flat_map(|(pass, outcomes)| {
            let has_rounds = everywhere || !LIST_PASSES.contains(&pass.as_str());
            outcomes.chunks(if has_rounds { width } else { 1 })
        });
        for round in rounds {
            let successes = round.iter().filter(|&&success| success).count();
            cost.tests += round.len() as u64;
            ahead += round.len() as u64;
            if successes > 0 {
                let merges = u64::from(successes > 1);
                cost.tests += merges;
                cost.steps += ahead.div_ceil(workers) + merges;
                ahead = 0;
            }
        }
        cost.steps += ahead.div_ceil(workers);
        cost
    }
}

impl Listener for Outcomes {
    fn notify(&mut self, event: &Event, _: &Moment<'_>) {
        let mut record = self.lock();
        match event {
            Event::PassBegun { pass } => record.within.push(pass.clone()),
            Event::PassEnded { .. } => drop(record.within.pop()),
            Event::Tested { verdict, .. } => {
                let success = *verdict == Verdict::Interesting;
                let pass = record.within.last().cloned().unwrap_or_default();
                match record.stretches.last_mut() {
                    Some((last, outcomes)) if *last == pass => outcomes.push(success),
                    _ => record.stretches.push((pass, vec![success])),
                }
            }
            _ => {}
        }
    }
}
