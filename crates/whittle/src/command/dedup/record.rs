//! What `whittle dedup` has done, on record: results as files, and a line of JSON for each.
//!
//! A line is written when its result is in place, so a kill at any time leaves what is whole; a line that was cut is no
//! line. An entry is good for one input, test and set of options, which its binding tells, and as long as its result is
//! still the file that was written.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use whittle::output::replace_file;
use whittle::search::{Candidate, Measured};

use crate::command::exit::Refusal;

/// The file that tells what was done.
const RECORD: &str = "record.jsonl";

/// The folder of a run, and what is done there.
pub(crate) struct Record {
    folder: PathBuf,
    /// Entries by name and binding.
    known: HashMap<(String, String), Entry>,
    file: Mutex<File>,
}

/// What became of an input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// What it is true for.
    pub(crate) binding: String,
    /// The fingerprint of the result.
    pub(crate) result: String,
    pub(crate) before: Dimensions,
    pub(crate) after: Dimensions,
    pub(crate) tests: u64,
    pub(crate) seconds: f64,
    pub(crate) signature: Option<String>,
    /// Which limit stopped the reduction, if one did.
    pub(crate) stopped: Option<String>,
}

/// How large a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dimensions {
    pub(crate) bytes: u64,
    /// None where no language is known.
    pub(crate) tokens: Option<u64>,
}

impl Dimensions {
    /// The size of a candidate that is counted in tokens, or is not.
    pub(crate) fn of(measured: &Measured, in_tokens: bool) -> Self {
        Self { bytes: measured.candidate.byte_count(), tokens: in_tokens.then_some(measured.size.units) }
    }
}

impl Record {
    /// Opens the record of `folder`, which is made if it is not there. A folder with other things in it is refused.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let refuse = |problem: String| Refusal::new(problem, "Choose another place with --output.");
        let shown = folder.display();
        let path = folder.join(RECORD);
        let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
        if !is_empty && !path.exists() {
            return Err(refuse(format!("{shown} holds something else than results of whittle dedup")).into());
        }
        let open = || {
            fs::create_dir_all(folder.join("reduced"))?;
            let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
            file.try_lock()?;
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            // What was cut by a kill ends here.
            if text.last().is_some_and(|&last| last != b'\n') {
                file.write_all(b"\n")?;
            }
            io::Result::Ok((file, String::from_utf8_lossy(&text).into_owned()))
        };
        let (file, text) = open().map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => refuse(format!("another run of Whittle is writing to {shown}")),
            _ => refuse(format!("results cannot be written to {shown}: {error}")),
        })?;
        let entries = text.lines().filter_map(|line| serde_json::from_str::<Entry>(line).ok());
        let known = entries.map(|entry| ((entry.name.clone(), entry.binding.clone()), entry)).collect();
        Ok(Self { folder: folder.to_owned(), known, file: Mutex::new(file) })
    }

    /// What became of an input, with its result, if that is known for this binding.
    pub(crate) fn find(&self, name: &OsStr, binding: &str) -> Option<(Entry, Vec<u8>)> {
        let entry = self.known.get(&(name.to_string_lossy().into_owned(), binding.to_owned()))?;
        let text = fs::read(self.result(name)).ok()?;
        (fingerprint(&text) == entry.result).then(|| (entry.clone(), text))
    }

    /// Puts the result in its place, and the entry on record.
    pub(crate) fn add(&self, name: &OsStr, entry: &Entry, text: &[u8]) -> Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        // One result at a time: files on their way to their places may have one name.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        replace_file(&self.result(name), text, None, false)
            .and_then(|()| file.write_all(&line))
            .with_context(|| format!("the result cannot be written to {}", self.folder.display()))
    }

    /// Where an input is reduced.
    pub(crate) fn workplace(&self, name: &OsStr) -> Workplace {
        Workplace(self.folder.join("unfinished").join(name))
    }

    fn result(&self, name: &OsStr) -> PathBuf {
        self.folder.join("reduced").join(name)
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        // It stays if there is something in it.
        let _ = fs::remove_dir(self.folder.join("unfinished"));
    }
}

/// The folder of one input while it is reduced.
pub(crate) struct Workplace(PathBuf);

impl Workplace {
    /// Where the best goes; the journal is beside it.
    pub(crate) fn output(&self) -> PathBuf {
        self.0.join("best")
    }

    pub(crate) fn make(&self) -> io::Result<()> {
        fs::create_dir_all(&self.0)
    }

    /// Takes it away; what is left of it after a failure is in nobody's way.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_dir_all(&self.0);
    }

    /// Takes it away if nothing is in it.
    pub(crate) fn clear_if_empty(&self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// A short word for some bytes, that other bytes do not have.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    format!("{:032x}", Candidate::single("", bytes.to_vec()).fingerprint().0)
}
