//! [`Program`]: the command that makes inputs, run by helpers under limits, each run in a folder of its own.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use whittle_property::{Crew, Errand, FIRST_RUN_LIMIT, Observed};
use whittle_search::{Cancel, TestError};
use whittle_traces::Generated;

use super::GeneratorError;

/// The default limit on what a generator prints or writes, in bytes.
pub const OUTPUT_LIMIT: u64 = 64 << 20;

/// No later run gets less time than this, however quick the first one was.
const LEAST_TIME: Duration = Duration::from_secs(2);

/// How many times what the first run took a later one may take.
const TIME_FACTOR: u32 = 10;

/// What the program's words say where the file goes that it has to write.
const PLACE: &str = "{}";

/// A program that makes inputs.
#[derive(Debug)]
pub struct Program {
    words: Vec<OsString>,
    /// The folder in which it runs.
    folder: PathBuf,
    /// What the file is called that it writes.
    name: OsString,
    crew: Crew,
    pub(super) limits: Limits,
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

impl Program {
    /// A program that is run as `words` say, in `folder`, by helpers of `crew`. Where the words say `{}`, it writes a
    /// file called `name`; otherwise it prints the input.
    pub fn new(
        words: Vec<OsString>,
        folder: PathBuf,
        name: &OsStr,
        crew: Crew,
        limits: Limits,
        cancel: Cancel,
    ) -> io::Result<Self> {
        let program = Self { words, folder, name: name.to_owned(), crew, limits, cancel, runs: AtomicU64::new(0) };
        fs::create_dir_all(program.home())?;
        Ok(program)
    }

    /// Where files for its runs go; removed with the helpers' scratch folders.
    pub(super) fn home(&self) -> PathBuf {
        self.crew.scratch().join("generator")
    }

    /// What was not limited is limited by the first run from now on.
    pub(super) fn limit_by(&mut self, first: &Observed) {
        self.limits.timeout.get_or_insert((first.elapsed * TIME_FACTOR).max(LEAST_TIME));
    }

    /// Does something in a new folder, which is gone afterwards.
    pub(super) fn in_folder<T>(
        &self,
        work: impl FnOnce(&Path) -> Result<T, GeneratorError>,
    ) -> Result<T, GeneratorError> {
        let folder = self.home().join(self.runs.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&folder).map_err(|error| unprepared(&error))?;
        let result = work(&folder);
        // It goes with the scratch folders at the latest.
        let _ = fs::remove_dir_all(&folder);
        result
    }

    /// One run, to its end.
    pub(super) fn run(
        &self,
        folder: &Path,
        mut environment: Vec<(OsString, OsString)>,
        stdin: Option<Vec<u8>>,
    ) -> Result<Observed, GeneratorError> {
        // Sets and dictionaries of strings must have the same order in every run.
        if std::env::var_os("PYTHONHASHSEED").is_none_or(|seed| seed.is_empty() || seed == "random") {
            environment.push(("PYTHONHASHSEED".into(), "0".into()));
        }
        let file = folder.join(&self.name);
        let errand = Errand {
            words: self.words.iter().map(|word| replaced(word, &file)).collect(),
            folder: self.folder.clone(),
            environment,
            stdin,
            timeout: self.limits.timeout.unwrap_or(FIRST_RUN_LIMIT),
            output_limit: self.output_limit(),
        };
        errand.run(&self.crew, &self.cancel).map_err(|error| match error {
            TestError::Cancelled => GeneratorError::Cancelled,
            TestError::Failed(reason) => GeneratorError::Unrunnable(reason),
        })
    }

    /// What a run has made.
    pub(super) fn input(&self, folder: &Path, observed: &mut Observed) -> Vec<u8> {
        if self.words.iter().any(|word| word.to_string_lossy().contains(PLACE)) {
            read_within(&folder.join(&self.name), self.output_limit()).unwrap_or_default()
        } else {
            std::mem::take(&mut observed.observation.stdout)
        }
    }

    fn output_limit(&self) -> u64 {
        self.limits.output.unwrap_or(OUTPUT_LIMIT)
    }
}

/// The first input, if the same choices made it again.
pub(super) fn confirmed(
    first: Generated,
    again: Result<Generated, GeneratorError>,
) -> Result<Generated, GeneratorError> {
    match again {
        Ok(again) if again.input == first.input => Ok(first),
        Err(error @ (GeneratorError::Cancelled | GeneratorError::Unrunnable(_))) => Err(error),
        Ok(_) | Err(_) => Err(GeneratorError::NotDeterministic),
    }
}

pub(super) fn unprepared(error: &io::Error) -> GeneratorError {
    GeneratorError::Unrunnable(format!("the generator cannot be prepared: {error}"))
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
