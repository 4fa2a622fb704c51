//! [`Reduction`]: one run, from the check of the input to the confirmed result.
//!
//! A reduction takes an [`Input`], a property and what users choose, and [`run`](Reduction::run) gives an [`Outcome`]. It
//! owns everything between: the checks before, resuming, the language and with it the size, the strategy, the result
//! file, other bugs, and the confirmation at the end. Commands translate arguments and print.
//!
//! Promises: the outcome's candidate was interesting whenever it was tested; it is the same for any number of workers, if
//! the property depends on the candidate alone; a result that is in place is not replaced by a larger one.

mod confirm;
mod earlier;
mod error;
mod history;
mod input;
mod others;
mod outcome;
mod preflight;
mod reliability;
mod result_file;
mod resume;
mod run;
mod starting_point;
mod well_formed;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use whittle_grammars::Alphabet;
use whittle_machines::Machines;
use whittle_property::{CommandProperty, CommandTest, Constants, Repeat, TestCommand};
use whittle_search::{Candidate, Closure, Event, Interrupter, Listener, Measured, Moment, Property, Verdict};
use whittle_trees::gtr::GtrOptions;

use crate::external::{PassCommand, PassLimits};
use crate::strategy::{Effort, ProjectFacts, Strategy};
use crate::syntaxes::{LanguageChoice, Syntaxes};

pub use error::ReductionError;
pub use history::{HistoryEntry, HistoryFile};
pub use input::{Input, InputError, Origin};
pub use others::OtherBug;
pub use outcome::{Confirmation, End, JournalEnd, Outcome};
pub use preflight::{Checked, check_test};
pub use reliability::Confidence;
pub use resume::discard_foreign_journal;
pub use run::Run;
pub use starting_point::Notice;

/// Reduces `bytes`, whose name decides the language, to the smallest text that `is_interesting` accepts.
///
/// The closure runs on all cores at once. For limits, listeners, commands and the rest, see [`Reduction`].
///
/// ```
/// let bug = "int unused;\nint main(void) { return 1 / 0; }\n";
/// let outcome = whittle::reduce("bug.c", bug, |candidate| candidate.windows(5).any(|text| text == b"1 / 0"))?;
/// assert_eq!(outcome.bytes().trim_ascii(), b"1 / 0");
/// # Ok::<(), whittle::ReductionError>(())
/// ```
pub fn reduce(
    name: impl AsRef<Path>,
    bytes: impl Into<Vec<u8>>,
    is_interesting: impl Fn(&[u8]) -> bool + Send + Sync + 'static,
) -> Result<Outcome, ReductionError> {
    Reduction::new(Input::new(name, bytes), is_interesting).run()
}

/// A reduction that is about to run. The defaults are those of the command line: all cores, the language by the file's
/// name or content, normal effort, no limits. Nothing is written unless an output is given.
#[must_use = "a reduction does nothing until it runs"]
pub struct Reduction {
    input: Input,
    property: Source,
    language: LanguageChoice,
    effort: Effort,
    strategy: Option<Strategy>,
    passes: Vec<PassCommand>,
    pass_limits: PassLimits,
    alphabet: Alphabet,
    gtr: GtrOptions,
    check_up_to: Option<usize>,
    well_formed: bool,
    jobs: usize,
    machines: Option<Machines>,
    max_tests: Option<u64>,
    max_time: Option<Duration>,
    output: Option<Place>,
    keeps_originals: bool,
    overwrite: bool,
    history: bool,
    journal: Option<PathBuf>,
    identity: Option<String>,
    resume: bool,
    repeat: Option<Repeat>,
    other_bugs: Option<PathBuf>,
    listeners: Vec<Box<dyn Listener>>,
    interrupter: Interrupter,
}

/// Where the result goes.
#[derive(Clone, Debug)]
enum Place {
    Beside(PathBuf),
    /// Over what the input was read from.
    Over(PathBuf),
    /// Each file over the one of its path below this folder.
    Files(PathBuf),
}

/// What says whether a candidate is interesting, as the caller gave it.
enum Source {
    Property(Arc<dyn Property>),
    Command(Box<TestCommand>),
    Test(Arc<CommandTest>),
}

/// The same, ready to be asked.
enum Judge {
    Property(Arc<dyn Property>),
    Command(Arc<CommandTest>),
}

impl Judge {
    /// The property of a run in which `constants` hold, one run a verdict.
    fn single(&self, constants: &Constants, jobs: usize) -> Arc<dyn Property> {
        match self {
            Self::Property(property) => Arc::clone(property),
            Self::Command(test) => Arc::new(CommandProperty::new(Arc::clone(test), constants.clone(), jobs)),
        }
    }
}

