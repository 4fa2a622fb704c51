//! The journal of a run: what it is bound to, and what it hands to the run that resumes it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whittle_property::Constants;
use whittle_search::{Journal, ResumeError};

use super::ReductionError;
use super::preflight::Preflight;

/// The journal's name for the number of bytes up to which candidates are parsed before they are tested.
const CHECK_UP_TO: &str = "check-up-to=";

/// Where a journal is, and what its verdicts are about.
#[derive(Debug)]
pub(super) struct JournalPlace {
    pub(super) path: PathBuf,
    pub(super) binding: String,
    /// Where the result goes, for messages.
    pub(super) output: PathBuf,
}

impl JournalPlace {
    /// Whether an earlier run left a journal. One without a word in it, of a run that was killed at its start, is none.
    pub(super) fn is_occupied(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|journal| journal.len() > 0)
    }

    /// Starts the journal of a new run.
    pub(super) fn start(&self, preflight: &Preflight) -> Result<Arc<Journal>, ReductionError> {
        let constants = format!("{} {CHECK_UP_TO}{}", preflight.constants, preflight.check_up_to);
        let journal = Journal::create(&self.path, &self.binding, &constants).map_err(|error| match error.kind() {
            ErrorKind::ResourceBusy => ReductionError::Busy(self.output.clone()),
            _ => ReductionError::Output { path: self.output.clone(), error },
        })?;
        preflight.known.iter().for_each(|&(fingerprint, verdict)| journal.append(fingerprint, verdict));
        Ok(Arc::new(journal))
    }

    /// Takes up the journal of an earlier run; `None` if there is none.
    pub(super) fn resume(&self) -> Result<Option<(Arc<Journal>, Preflight)>, ReductionError> {
        let (journal, replay) = match Journal::resume(&self.path, &self.binding) {
            Ok(resumed) => resumed,
            Err(ResumeError::Missing) => return Ok(None),
            Err(ResumeError::Io(error)) if error.kind() == ErrorKind::ResourceBusy => {
                return Err(ReductionError::Busy(self.output.clone()));
            }
            Err(error) => return Err(self.unusable(error)),
        };
        let check_up_to = replay.constants.split(' ').find_map(|part| part.strip_prefix(CHECK_UP_TO)?.parse().ok());
        let (Ok(constants), Some(check_up_to)) = (replay.constants.parse::<Constants>(), check_up_to) else {
            return Err(self.unusable(ResumeError::Foreign));
        };
        let (known, accepts_trivial, shows_rarely) = (replay.verdicts, false, None);
        let preflight = Preflight { constants, known, check_up_to, accepts_trivial, shows_rarely };
        Ok(Some((Arc::new(journal), preflight)))
    }

    fn unusable(&self, error: ResumeError) -> ReductionError {
        let differs = match &error {
            ResumeError::OtherBinding { found } => differing_parts(found, &self.binding),
            _ => Vec::new(),
        };
        ReductionError::Resume { path: self.path.clone(), error, differs }
    }
}

/// The names of the parts of `wanted` that are not in `found`.
fn differing_parts(found: &str, wanted: &str) -> Vec<String> {
    let name = |part: &str| part.split('=').next().unwrap_or_default().to_owned();
    wanted.split(' ').filter(|part| !found.contains(part)).map(name).collect()
}

/// Deletes the journal at `path` if it belongs to another run, or is none.
pub fn discard_foreign_journal(path: &Path, binding: &str) {
    let found = Journal::resume(path, binding);
    if matches!(found, Err(ResumeError::OtherBinding { .. } | ResumeError::Foreign)) {
        // If it stays, the reduction refuses to resume it and says so.
        let _ = std::fs::remove_file(path);
    }
}
