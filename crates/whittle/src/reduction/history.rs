//! [`History`]: the candidates that were the best once, in memory and on disk.
//!
//! A run needs them for a way back when its last candidate turns out not to hold; users need them when the test turns out
//! to be too loose. The file beside a result also shows whose result it is, so that it is not replaced by mistake.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use whittle_search::{Candidate, Event, File, Fingerprint, Kind, Listener, Measured, Moment};

use crate::output::replace_file;

/// So many of the latest candidates are kept, if they are not large.
const LATEST: usize = 32;

/// Larger candidates, in bytes, are thinned out at once: 32 of them would be most of the memory that a run takes.
const LARGE: u64 = 64 << 10;

/// Of the earlier ones, each kept candidate is at most this share of the one before: a way back loses a tenth at most.
const STEP: f64 = 0.9;

/// The same for large ones. All of them together take at most twice the memory of the first; with steps of a tenth, it would be
/// ten times that.
const LARGE_STEP: f64 = 0.5;

/// How a file of a history begins.
const MAGIC: &[u8] = b"whittle-history 2\n";

/// A candidate that was the best.
#[derive(Clone, Debug)]
pub(super) struct Accepted {
    pub(super) best: Measured,
    /// How many tests were counted when it was found.
    tests: u64,
}

/// The candidates that were accepted in a run, thinned out where they are many.
#[derive(Clone, Debug, Default)]
pub(super) struct History(Arc<Mutex<Vec<Accepted>>>);

impl History {
    /// Takes in a candidate that is the best now.
    fn push(&self, best: &Measured, tests: u64) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_large = kept.last().is_some_and(|last| last.best.candidate.byte_count() > LARGE);
        kept.push(Accepted { best: best.bare(), tests });
        let (latest, step) = if is_large { (1, LARGE_STEP) } else { (LATEST, STEP) };
        let Some(oldest) = kept.len().checked_sub(latest + 2) else { return };
        // The one that leaves the latest stays only if it is clearly smaller than the one before it.
        let size = |accepted: &Accepted| accepted.best.candidate.byte_count() as f64;
        if size(&kept[oldest + 1]) > size(&kept[oldest]) * step {
            kept.remove(oldest + 1);
        }
    }

    /// The kept candidates, the smallest first.
    pub(super) fn smallest_first(&self) -> Vec<Accepted> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().cloned().collect()
    }
}

impl Listener for History {
    fn notify(&mut self, event: &Event, moment: &Moment<'_>) {
        match event {
            Event::Improved => self.push(moment.best, moment.tally.tests),
            Event::StartedOver { .. } => self.0.lock().unwrap_or_else(PoisonError::into_inner).clear(),
            _ => {}
        }
    }
}

/// The history of a run as it is kept beside its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryFile {
    /// Input, test and options of the run.
    pub(super) binding: String,
    /// The input and the candidates after it; the last is the result.
    pub entries: Vec<HistoryEntry>,
}

/// One candidate of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// How many tests were counted when it was found.
    pub tests: u64,
    /// Its size, in tokens or bytes.
    pub units: u64,
    /// Its files.
    pub candidate: Candidate,
}

impl HistoryEntry {
    fn new(measured: &Measured, tests: u64) -> Self {
        Self { tests, units: measured.size.units, candidate: measured.candidate.clone() }
    }
}

/// A history as it is written: every content once, however many candidates have it.
#[derive(Serialize, Deserialize)]
struct Stored {
    binding: String,
    is_project: bool,
    contents: Vec<Vec<u8>>,
    entries: Vec<StoredEntry>,
}

#[derive(Serialize, Deserialize)]
struct StoredEntry {
    tests: u64,
    units: u64,
    /// Path, kind, and which of the contents.
    files: Vec<(Vec<u8>, u8, usize)>,
}

impl Stored {
    fn new(history: &HistoryFile) -> Self {
        let (mut contents, mut known) = (Vec::new(), HashMap::new());
        let mut store = |file: &File| {
            let content = *known.entry(file.digest()).or_insert_with(|| {
                contents.push(file.bytes().to_vec());
                contents.len() - 1
            });
            let kind = KINDS.iter().position(|kind| *kind == file.kind()).unwrap_or_default();
            (file.path().as_os_str().as_bytes().to_vec(), kind as u8, content)
        };
        let entries = history.entries.iter().map(|HistoryEntry { tests, units, candidate }| StoredEntry {
            tests: *tests,
            units: *units,
            files: candidate.files().iter().map(&mut store).collect(),
        });
        let entries = entries.collect();
        let is_project = history.entries.first().is_some_and(|entry| entry.candidate.is_project());
        Self { binding: history.binding.clone(), is_project, contents, entries }
    }

    /// `None` if it refers to something that is not there.
    fn restore(self) -> Option<HistoryFile> {
        let restore = |stored: &StoredEntry| {
            let file = |(path, kind, content): &(Vec<u8>, u8, usize)| {
                let path = OsStr::from_bytes(path);
                Some(File::new(path, *KINDS.get(usize::from(*kind))?, self.contents.get(*content)?.clone()))
            };
            let files = stored.files.iter().map(file).collect::<Option<Vec<_>>>()?;
            let candidate = match (self.is_project, files.first()) {
                (true, _) => Candidate::project(files),
                (false, only) => Candidate::single(only?.path(), only?.bytes().to_vec()),
            };
            Some(HistoryEntry { tests: stored.tests, units: stored.units, candidate })
        };
        let entries = self.entries.iter().map(restore).collect::<Option<Vec<_>>>()?;
        Some(HistoryFile { entries, binding: self.binding })
    }
}

