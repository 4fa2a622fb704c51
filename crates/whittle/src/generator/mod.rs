//! Generators that are programs: run with limits, told what to draw by a trace file, and leaving nothing behind.
//!
//! The program is whatever the user runs; if there is Python in it, the package that is carried along records its choices
//! and replays them, without a change to the program. `docs/trace-protocol.md` says what passes between the two.

mod carried;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use whittle_property::conditions::Ending;
use whittle_property::{Crew, Errand, FIRST_RUN_LIMIT, Observed};
use whittle_search::{Cancel, TestError};
use whittle_traces::records::{RunEnd, decode, encode};
use whittle_traces::{Generated, Generator, Kind, Misfit, NoInput, NodeId, Script};

/// How much a generator may print or write unless it is told otherwise, in bytes.
pub const OUTPUT_LIMIT: u64 = 64 << 20;

/// No replay gets less time or fewer draws than this, however small the first run was.
const LEAST: (Duration, u64) = (Duration::from_secs(2), 1000);

/// How many times what the first run took a replay may take.
const FACTORS: (u32, u64) = (10, 4);

/// What the program's words say where the file goes that it has to write.
const PLACE: &str = "{}";

/// A program that makes inputs.
#[derive(Debug)]
pub struct GeneratorCommand {
    words: Vec<OsString>,
    /// The folder in which it runs.
    folder: PathBuf,
    /// What the file is called that it writes.
    name: OsString,
    crew: Crew,
    home: PathBuf,
    limits: Limits,
    cancel: Cancel,
    runs: AtomicU64,
}

/// What one run may use. What is left open follows from the first run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Time.
    pub timeout: Option<Duration>,
    /// Random choices.
    pub draws: Option<u64>,
    /// Bytes of output.
    pub output: Option<u64>,
}

/// Why a program is of no use as a generator.
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
    #[error("the trace cannot be followed")]
    Halted(NodeId),
    /// It drew more often than it may.
    #[error("the generator draws more often than it may")]
    OverBudget,
    /// The same choices made another input.
    #[error("the generator makes another input from the same random choices")]
    NotDeterministic,
}

impl GeneratorCommand {
    /// A generator that is run as `words` say, in `folder`, by helpers of `crew`. Where the words say `{}`, it writes a
    /// file called `name`; otherwise it prints the input.
    pub fn new(
        words: Vec<OsString>,
        folder: PathBuf,
        name: &OsStr,
        crew: Crew,
        limits: Limits,
        cancel: Cancel,
    ) -> io::Result<Self> {
        let home = crew.scratch().join("generator");
        carried::unpack(&home)?;
        fs::create_dir_all(home.join("code"))?;
        let name = name.to_owned();
        Ok(Self { words, folder, name, crew, home, limits, cancel, runs: AtomicU64::new(0) })
    }

    /// Runs the program as it is and records what it does; then once more by that record, to see that it does the same
    /// again. What was not limited is limited by the first run from now on.
    pub fn record(&mut self) -> Result<Generated, GeneratorError> {
        let limits = self.limits;
        self.limits.timeout = Some(limits.timeout.unwrap_or(FIRST_RUN_LIMIT));
        let (made, observed) = self.perform(None)?;
        let draws = made.trace.nodes().filter(|(_, node)| matches!(node.kind, Kind::Draw(_))).count() as u64;
        if draws == 0 {
            return Err(GeneratorError::NoTrace);
        }
        if made.input.is_empty() {
            return Err(GeneratorError::Empty);
        }
        self.limits.timeout = Some(limits.timeout.unwrap_or((observed.elapsed * FACTORS.0).max(LEAST.0)));
        self.limits.draws = Some(limits.draws.unwrap_or((draws * FACTORS.1).max(LEAST.1)));
        let script =
            Script { trace: Arc::clone(&made.trace), misfit: Misfit::Halt, defaults: Arc::new(HashMap::new()) };
        match self.perform(Some(&script)) {
            Ok((again, _)) if again.input == made.input => Ok(made),
            Err(error @ (GeneratorError::Cancelled | GeneratorError::Unrunnable(_))) => Err(error),
            Ok(_) | Err(_) => Err(GeneratorError::NotDeterministic),
        }
    }

