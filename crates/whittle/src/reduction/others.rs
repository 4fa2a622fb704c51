//! Candidates that fail with another signature than the input. The smallest of each is kept, so that slippage is seen
//! and other bugs are not lost.

use std::collections::BTreeMap;
use std::path::PathBuf;
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
}

impl OtherBugs {
    fn keep(&self, candidate: &Candidate) {
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
        if earlier.is_some() || write().is_ok() {
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

impl Listener for OtherBugs {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        if let (Event::Tested { verdict: Verdict::Other, .. }, Some(candidate)) = (event, moment.tested) {
            self.keep(candidate);
        }
    }
}
