//! What the search accepts, counts, refuses and stops at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Sleepy, best, candidate, minimize};
use whittle_lists::Algorithm;
use whittle_search::{Closure, Interrupter, Proposer, Search, Setup, StartError, Stop, Verdict};

type Accepts = fn(&[u8]) -> bool;

fn search_for(accepts: Accepts, input: &[u8]) -> (Search, Arc<Sleepy<Accepts>>) {
    let property = Sleepy::new(accepts, 0, Duration::ZERO);
    (Setup::default().start(property.clone(), candidate(input)).unwrap(), property)
}

#[test]
fn an_input_that_is_not_interesting_is_refused_at_the_start() {
    let property = Sleepy::new(|_: &[u8]| false, 0, Duration::ZERO);
    let error = Setup::default().start(property, candidate(b"x")).err();
    assert_eq!(error, Some(StartError::NotInteresting(Verdict::Uninteresting)));
}

#[test]
fn known_content_costs_no_test() {
    let (mut search, property) = search_for(|bytes| bytes.contains(&b'x'), b"abx");
    for (bytes, accepted) in [(b"ab", false), (b"ab", false), (b"bx", true), (b"bx", false)] {
        assert_eq!(search.attempt(candidate(bytes)), Ok(accepted));
    }
    assert_eq!(property.begun.load(Ordering::SeqCst), 3);
    let tally = search.tally();
    assert_eq!((tally.tests, tally.runs, tally.cached, tally.refused), (3, 3, 2, 0));
}

#[test]
fn a_candidate_that_is_not_smaller_is_refused_without_a_test() {
    let (mut search, property) = search_for(|_| true, b"abc");
    for same_or_larger in [&b"abcd"[..], b"abd", b"bbc"] {
        assert_eq!(search.attempt(candidate(same_or_larger)), Ok(false));
    }
    assert_eq!(search.attempt(candidate(b"abb")), Ok(true), "as long, but before it in the alphabet");
    assert_eq!(property.begun.load(Ordering::SeqCst), 2);
    assert_eq!(search.tally().refused, 3);
}

#[test]
fn known_content_at_a_lower_cost_is_accepted_without_a_test() {
    let (mut search, property) = search_for(|_| true, b"abc");
    assert_eq!(search.attempt(candidate(b"ab").at_cost(5)), Ok(true));
    assert_eq!(search.attempt(candidate(b"ab").at_cost(6)), Ok(false));
    assert_eq!(search.attempt(candidate(b"ab").at_cost(4)), Ok(true));
    assert_eq!((search.best().candidate.cost(), property.begun.load(Ordering::SeqCst)), (4, 2));
}

#[test]
fn within_a_trial_whatever_is_interesting_may_be_accepted() {
    let (mut search, _) = search_for(|bytes| bytes.contains(&b'x'), b"abx");
    let start = search.best().candidate.clone();
    let result = search.trial(start, 100, |search| {
        search.run_any_size(Doubling(4), |length| Some(candidate(&vec![b'x'; *length])))?;
        assert_eq!(best(search), b"xxxxxxxxxxxxxxxx");
        Ok(())
    });
    assert_eq!((result, best(&search)), (Ok(false), b"abx".to_vec()));
}

/// Proposes 4, then ever more as long as it is accepted, up to 16.
#[derive(Clone)]
struct Doubling(usize);

impl Proposer for Doubling {
    type Proposal = usize;

    fn propose(&self) -> Option<usize> {
        (self.0 <= 16).then_some(self.0)
    }

    fn observe(&mut self, interesting: bool) {
        self.0 = if interesting { self.0 * 2 } else { usize::MAX };
    }
}

#[test]
fn a_trial_commits_only_what_ends_smaller() {
    let (mut search, _) = search_for(|bytes| bytes.contains(&b'x'), b"abx");
    let grown = candidate(b"abxyz");

    let stays = search.trial(grown.clone(), 100, |search| search.attempt(candidate(b"abxy")).map(drop));
    assert_eq!((stays, best(&search)), (Ok(false), b"abx".to_vec()));

    let never_starts = search.trial(candidate(b"abc"), 100, |_| panic!("the start is not interesting"));
    assert_eq!((never_starts, best(&search)), (Ok(false), b"abx".to_vec()));

    let shrinks = search.trial(grown, 100, |search| {
        assert_eq!(best(search), b"abxyz");
        minimize(search, Algorithm::default()).map(drop)
    });
    assert_eq!((shrinks, best(&search)), (Ok(true), b"x".to_vec()));
}

#[test]
fn a_trial_ends_when_its_tests_are_spent_and_keeps_what_is_smaller() {
    let (mut search, _) = search_for(|bytes| bytes.contains(&b'x'), b"abcx");
    let before = search.tally().tests;
    let result = search.trial(candidate(b"abcdefx"), 3, |search| {
        search.attempt(candidate(b"ax"))?;
        search.attempt(candidate(b"a"))?;
        search.attempt(candidate(b"x"))?;
        panic!("only two tests were left after the start")
    });
    assert_eq!((result, best(&search)), (Ok(true), b"ax".to_vec()));
    assert_eq!(search.tally().tests - before, 3);
    assert_eq!(search.attempt(candidate(b"x")), Ok(true), "the search itself goes on");
}

