//! A search that is stopped and resumed from its journal is the search that was never stopped, and no content is
//! tested to its end twice.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use whittle_lists::Algorithm;
use whittle_search::{
    Cancel, Candidate, Fingerprint, Interrupter, Journal, Property, Setup, StartError, Tally, TestError, Tested,
    Verdict,
};

use crate::common::{Log, Sleepy, best, candidate, minimize, random_property};

const BINDING: &str = "the same";

/// One random problem, and what became known of its contents over all runs.
struct Problem {
    n: u8,
    algorithm: Algorithm,
    property: Arc<dyn Property>,
    begun: Mutex<HashMap<Fingerprint, u32>>,
    completed: Mutex<HashMap<Fingerprint, u32>>,
}

/// The outcome of a search that came to its end.
#[derive(Debug)]
struct Outcome {
    best: Vec<u8>,
    events: Vec<String>,
    tally: Tally,
}

impl Problem {
    fn random(seed: u64, longest: Duration) -> (Arc<Self>, fastrand::Rng) {
        let mut random = fastrand::Rng::with_seed(seed);
        let n = random.u8(1..20);
        let algorithm = random.choice(Algorithm::all()).unwrap();
        let property = Sleepy::new(random_property(&mut random, n), seed, longest);
        let (begun, completed) = Default::default();
        (Arc::new(Self { n, algorithm, property, begun, completed }), random)
    }

    fn search(self: &Arc<Self>, setup: Setup, interrupt_after: Option<u32>) -> Result<Outcome, StartError> {
        let log = Log::default();
        let interrupter = setup.interrupter.clone();
        let property = Graded { problem: Arc::clone(self), left: Mutex::new(interrupt_after), interrupter };
        let setup = Setup { listeners: vec![Box::new(log.clone())], ..setup };
        let mut search = setup.start(Arc::new(property), candidate(&(0..self.n).collect::<Vec<u8>>()))?;
        search.pass("one", |search| minimize(search, self.algorithm))?;
        search.pass("again", |search| minimize(search, self.algorithm))?;
        search.finish("done");
        let events = std::mem::take(&mut *log.lines.lock().unwrap());
        Ok(Outcome { best: best(&search), events, tally: search.tally() })
    }

    /// Searches with a journal at `path`: a new one, or the one that is there.
    fn go_on(self: &Arc<Self>, path: &Path, setup: Setup, interrupt_after: Option<u32>) -> Result<Outcome, StartError> {
        let (journal, replay) = match Journal::resume(path, BINDING) {
            Ok((journal, replay)) => (journal, replay.verdicts),
            Err(_) => (Journal::create(path, BINDING, "").unwrap(), Vec::new()),
        };
        let journal = Some(Arc::new(journal));
        self.search(Setup { journal, replay, ..setup }, interrupt_after)
    }
}

/// How often the most frequent content occurred; counting starts anew.
fn take_most(times: &Mutex<HashMap<Fingerprint, u32>>) -> u32 {
    std::mem::take(&mut *times.lock().unwrap()).into_values().max().unwrap_or(0)
}

/// Gives all kinds of verdicts, keeps count, and interrupts the search after some.
struct Graded {
    problem: Arc<Problem>,
    left: Mutex<Option<u32>>,
    interrupter: Interrupter,
}

impl Property for Graded {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let fingerprint = candidate.fingerprint();
        *self.problem.begun.lock().unwrap().entry(fingerprint).or_default() += 1;
        let mut tested = self.problem.property.test(candidate, cancel)?;
        *self.problem.completed.lock().unwrap().entry(fingerprint).or_default() += 1;
        if tested.verdict == Verdict::Uninteresting {
            let kinds = [Verdict::Uninteresting, Verdict::TimedOut, Verdict::Invalid, Verdict::Other];
            tested.verdict = kinds[(fingerprint.0 % 4) as usize];
        }
        if let Some(left) = &mut *self.left.lock().unwrap() {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.interrupter.interrupt();
            }
        }
        Ok(tested)
    }
}

