//! Candidates that fail with another signature than the input. The smallest of each is kept, so that slippage is seen
//! and other bugs are not lost.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use whittle_property::CommandProperty;
use whittle_property::conditions::Signature;
use whittle_search::{Candidate, Event, Listener, Moment, Verdict};

use crate::output::replace;

/// More signatures than this are noise, not bugs.
const MAX_OTHER_BUGS: usize = 100;

/// The smallest candidate with another signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherBug {
    /// What the signature captured.
    pub signature: Vec<u8>,
    /// Where the candidate is kept.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
}

/// What was found so far, by signature.
pub(super) type Found = Arc<Mutex<BTreeMap<Vec<u8>, OtherBug>>>;

/// Keeps the smallest candidate for each other signature in a folder.
pub(super) struct OtherBugs {
    pub(super) folder: PathBuf,
    pub(super) property: Arc<CommandProperty>,
    pub(super) found: Found,
    /// Where this run wrote.
    pub(super) written: HashSet<PathBuf>,
}

impl OtherBugs {
    /// Removes what was written: some of it may rest on withdrawn verdicts. The rest is found again at once.
    fn forget(&mut self) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clear();
        for path in self.written.drain() {
            let _ = remove(&path);
        }
    }

    fn keep(&mut self, candidate: &Candidate) {
        let Some(signature) = self.property.other_signature(candidate.fingerprint()) else { return };
        let bytes = candidate.byte_count();
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.get(&signature).is_some_and(|kept| kept.bytes <= bytes) || found.len() == MAX_OTHER_BUGS {
            return;
        }
        let path = self.place(&signature, candidate);
        // An earlier run may have found a smaller one.
        let earlier = std::fs::metadata(&path).ok().map(|metadata| metadata.len()).filter(|earlier| *earlier <= bytes);
        // A bug that cannot be written down must not end the search for the one that was asked for.
        let write = || std::fs::create_dir_all(&self.folder).and_then(|()| replace(&path, candidate, None, false));
        let is_written = earlier.is_none() && write().is_ok();
        if is_written {
            self.written.insert(path.clone());
        }
        if earlier.is_some() || is_written {
            found.insert(signature.clone(), OtherBug { signature, path, bytes: earlier.unwrap_or(bytes) });
        }
    }

    /// A name made of the signature, with the extension of the file.
    fn place(&self, signature: &[u8], candidate: &Candidate) -> PathBuf {
        let mut name = Signature::file_name(signature);
        if let [file] = candidate.files()
            && !candidate.is_project()
            && let Some(extension) = file.path().extension()
        {
            name.push('.');
            name.push_str(&extension.to_string_lossy());
        }
        self.folder.join(name)
    }
}

/// Removes a file, or the folder of a project.
fn remove(path: &Path) -> std::io::Result<()> {
    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
}

impl Listener for OtherBugs {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        match (event, moment.tested) {
            (Event::Tested { verdict: Verdict::Other, .. }, Some(candidate)) => self.keep(candidate),
            (Event::StartedOver { .. }, _) => self.forget(),
            _ => {}
        }
    }
}
