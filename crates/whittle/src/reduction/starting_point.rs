//! What a search starts from: an earlier run that is resumed, or an input that was checked.

use std::sync::Arc;

use whittle_search::{Cancel, Candidate, Journal};
use whittle_trees::{Fault, Unparsed};

use super::preflight::{self, Preflight};
use super::resume::JournalPlace;
use super::{Judge, Place, Reduction, ReductionError};
use crate::syntaxes::Syntaxes;

/// Something that the caller may want to know about a run, before the search begins if nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Notice {
    /// An empty file is interesting, or a single line end.
    #[error("warning: an empty file or a single line end is interesting too: does the test check anything?")]
    AcceptsTrivial,
    /// One success in several runs is enough, and the bug does not show in every run.
    #[error(
        "the bug shows in {interesting} of {runs} runs on the input; of candidates that show it as often, {times} runs miss {}",
        missed(*interesting, *runs, *times)
    )]
    ShowsRarely {
        /// How many runs on the input were interesting.
        interesting: u32,
        /// How many runs there were.
        runs: u32,
        /// How many runs a candidate gets.
        times: u32,
    },
    /// There is no journal to resume.
    #[error("there is nothing to resume; starting from the beginning")]
    NothingToResume,
    /// The result of an earlier run is in place.
    #[error("the result of an earlier run is in place; only something smaller replaces it")]
    EarlierResult,
    /// There was a journal, and nobody asked to resume it.
    #[error("overwriting the journal of an earlier run that could have been resumed")]
    JournalOverwritten,
    /// A parser does not read a file of the input.
    #[error("the parser for {language} {reason}; what it cannot read is reduced by brackets, lines and words")]
    NotParsed {
        /// The language, as people write it.
        language: String,
        /// Why not.
        reason: Unparsed,
    },
    /// A parser failed on a candidate, though not on the input. Comes at the end of a run.
    #[error("the parser for {language} {fault} on some candidates, which were reduced by brackets, lines and words")]
    ParserFailed {
        /// The language, as people write it.
        language: String,
        /// How it failed.
        fault: Fault,
    },
    /// Verdicts of a server depend on what it was asked before. Comes at the end of a run.
    #[error(
        "warning: in {failed} of {made} checks, a new server gave another verdict: the server keeps state from test to test, \
         or the test is flaky"
    )]
    ServerLeaks {
        /// How many verdicts were checked.
        made: u64,
        /// How many of them were different.
        failed: u64,
    },
}

/// The share of interesting candidates that so many runs miss. Rounded up, so that no number of runs becomes certainty.
fn missed(interesting: u32, runs: u32, times: u32) -> String {
    let share = (1.0 - f64::from(interesting) / f64::from(runs)).powf(f64::from(times));
    format!("{:.1}%", (share * 1000.0).ceil() / 10.0)
}

/// What a search starts from.
pub(super) struct StartingPoint {
    /// Input, property and options, for a journal or a history.
    pub(super) binding: Option<String>,
    pub(super) preflight: Preflight,
    pub(super) journal: Option<Arc<Journal>>,
    /// Whether verdicts come from the journal of an earlier run.
    pub(super) resumed: bool,
    /// A result of an earlier run that is in place.
    pub(super) earlier: Option<Candidate>,
    pub(super) notices: Vec<Notice>,
}

impl Reduction {
    /// Takes up an earlier run if that is wanted and there is one; else checks the input and starts a journal.
    pub(super) fn starting_point(
        &self,
        judge: &Judge,
        syntaxes: &Syntaxes,
        cancel: &Cancel,
    ) -> Result<StartingPoint, ReductionError> {
        let binding = self.binding(judge)?;
        let earlier = self.earlier_result(binding.as_deref())?;
        let place = self.journal_place(binding.as_deref());
        if self.resume {
            let resumed = place.as_ref().map(JournalPlace::resume).transpose()?.flatten();
            if let Some((journal, preflight)) = resumed {
                let (journal, notices) = (Some(journal), Vec::new());
                return Ok(StartingPoint { binding, preflight, journal, resumed: true, earlier, notices });
            }
        }
        let preflight = preflight::check(judge, self.input.candidate(), self.repeat, syntaxes, self.jobs, cancel)?;
        let is_overwritten = !self.resume && place.as_ref().is_some_and(JournalPlace::is_occupied);
        let notices = [
            (self.resume && earlier.is_none(), Notice::NothingToResume),
            (!self.resume && earlier.is_some(), Notice::EarlierResult),
            (preflight.accepts_trivial, Notice::AcceptsTrivial),
            (is_overwritten, Notice::JournalOverwritten),
        ];
        let notices = notices.into_iter().filter(|(applies, _)| *applies).map(|(_, notice)| notice);
        let notices = notices.chain(preflight.shows_rarely.clone()).collect();
        let journal = place.map(|place| place.start(&preflight)).transpose()?;
        Ok(StartingPoint { binding, preflight, journal, resumed: false, earlier, notices })
    }

    fn journal_place(&self, binding: Option<&str>) -> Option<JournalPlace> {
        let (path, binding) = (self.journal.clone()?, binding?.to_owned());
        let output = match &self.output {
            Some(Place::Beside(output) | Place::Over(output) | Place::Files(output)) => output.clone(),
            None => path.clone(),
        };
        Some(JournalPlace { path, binding, output })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_often_a_rare_bug_is_missed_is_stated() {
        let notice = Notice::ShowsRarely { interesting: 3, runs: 12, times: 12 };
        let said = "the bug shows in 3 of 12 runs on the input; of candidates that show it as often, 12 runs miss 3.2%";
        assert_eq!(notice.to_string(), said);
        assert_eq!(missed(9, 10, 30), "0.1%");
    }
}