    /// One run in a folder of its own, which is gone afterwards.
    fn perform(&self, script: Option<&Script>) -> Result<(Generated, Observed), GeneratorError> {
        let folder = self.home.join(self.runs.fetch_add(1, Ordering::Relaxed).to_string());
        let result = self.perform_in(&folder, script);
        // It goes with the scratch folders at the latest.
        let _ = fs::remove_dir_all(&folder);
        result
    }

    fn perform_in(&self, folder: &Path, script: Option<&Script>) -> Result<(Generated, Observed), GeneratorError> {
        let cannot =
            |error: io::Error| GeneratorError::Unrunnable(format!("the generator cannot be prepared: {error}"));
        fs::create_dir(folder).map_err(cannot)?;
        if let Some(script) = script {
            fs::write(folder.join("replay"), encode(&script.trace, &script.defaults)).map_err(cannot)?;
        }
        let file = folder.join(&self.name);
        let errand = Errand {
            words: self.words.iter().map(|word| replaced(word, &file)).collect(),
            folder: self.folder.clone(),
            environment: self.environment(folder, script.map(|script| script.misfit)),
            timeout: self.limits.timeout.unwrap_or(FIRST_RUN_LIMIT),
            output_limit: self.output_limit(),
        };
        let mut observed = errand.run(&self.crew, &self.cancel).map_err(|error| match error {
            TestError::Cancelled => GeneratorError::Cancelled,
            TestError::Failed(reason) => GeneratorError::Unrunnable(reason),
        })?;
        let recorded = fs::read(folder.join("record"));
        let ended_early = recorded.as_ref().ok().and_then(|bytes| decode(bytes).ok()?.end);
        let stopped = ended_early.as_ref().is_some_and(|end| end.outcome != RunEnd::Complete);
        if observed.observation.ending != Ending::Exited(0) && !stopped {
            return Err(GeneratorError::Failed(Box::new(observed)));
        }
        let recording = decode(&recorded.map_err(|_| GeneratorError::NoTrace)?)?;
        let end = recording.end.ok_or(GeneratorError::NoTrace)?;
        let input = if self.writes_a_file() {
            read_within(&file, self.output_limit()).unwrap_or_default()
        } else {
            std::mem::take(&mut observed.observation.stdout)
        };
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
        // Sets and dictionaries of strings must have the same order in every run.
        if std::env::var_os("PYTHONHASHSEED").is_none_or(|seed| seed.is_empty() || seed == "random") {
            environment.push(("PYTHONHASHSEED".into(), "0".into()));
        }
        if let Some(misfit) = misfit {
            environment.push(("WHITTLE_TRACE_REPLAY".into(), folder.join("replay").into()));
            let word = if misfit == Misfit::Halt { "halt" } else { "re-align" };
            environment.push(("WHITTLE_TRACE_MISFIT".into(), word.into()));
        }
        if let Some(draws) = self.limits.draws {
            environment.push(("WHITTLE_TRACE_BUDGET".into(), draws.to_string().into()));
        }
        environment
    }

    fn writes_a_file(&self) -> bool {
        self.words.iter().any(|word| word.to_string_lossy().contains(PLACE))
    }

    fn output_limit(&self) -> u64 {
        self.limits.output.unwrap_or(OUTPUT_LIMIT)
    }
}

impl Generator for GeneratorCommand {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        match self.perform(Some(script)) {
            Ok((made, _)) => Ok(made),
            Err(GeneratorError::Halted(node)) => Err(NoInput::Halted(node)),
            Err(GeneratorError::OverBudget) => Err(NoInput::OverBudget),
            Err(error) => Err(NoInput::Failed(error.to_string())),
        }
    }
}

/// A word with the path of the file that the generator has to write.
fn replaced(word: &OsStr, file: &Path) -> OsString {
    match word.to_str() {
        Some(text) if text.contains(PLACE) => text.replace(PLACE, &file.to_string_lossy()).into(),
        _ => word.to_owned(),
    }
}

fn read_within(file: &Path, limit: u64) -> Option<Vec<u8>> {
    let size = fs::metadata(file).ok()?.len();
    fs::read(file).ok().filter(|_| size <= limit)
}
