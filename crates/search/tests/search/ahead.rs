//! Simulated workers, what is tested beyond assumed successes, and scouts: all of it changes the time and nothing else.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use whittle_lists::Algorithm;
use whittle_search::{Clock, Proposer, Search, Setup, Simulation, Stop};

use crate::common::{Log, Sleepy, best, candidate, minimize, random_property};

const TEST: Duration = Duration::from_millis(50);

/// Proposes to drop the last byte again and again, `left` times.
#[derive(Clone)]
struct Shorten {
    len: usize,
    left: usize,
}

impl Proposer for Shorten {
    type Proposal = usize;

    fn propose(&self) -> Option<usize> {
        (self.left > 0).then(|| self.len - 1)
    }

    fn observe(&mut self, interesting: bool) {
        self.left -= 1;
        self.len -= usize::from(interesting);
    }
}

fn simulate(jobs: usize, accepts: fn(&[u8]) -> bool, proposer: Shorten) -> (Search, Duration) {
    let property = Sleepy::new(accepts, 0, Duration::ZERO);
    let setup = Setup { jobs, simulation: Some(Simulation::ideal(TEST)), ..Setup::default() };
    let mut search = setup.start(property, candidate(&vec![b'x'; proposer.len])).unwrap();
    let before = search.elapsed();
    search.run(proposer, |len| Some(candidate(&vec![b'x'; *len]))).unwrap();
    let elapsed = search.elapsed() - before;
    (search, elapsed)
}

#[test]
fn one_simulated_worker_takes_the_time_of_all_tests() {
    let (search, elapsed) = simulate(1, |_| true, Shorten { len: 101, left: 100 });
    assert_eq!((search.tally().runs, elapsed, best(&search).len()), (101, 100 * TEST, 1));
}

#[test]
fn successes_that_were_foreseen_cost_no_time() {
    let (search, elapsed) = simulate(8, |_| true, Shorten { len: 101, left: 100 });
    assert_eq!((search.tally().tests, best(&search).len()), (101, 1));
    assert!(elapsed <= 30 * TEST, "100 successes in a row took {elapsed:?}");
}

/// Each proposal is its own content, and none is interesting.
#[derive(Clone)]
struct Countdown(u8);

impl Proposer for Countdown {
    type Proposal = u8;

    fn propose(&self) -> Option<u8> {
        self.0.checked_sub(1)
    }

    fn observe(&mut self, _: bool) {
        self.0 -= 1;
    }
}

#[test]
fn a_scout_tests_what_comes_after_the_end_of_a_run() {
    let passes = |search: &mut Search| -> Result<(), Stop> {
        (0..10_u8).try_for_each(|pass| {
            search.run(Countdown(4), move |&byte| Some(candidate(&[pass, byte])))?;
            Ok(())
        })
    };
    let time = |scouts: bool| {
        let property = Sleepy::new(|bytes: &[u8]| bytes.len() > 2, 0, Duration::ZERO);
        let setup = Setup { jobs: 8, simulation: Some(Simulation::ideal(TEST)), ..Setup::default() };
        let mut search = setup.start(property, candidate(b"the input")).unwrap();
        if scouts {
            search.checkpoint(move |search| drop(passes(search)));
        }
        passes(&mut search).unwrap();
        assert_eq!(search.tally().tests, 41);
        search.elapsed() - TEST
    };
    assert_eq!(time(false), 10 * TEST, "each run waits for its last test");
    assert!(time(true) <= 6 * TEST, "40 failures on 8 workers, seen from the first run on: {:?}", time(true));
}