#[test]
fn a_trial_within_a_trial_has_the_smaller_budget_of_the_two() {
    let (mut search, _) = search_for(|bytes| bytes.contains(&b'x'), b"abcx");
    let before = search.tally().tests;
    let result = search.trial(candidate(b"abcdx"), 2, |search| {
        let inner = search.trial(candidate(b"abcdefx"), 50, |search| {
            search.attempt(candidate(b"bx"))?;
            panic!("the outer trial has no test left")
        });
        assert_eq!(inner, Err(Stop::TrialSpent));
        inner.map(drop)
    });
    assert_eq!((result, search.tally().tests - before), (Ok(false), 2));
}

#[test]
fn a_limit_on_tests_is_kept_to_the_test_and_does_not_depend_on_the_workers() {
    let run = |max_tests, jobs| {
        let property =
            Sleepy::new(|bytes: &[u8]| [3, 20, 21].iter().all(|b| bytes.contains(b)), 1, Duration::from_micros(200));
        let setup = Setup { jobs, max_tests: Some(max_tests), ..Setup::default() };
        let mut search = setup.start(property, candidate(&(0..40).collect::<Vec<u8>>())).unwrap();
        let end = minimize(&mut search, Algorithm::default()).map(drop);
        (end, best(&search), search.tally().tests)
    };
    for max_tests in 1..30 {
        let expected = run(max_tests, 1);
        assert!(expected.2 <= max_tests);
        assert_eq!(expected.0 == Err(Stop::MaxTests(max_tests)), expected.2 == max_tests, "{max_tests}");
        for jobs in [2, 3, 8] {
            assert_eq!(run(max_tests, jobs), expected, "{max_tests} tests, {jobs} workers");
        }
    }
}

#[test]
fn time_and_interruption_cancel_what_runs_and_keep_the_best() {
    let accepts = |bytes: &[u8]| bytes.len() > 2;
    let endless = || Sleepy::new(accepts, 3, Duration::from_secs(3600));
    let start = Instant::now();

    // The input itself takes too long.
    let setup = Setup { jobs: 4, max_time: Some(Duration::from_millis(30)), ..Setup::default() };
    let error = setup.start(endless(), candidate(b"abc")).err();
    assert_eq!(error, Some(StartError::Stopped(Stop::MaxTime)));

    let interrupter = Interrupter::default();
    let setup = Setup { jobs: 4, interrupter: interrupter.clone(), ..Setup::default() };
    let property = endless();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            interrupter.interrupt();
        });
        setup.start(property.clone(), candidate(b"abc")).err()
    });
    assert_eq!(result, Some(StartError::Stopped(Stop::Interrupted)));
    assert_eq!(property.cancelled.load(Ordering::SeqCst), property.begun.load(Ordering::SeqCst));
    assert!(start.elapsed() < Duration::from_secs(600));
}

#[test]
fn a_skip_ends_a_run_and_not_the_search() {
    let interrupter = Interrupter::default();
    let setup = Setup { jobs: 4, interrupter: interrupter.clone(), ..Setup::default() };
    let released = Arc::new(AtomicBool::new(false));
    let awaits = Arc::clone(&released);
    let property = Closure::on_bytes(move |bytes| {
        while bytes.len() < 4 && !awaits.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        bytes.len() == 4
    });
    let mut search = setup.start(Arc::new(property), candidate(b"abcx")).unwrap();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            interrupter.skip();
            released.store(true, Ordering::SeqCst);
        });
        search.attempt(candidate(b"a"))
    });
    assert_eq!((result, search.has_skipped()), (Err(Stop::Skipped), true));
    assert_eq!(search.confirm(), Ok(Verdict::Interesting), "one call skips once");
}

#[test]
fn no_test_begins_in_a_pause() {
    let interrupter = Interrupter::default();
    let setup = Setup { jobs: 2, interrupter: interrupter.clone(), ..Setup::default() };
    let property = Sleepy::new(|bytes: &[u8]| bytes.contains(&b'x'), 0, Duration::ZERO);
    let mut search = setup.start(property.clone(), candidate(b"abcx")).unwrap();
    interrupter.pause();
    let begun = property.begun.load(Ordering::SeqCst);
    let before = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            let before = property.begun.load(Ordering::SeqCst);
            interrupter.resume();
            before
        });
        assert_eq!(search.attempt(candidate(b"x")), Ok(true));
        watch.join().unwrap()
    });
    assert_eq!((before, property.begun.load(Ordering::SeqCst)), (begun, begun + 1));

    interrupter.pause();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            interrupter.interrupt();
        });
        assert_eq!(
            search.attempt(candidate(b"")),
            Err(Stop::Interrupted),
            "a pause does not keep the search from ending"
        );
    });
}

#[test]
fn a_property_that_panics_ends_the_search_with_its_message() {
    let property = Sleepy::new(|bytes: &[u8]| if bytes.len() < 3 { panic!("boom") } else { true }, 0, Duration::ZERO);
    let mut search = Setup { jobs: 2, ..Setup::default() }.start(property, candidate(b"abc")).unwrap();
    let end = search.attempt(candidate(b"ab"));
    assert_eq!(end, Err(Stop::Failed("the property panicked: boom".into())));
    assert_eq!(best(&search), b"abc");
}
