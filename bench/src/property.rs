//! The test that reducers get: it runs the subject's own test and logs the run.
//!
//! It is this program, called by a two-line script. So every reducer is measured in the same way, whatever it reports
//! about itself. It finds the candidate by either usual convention: under the input's name in the current folder, or in
//! the file given as its argument. It counts tokens and keeps the smallest candidate only for interesting candidates,
//! and only after the clock of the test has stopped.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use tempfile::TempDir;
use whittle_languages::Language;

use crate::args::TestArgs;
use crate::clock;
use crate::run_log::{Line, RunLog};
use crate::size::Size;
use crate::subject::{Subject, TEST};

/// The command of this program that runs a test.
pub(crate) const COMMAND: &str = "__test";

/// Where a run of a reducer happens: everything is below one folder.
#[derive(Debug)]
pub(crate) struct Places {
    root: PathBuf,
}

impl Places {
    pub(crate) fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The copy of the subject's folder.
    pub(crate) fn subject(&self) -> PathBuf {
        self.root.join("subject")
    }

    /// The reducer's current folder: it contains the input and the test, and the reducer may leave files in it.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// The test that the reducer gets.
    pub(crate) fn test(&self) -> PathBuf {
        self.work().join("test.sh")
    }

    /// The folder for temporary files.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// What the reducer prints.
    pub(crate) fn output(&self) -> PathBuf {
        self.root.join("output")
    }

    pub(crate) fn log(&self) -> RunLog {
        RunLog::at(self.root.join("runs"))
    }

    /// The smallest interesting candidate that was tested.
    pub(crate) fn best(&self) -> Best {
        Best { text: self.root.join("best"), size: self.root.join("best-size") }
    }
}

/// Writes the script that a reducer gets as its test.
pub(crate) fn write_script(places: &Places, program: &Path, subject: &Subject) -> Result<()> {
    let words = [program.as_os_str(), COMMAND.as_ref(), places.root.as_os_str()];
    let mut script = String::from("#!/bin/sh\nexec");
    for word in words.iter().map(|word| word.to_string_lossy()).chain([
        subject.input.as_str().into(),
        if subject.language.is_some() { subject.language_name().into() } else { "-".into() },
    ]) {
        script.push_str(&format!(" '{}'", word.replace('\'', r"'\''")));
    }
    script.push_str(" \"$@\"\n");
    fs::write(places.test(), script)?;
    fs::set_permissions(places.test(), fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// Runs the subject's test on a file of the input's name in a fresh folder, without logging it.
pub(crate) fn check(places: &Places, input: &str, text: &[u8]) -> Result<bool> {
    let folder = unpack(places, input, text)?;
    run_test(places, folder.path())
}

/// Runs the subject's test on the candidate; returns whether it is interesting.
pub(crate) fn test_and_note(args: &TestArgs) -> Result<bool> {
    let places = Places::new(&args.folder);
    let here = std::env::current_dir()?;
    let own_place = here.join(&args.input);
    let path =
        args.candidate.as_ref().filter(|path| path.is_file()).map_or_else(|| own_place.clone(), |path| here.join(path));
    let text = fs::read(&path).with_context(|| format!("the candidate {}", path.display()))?;
    let unpacked = if path == own_place { None } else { Some(unpack(&places, &args.input, &text)?) };
    let log = places.log();
    let begin = clock::now();
    let id = format!("{}-{begin}", std::process::id());
    log.append(&Line::Begin { id: id.clone(), at: begin })?;
    let is_interesting = run_test(&places, unpacked.as_ref().map_or(&here, |folder| folder.path()))?;
    let end = clock::now();
    let size = is_interesting.then(|| Size::of(&text, Language::by_name(&args.language)));
    log.append(&Line::End { id, at: end, size })?;
    if let Some(size) = size {
        places.best().offer(&text, size)?;
    }
    Ok(is_interesting)
}

fn unpack(places: &Places, input: &str, text: &[u8]) -> Result<TempDir> {
    let folder = tempfile::tempdir_in(places.temporary())?;
    fs::write(folder.path().join(input), text)?;
    Ok(folder)
}

fn run_test(places: &Places, folder: &Path) -> Result<bool> {
    let test = places.subject().join(TEST);
    let mut command = Command::new(&test);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().with_context(|| format!("cannot run {}", test.display()))?;
    Ok(status.success())
}

/// The smallest candidate so far. Several tests may try to replace it at the same time.
pub(crate) struct Best {
    text: PathBuf,
    size: PathBuf,
}

impl Best {
    fn offer(&self, text: &[u8], size: Size) -> Result<()> {
        let mut file = File::options().create(true).truncate(false).read(true).write(true).open(&self.size)?;
        file.lock()?;
        let known: Option<Size> = serde_json::from_slice(&fs::read(&self.size)?).ok();
        if known.is_none_or(|known| size < known) {
            fs::write(&self.text, text)?;
            file.set_len(0)?;
            file.write_all(&serde_json::to_vec(&size)?)?;
        }
        Ok(())
    }

    /// Its text, if there is one.
    pub(crate) fn read(&self) -> Option<Vec<u8>> {
        fs::read(&self.text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(tokens: u64) -> Size {
        Size { tokens, non_blank: tokens, bytes: tokens }
    }

    #[test]
    fn the_smallest_candidate_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let best = Places::new(folder.path()).best();
        for (text, tokens) in [("aaa", 3), ("a", 1), ("bb", 2)] {
            best.offer(text.as_bytes(), size(tokens)).unwrap();
        }
        assert_eq!(best.read().unwrap(), b"a");
    }
}
