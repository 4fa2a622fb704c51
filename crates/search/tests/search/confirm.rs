//! Testing the best once more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use whittle_search::{Cancel, Interrupter, Journal, Property, Setup, Stop, TestError, Tested, Verdict};

use crate::common::{Closure, candidate, tested};

/// A property that gives these verdicts in turn, then never ends.
fn in_turn(verdicts: &'static [Verdict]) -> Arc<dyn Property> {
    let turn = AtomicU64::new(0);
    Arc::new(Closure(move |_: &[u8], cancel: &Cancel| {
        let turn = turn.fetch_add(1, Ordering::SeqCst) as usize;
        if let Some(&verdict) = verdicts.get(turn) {
            return Ok(Tested { verdict, elapsed: Duration::from_secs(1) });
        }
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(TestError::Cancelled)
    }))
}

#[test]
fn a_confirmation_is_a_fresh_run_that_is_neither_remembered_nor_counted_as_a_test() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let journal = Some(Arc::new(Journal::create(&path, "", "").unwrap()));
    let property = in_turn(&[Verdict::Interesting, Verdict::Interesting, Verdict::Other]);
    let mut search = Setup { journal, jobs: 2, ..Setup::default() }.start(property, candidate(b"ab")).unwrap();
    assert_eq!(search.confirm(), Ok(Verdict::Interesting));
    assert_eq!(search.confirm(), Ok(Verdict::Other));
    let tally = search.tally();
    assert_eq!((tally.tests, tally.runs, tally.confirmations, tally.speculative()), (1, 3, 2, 0));
    assert_eq!(tally.property_time, Duration::from_secs(3));
    assert_eq!(search.attempt(candidate(b"ab")), Ok(false), "the input is known to be interesting, and no smaller");
    drop(search);
    assert_eq!(Journal::resume(&path, "").unwrap().1.verdicts.len(), 1);
}

#[test]
fn a_replayed_input_is_not_tested_but_can_be_confirmed() {
    let input = candidate(b"ab");
    let replay = vec![(input.fingerprint(), Verdict::Interesting)];
    let setup = Setup { replay, max_tests: Some(1), ..Setup::default() };
    let mut search = setup.start(in_turn(&[Verdict::Uninteresting]), input).unwrap();
    assert_eq!(search.tally().runs, 0);
    assert_eq!(search.confirm(), Ok(Verdict::Uninteresting), "though no test is left");
}

#[test]
fn a_confirmation_ends_when_the_search_must() {
    let interrupter = Interrupter::default();
    let setup = Setup { interrupter: interrupter.clone(), ..Setup::default() };
    let turns = Arc::new(AtomicU64::new(0));
    let theirs = Arc::clone(&turns);
    // The second turn is a confirmation, and interrupts itself.
    let property = Closure(move |_: &[u8], cancel: &Cancel| {
        if theirs.fetch_add(1, Ordering::SeqCst) == 0 {
            return Ok(tested(true, Duration::ZERO));
        }
        interrupter.interrupt();
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(TestError::Cancelled)
    });
    let mut search = setup.start(Arc::new(property), candidate(b"ab")).unwrap();
    assert_eq!(search.confirm(), Err(Stop::Interrupted));
    assert_eq!(turns.load(Ordering::SeqCst), 2);
    assert_eq!((search.tally().runs, search.tally().confirmations), (2, 0));
    assert_eq!(search.confirm(), Err(Stop::Interrupted), "it does not even begin");

    let setup = Setup { max_time: Some(Duration::from_secs(2)), ..Setup::default() };
    let mut search = setup.start(in_turn(&[Verdict::Interesting]), candidate(b"ab")).unwrap();
    assert_eq!(search.confirm(), Err(Stop::MaxTime));
}

#[test]
fn a_confirmation_that_cannot_be_run_says_why() {
    let first = AtomicU64::new(0);
    let property = Closure(move |_: &[u8], _: &Cancel| match first.fetch_add(1, Ordering::SeqCst) {
        0 => Ok(tested(true, Duration::ZERO)),
        _ => Err(TestError::Failed("no disk".into())),
    });
    let mut search = Setup::default().start(Arc::new(property), candidate(b"ab")).unwrap();
    assert_eq!(search.confirm(), Err(Stop::Failed("no disk".into())));
}