#[test]
fn workers_render_what_a_scout_expects_to_fail() {
    // Simulated workers are on the thread of the search, and a scout is not.
    let (here, elsewhere) = (std::thread::current().id(), Arc::<AtomicUsize>::default());
    let rendered_elsewhere = Arc::clone(&elsewhere);
    let passes = move |search: &mut Search| -> Result<(), Stop> {
        (0..10_u8).try_for_each(|pass| {
            let elsewhere = Arc::clone(&rendered_elsewhere);
            search.run(Countdown(4), move |&byte| {
                elsewhere.fetch_add(usize::from(std::thread::current().id() != here), Ordering::Relaxed);
                Some(candidate(&[pass, byte]))
            })?;
            Ok(())
        })
    };
    let property = Sleepy::new(|bytes: &[u8]| bytes.len() > 2, 0, Duration::ZERO);
    let setup = Setup { jobs: 8, simulation: Some(Simulation::ideal(TEST)), ..Setup::default() };
    let mut search = setup.start(property, candidate(b"the input")).unwrap();
    let rest = passes.clone();
    search.checkpoint(move |search| drop(rest(search)));
    passes(&mut search).unwrap();
    assert!(search.elapsed() <= 7 * TEST, "there was a scout");
    assert_eq!(elsewhere.load(Ordering::Relaxed), 0);
}

/// Three passes, with a checkpoint before each, as a strategy has them.
fn run_from(search: &mut Search, pass: usize, algorithm: Algorithm) -> Result<(), Stop> {
    for pass in pass..3 {
        search.checkpoint(move |scout| drop(run_from(scout, pass, algorithm)));
        search.pass(&pass.to_string(), |search| minimize(search, algorithm))?;
        // What a trial ends with is kept if it is smaller, and it may begin with something larger.
        let larger: Vec<u8> = (0..20).collect();
        search.trial(candidate(&larger), 5, |search| minimize(search, algorithm).map(drop))?;
    }
    Ok(())
}

/// A clock by which all work takes a test's time or more.
fn tick() -> Duration {
    thread_local!(static TICKS: Cell<u32> = const { Cell::new(0) });
    TICKS.set(TICKS.get() + 1);
    TEST * TICKS.get()
}

#[test]
fn work_beside_tests_takes_the_time_that_the_clock_says() {
    let solve = |jobs, clock| {
        let property = Sleepy::new(|bytes: &[u8]| bytes.len() > 2, 0, Duration::ZERO);
        let simulation = Some(Simulation { test: TEST, clock });
        let setup = Setup { jobs, simulation, ..Setup::default() };
        let mut search = setup.start(property, candidate(b"the input")).unwrap();
        // Each is larger than those before it, so that nothing is tested beyond an assumed success.
        search.run(Countdown(100), |&byte| Some(candidate(&[200 - byte]))).unwrap();
        (search.elapsed(), search.virtual_time_in_tests().unwrap())
    };
    let (ideal, in_tests) = solve(4, None);
    assert_eq!((ideal, in_tests), (26 * TEST, 101 * TEST));
    let (busy, in_tests) = solve(4, Some(tick as Clock));
    assert_eq!(in_tests, 101 * TEST, "no test is cancelled");
    assert!(busy > 3 * ideal, "the search works longer than a test between two of them: {busy:?}");
}

#[test]
fn scouts_and_simulated_workers_change_no_event() {
    for seed in 0..400 {
        let mut random = fastrand::Rng::with_seed(seed);
        let algorithms = Algorithm::all();
        let algorithm = algorithms[random.usize(..algorithms.len())];
        let n = random.u8(1..20);
        let accepts = random_property(&mut random, n);
        let solve = |jobs, simulation, longest| {
            let log = Log::default();
            let property = Sleepy::new(accepts.clone(), seed, longest);
            let setup = Setup { jobs, simulation, listeners: vec![Box::new(log.clone())], ..Setup::default() };
            let mut search = setup.start(property, candidate(&(0..n).collect::<Vec<u8>>())).unwrap();
            run_from(&mut search, 0, algorithm).unwrap();
            search.finish("done");
            let lines = std::mem::take(&mut *log.lines.lock().unwrap());
            (best(&search), lines)
        };
        let expected = solve(1, None, Duration::ZERO);
        let many = random.usize(2..200);
        for clock in [None, Some(tick as Clock)] {
            let simulation = Some(Simulation { test: TEST, clock });
            assert_eq!(solve(many, simulation, Duration::ZERO), expected, "{many} simulated, {algorithm}, seed {seed}");
        }
        let few = random.usize(2..9);
        assert_eq!(solve(few, None, Duration::from_micros(200)), expected, "{few} threads, {algorithm}, seed {seed}");
    }
}