fn assert_same(actual: &Outcome, expected: &Outcome, context: &str) {
    assert_eq!(actual.best, expected.best, "result, {context}");
    assert_eq!(actual.events, expected.events, "events, {context}");
    assert_eq!(actual.tally.tests, expected.tally.tests, "tests, {context}");
}

#[test]
fn a_search_stopped_anywhere_and_resumed_is_the_search_that_was_not_stopped() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..400 {
        let path = folder.path().join(seed.to_string());
        let (problem, mut random) = Problem::random(seed, Duration::from_micros(200));
        let expected = problem.search(Setup::default(), None).unwrap();
        assert_eq!(take_most(&problem.completed), 1, "seed {seed}");
        for _ in 0..random.u8(1..4) {
            let tests = random.u64(1..=expected.tally.tests);
            let jobs = random.choice([1, 2, 8]).unwrap();
            let by_limit = random.bool();
            let setup = Setup { jobs, max_tests: by_limit.then_some(tests), ..Setup::default() };
            // Sometimes it comes to its end although it was to be stopped.
            let _ = problem.go_on(&path, setup, (!by_limit).then_some(tests as u32));
        }
        let jobs = random.choice([1, 2, 8]).unwrap();
        let actual = problem.go_on(&path, Setup { jobs, ..Setup::default() }, None).unwrap();
        assert_same(&actual, &expected, &format!("seed {seed}, {jobs} workers"));
        assert_eq!(take_most(&problem.completed), 1, "a test was repeated, seed {seed}");
        assert!(jobs > 1 || actual.tally.speculative() == 0, "runs are miscounted, seed {seed}: {:?}", actual.tally);
    }
}

#[test]
fn sequential_runs_that_are_stopped_by_a_limit_begin_each_test_once() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..100 {
        let path = folder.path().join(seed.to_string());
        let (problem, mut random) = Problem::random(seed, Duration::ZERO);
        let expected = problem.search(Setup::default(), None).unwrap();
        take_most(&problem.begun);
        let limit = random.u64(1..=expected.tally.tests);
        let _ = problem.go_on(&path, Setup { max_tests: Some(limit), ..Setup::default() }, None);
        let actual = problem.go_on(&path, Setup::default(), None).unwrap();
        assert_same(&actual, &expected, &format!("seed {seed}, limit {limit}"));
        assert_eq!((actual.tally.replayed, actual.tally.runs), (limit, expected.tally.tests - limit), "seed {seed}");
        assert_eq!(take_most(&problem.begun), 1, "seed {seed}");
    }
}

#[test]
fn what_was_on_record_before_a_kill_is_not_tested_again() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..200 {
        let path = folder.path().join(seed.to_string());
        let (problem, mut random) = Problem::random(seed, Duration::from_micros(200));
        let jobs = random.choice([1, 2, 8]).unwrap();
        let expected = problem.go_on(&path, Setup { jobs, ..Setup::default() }, None).unwrap();
        let length = std::fs::metadata(&path).unwrap().len();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(random.u64(..=length)).unwrap();

        let kept = Journal::resume(&path, BINDING).map(|(_, replay)| replay.verdicts).unwrap_or_default();
        problem.begun.lock().unwrap().clear();
        let actual = problem.go_on(&path, Setup { jobs: 8, ..Setup::default() }, None).unwrap();
        assert_same(&actual, &expected, &format!("seed {seed}, {jobs} workers"));
        let begun = problem.begun.lock().unwrap();
        assert!(kept.iter().all(|(fingerprint, _)| !begun.contains_key(fingerprint)), "seed {seed}");
    }
}

#[test]
fn a_search_that_is_on_record_to_its_end_begins_no_test() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..50 {
        let path = folder.path().join(seed.to_string());
        let (problem, _) = Problem::random(seed, Duration::from_micros(200));
        let expected = problem.go_on(&path, Setup::default(), None).unwrap();
        take_most(&problem.begun);
        let actual = problem.go_on(&path, Setup { jobs: 8, ..Setup::default() }, None).unwrap();
        assert_same(&actual, &expected, &format!("seed {seed}"));
        assert_eq!(actual.tally.replayed, actual.tally.tests, "seed {seed}");
        assert_eq!(take_most(&problem.begun), 0, "seed {seed}");
    }
}
