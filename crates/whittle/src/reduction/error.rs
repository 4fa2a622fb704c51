//! Why a reduction could not start, or could not keep its result.

use std::io;
use std::path::PathBuf;

use whittle_grammars::GrammarError;
use whittle_property::{CrewError, Rates, Survey};
use whittle_search::{ResumeError, Stop, TestError, Verdict};

/// Why there is no outcome. A reduction that is stopped early is not an error: it has an outcome, the best so far.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReductionError {
    /// The property does not hold for the input.
    #[error("the input is not interesting")]
    NotInteresting(Verdict),
    /// The same, with what a command did on the input.
    #[error("the input is not interesting: {}", .0.objection.as_ref().map(ToString::to_string).unwrap_or_default())]
    Unmet(Box<Survey>),
    /// The input of a resumed run has lost the property since.
    #[error("the input is no longer interesting")]
    NoLongerInteresting,
    /// The test does not always say the same of the input.
    #[error("the test is flaky: the input was interesting in {} of {} runs", .0.interesting, .0.runs)]
    Flaky(Box<Survey>),
    /// The test succeeds on an empty file about as often as on the input.
    #[error(
        "the test cannot tell the input from an empty file: it succeeds in {:.0}% of the runs on the input, and in {:.0}% \
         on files with nothing in them",
        100.0 * .0.interesting,
        100.0 * .0.uninteresting
    )]
    Indistinct(Rates),
    /// The test cannot be run at all.
    #[error("{0}")]
    Test(String),
    /// A limit or an interrupter ended the run before the input was tested.
    #[error("{0} before the input was tested")]
    Stopped(Stop),
    /// There are no helpers to run a command.
    #[error(transparent)]
    Helpers(#[from] CrewError),
    /// A file that workers on other machines need cannot be read.
    #[error("workers cannot get what the test uses: {0}")]
    Machines(io::Error),
    /// A built-in grammar cannot be read.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// A journal for a closure needs a name for what the closure tests.
    #[error("a journal of a closure's verdicts needs an identity for the closure")]
    NoIdentity,
    /// The journal of an earlier run cannot be resumed.
    #[error("{}: {error}", path.display())]
    Resume {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        error: ResumeError,
        /// The parts of the binding that differ, if it belongs to another run.
        differs: Vec<String>,
    },
    /// Another run is writing the same result.
    #[error("another run of Whittle is writing {}", .0.display())]
    Busy(PathBuf),
    /// The place of the result is taken by something that Whittle did not write.
    #[error("{} exists, and is not the result of an earlier run", .0.display())]
    Occupied(PathBuf),
    /// The result cannot be written.
    #[error("the result cannot be written to {}: {error}", path.display())]
    Output {
        /// Where it should go.
        path: PathBuf,
        /// Why it cannot.
        error: io::Error,
    },
    /// The result could not be written in the end, and is somewhere else.
    #[error("cannot write the result to {}: {error}; it is in {}", path.display(), kept.display())]
    Misplaced {
        /// Where it should be.
        path: PathBuf,
        /// Why it is not there.
        error: io::Error,
        /// Where it is.
        kept: PathBuf,
    },
}

impl From<TestError> for ReductionError {
    fn from(error: TestError) -> Self {
        match error {
            TestError::Failed(reason) => Self::Test(reason),
            TestError::Cancelled => Self::Stopped(Stop::Interrupted),
        }
    }
}

impl From<Stop> for ReductionError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Failed(reason) => Self::Test(reason),
            stop => Self::Stopped(stop),
        }
    }
}
