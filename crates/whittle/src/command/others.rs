//! Candidates that fail with another signature than the input: kept aside, the smallest of each, so that slippage is
//! seen and other bugs are not lost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use whittle::output::replace;
use whittle::property::CommandProperty;
use whittle::property::conditions::Signature;
use whittle::search::{Candidate, Event, Listener, Moment, Verdict};

use super::format::count;

/// What was found so far: file by signature, with its size.
pub(crate) type Found = Arc<Mutex<BTreeMap<Vec<u8>, (PathBuf, u64)>>>;

/// More signatures than this are not bugs but noise.
const MOST: usize = 100;

/// Keeps the smallest candidate for each other signature in a folder.
pub(crate) struct OtherBugs {
    folder: PathBuf,
    property: Arc<CommandProperty>,
    found: Found,
}

impl OtherBugs {
    /// Keeps them in `folder`, and tells of them in `found`.
    pub(crate) fn new(folder: PathBuf, property: Arc<CommandProperty>, found: Found) -> Self {
        Self { folder, property, found }
    }

    fn keep(&self, candidate: &Candidate) {
        let Some(signature) = self.property.other_signature(candidate.fingerprint()) else { return };
        let file = &candidate.files()[0];
        let size = file.bytes().len() as u64;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.get(&signature).is_some_and(|(_, kept)| *kept <= size) || found.len() == MOST {
            return;
        }
        let mut name = Signature::file_name(&signature);
        if let Some(extension) = file.path().extension() {
            name.push('.');
            name.push_str(&extension.to_string_lossy());
        }
        let path = self.folder.join(name);
        // An earlier run may have found a smaller one.
        let earlier = std::fs::metadata(&path).ok().map(|metadata| metadata.len()).filter(|earlier| *earlier <= size);
        // A bug that cannot be written down must not end the search for the one that was asked for.
        if earlier.is_some() || write(&self.folder, &path, file.bytes()).is_ok() {
            found.insert(signature, (path, earlier.unwrap_or(size)));
        }
    }
}

fn write(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    replace(path, bytes, None, false).map(drop)
}

impl Listener for OtherBugs {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        if let (Event::Tested { verdict: Verdict::Other, .. }, Some(candidate)) = (event, moment.tested) {
            self.keep(candidate);
        }
    }
}

/// A line for each other signature, for the summary.
pub(crate) fn list(found: &Found) -> Vec<String> {
    let found = found.lock().unwrap_or_else(PoisonError::into_inner);
    found
        .iter()
        .map(|(signature, (path, size))| {
            format!("other:   {} ({} bytes, {})", path.display(), count(*size), String::from_utf8_lossy(signature))
        })
        .collect()
}