/// The kinds of files, by the numbers that they have in a history.
const KINDS: [Kind; 4] = [Kind::Plain, Kind::Executable, Kind::Link, Kind::Folder];

impl HistoryFile {
    /// The history of a run that began with `input` and ended with `result`.
    pub(super) fn new(binding: String, input: &Measured, history: &History, result: &Measured) -> Self {
        let mut entries = vec![HistoryEntry::new(input, 0)];
        let accepted = history.smallest_first();
        let until = accepted.iter().position(|accepted| accepted.best.candidate == result.candidate).unwrap_or(0);
        let before = accepted.iter().skip(until + 1).rev();
        entries.extend(before.map(|accepted| HistoryEntry::new(&accepted.best, accepted.tests)));
        if result.candidate != input.candidate {
            let tests = accepted.get(until).map_or(0, |accepted| accepted.tests);
            entries.push(HistoryEntry::new(result, tests));
        }
        Self { binding, entries }
    }

    /// Where the history of the result at `output` is.
    pub fn place(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".history");
        name.into()
    }

    /// Reads a history.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = fs::read(path)?;
        let no_history = || io::Error::new(io::ErrorKind::InvalidData, "this is not the history of a reduction");
        let mut content = Vec::new();
        GzDecoder::new(bytes.strip_prefix(MAGIC).ok_or_else(no_history)?).read_to_end(&mut content)?;
        let stored: Stored = postcard::from_bytes(&content).map_err(|_| no_history())?;
        stored.restore().ok_or_else(no_history)
    }

    /// Writes it, in the place of what was there.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let content = postcard::to_stdvec(&Stored::new(self)).map_err(io::Error::other)?;
        let mut bytes = MAGIC.to_vec();
        let mut encoder = GzEncoder::new(&mut bytes, Compression::default());
        encoder.write_all(&content)?;
        encoder.finish()?;
        replace_file(path, &bytes, None, false)
    }

    /// What the result was.
    pub(super) fn result(&self) -> Option<Fingerprint> {
        self.entries.last().map(|entry| entry.candidate.fingerprint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_size(size: usize) -> Measured {
        Measured::in_bytes(Candidate::single("f", vec![b'x'; size]))
    }

    #[test]
    fn the_latest_are_kept_and_earlier_ones_in_steps_of_a_tenth() {
        let history = History::default();
        for size in (1..=10_000).rev() {
            history.push(&of_size(size), 0);
        }
        let sizes: Vec<u64> = history.smallest_first().iter().map(|kept| kept.best.candidate.byte_count()).collect();
        assert_eq!(sizes[..LATEST], (1..=LATEST as u64).collect::<Vec<_>>());
        assert_eq!(sizes.last(), Some(&10_000));
        assert!(sizes.len() < 120, "{} candidates are kept", sizes.len());
        let gaps = sizes[LATEST..].windows(2).map(|pair| pair[0] as f64 / pair[1] as f64);
        assert!(gaps.into_iter().all(|gap| gap > 0.85), "{sizes:?}");
    }

    #[test]
    fn large_candidates_are_kept_in_steps_of_a_half_at_once() {
        let history = History::default();
        let large = LARGE as usize;
        for size in (1..=700).rev().map(|hundredth| large + large * hundredth / 100) {
            history.push(&of_size(size), 0);
        }
        let sizes: Vec<u64> = history.smallest_first().iter().map(|kept| kept.best.candidate.byte_count()).collect();
        assert_eq!([sizes.first(), sizes.last()], [Some(&(LARGE + LARGE / 100)), Some(&(8 * LARGE))]);
        assert!(sizes.iter().sum::<u64>() < 4 * 8 * LARGE, "{sizes:?}");
        assert!(sizes.windows(2).skip(1).all(|pair| pair[0] as f64 / pair[1] as f64 > 0.45), "{sizes:?}");
    }

    #[test]
    fn a_file_holds_what_led_to_the_result_and_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.history");
        let history = History::default();
        for (size, tests) in [(8, 3), (5, 7), (2, 9)] {
            history.push(&of_size(size), tests);
        }
        // The last one was rejected in the end.
        let written = HistoryFile::new("input=1".into(), &of_size(10), &history, &of_size(5));
        written.write(&path).unwrap();
        let read = HistoryFile::read(&path).unwrap();
        assert_eq!(read, written);
        let steps: Vec<(u64, u64)> = read.entries.iter().map(|entry| (entry.units, entry.tests)).collect();
        assert_eq!(steps, [(10, 0), (8, 3), (5, 7)]);
        assert_eq!(read.result(), Some(of_size(5).candidate.fingerprint()));
        fs::write(&path, "something else").unwrap();
        assert_eq!(HistoryFile::read(&path).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
