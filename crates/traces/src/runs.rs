//! [`Runs`]: runs the generator, remembers results and counts runs. All workers share one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::generator::{Generated, Generator, Misfit, NoInput, Script};
use crate::parts::{Facts, Parts};
use crate::records;
use crate::trace::{Site, Trace, Value};

/// What to do where a replay does not match its script (GReduce, section 4.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// The run generates no input.
    Halt,
    /// The smallest reducible part around the mismatch is removed too, and the generator runs again.
    Bypass,
    /// The run continues with a possible value.
    Realign,
}

/// How often the generator ran, and with which results. This includes speculative runs, so the counts depend on the
/// number of workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunTally {
    /// All runs except those for bypasses.
    pub runs: u64,
    /// Runs after a bypass.
    pub bypasses: u64,
    /// Runs without an input: they halted, exceeded the limit of draws, failed or took too long.
    pub fruitless: u64,
    /// Draws with another value than in the script, in runs with an input.
    pub misaligned: u64,
}

/// How many steps all kept traces may have together, to bound memory. Only the last accepted one is asked for again.
const MAX_KEPT_STEPS: usize = 1 << 20;

/// The result of a run, shared.
pub type Outcome = Arc<Result<Generated, NoInput>>;

/// The generator as the reducers see it.
pub struct Runs {
    generator: Arc<dyn Generator>,
    defaults: Arc<HashMap<Site, Value>>,
    memory: Mutex<Memory>,
    tally: Mutex<RunTally>,
}

impl Runs {
    /// Runs `generator`. Where a script has no matching step, it draws what was cheapest in `trace`.
    pub fn new(generator: Arc<dyn Generator>, trace: &Trace) -> Self {
        let defaults = Arc::new(trace.cheapest_values());
        Self { generator, defaults, memory: Mutex::default(), tally: Mutex::default() }
    }

    /// The counts so far.
    pub fn tally(&self) -> RunTally {
        *lock(&self.tally)
    }

    /// What is drawn at a site where no step of the script matches.
    pub fn default_value(&self, site: &Site) -> Option<&Value> {
        self.defaults.get(site)
    }

    /// Replays `trace`, and continues with possible values where the run does not match.
    pub fn realigned(&self, trace: Trace) -> Outcome {
        self.run(trace, Misfit::Realign, false)
    }

    /// Replays `trace` with the given alignment.
    pub fn aligned(&self, trace: Trace, alignment: Alignment, facts: &Facts) -> Outcome {
        match alignment {
            Alignment::Halt => self.run(trace, Misfit::Halt, false),
            Alignment::Realign => self.run(trace, Misfit::Realign, false),
            Alignment::Bypass => self.bypassing(trace, facts),
        }
    }

    /// Each bypass removes a part, so this terminates.
    fn bypassing(&self, mut trace: Trace, facts: &Facts) -> Outcome {
        let mut again = false;
        loop {
            let outcome = self.run(trace.clone(), Misfit::Halt, again);
            let Err(NoInput::Halted(misfit)) = &*outcome else { return outcome };
            let parts = Parts::of(&trace, facts);
            let Some(part) = parts.smallest_around(&trace, *misfit) else { return outcome };
            trace = parts.without(&trace, [part]);
            again = true;
        }
    }

    fn run(&self, trace: Trace, misfit: Misfit, bypass: bool) -> Outcome {
        let key = records::fingerprint(&trace, misfit);
        if let Some(known) = lock(&self.memory).outcomes.get(&key) {
            return Arc::clone(known);
        }
        let script = Script { trace: Arc::new(trace), misfit, defaults: Arc::clone(&self.defaults) };
        let outcome = Arc::new(self.generator.run(&script));
        self.count(&outcome, bypass);
        lock(&self.memory).keep(key, &outcome);
        outcome
    }

    fn count(&self, outcome: &Result<Generated, NoInput>, bypass: bool) {
        let mut tally = lock(&self.tally);
        *(if bypass { &mut tally.bypasses } else { &mut tally.runs }) += 1;
        match outcome {
            Ok(generated) => tally.misaligned += generated.misaligned,
            Err(_) => tally.fruitless += 1,
        }
    }
}

/// The results of runs, by script.
#[derive(Default)]
struct Memory {
    outcomes: HashMap<u128, Outcome>,
    steps: usize,
}

impl Memory {
    fn keep(&mut self, key: u128, outcome: &Outcome) {
        let steps = outcome.as_ref().as_ref().map_or(0, |generated| generated.trace.len() + generated.input.len());
        if self.steps > MAX_KEPT_STEPS {
            *self = Self::default();
        }
        self.steps += steps + 1;
        self.outcomes.insert(key, Arc::clone(outcome));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
