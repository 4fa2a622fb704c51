//! What is accepted is the lowest interesting position, whatever the workers do; and a whole run is the same for any
//! number of them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use whittle_lists::Algorithm;
use whittle_search::{Cancel, Property, Proposer, Setup, Stop, TestError};

use crate::common::{Closure, Log, Sleepy, best, candidate, minimize, random_property, tested};

const WORKERS: [usize; 5] = [1, 2, 3, 8, 32];

fn run(property: Arc<dyn Property>, n: u8, algorithm: Algorithm, jobs: usize) -> (Vec<u8>, Vec<String>, u64) {
    let log = Log::default();
    let setup = Setup { jobs, listeners: vec![Box::new(log.clone())], ..Setup::default() };
    let mut search = setup.start(property, candidate(&(0..n).collect::<Vec<u8>>())).unwrap();
    search.pass("one", |search| minimize(search, algorithm)).unwrap();
    search.pass("again", |search| minimize(search, algorithm)).unwrap();
    search.finish("done");
    let lines = std::mem::take(&mut *log.lines.lock().unwrap());
    (best(&search), lines, search.tally().runs)
}

#[test]
fn a_run_is_the_same_for_any_number_of_workers_and_any_order_of_ends() {
    for round in 0..300 {
        for (number, algorithm) in Algorithm::all().into_iter().enumerate() {
            let seed = round * 100 + number as u64;
            let mut random = fastrand::Rng::with_seed(seed);
            let n = random.u8(1..20);
            let accepts = random_property(&mut random, n);
            let expected = run(Sleepy::new(accepts.clone(), 0, Duration::ZERO), n, algorithm, 1);
            for jobs in random.choose_multiple(WORKERS, 2) {
                let property = Sleepy::new(accepts.clone(), seed, Duration::from_micros(200));
                let actual = run(property.clone(), n, algorithm, jobs);
                assert_eq!(actual.0, expected.0, "result of {algorithm} with {jobs} workers, seed {seed}");
                assert_eq!(actual.1, expected.1, "events of {algorithm} with {jobs} workers, seed {seed}");
                assert!(accepts(&actual.0), "the result is not interesting, seed {seed}");
                assert_eq!(property.begun.load(Ordering::SeqCst), actual.2, "runs are miscounted, seed {seed}");
            }
        }
    }
}

/// Proposes fixed bytes in order and remembers what it was told.
#[derive(Clone)]
struct Script {
    proposals: Vec<Vec<u8>>,
    observed: Vec<bool>,
}

impl Script {
    /// Proposes 0, 1, …, one byte each.
    fn of(count: u8) -> Self {
        Self { proposals: (0..count).map(|byte| vec![byte]).collect(), observed: Vec::new() }
    }
}

impl Proposer for Script {
    type Proposal = Vec<u8>;

    fn propose(&self) -> Option<Vec<u8>> {
        let accepted = self.observed.contains(&true);
        self.proposals.get(self.observed.len()).filter(|_| !accepted).cloned()
    }

    fn observe(&mut self, interesting: bool) {
        self.observed.push(interesting);
    }
}

#[test]
fn the_lowest_interesting_position_wins_whichever_test_ends_first() {
    for seed in 0..2000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let count = random.usize(1..30);
        let interesting: Vec<bool> = (0..count).map(|_| random.u8(..) < 60).collect();
        let lowest = interesting.iter().position(|&interesting| interesting);
        let verdicts = interesting.clone();
        let accepts = move |bytes: &[u8]| bytes.len() > 1 || verdicts[bytes[0] as usize];
        let property = Sleepy::new(accepts, seed, Duration::from_micros(200));
        let setup = Setup { jobs: WORKERS[random.usize(..WORKERS.len())], ..Setup::default() };
        let mut search = setup.start(property, candidate(b"the input")).unwrap();
        let script = search.run(Script::of(count as u8), |bytes| Some(candidate(bytes))).unwrap();
        let expected: Vec<bool> = interesting.into_iter().take(lowest.map_or(count, |lowest| lowest + 1)).collect();
        assert_eq!(script.observed, expected, "seed {seed}");
        assert_eq!(search.tally().tests, 1 + expected.len() as u64, "seed {seed}");
    }
}

#[test]
fn work_beyond_the_winner_is_cancelled_and_work_before_it_is_awaited() {
    // Position 3 succeeds at once; 0 to 2 take a while; everything after 3 would take for ever.
    let property = Closure(|bytes: &[u8], cancel: &Cancel| {
        let wait = match bytes {
            [0..=2] => Duration::from_millis(30),
            [4..=255] => Duration::from_secs(3600),
            _ => Duration::ZERO,
        };
        let start = Instant::now();
        while start.elapsed() < wait {
            if cancel.is_cancelled() {
                return Err(TestError::Cancelled);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(tested(bytes.len() > 1 || bytes == [3], wait))
    });
    let setup = Setup { jobs: 8, ..Setup::default() };
    let mut search = setup.start(Arc::new(property), candidate(b"the input")).unwrap();
    let script = search.run(Script::of(20), |bytes| Some(candidate(bytes))).unwrap();
    assert_eq!(script.observed, [false, false, false, true]);
    let tally = search.tally();
    assert_eq!(tally.tests, 5);
    assert!(tally.property_time >= Duration::from_millis(90), "the tests before the winner were not awaited");
}

#[test]
fn a_failed_test_beyond_the_winner_does_not_matter_but_one_before_it_ends_the_search() {
    for jobs in WORKERS {
        let result = |broken: u8| {
            let property = Closure(move |bytes: &[u8], _: &Cancel| match bytes {
                [byte] if *byte == broken => Err(TestError::Failed("no disk".into())),
                _ => Ok(tested(bytes.len() > 1 || bytes == [5], Duration::ZERO)),
            });
            let setup = Setup { jobs, ..Setup::default() };
            let mut search = setup.start(Arc::new(property), candidate(b"the input")).unwrap();
            search.run(Script::of(20), |bytes| Some(candidate(bytes))).map(|script| script.observed.len())
        };
        assert_eq!(result(6), Ok(6));
        assert_eq!(result(4), Err(Stop::Failed("no disk".into())));
    }
}

#[test]
fn a_proposal_that_makes_no_candidate_counts_as_failed_and_costs_no_test() {
    let mut search =
        Setup::default().start(Sleepy::new(|_: &[u8]| true, 0, Duration::ZERO), candidate(b"the input")).unwrap();
    let script = search.run(Script::of(5), |bytes| (bytes[0] == 3).then(|| candidate(bytes))).unwrap();
    assert_eq!(script.observed, [false, false, false, true]);
    assert_eq!(search.tally().tests, 2);
}
