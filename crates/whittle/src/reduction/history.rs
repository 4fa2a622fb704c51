//! [`History`]: the candidates that were the best once, for a way back when the last one turns out not to hold.

use std::sync::{Arc, Mutex, PoisonError};

use whittle_search::{Event, Listener, Measured, Moment};

/// So many of the latest candidates are kept, whatever their size.
const LATEST: usize = 32;

/// Of the earlier ones, each kept candidate is at most this share of the one before: a way back loses a tenth at most.
const STEP: f64 = 0.9;

/// The input and the candidates that were accepted after it, thinned out where they are many.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Arc<Mutex<Vec<Measured>>>);

impl History {
    /// Takes in a candidate that is the best now.
    fn push(&self, best: &Measured) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(best.clone());
        let Some(oldest) = kept.len().checked_sub(LATEST + 2) else { return };
        // The one that leaves the latest stays only if it is clearly smaller than the one before it.
        let size = |measured: &Measured| measured.candidate.byte_count() as f64;
        if size(&kept[oldest + 1]) > size(&kept[oldest]) * STEP {
            kept.remove(oldest + 1);
        }
    }

    /// The kept candidates, the smallest first.
    pub(super) fn smallest_first(&self) -> Vec<Measured> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().cloned().collect()
    }
}

impl Listener for History {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        if *event == Event::Improved {
            self.push(moment.best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whittle_search::Candidate;

    #[test]
    fn the_latest_are_kept_and_earlier_ones_in_steps_of_a_tenth() {
        let history = History::default();
        for size in (1..=10_000).rev() {
            history.push(&Measured::in_bytes(Candidate::single("f", vec![b'x'; size])));
        }
        let sizes: Vec<u64> = history.smallest_first().iter().map(|best| best.candidate.byte_count()).collect();
        assert_eq!(sizes[..LATEST], (1..=LATEST as u64).collect::<Vec<_>>());
        assert_eq!(sizes.last(), Some(&10_000));
        assert!(sizes.len() < 120, "{} candidates are kept", sizes.len());
        let gaps = sizes[LATEST..].windows(2).map(|pair| pair[0] as f64 / pair[1] as f64);
        assert!(gaps.into_iter().all(|gap| gap > 0.85), "{sizes:?}");
    }
}
