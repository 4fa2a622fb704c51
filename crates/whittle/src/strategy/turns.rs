//! Who is next: steps take turns, and the next turn goes to the step from which most is expected.
//!
//! Steps that have had no turn come first, from coarse to fine. Of the others the one is next that took away most bytes
//! for each test in its last turn; one that ended at its own fixpoint is expected to find nothing. A step has no turn
//! while nothing has changed since it last found nothing. It is over when that holds for all of them: every step has
//! looked at the result, but for what it knows to fail, and has left it as it is. All of it depends on counts only,
//! never on the clock.

use std::cmp::Reverse;

use whittle_search::{Fingerprint, Search};

use super::{Step, Unfinished};

/// Which of a step's turns it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    First,
    Later,
}

impl Turn {
    fn after<T>(earlier: &Option<T>) -> Self {
        if earlier.is_none() { Self::First } else { Self::Later }
    }
}

/// What is known of a step.
#[derive(Clone, Debug, Default)]
struct Record {
    /// Bytes per test in the last turn.
    rate: Option<f64>,
    /// The candidate in which it is known to find nothing.
    done_with: Option<Fingerprint>,
}

/// Runs steps one after the other, again and again until a whole round changes nothing. A thorough step is left out
/// while nothing has changed since it ended.
pub(super) fn take_rounds(
    steps: &[Step],
    search: &mut Search,
    mut run: impl FnMut(&Step, Turn, &mut Search) -> Result<(), Unfinished>,
) -> Result<(), Unfinished> {
    let mut ended = vec![None; steps.len()];
    search.fixpoint(|search| {
        steps.iter().zip(&mut ended).try_for_each(|(step, ended)| {
            if *ended != Some(search.best().candidate.fingerprint()) || !step.is_thorough() {
                run(step, Turn::after(ended), search)?;
                *ended = Some(search.best().candidate.fingerprint());
            }
            Ok(())
        })
    })
}

/// Runs steps until none of them finds anything. One that is a fixpoint finds nothing in what it has just left.
pub(super) fn take_turns<S>(
    steps: &[S],
    is_fixpoint: impl Fn(&S) -> bool,
    search: &mut Search,
    mut run: impl FnMut(&S, Turn, &mut Search) -> Result<(), Unfinished>,
) -> Result<(), Unfinished> {
    let mut records = vec![Record::default(); steps.len()];
    while let Some(next) = next(&records, search.best().candidate.fingerprint()) {
        let (step, record) = (&steps[next], &mut records[next]);
        let before = (search.best().candidate.fingerprint(), search.best().size.solid, search.tally().tests);
        run(step, Turn::after(&record.rate), search)?;
        let after = search.best().candidate.fingerprint();
        let (bytes, tests) = (before.1.saturating_sub(search.best().size.solid), search.tally().tests - before.2);
        record.done_with = (after == before.0 || is_fixpoint(step)).then_some(after);
        record.rate = Some(if record.done_with.is_some() { 0.0 } else { bytes as f64 / tests.max(1) as f64 });
    }
    Ok(())
}

/// The step whose turn it is.
fn next(records: &[Record], best: Fingerprint) -> Option<usize> {
    let open = (0..records.len()).filter(|&step| records[step].done_with != Some(best));
    let expected = |step: usize| records[step].rate.unwrap_or(f64::INFINITY);
    // Of equals, the coarser one.
    open.max_by(|&a, &b| expected(a).total_cmp(&expected(b)).then(Reverse(a).cmp(&Reverse(b))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(rate: Option<f64>, done_with: Option<u128>) -> Record {
        Record { rate, done_with: done_with.map(Fingerprint) }
    }

    #[test]
    fn new_steps_come_first_then_those_that_took_away_most() {
        let next = |records: &[Record]| next(records, Fingerprint(1));
        assert_eq!(next(&[record(Some(9.0), None), record(None, None), record(None, None)]), Some(1));
        assert_eq!(next(&[record(Some(1.0), None), record(Some(2.0), None), record(Some(2.0), None)]), Some(1));
    }

    #[test]
    fn a_step_has_no_turn_where_it_has_found_nothing() {
        let next = |records: &[Record]| next(records, Fingerprint(1));
        assert_eq!(next(&[record(Some(3.0), Some(1)), record(Some(0.0), Some(2))]), Some(1));
        assert_eq!(next(&[record(Some(3.0), Some(1)), record(Some(0.0), Some(1))]), None);
    }
}
