//! Who is next: steps take turns, and the next turn goes to the step from which most is expected.
//!
//! Steps that have had no turn come first, from coarse to fine; late ones wait until no other finds anything. Of the others the one is next that took away most bytes
//! for each test in its last turn; one that ended at its own fixpoint is expected to find nothing. A step has no turn
//! while nothing has changed since it last found nothing. It is over when that holds for all of them: every step has
//! looked at the result, but for what it knows to fail, and has left it as it is. All of it depends on counts only,
//! never on the clock.

use std::cmp::Reverse;

use whittle_search::{Candidate, Fingerprint, Search, Stop};

use super::{Step, Turns, Unfinished};

/// Which of a step's turns it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    First,
    Later,
}

/// What is known of a step.
#[derive(Clone, Debug, Default)]
struct Record {
    /// A second run right after it would find nothing.
    is_fixpoint: bool,
    /// It is left out of rounds while nothing has changed since it ended.
    is_thorough: bool,
    /// It has a turn only when no other step finds anything.
    is_late: bool,
    /// Bytes per test in the last turn.
    rate: Option<f64>,
    /// The candidate in which it is known to find nothing.
    done_with: Option<Fingerprint>,
    /// What it left.
    left: Option<Fingerprint>,
}

/// Which step is next, and what is known of all of them. A clone goes on from there by itself.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    turns: Turns,
    records: Vec<Record>,
    /// The next step, if all have their turn in order.
    next: usize,
    /// What the current round began with.
    round: Option<(Fingerprint, u64)>,
}

impl Schedule {
    pub(super) fn of(steps: &[Step], turns: Turns) -> Self {
        let record = |step: &Step| Record {
            is_fixpoint: step.is_fixpoint(),
            is_thorough: step.is_thorough(),
            is_late: step.is_late(),
            ..Record::default()
        };
        Self { turns, records: steps.iter().map(record).collect(), next: 0, round: None }
    }

    /// The step that is next, and which of its turns that is; `None` at the end.
    pub(super) fn next(&mut self, search: &Search) -> Option<(usize, Turn)> {
        let best = &search.best().candidate;
        let next = match self.turns {
            Turns::Once => Some(self.next).filter(|&next| next < self.records.len()),
            Turns::Rounds => self.next_in_round(best),
            Turns::ByGain => next(&self.records, best.fingerprint()),
        }?;
        self.next = next + 1;
        Some((next, if self.records[next].left.is_none() { Turn::First } else { Turn::Later }))
    }

    /// Steps run one after the other, again and again until a whole round changes nothing.
    fn next_in_round(&mut self, best: &Candidate) -> Option<usize> {
        let standing = (best.fingerprint(), best.cost());
        loop {
            if self.next == 0 {
                self.round = Some(standing);
            }
            let has_turn = |record: &Record| !record.is_thorough || record.left != Some(standing.0);
            if let Some(skipped) = self.records[self.next..].iter().position(has_turn) {
                return Some(self.next + skipped);
            }
            if self.round == Some(standing) {
                return None;
            }
            self.next = 0;
        }
    }

    /// Runs a step and takes note of what it found. One that is a fixpoint finds nothing in what it has just left. One that
    /// was skipped has no turn again until something changes.
    pub(super) fn take_turn(
        &mut self,
        step: usize,
        search: &mut Search,
        run: impl FnOnce(&mut Search) -> Result<(), Unfinished>,
    ) -> Result<(), Unfinished> {
        let before = (search.best().candidate.fingerprint(), search.best().size.solid, search.tally().tests);
        let skipped = skippable(search, run)?;
        let after = search.best().candidate.fingerprint();
        let (bytes, tests) = (before.1.saturating_sub(search.best().size.solid), search.tally().tests - before.2);
        let record = &mut self.records[step];
        record.left = Some(after);
        record.done_with = (skipped || after == before.0 || record.is_fixpoint).then_some(after);
        record.rate = Some(if record.done_with.is_some() { 0.0 } else { bytes as f64 / tests.max(1) as f64 });
        Ok(())
    }
}

/// Runs what a user may skip; `true` if that happened.
pub(super) fn skippable(
    search: &mut Search,
    run: impl FnOnce(&mut Search) -> Result<(), Unfinished>,
) -> Result<bool, Unfinished> {
    match run(search) {
        Err(Unfinished::Stopped(Stop::Skipped)) => Ok(true),
        result => result.map(|()| false),
    }
}

/// Runs steps by gain until none of them finds anything.
pub(super) fn take_turns<S>(
    steps: &[S],
    is_late: impl Fn(&S) -> bool,
    search: &mut Search,
    mut run: impl FnMut(&S, Turn, &mut Search) -> Result<(), Unfinished>,
) -> Result<(), Unfinished> {
    let records = steps.iter().map(|step| Record { is_late: is_late(step), ..Record::default() }).collect();
    let mut schedule = Schedule { turns: Turns::ByGain, records, next: 0, round: None };
    while let Some((next, turn)) = schedule.next(search) {
        schedule.take_turn(next, search, |search| run(&steps[next], turn, search))?;
    }
    Ok(())
}

/// The step whose turn it is.
fn next(records: &[Record], best: Fingerprint) -> Option<usize> {
    let open = (0..records.len()).filter(|&step| records[step].done_with != Some(best));
    let expected = |step: usize| records[step].rate.unwrap_or(f64::INFINITY);
    // Of equals, the coarser one.
    let is_early = |step: usize| !records[step].is_late;
    open.max_by(|&a, &b| {
        let by_gain = expected(a).total_cmp(&expected(b)).then(Reverse(a).cmp(&Reverse(b)));
        is_early(a).cmp(&is_early(b)).then(by_gain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(rate: Option<f64>, done_with: Option<u128>) -> Record {
        Record { rate, done_with: done_with.map(Fingerprint), ..Record::default() }
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

    #[test]
    fn a_late_step_waits_until_no_other_finds_anything() {
        let next = |records: &[Record]| next(records, Fingerprint(1));
        let late = || Record { is_late: true, ..record(None, None) };
        assert_eq!(next(&[late(), record(Some(0.0), None)]), Some(1));
        assert_eq!(next(&[late(), record(Some(0.0), Some(1))]), Some(0));
    }
}
