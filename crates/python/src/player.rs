//! Generators that are Python functions: the object that gives them their choices, and the generator that calls them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyBaseException, PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use whittle::generator::draw_limit;
use whittle::traces::{self, Generated, Kind, Misfit, NoInput, Script};

use crate::calling::{Called, Caller};

pyo3::create_exception!(
    _whittle,
    Interrupted,
    PyBaseException,
    "Ends a generator whose choices cannot be replayed. Do not catch it."
);

/// Gives one run of a generator its choices: recorded, or replayed.
#[pyclass(frozen, module = "whittle._whittle")]
pub(crate) struct Player(Mutex<Inner>);

struct Inner {
    /// `None` when the run is over.
    player: Option<traces::Player<'static>>,
    weights: Weights,
    /// Why the run cannot make an input.
    failure: Option<NoInput>,
}

/// The weights of the next draw, if it is not uniform.
type Weights = Arc<Mutex<Option<Vec<f64>>>>;

#[pymethods]
impl Player {
    /// Draws from a seed, and records.
    #[staticmethod]
    fn seeded(seed: u64) -> Self {
        let (weights, mut random) = (Weights::default(), fastrand::Rng::with_seed(seed));
        let theirs = Arc::clone(&weights);
        let draw = move |max| match lock(&theirs).take() {
            Some(weights) => heavier_more_often(&weights, random.f64()),
            None => random.u64(0..=max),
        };
        Self::new(traces::Player::recording(draw), weights)
    }

    /// A number from 0 to `most`, matched by its value.
    fn draw(&self, site: &str, most: u64) -> PyResult<u64> {
        self.play(|inner| inner.draw(site, most))
    }

    /// A number from `low` to `low + span`, matched by the number.
    fn number(&self, site: &str, low: i64, span: u64) -> PyResult<i64> {
        self.play(|player| player.number(site, low as u64, span)).map(|number| number as i64)
    }

    /// The place of an alternative, matched by fingerprints if there are some.
    #[pyo3(signature = (site, count, fingerprints, weights))]
    fn choose(
        &self,
        site: &str,
        count: u64,
        fingerprints: Option<Vec<u64>>,
        weights: Option<Vec<f64>>,
    ) -> PyResult<u64> {
        *lock(&self.lock().weights) = weights;
        let place = self.play(|player| match fingerprints {
            Some(fingerprints) => player.choose(site, &fingerprints).map(|place| place as u64),
            None => player.draw(site, count - 1),
        });
        // A replay has not used them.
        *lock(&self.lock().weights) = None;
        place
    }

    /// Opens a scope: a call, a loop, an iteration, a selection or a branch.
    fn open(&self, kind: &str, site: &str) -> PyResult<()> {
        let kind = match kind {
            "call" => Kind::Call,
            "loop" => Kind::Loop { open_ended: false },
            "iteration" => Kind::Iteration,
            "selection" => Kind::Selection,
            "branch" => Kind::Branch,
            _ => return Err(PyValueError::new_err("there is no such scope")),
        };
        self.play(|player| player.open(kind, site))
    }

    /// Closes the scope that was opened last.
    fn close(&self) -> PyResult<()> {
        self.play(traces::Player::close)
    }
}

impl Player {
    fn new(player: traces::Player<'static>, weights: Weights) -> Self {
        Self(Mutex::new(Inner { player: Some(player), weights, failure: None }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.0)
    }

    fn play<T>(&self, step: impl FnOnce(&mut traces::Player<'static>) -> Result<T, NoInput>) -> PyResult<T> {
        let mut inner = self.lock();
        let Some(player) = &mut inner.player else {
            return Err(PyRuntimeError::new_err("the run of the generator is over: it must not keep its source"));
        };
        step(player).map_err(|failure| {
            inner.failure.get_or_insert(failure);
            Interrupted::new_err("the choices of this run cannot be replayed")
        })
    }

    /// What the run has made, or why it made nothing.
    fn finish(&self, input: Vec<u8>) -> Result<Generated, NoInput> {
        let mut inner = self.lock();
        match (inner.failure.take(), inner.player.take()) {
            (Some(failure), _) => Err(failure),
            (None, Some(player)) => player.finish(input),
            (None, None) => Err(NoInput::Failed("the run is over".into())),
        }
    }
}

/// The place that `share`, from 0 to 1, falls on if each has as much room as its weight.
fn heavier_more_often(weights: &[f64], share: f64) -> u64 {
    let mut left = share * weights.iter().sum::<f64>();
    let passed = weights.iter().take_while(|weight| {
        let passes = left >= **weight;
        left -= **weight;
        passes
    });
    // Rounding may lead beyond the last one that can be drawn.
    let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
    passed.count().min(last) as u64
}

/// A Python function as a generator. It is called with a [`Player`] and gives bytes.
pub(crate) struct Generator {
    caller: Caller,
    function: Arc<Py<PyAny>>,
    draws: u64,
}

impl traces::Generator for Generator {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        let player = traces::Player::following(script, self.draws);
        match called(&self.caller, &self.function, player) {
            Called::Value(made) => made,
            Called::Raised(text) => Err(NoInput::Failed(text)),
            Called::Stopped => Err(NoInput::Failed("stopped".into())),
        }
    }
}

/// The generator and what it makes from a seed; replayed once to see that its choices decide.
pub(crate) fn first_run(
    caller: &Caller,
    function: Py<PyAny>,
    seed: u64,
) -> Called<Result<(Generator, Generated), String>> {
    let function = Arc::new(function);
    let theirs = Arc::clone(&function);
    let first = caller.call(move |py| {
        let player = Py::new(py, Player::seeded(seed))?;
        let bytes = theirs.bind(py).call1((player.clone_ref(py),))?.extract::<Vec<u8>>()?;
        Ok(player.get().finish(bytes))
    });
    let made = match first {
        Called::Value(Ok(made)) => made,
        Called::Value(Err(problem)) => return Called::Value(Err(problem.to_string())),
        Called::Raised(text) => return Called::Raised(text),
        Called::Stopped => return Called::Stopped,
    };
    if made.trace.is_empty() {
        return Called::Value(
            Err("the generator made no choice: it must draw from the source that it is given".into()),
        );
    }
    let generator = Generator { caller: caller.clone(), function, draws: draw_limit(&made.trace) };
    let script = Script { trace: Arc::clone(&made.trace), misfit: Misfit::Halt, defaults: Arc::new(HashMap::new()) };
    match traces::Generator::run(&generator, &script) {
        Ok(again) if again.input == made.input => Called::Value(Ok((generator, made))),
        _ => Called::Value(Err(
            "the generator makes another value from the same choices: it must depend on them alone".into(),
        )),
    }
}

/// Calls the function. An exception of the function means that these choices make no input.
fn called(
    caller: &Caller,
    function: &Arc<Py<PyAny>>,
    player: traces::Player<'static>,
) -> Called<Result<Generated, NoInput>> {
    let function = Arc::clone(function);
    caller.call(move |py| {
        let player = Py::new(py, Player::new(player, Weights::default()))?;
        match function.bind(py).call1((player.clone_ref(py),)) {
            Ok(bytes) => Ok(player.get().finish(bytes.cast::<PyBytes>()?.as_bytes().to_vec())),
            Err(error) if error.is_instance_of::<Interrupted>(py) => Ok(player.get().finish(Vec::new())),
            Err(error) if error.is_instance_of::<PyException>(py) => Ok(Err(NoInput::Failed(error.to_string()))),
            Err(error) => Err(error),
        }
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
