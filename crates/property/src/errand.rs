//! Commands that do not test a candidate, such as generators and external passes, run by the same helpers under the same
//! limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whittle_search::{Cancel, Candidate, TestError};

use crate::command::{Observed, perform};
use crate::conditions::Ending;
use crate::crew::{Assignment, Crew};
use crate::protocol::{OutputRule, Question, ServerRules, Surroundings};

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

/// Runs a command in a folder that holds `candidate`, and keeps what it prints, up to `output_limit` bytes. `words` makes
/// program and arguments for that folder.
pub fn consult(
    crew: &Crew,
    candidate: &Candidate,
    words: &dyn Fn(&Path) -> Vec<OsString>,
    (timeout, output_limit): (Duration, u64),
    cancel: &Cancel,
) -> Result<Observed, TestError> {
    let (output, surroundings, stdin) = (OutputRule::Keep(output_limit), None, None);
    let assignment = Assignment { words, surroundings, stdin, timeout, output, question: None };
    perform(crew, candidate, &assignment, cancel)
}

/// Says a line to a process that stays, and gives the next line that it prints, or how it ended instead: by itself, or because
/// it took too long or printed too much. The process is started if it is not there, or if `afresh` is set. `crew` must have no
/// other work meanwhile: each of its helpers would have a process of its own.
pub fn converse(
    crew: &Crew,
    words: &[OsString],
    (line, afresh): (OsString, bool),
    (timeout, output_limit): (Duration, u64),
    cancel: &Cancel,
) -> Result<Result<Vec<u8>, Ending>, TestError> {
    let question =
        |_: &Path| Question { line: line.clone(), is_dialogue: true, fresh: afresh, rules: ServerRules::default() };
    let assignment = Assignment {
        words: &|_| words.to_vec(),
        surroundings: None,
        stdin: None,
        timeout,
        output: OutputRule::Keep(output_limit),
        question: Some(&question),
    };
    let nothing = Candidate::single("nothing", Vec::new());
    let observed = perform(crew, &nothing, &assignment, cancel)?;
    let is_answer = observed.has_answered() && observed.observation.ending == Ending::Exited(0);
    Ok(if is_answer { Ok(observed.observation.stdout) } else { Err(observed.observation.ending) })
}
