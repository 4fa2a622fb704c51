//! One reduction for Python: `reduce` and `reduce_generator`.

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use whittle::command::embedded::{Judge, Prepared};
use whittle::generator::{GeneratorCommand, Limits, Program};
use whittle::lists::Algorithm;
use whittle::property::{Crew, CrewSetup, HelperProgram, Host};
use whittle::reduction::{Confirmation, End, Run};
use whittle::search::{Event, Interrupter, Moment, Stop};
use whittle::strategy::Unfinished;
use whittle::traces::{self, Generated, Session, Shrink};
use whittle::{Input, Outcome, ReductionError};

use crate::calling::{Called, Caller, Exchange, exchange};
use crate::outcome::{fields, kind};
use crate::player::first_run;
use crate::predicate::{Predicate, data};

/// The stack of the thread that reduces, in bytes: what the main thread of a program usually has.
const STACK: usize = 8 << 20;

/// What `whittle.reduce` and `whittle.reduce_generator` have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Request {
    /// The file name of candidates.
    name: String,
    /// Options of the command line.
    words: Vec<OsString>,
    /// A callable; if there is none, the words contain a command.
    predicate: Option<Py<PyAny>>,
    /// Names what the callable tests, for a run that can be resumed.
    identity: Option<String>,
    on_progress: Option<Py<PyAny>>,
    /// Whether the user's code sees text, not bytes.
    as_text: bool,
    /// Whether Python code may be called on several threads.
    is_direct: bool,
    /// What starts Whittle again.
    again: Vec<OsString>,
}

/// What a generator adds to that.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GeneratorRequest {
    /// Makes bytes from a `Player`.
    function: Option<Py<PyAny>>,
    /// A command that makes bytes.
    program: Vec<OsString>,
    seed: u64,
    /// Whether the command is to print text.
    as_text: bool,
    /// Whether the text is reduced afterwards.
    then: bool,
}

/// A reduction that came to an end.
struct Done {
    outcome: Outcome,
    language: Option<String>,
    notices: Vec<String>,
    /// The steps of the trace before and after, and how often the generator ran.
    steps: Option<(usize, usize, u64)>,
}

