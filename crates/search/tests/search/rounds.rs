//! Rounds: what is taken works together, is the same for any number of workers, and nothing found is lost.

use std::sync::Arc;
use std::time::Duration;

use whittle_search::{Property, ROUND_WIDTH, Search, Setup, Stop};

use crate::common::{Closure, Log, Sleepy, best, candidate, random_property, tested};

/// Deletes single bytes in rounds.
fn delete_each(search: &mut Search) -> Result<Vec<u8>, Stop> {
    let base = search.best().candidate.clone();
    let bytes = base.files()[0].bytes().to_vec();
    search.merge(&bytes.clone(), move |deleted| {
        let left = bytes.iter().copied().filter(|byte| !deleted.contains(byte)).collect();
        Some(base.with_bytes(0, left))
    })
}

fn start(property: Arc<dyn Property>, n: u8, setup: Setup) -> Search {
    setup.start(property, candidate(&(0..n).collect::<Vec<u8>>())).unwrap()
}

#[test]
fn a_round_is_the_same_for_any_number_of_workers_and_any_order_of_ends() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let n = random.u8(1..40);
        let accepts = random_property(&mut random, n);
        let run = |jobs, longest| {
            let log = Log::default();
            let setup = Setup { jobs, listeners: vec![Box::new(log.clone())], ..Setup::default() };
            let property = Sleepy::new(accepts.clone(), seed, longest);
            let mut search = start(property, n, setup);
            let taken = delete_each(&mut search).unwrap();
            let lines = std::mem::take(&mut *log.lines.lock().unwrap());
            (best(&search), taken, lines)
        };
        let expected = run(1, Duration::ZERO);
        assert!(accepts(&expected.0), "the result is not interesting, seed {seed}");
        for jobs in [2, 8] {
            assert_eq!(run(jobs, Duration::from_micros(200)), expected, "{jobs} workers, seed {seed}");
        }
    }
}

#[test]
fn edits_that_get_along_cost_one_test_more_than_each_alone() {
    let mut search = start(Arc::new(Closure(|_: &[u8], _: &_| Ok(tested(true, Duration::ZERO)))), 20, Setup::default());
    assert_eq!(delete_each(&mut search).unwrap().len(), 20);
    assert_eq!((best(&search), search.tally().tests), (Vec::new(), 1 + 20 + 1));
}

#[test]
fn edits_that_do_not_get_along_are_halved_until_they_do() {
    // Of each pair of neighbours one must stay.
    let is_interesting = |bytes: &[u8]| (0..4).all(|pair| bytes.iter().any(|byte| byte / 2 == pair));
    let mut search = start(
        Arc::new(Closure(move |bytes: &[u8], _: &_| Ok(tested(is_interesting(bytes), Duration::ZERO)))),
        8,
        Setup::default(),
    );
    assert_eq!(delete_each(&mut search).unwrap(), [0, 2, 4, 6]);
    assert_eq!(best(&search), [1, 3, 5, 7]);
}

#[test]
fn a_later_round_stands_on_the_one_before() {
    let n = ROUND_WIDTH as u8 + 2;
    let mut search = start(
        Arc::new(Closure(|bytes: &[u8], _: &_| Ok(tested(!bytes.is_empty(), Duration::ZERO)))),
        n,
        Setup::default(),
    );
    delete_each(&mut search).unwrap();
    assert_eq!(best(&search), [n - 1]);
}

#[test]
fn what_a_round_has_found_when_the_tests_are_spent_is_kept() {
    let setup = Setup { max_tests: Some(4), ..Setup::default() };
    let property = Closure(|bytes: &[u8], _: &_| Ok(tested(bytes != [1, 2, 3, 4, 5], Duration::ZERO)));
    let mut search = start(Arc::new(property), 6, setup);
    assert_eq!(delete_each(&mut search), Err(Stop::MaxTests(4)));
    assert_eq!((best(&search), search.tally().tests), (vec![0, 1, 3, 4, 5], 4));
}
