//! What is in the place of the result before a run: nothing, a result that must not be lost, or somebody else's file.

use std::path::Path;

use whittle_search::{Candidate, Journal, Verdict};

use super::history::HistoryFile;
use super::{Place, Reduction, ReductionError};

/// What a run may do with what is in the place of its result.
#[derive(Debug)]
pub(super) enum Earlier {
    /// Write over it, or there is nothing.
    Free,
    /// Replace it by something smaller only: it is interesting.
    Result(Candidate),
}

impl Reduction {
    /// Looks at the place of the result. A file that no run has written is not replaced.
    pub(super) fn earlier(&self, binding: Option<&str>) -> Result<Earlier, ReductionError> {
        let Some(Place::Beside(path)) = &self.output else { return Ok(Earlier::Free) };
        if self.overwrite || !path.exists() {
            return Ok(Earlier::Free);
        }
        let candidate = self.read_candidate(path);
        let history = HistoryFile::read(&HistoryFile::place(path)).ok();
        let is_ours = |candidate: &Candidate| {
            history.as_ref().is_some_and(|history| history.result() == Some(candidate.fingerprint()))
        };
        match candidate {
            Some(candidate) if self.is_in_journal(binding, &candidate) => Ok(Earlier::Result(candidate)),
            Some(candidate) if is_ours(&candidate) => {
                let same_run = history.as_ref().is_some_and(|history| Some(history.binding.as_str()) == binding);
                Ok(if same_run { Earlier::Result(candidate) } else { Earlier::Free })
            }
            // A run that was killed has left a journal, but no history yet.
            _ if self.journal.as_ref().is_some_and(|journal| journal.exists()) => Ok(Earlier::Free),
            _ => Err(ReductionError::Occupied(path.clone())),
        }
    }

    /// Whether the journal of an earlier run with this binding knows a candidate as interesting.
    fn is_in_journal(&self, binding: Option<&str>, candidate: &Candidate) -> bool {
        let (Some(path), Some(binding)) = (&self.journal, binding) else { return false };
        let known = (candidate.fingerprint(), Verdict::Interesting);
        Journal::read(path, binding).is_ok_and(|replay| replay.verdicts.contains(&known))
    }

    /// The files at `path` under the names of the input's files; `None` if they are not all there.
    fn read_candidate(&self, path: &Path) -> Option<Candidate> {
        let files = self.input.candidate().files();
        let place = |name: &Path| if files.len() == 1 { path.to_owned() } else { path.join(name) };
        let read = files.iter().map(|file| Some((file.path().to_owned(), std::fs::read(place(file.path())).ok()?)));
        Some(Candidate::from_files(read.collect::<Option<Vec<_>>>()?))
    }
}
