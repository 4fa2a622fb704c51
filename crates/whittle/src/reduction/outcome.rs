//! What a reduction came to.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use whittle_machines::FleetReport;
use whittle_search::{Candidate, Measured, Stop, Tally};

use super::{Confidence, Notice, OtherBug};
use crate::strategy::Unfinished;
use crate::syntaxes::SizeUnit;

/// What a reduction came to: the smallest interesting candidate, and how it was found.
#[derive(Debug)]
pub struct Outcome {
    /// The input and its size.
    pub first: Measured,
    /// The smallest interesting candidate.
    pub best: Measured,
    /// What sizes count.
    pub unit: SizeUnit,
    /// Why the reduction ended.
    pub end: End,
    /// Whether the result was interesting when it was tested once more.
    pub confirmation: Confirmation,
    /// Tests, cached verdicts and the like.
    pub tally: Tally,
    /// How long it all took, the checks of the input included.
    pub elapsed: Duration,
    /// How long the search took, which comes after these checks.
    pub searching: Duration,
    /// Where the result was written, if it was.
    pub output: Option<PathBuf>,
    /// Where the originals are, if the result took their place and copies were made.
    pub originals: Vec<PathBuf>,
    /// What other machines did, if there were any.
    pub machines: Option<FleetReport>,
    /// What the signature captured from the input's run.
    pub signature: Option<Vec<u8>>,
    /// Candidates that show other bugs.
    pub other_bugs: Vec<OtherBug>,
    /// What became of the journal.
    pub journal: JournalEnd,
    /// What the caller may want to know about the property or the journal.
    pub notices: Vec<Notice>,
}

impl Outcome {
    /// The bytes of the result's first file.
    pub fn bytes(&self) -> &[u8] {
        self.best.candidate.files().first().map_or(&[][..], |file| file.bytes())
    }
}

/// Why a reduction ended.
#[derive(Debug)]
pub enum End {
    /// No pass of the strategy found anything smaller.
    Complete,
    /// The strategy is a single pass, and it is over.
    OnePass,
    /// A limit was reached, or somebody interrupted it.
    Stopped(Stop),
    /// It could not go on.
    Failed(Unfinished),
}

impl End {
    pub(super) fn new(ended: Result<(), Unfinished>, is_fixpoint: bool) -> Self {
        match ended {
            Ok(()) if is_fixpoint => Self::Complete,
            Ok(()) => Self::OnePass,
            Err(Unfinished::Stopped(stop)) if !matches!(stop, Stop::Failed(_)) => Self::Stopped(stop),
            Err(error) => Self::Failed(error),
        }
    }

    /// Whether it ran to its end: there is nothing to resume.
    pub fn is_complete(&self) -> bool {
        matches!(self, Self::Complete | Self::OnePass)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.write_str("no pass found anything smaller"),
            Self::OnePass => f.write_str("the one pass that was asked for is over"),
            Self::Stopped(stop) => write!(f, "{stop}"),
            Self::Failed(error) => write!(f, "{error}"),
        }
    }
}

/// Whether the result was interesting when it was tested once more.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmation {
    /// It was not tested: it is the input.
    NotNeeded,
    /// It was. With a confidence if the test is known to be flaky.
    Confirmed(Option<Confidence>),
    /// The last candidate was not. The result is the smallest earlier one that is, or the input.
    SteppedBack {
        /// The candidate that was not interesting.
        rejected: Candidate,
        /// What many runs say about the result; `None` if no candidate held, not even the input.
        confidence: Option<Confidence>,
    },
    /// That could not be found out.
    Unknown(Stop),
}

/// What became of the journal.
#[derive(Debug)]
pub enum JournalEnd {
    /// There is none: none was wanted, or the reduction ran to its end.
    Gone,
    /// It is there, and the reduction can be resumed.
    Kept,
    /// It could not be written to the end.
    Failed(String),
}
