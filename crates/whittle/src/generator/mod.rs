//! Generators that are programs: run with limits, replayed by a trace or by bytes, and leaving nothing behind.
//!
//! The program is whatever the user runs; if there is Python in it, the package that is carried along records its choices
//! and replays them, without a change to the program. `docs/trace-protocol.md` says what passes between the two. A
//! program that takes its choices from bytes on its standard input needs none of this: [`ByteGenerator`].

mod bytes;
mod carried;
mod program;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whittle_property::Observed;
use whittle_property::conditions::Ending;
use whittle_traces::records::{RunEnd, decode, encode};
use whittle_traces::{Generated, Generator, Kind, Misfit, NoInput, NodeId, Script, Trace};

pub use bytes::ByteGenerator;
pub use program::{Limits, OUTPUT_LIMIT, Program};

/// No replay gets fewer draws than this, however small the first run was.
const LEAST_DRAWS: u64 = 1000;

/// How many times what the first run drew a replay may draw.
const DRAWS_FACTOR: u64 = 4;

/// How often a replay may draw, by what the first run drew.
pub fn draw_limit(first: &Trace) -> u64 {
    (count_draws(first) * DRAWS_FACTOR).max(LEAST_DRAWS)
}

fn count_draws(trace: &Trace) -> u64 {
    trace.nodes().filter(|(_, node)| matches!(node.kind, Kind::Draw(_))).count() as u64
}

/// A program that makes inputs and records its choices.
#[derive(Debug)]
pub struct GeneratorCommand {
    program: Program,
    home: PathBuf,
}

/// Why a program cannot be used as a generator.
#[derive(Debug, thiserror::Error)]
pub enum GeneratorError {
    /// It could not be run.
    #[error("{0}")]
    Unrunnable(String),
    /// It was stopped from outside.
    #[error("stopped")]
    Cancelled,
    /// It failed.
    #[error("the generator failed: {}", .0.observation.ending)]
    Failed(Box<Observed>),
    /// It made nothing.
    #[error("the generator made an empty input")]
    Empty,
    /// It left no trace.
    #[error("no random choice of the generator was recorded")]
    NoTrace,
    /// What it left is no trace.
    #[error("the generator's trace cannot be read: {0}")]
    BadTrace(#[from] whittle_traces::records::BadTrace),
    /// The script could not be followed at this node of it.
    #[error("the generator cannot replay the trace")]
    Halted(NodeId),
    /// It drew more often than it may.
    #[error("the generator draws more often than allowed")]
    OverBudget,
    /// The same choices made another input.
    #[error("the generator makes another input from the same random choices")]
    NotDeterministic,
}

impl GeneratorCommand {
    /// A generator that is run as `program` says.
    pub fn new(program: Program) -> io::Result<Self> {
        let home = program.home();
        carried::unpack(&home)?;
        fs::create_dir_all(home.join("code"))?;
        Ok(Self { program, home })
    }

    /// Runs the program as it is and records what it does; then once more by that record, to see that it does the same
    /// again. What was not limited is limited by the first run from now on.
    pub fn record(&mut self) -> Result<Generated, GeneratorError> {
        let (made, observed) = self.perform(None)?;
        if count_draws(&made.trace) == 0 {
            return Err(GeneratorError::NoTrace);
        }
        if made.input.is_empty() {
            return Err(GeneratorError::Empty);
        }
        self.program.limit_by(&observed);
        self.program.limits.draws.get_or_insert(draw_limit(&made.trace));
        let script =
            Script { trace: Arc::clone(&made.trace), misfit: Misfit::Halt, defaults: Arc::new(HashMap::new()) };
        program::confirmed(made, self.perform(Some(&script)).map(|(again, _)| again))
    }

    fn perform(&self, script: Option<&Script>) -> Result<(Generated, Observed), GeneratorError> {
        self.program.in_folder(|folder| self.perform_in(folder, script))
    }

    fn perform_in(&self, folder: &Path, script: Option<&Script>) -> Result<(Generated, Observed), GeneratorError> {
        if let Some(script) = script {
            let bytes = encode(&script.trace, &script.defaults);
            fs::write(folder.join("replay"), bytes).map_err(|error| program::unprepared(&error))?;
        }
        let environment = self.environment(folder, script.map(|script| script.misfit));
        let mut observed = self.program.run(folder, environment, None)?;
        let recorded = fs::read(folder.join("record"));
        let ended_early = recorded.as_ref().ok().and_then(|bytes| decode(bytes).ok()?.end);
        let stopped = ended_early.as_ref().is_some_and(|end| end.outcome != RunEnd::Complete);
        if observed.observation.ending != Ending::Exited(0) && !stopped {
            return Err(GeneratorError::Failed(Box::new(observed)));
        }
        let recording = decode(&recorded.map_err(|_| GeneratorError::NoTrace)?)?;
        let end = recording.end.ok_or(GeneratorError::NoTrace)?;
        let input = self.program.input(folder, &mut observed);
        let made = Generated { input, trace: Arc::new(recording.trace), misaligned: end.misaligned };
        match end.outcome {
            RunEnd::Complete => Ok((made, observed)),
            RunEnd::Halted(node) => Err(GeneratorError::Halted(node)),
            RunEnd::OverBudget => Err(GeneratorError::OverBudget),
        }
    }

    fn environment(&self, folder: &Path, misfit: Option<Misfit>) -> Vec<(OsString, OsString)> {
        let path = std::env::var_os("PYTHONPATH").filter(|path| !path.is_empty());
        let own = [self.home.join(carried::START), self.home.clone()];
        let path = own.into_iter().chain(path.iter().flat_map(std::env::split_paths));
        let path = std::env::join_paths(path).unwrap_or_else(|_| self.home.join(carried::START).into());
        let mut environment: Vec<(OsString, OsString)> = vec![
            ("PYTHONPATH".into(), path),
            ("WHITTLE_TRACE_RECORD".into(), folder.join("record").into()),
            ("WHITTLE_TRACE_CACHE".into(), self.home.join("code").into()),
        ];
        if let Some(misfit) = misfit {
            environment.push(("WHITTLE_TRACE_REPLAY".into(), folder.join("replay").into()));
            let word = if misfit == Misfit::Halt { "halt" } else { "re-align" };
            environment.push(("WHITTLE_TRACE_MISFIT".into(), word.into()));
        }
        if let Some(draws) = self.program.limits.draws {
            environment.push(("WHITTLE_TRACE_BUDGET".into(), draws.to_string().into()));
        }
        environment
    }
}

impl Generator for GeneratorCommand {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        match self.perform(Some(script)) {
            Ok((made, _)) => Ok(made),
            Err(error) => Err(error.into()),
        }
    }
}

impl From<GeneratorError> for NoInput {
    fn from(error: GeneratorError) -> Self {
        match error {
            GeneratorError::Halted(node) => Self::Halted(node),
            GeneratorError::OverBudget => Self::OverBudget,
            error => Self::Failed(error.to_string()),
        }
    }
}