/// Why there is no outcome.
enum Failure {
    /// Which kind of error, and what to say.
    Error(&'static str, String),
    /// An exception of the user's code, by its text.
    Raised(String),
    /// Something else ended it, and is known.
    Stopped,
}

/// The fields of the result, the exception that ended the reduction, and the kind and message of an error; each if there is one.
type Answer<'py> = (Option<Bound<'py, PyDict>>, Option<PyErr>, Option<(&'static str, String)>);

/// Reduces `bytes`.
#[pyfunction]
pub(crate) fn reduce(py: Python<'_>, bytes: Vec<u8>, request: Request) -> PyResult<Answer<'_>> {
    request.run(py, |request, caller| request.reduce(Input::new(&request.name, bytes), caller, Run::reduce))
}

/// Reduces what a generator makes, by its choices.
#[pyfunction]
pub(crate) fn reduce_generator(py: Python<'_>, generator: GeneratorRequest, request: Request) -> PyResult<Answer<'_>> {
    request.run(py, |request, caller| {
        let then = generator.then;
        let (generator, made) = start(generator, &request.name, caller)?;
        let mut session = Session::new(generator, &request.name, &made);
        let input = Input::from(session.input().clone());
        let done = request.reduce(input, caller, |run| {
            Shrink { algorithm: Algorithm::default() }.reduce(&mut session, run.search())?;
            if then { run.reduce() } else { Ok(()) }
        })?;
        let steps = (made.trace.len(), session.trace().len(), session.tally().runs);
        Ok(Done { steps: Some(steps), ..done })
    })
}

/// The generator, and what it makes when nobody guides it.
fn start(
    generator: GeneratorRequest,
    name: &str,
    caller: &Caller,
) -> Result<(Arc<dyn traces::Generator>, Generated), Failure> {
    let refused = |problem: &dyn ToString| Failure::Error("generator", problem.to_string());
    let Some(function) = generator.function else {
        let setup = CrewSetup {
            helper: HelperProgram::this().map_err(|error| refused(&error))?,
            scratch: None,
            room: (0, 1),
            memory_limit: None,
            warm: Arc::from([]),
        };
        let crew = Crew::new(setup).map_err(|error| refused(&error))?;
        let folder = std::env::current_dir().map_err(|error| refused(&error))?;
        let cancel = caller.interrupter().cancel().clone();
        let wants_text = generator.as_text;
        let program = Program::new(generator.program, folder, name.as_ref(), crew, Limits::default(), cancel);
        let program = program.map_err(|error| refused(&error))?;
        let mut generator = GeneratorCommand::new(program).map_err(|error| refused(&error))?;
        let made = generator.record().map_err(|error| refused(&error))?;
        if wants_text && std::str::from_utf8(&made.input).is_err() {
            let problem = "the generator's output is not UTF-8: pass text=False to reduce it as bytes";
            return Err(Failure::Error("usage", problem.into()));
        }
        return Ok((Arc::new(generator), made));
    };
    match first_run(caller, function, generator.seed) {
        Called::Value(Ok((generator, made))) => Ok((Arc::new(generator), made)),
        Called::Value(Err(problem)) => Err(refused(&problem)),
        Called::Raised(text) => Err(Failure::Raised(text)),
        Called::Stopped => Err(Failure::Stopped),
    }
}

impl Request {
    /// Does `work` on a thread of its own, and what it asks Python for on this one.
    fn run<'py>(
        self,
        py: Python<'py>,
        work: impl FnOnce(&Self, &Caller) -> Result<Done, Failure> + Send,
    ) -> PyResult<Answer<'py>> {
        // Tests that are commands run in helpers, which are this interpreter with the module again.
        whittle::property::init_as(Host { again: self.again.clone(), arguments: vec!["whittle".into()] });
        let (caller, exchange) = exchange(self.is_direct, Interrupter::default());
        let request = &self;
        let ran = std::thread::scope(|scope| {
            let ending = caller.ending();
            let thread = std::thread::Builder::new().name("whittle".into()).stack_size(STACK);
            let thread = thread.spawn_scoped(scope, move || {
                let _ending = ending;
                work(request, &caller)
            })?;
            exchange.serve(py);
            py.detach(|| thread.join()).map_err(|panic| {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                PyRuntimeError::new_err(format!("Whittle failed: {}", text.unwrap_or("a bug in it")))
            })
        })?;
        request.answer(py, &exchange, ran)
    }

    fn reduce(
        &self,
        input: Input,
        caller: &Caller,
        drive: impl FnOnce(&mut Run) -> Result<(), Unfinished>,
    ) -> Result<Done, Failure> {
        let judge = self.predicate.as_ref().map_or(Judge::Command, |callable| {
            let callable = Python::attach(|py| callable.clone_ref(py));
            let predicate = Predicate { caller: caller.clone(), callable, takes_text: self.as_text };
            Judge::Property(Arc::new(predicate), self.identity.clone())
        });
        let usage = |problem| Failure::Error("usage", problem);
        let prepared = Prepared::new(input, judge, &self.words).map_err(usage)?;
        let mut reduction = prepared.reduction().map_err(usage)?.interrupter(caller.interrupter().clone());
        if let Some(listener) = self.listener(caller) {
            reduction = reduction.on_event(listener);
        }
        let ran = reduction.start().and_then(|mut run| {
            let ended = drive(&mut run);
            run.finish(ended)
        });
        let outcome = ran.map_err(|error| match error {
            ReductionError::Test(text) if self.predicate.is_some() => Failure::Raised(text),
            error => Failure::Error(kind(&error), prepared.explain(error)),
        })?;
        Ok(Done { outcome, language: prepared.language(), notices: prepared.notices().to_vec(), steps: None })
    }

    /// Lets the user's code know of improvements, and of passes that begin.
    fn listener(&self, caller: &Caller) -> Option<impl FnMut(&Event, &Moment<'_>) + use<>> {
        let (caller, as_text) = (caller.clone(), self.as_text);
        let hear = Python::attach(|py| self.on_progress.as_ref().map(|hear| Arc::new(hear.clone_ref(py))))?;
        let mut pass = String::new();
        Some(move |event: &Event, moment: &Moment<'_>| {
            let improved = match event {
                Event::PassBegun { pass: begun } => {
                    pass.clone_from(begun);
                    false
                }
                Event::Improved => true,
                _ => return,
            };
            let (hear, pass, best) = (Arc::clone(&hear), pass.clone(), moment.best.clone());
            let (tests, elapsed) = (moment.tally.tests, moment.elapsed.as_secs_f64());
            caller.post(move |py| {
                let fields = PyDict::new(py);
                fields.set_item("improved", improved)?;
                fields.set_item("pass_name", pass)?;
                fields.set_item("tests", tests)?;
                fields.set_item("size", best.size.units)?;
                let bytes = best.candidate.files().first().map_or(&[][..], |file| file.bytes());
                fields.set_item("data", data(py, bytes, as_text)?)?;
                fields.set_item("elapsed", elapsed)?;
                hear.bind(py).call1((fields,)).map(drop)
            });
        })
    }

    fn answer<'py>(&self, py: Python<'py>, exchange: &Exchange, ran: Result<Done, Failure>) -> PyResult<Answer<'py>> {
        let done = match ran {
            Ok(done) => done,
            Err(failure) => {
                let stopped_by = exchange.stopped_by();
                return Ok(match failure {
                    Failure::Raised(text) => match stopped_by.or_else(|| exchange.raised(&text)) {
                        Some(error) => (None, Some(error), None),
                        None => (None, None, Some(("failed", text))),
                    },
                    Failure::Error(..) if stopped_by.is_some() => (None, stopped_by, None),
                    Failure::Error(kind, message) => (None, None, Some((kind, message))),
                    Failure::Stopped => (None, stopped_by, None),
                });
            }
        };
        let fields = fields(py, &done.outcome, self.as_text, done.language.as_deref(), &done.notices)?;
        if let Some((before, after, runs)) = done.steps {
            fields.set_item("steps_before", before)?;
            fields.set_item("steps_after", after)?;
            fields.set_item("generator_runs", runs)?;
        }
        let raised = failed_test(&done.outcome).and_then(|text| exchange.raised(text));
        let error = match &done.outcome.end {
            End::Failed(error) if raised.is_none() => Some(("failed", error.to_string())),
            _ => None,
        };
        Ok((Some(fields), exchange.stopped_by().or(raised), error))
    }
}

/// What a test failed with that ended the reduction, or that was to confirm its result.
fn failed_test(outcome: &Outcome) -> Option<&str> {
    match (&outcome.end, &outcome.confirmation) {
        (End::Failed(Unfinished::Stopped(Stop::Failed(text))), _) | (_, Confirmation::Unknown(Stop::Failed(text))) => {
            Some(text)
        }
        _ => None,
    }
}
