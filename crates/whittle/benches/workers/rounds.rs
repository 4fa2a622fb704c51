//! What rounds could gain at best, from the outcomes of a sequential run.
//!
//! In a round, a fixed number of proposals of one pass are tested from the same base, and all that succeed are merged by one more
//! test. The model is generous: every merge works, and no proposal depends on one before it, so no test is added but the merges.
//! Failures are speculated upon perfectly, within and between rounds. So the sequential steps are the rounds in which something
//! succeeds, and the merges. With a width of one this is the bound that the other tables show.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use whittle::search::{Event, Listener, Moment, Verdict};

/// How many proposals make a round.
pub(crate) const WIDTHS: [usize; 5] = [1, 4, 16, 64, 256];

/// Whether each counted test succeeded, pass by pass.
#[derive(Clone, Default)]
pub(crate) struct Outcomes(Arc<Mutex<Vec<Vec<bool>>>>);

/// What a run with rounds takes.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) tests: u64,
    /// How many tests come one after the other.
    pub(crate) steps: u64,
}

impl Outcomes {
    fn lock(&self) -> MutexGuard<'_, Vec<Vec<bool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// With rounds of this width and so many workers.
    pub(crate) fn cost(&self, width: usize, workers: u64) -> Cost {
        let passes = self.lock();
        let (mut cost, mut ahead) = (Cost::default(), 0);
        for round in passes.iter().flat_map(|pass| pass.chunks(width)) {
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
        let mut passes = self.lock();
        match event {
            Event::PassBegun { .. } => passes.push(Vec::new()),
            Event::Tested { verdict, .. } => {
                let success = *verdict == Verdict::Interesting;
                match passes.last_mut() {
                    Some(pass) => pass.push(success),
                    None => passes.push(vec![success]),
                }
            }
            _ => {}
        }
    }
}
