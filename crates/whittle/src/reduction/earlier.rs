//! What is in the place of the result before a run: nothing, a result that must not be lost, or somebody else's file.

use std::path::Path;

use whittle_search::{Candidate, Journal, Verdict};

use super::history::HistoryFile;
use super::{Place, Reduction, ReductionError};
use crate::project::{Selection, read_folder};

impl Reduction {
    /// The result of an earlier run that only something smaller may replace; `None` if the place is free. A file that no
    /// run has written is an error, unless it may be overwritten.
    pub(super) fn earlier_result(&self, binding: Option<&str>) -> Result<Option<Candidate>, ReductionError> {
        let Some(Place::Beside(path)) = &self.output else { return Ok(None) };
        if !path.exists() || (self.overwrite && !self.resume) {
            return Ok(None);
        }
        let candidate = self.read_candidate(path);
        if candidate.as_ref().is_some_and(|candidate| self.is_in_journal(binding, candidate)) {
            return Ok(candidate);
        }
        let history = HistoryFile::read(&HistoryFile::place(path)).ok();
        let fingerprint = candidate.as_ref().map(Candidate::fingerprint);
        if let Some(history) = history.filter(|history| history.result() == fingerprint) {
            return Ok(candidate.filter(|_| Some(history.binding.as_str()) == binding));
        }
        // A run that was killed has left a journal, but no history yet.
        let was_killed = self.journal.as_ref().is_some_and(|journal| journal.exists());
        if was_killed || self.overwrite { Ok(None) } else { Err(ReductionError::Occupied(path.clone())) }
    }

    /// Whether the journal of an earlier run with this binding knows a candidate as interesting.
    fn is_in_journal(&self, binding: Option<&str>, candidate: &Candidate) -> bool {
        let (Some(path), Some(binding)) = (&self.journal, binding) else { return false };
        let known = (candidate.fingerprint(), Verdict::Interesting);
        Journal::read(path, binding).is_ok_and(|replay| replay.verdicts.contains(&known))
    }

    /// The file at `path` under the name of the input, or the folder; `None` if it cannot be read.
    fn read_candidate(&self, path: &Path) -> Option<Candidate> {
        let input = self.input.candidate();
        if input.is_project() {
            let read = read_folder(path, &Selection::default()).ok()?;
            return Some(read.candidate.numbered_as_in(input));
        }
        Some(Candidate::single(input.files().first()?.path(), std::fs::read(path).ok()?))
    }
}