impl Reduction {
    /// The closure says whether the bytes of the input's first file are interesting. It runs on several threads at once.
    pub fn new(input: Input, is_interesting: impl Fn(&[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self::by_property(input, Arc::new(Closure::on_bytes(is_interesting)))
    }

    /// The closure grades candidates, all files of each.
    pub fn graded(input: Input, grade: impl Fn(&Candidate) -> Verdict + Send + Sync + 'static) -> Self {
        Self::by_property(input, Arc::new(Closure::new(grade)))
    }

    /// Any property.
    pub fn by_property(input: Input, property: Arc<dyn Property>) -> Self {
        Self::from_source(input, Source::Property(property))
    }

    /// A command decides. The host program calls [`init`](crate::init) first thing in `main`.
    pub fn by_command(input: Input, command: TestCommand) -> Self {
        Self::from_source(input, Source::Command(Box::new(command)))
    }

    /// The same, with helpers that were started before: for several reductions with one test.
    pub fn by_test(input: Input, test: &Arc<CommandTest>) -> Self {
        Self::from_source(input, Source::Test(Arc::clone(test)))
    }

    fn from_source(input: Input, property: Source) -> Self {
        Self {
            input,
            property,
            language: LanguageChoice::Detect,
            effort: Effort::default(),
            strategy: None,
            passes: Vec::new(),
            pass_limits: PassLimits::default(),
            alphabet: Alphabet::default(),
            gtr: GtrOptions::default(),
            check_up_to: None,
            well_formed: false,
            jobs: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            machines: None,
            max_tests: None,
            max_time: None,
            output: None,
            keeps_originals: true,
            overwrite: false,
            history: false,
            journal: None,
            identity: None,
            resume: false,
            repeat: None,
            other_bugs: None,
            listeners: Vec::new(),
            interrupter: Interrupter::default(),
        }
    }

    /// The language of the files.
    pub fn language(self, language: LanguageChoice) -> Self {
        Self { language, ..self }
    }

    /// How much to try for a small result.
    pub fn effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// Which passes run, in place of those that effort and language choose.
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { strategy: Some(strategy), ..self }
    }

    /// Adds passes by other programs, which take turns with the others. The host program calls [`init`](crate::init) first
    /// thing in `main`.
    pub fn passes(mut self, passes: impl IntoIterator<Item = PassCommand>) -> Self {
        self.passes.extend(passes);
        self
    }

    /// What one turn of a pass by another program may use.
    pub fn pass_limits(self, pass_limits: PassLimits) -> Self {
        Self { pass_limits, ..self }
    }

    /// Which characters canonical names are made of first, and which are preferred between results of equal size.
    pub fn alphabet(self, alphabet: Alphabet) -> Self {
        Self { alphabet, ..self }
    }

    /// Templates, filter and models for strategies with `gtr`.
    pub fn gtr(self, gtr: GtrOptions) -> Self {
        Self { gtr, ..self }
    }

    /// Up to how many bytes a candidate is parsed before it is tested, in place of what is measured on the input: for
    /// results that do not depend on how fast the machine is.
    pub fn check_up_to(self, bytes: usize) -> Self {
        Self { check_up_to: Some(bytes), ..self }
    }

    /// Candidates with more syntax errors than the input are rejected untested, so that the result parses as the input does.
    ///
    /// ```
    /// use whittle::{Input, Reduction};
    ///
    /// let input = Input::new("bug.json", r#"{"a": [1, {"b": 2}]}"#);
    /// let outcome = Reduction::new(input, |text| text.contains(&b'[') && text.contains(&b'2')).well_formed().run()?;
    /// assert_eq!(outcome.bytes(), b"[2]\n");
    /// # Ok::<(), whittle::ReductionError>(())
    /// ```
    pub fn well_formed(self) -> Self {
        Self { well_formed: true, ..self }
    }

    /// How many tests run at once. The result does not depend on it.
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs: jobs.max(1), ..self }
    }

    /// Runs tests on other machines too, if a command decides. The result does not depend on them, as long as workers give the same
    /// verdicts as this machine; one that is left out later keeps its earlier verdicts. The input is checked, and the result
    /// confirmed, on this machine.
    pub fn machines(self, machines: Machines) -> Self {
        Self { machines: Some(machines), ..self }
    }

    /// Stops after this many counted tests.
    pub fn max_tests(self, tests: u64) -> Self {
        Self { max_tests: Some(tests), ..self }
    }

    /// Stops after this time.
    pub fn max_time(self, time: Duration) -> Self {
        Self { max_time: Some(time), ..self }
    }

    /// Writes the best candidate to `path` at every improvement: a file, or a folder if the input has several files.
    pub fn output(self, path: impl Into<PathBuf>) -> Self {
        Self { output: Some(Place::Beside(path.into())), ..self }
    }

    /// Replaces whatever is in the place of the output. Without this, only results of earlier runs are replaced, and those
    /// of the same input and property only by something smaller.
    pub fn overwrite(self) -> Self {
        Self { overwrite: true, ..self }
    }

    /// Keeps the accepted candidates in a file beside the output ([`HistoryFile`]).
    pub fn history(self) -> Self {
        Self { history: true, ..self }
    }

    /// Writes the best candidate over the file at `path`, from which the input was read, and keeps a copy of the original.
    pub fn in_place(self, path: impl Into<PathBuf>) -> Self {
        Self { output: Some(Place::Over(path.into())), ..self }
    }

    /// Writes each file of the best candidate over the one of the same path below `folder`, from which it was read, and keeps
    /// copies of the originals. Files keep their names; those that are not needed are removed.
    pub fn in_place_files(self, folder: impl Into<PathBuf>) -> Self {
        Self { output: Some(Place::Files(folder.into())), ..self }
    }

    /// Keeps no copies of originals that the result replaces.
    pub fn without_originals(self) -> Self {
        Self { keeps_originals: false, ..self }
    }

    /// Writes verdicts to `path` while it runs, so that a killed run can be resumed.
    pub fn journal(self, path: impl Into<PathBuf>) -> Self {
        Self { journal: Some(path.into()), ..self }
    }

    /// Writes no verdicts.
    pub fn without_journal(self) -> Self {
        Self { journal: None, ..self }
    }

    /// Names what a closure tests, such as `"parser crash, v3"`. A journal is resumed only by a run with the same name.
    pub fn identity(self, identity: impl Into<String>) -> Self {
        Self { identity: Some(identity.into()), ..self }
    }

    /// Continues from the journal if there is one.
    pub fn resume(self) -> Self {
        Self { resume: true, ..self }
    }

    /// How often a flaky property runs on a candidate. Without this, it runs once, and an input that is not interesting
    /// every time is an error.
    pub fn repeat(self, repeat: Repeat) -> Self {
        Self { repeat: Some(repeat), ..self }
    }

    /// Keeps the smallest candidate of each other signature in `folder`. Only commands have signatures.
    pub fn other_bugs(self, folder: impl Into<PathBuf>) -> Self {
        Self { other_bugs: Some(folder.into()), ..self }
    }

    /// Adds a listener.
    pub fn listener(mut self, listener: Box<dyn Listener>) -> Self {
        self.listeners.push(listener);
        self
    }

    /// Adds a closure that hears of every event.
    pub fn on_event(self, hear: impl FnMut(&Event, &Moment<'_>) + 'static) -> Self {
        self.listener(Box::new(Ear(hear)))
    }

    /// What ends it from another thread.
    pub fn interrupter(self, interrupter: Interrupter) -> Self {
        Self { interrupter, ..self }
    }

    /// Reduces until the strategy ends or a limit is reached.
    pub fn run(self) -> Result<Outcome, ReductionError> {
        let mut run = self.start()?;
        let ended = run.reduce();
        run.finish(ended)
    }

    /// Checks the input and starts the search, for callers that drive it themselves.
    pub fn start(self) -> Result<Run, ReductionError> {
        Run::start(self)
    }

    fn syntaxes(&self) -> Result<Syntaxes, ReductionError> {
        Ok(Syntaxes::choose(&self.language, self.input.candidate())?)
    }

    fn chosen_strategy(&self, syntaxes: &Syntaxes) -> Strategy {
        let strategy = match &self.strategy {
            Some(strategy) => strategy.clone(),
            None => Strategy::suiting(syntaxes, self.input.candidate(), self.effort),
        };
        let mut strategy = strategy.in_alphabet(&self.alphabet);
        strategy.trees.gtr = self.gtr.clone();
        strategy
    }

    /// What the strategy should know about a project.
    fn facts(&self, judge: &Judge) -> ProjectFacts {
        let hints = match judge {
            Judge::Command(test) => test.command().source().into_bytes(),
            Judge::Property(_) => Vec::new(),
        };
        let keeps_names = matches!(self.output, Some(Place::Files(_)));
        ProjectFacts { fixed: self.input.fixed().clone(), hints, keeps_names }
    }

    /// What a journal or a history is about; `None` if nobody can say, and nobody asks.
    fn binding(&self, judge: &Judge) -> Result<Option<String>, ReductionError> {
        let about = match (judge, &self.identity) {
            (Judge::Command(test), _) => test.command().binding(),
            (Judge::Property(_), Some(identity)) => {
                format!("property={:032x}", Candidate::single("", identity.clone().into_bytes()).fingerprint().0)
            }
            (Judge::Property(_), None) if self.journal.is_some() || self.history => {
                return Err(ReductionError::NoIdentity);
            }
            (Judge::Property(_), None) => return Ok(None),
        };
        Ok(Some(binding(self.input.candidate(), &about, self.well_formed, self.repeat)))
    }
}

/// What a journal's verdicts are about: the input, and what the property depends on. Jobs and limits may change.
pub fn binding(input: &Candidate, property: &str, well_formed: bool, repeat: Option<Repeat>) -> String {
    format!(
        "input={:032x} {property} well-formed={well_formed} repeat={}",
        input.fingerprint().0,
        repeat.map(|repeat| repeat.to_string()).unwrap_or_default()
    )
}

/// A closure as a listener.
struct Ear<F>(F);

impl<F: FnMut(&Event, &Moment<'_>)> Listener for Ear<F> {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        (self.0)(event, moment);
    }
}

/// The candidate with its size by these syntaxes.
fn measured(syntaxes: &Syntaxes, alphabet: &Alphabet, strategy: &Strategy, candidate: Candidate) -> Measured {
    let (order, layout) = (strategy.order, syntaxes.layout_for(strategy));
    Measured { size: syntaxes.measure()(&candidate), alphabet: alphabet.clone(), order, layout, candidate }
}
