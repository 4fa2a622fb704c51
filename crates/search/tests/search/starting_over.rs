//! A search that was told wrong verdicts, which were withdrawn at any time, comes to what it comes to with true ones: the
//! same result, the same counted tests, the same events. No verdict that was not withdrawn is asked for again.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use whittle_lists::Algorithm;
use whittle_search::{
    Cancel, Candidate, Fingerprint, Journal, Property, Search, Setup, Stop, Tally, TestError, Tested, Verdict,
};

use crate::common::{Log, Sleepy, best, candidate, minimize, random_property};

/// A property that lies about some contents until it is caught, after so many tests each time.
struct Liar {
    truth: Arc<dyn Property>,
    input: Fingerprint,
    caught_after: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How often it was caught. The third time, it has learnt.
    caught: u32,
    tests: u32,
    /// What will be withdrawn when it is caught: its lies, and some true verdicts.
    doubtful: HashSet<Fingerprint>,
    withdrawn: Vec<Fingerprint>,
    /// How often each content was tested since its verdict was last withdrawn.
    known: HashMap<Fingerprint, u32>,
}

impl Liar {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn catch(&self) {
        let mut state = self.lock();
        state.caught += 1;
        state.tests = 0;
        let doubtful = std::mem::take(&mut state.doubtful);
        for content in &doubtful {
            state.known.remove(content);
        }
        state.withdrawn.extend(doubtful);
    }
}

impl Property for Liar {
    fn test(&self, candidate: &Candidate, cancel: &Cancel) -> Result<Tested, TestError> {
        let content = candidate.fingerprint();
        let mut tested = self.truth.test(candidate, cancel)?;
        let is_caught = {
            let mut state = self.lock();
            *state.known.entry(content).or_default() += 1;
            state.tests += 1;
            let lies = state.caught < 3 && content != self.input && content.0 % 5 == u128::from(state.caught);
            if lies {
                tested.verdict = match tested.verdict {
                    Verdict::Interesting => Verdict::Uninteresting,
                    _ => Verdict::Interesting,
                };
            }
            if lies || content.0.is_multiple_of(7) {
                state.doubtful.insert(content);
            }
            state.caught < 3 && state.tests >= self.caught_after
        };
        if is_caught {
            self.catch();
        }
        Ok(tested)
    }

    fn withdrawn(&self) -> Vec<Fingerprint> {
        std::mem::take(&mut self.lock().withdrawn)
    }
}

/// Reduces by an algorithm, twice.
fn reduce(search: &mut Search, algorithm: Algorithm) -> Result<(), Stop> {
    search.pass("one", |search| minimize(search, algorithm))?;
    search.pass("again", |search| minimize(search, algorithm))?;
    Ok(())
}

/// The result, the counts, and what was heard since the search last started over.
fn outcome(mut search: Search, log: &Log) -> (Vec<u8>, Tally, Vec<String>) {
    search.finish("done");
    let lines = std::mem::take(&mut *log.lines.lock().unwrap());
    let start = lines.iter().rposition(|line| line.starts_with("StartedOver")).map_or(0, |at| at + 1);
    (best(&search), search.tally(), lines[start..].to_vec())
}

#[test]
fn wrong_verdicts_that_are_withdrawn_leave_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let n = random.u8(2..20);
        let input = candidate(&(0..n).collect::<Vec<u8>>());
        let algorithm = random.choice(Algorithm::all()).unwrap();
        let truth = Sleepy::new(random_property(&mut random, n), seed, Duration::from_micros(200));
        let start = |property: Arc<dyn Property>, setup: Setup| {
            let log = Log::default();
            let setup = Setup { listeners: vec![Box::new(log.clone())], ..setup };
            (setup.start(property, input.clone()).unwrap(), log)
        };
        let (mut search, log) = start(truth.clone(), Setup::default());
        reduce(&mut search, algorithm).unwrap();
        let (expected, counted, events) = outcome(search, &log);

        let liar = Arc::new(Liar {
            truth,
            input: input.fingerprint(),
            caught_after: random.u32(1..40),
            state: Mutex::default(),
        });
        let path = folder.path().join(seed.to_string());
        let journal = Arc::new(Journal::create(&path, "", "").unwrap());
        let jobs = random.choice([1, 2, 8]).unwrap();
        let (mut search, log) = start(liar.clone(), Setup { jobs, journal: Some(journal), ..Setup::default() });
        loop {
            let ended = reduce(&mut search, algorithm);
            assert!(matches!(ended, Ok(()) | Err(Stop::Withdrawn)), "seed {seed}: {ended:?}");
            if ended.is_ok() && liar.lock().caught < 3 {
                liar.catch();
            }
            if !search.must_start_over() {
                break;
            }
            search.start_over().unwrap();
        }
        let (best, tally, heard) = outcome(search, &log);
        let context = format!("seed {seed}, {jobs} workers");
        assert_eq!((best, tally.tests), (expected.clone(), counted.tests), "{context}");
        assert_eq!(heard, events, "{context}");
        assert!(liar.lock().known.values().all(|&times| times == 1), "a test was repeated, {context}");

        // A resumed run finds no lie in the journal.
        let replay = Journal::read(&path, "").unwrap().verdicts;
        let (mut search, log) = start(liar.truth.clone(), Setup { replay, ..Setup::default() });
        reduce(&mut search, algorithm).unwrap();
        let (best, tally, _) = outcome(search, &log);
        assert_eq!((best, tally.tests), (expected, counted.tests), "resumed, {context}");
        assert_eq!(tally.replayed, tally.tests, "resumed, {context}");
    }
}
