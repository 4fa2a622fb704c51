//! A command that is not about a candidate, such as a generator, run by the same helpers under the same limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whittle_search::{Cancel, Candidate, TestError};

use crate::command::{Observed, perform};
use crate::crew::{Assignment, Crew};
use crate::protocol::{OutputRule, Surroundings};

/// The name of the file that is fed on standard input.
const STDIN: &str = "stdin";

/// What is run, where and within which limits.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Program and arguments.
    pub words: Vec<OsString>,
    /// The folder in which it runs.
    pub folder: PathBuf,
    /// What its environment holds besides that of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// What it reads on standard input.
    pub stdin: Option<Vec<u8>>,
    /// How long it may take.
    pub timeout: Duration,
    /// How much it may print, in bytes.
    pub output_limit: u64,
}

impl Errand {
    /// Runs it to its end; nothing that it starts outlives it.
    pub fn run(&self, crew: &Crew, cancel: &Cancel) -> Result<Observed, TestError> {
        let words = |_: &Path| self.words.clone();
        let surroundings =
            Surroundings { folder: self.folder.clone().into_os_string(), environment: self.environment.clone() };
        let assignment = Assignment {
            words: &words,
            surroundings: Some(surroundings),
            stdin: self.stdin.is_some().then_some(Path::new(STDIN)),
            timeout: self.timeout,
            output: OutputRule::Keep(self.output_limit),
            question: None,
        };
        let input = Candidate::single(STDIN, self.stdin.clone().unwrap_or_default());
        perform(crew, &input, &assignment, cancel)
    }
}
