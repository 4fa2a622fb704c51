//! One folder for each bug, if inputs have signatures: the smallest input that shows it, the command, what it prints, and a text
//! for an issue tracker.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use whittle::property::CommandTest;
use whittle::property::conditions::Signature;
use whittle::search::{Cancel, Candidate};

use super::job::Job;
use super::report::Report;
use crate::command::format::count;

/// How many lines of output a report shows.
const MAX_LINES: usize = 60;

/// How many bytes of an input a report shows; the whole is beside it.
const MAX_BYTES: usize = 1024;

/// How many inputs a report lists by name.
const MAX_NAMES: usize = 20;

/// How long the command may take to show the bug once more.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Inputs that show one bug.
pub(super) struct Bug<'a> {
    pub(super) signature: &'a str,
    /// The smallest of what they were reduced to, and how its name ends.
    pub(super) text: &'a [u8],
    pub(super) extension: Option<&'a str>,
    /// Their names, and how many bytes each had.
    pub(super) inputs: Vec<(&'a str, u64)>,
}

/// Writes a folder for each bug to `bugs`, and gives their paths. Those of an earlier run go.
pub(super) fn write(report: &Report, job: &Job, test: &CommandTest, cancel: &Cancel) -> Result<Vec<PathBuf>> {
    let folder = job.output.join("bugs");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot renew {}", folder.display()))?;
    }
    let mut bugs: BTreeMap<&str, Bug<'_>> = BTreeMap::new();
    for found in report.bugs() {
        match bugs.get_mut(found.signature) {
            None => drop(bugs.insert(found.signature, found)),
            Some(bug) => {
                bug.inputs.extend(found.inputs);
                if found.text.len() < bug.text.len() {
                    (bug.text, bug.extension) = (found.text, found.extension);
                }
            }
        }
    }
    let write = |bug: &Bug<'_>| {
        let place = folder.join(Signature::file_name(bug.signature.as_bytes()));
        bug.write(&place, job, test, cancel).with_context(|| format!("cannot write {}", place.display()))?;
        Ok(place)
    };
    bugs.values().map(write).collect()
}

impl Bug<'_> {
    fn write(&self, place: &Path, job: &Job, test: &CommandTest, cancel: &Cancel) -> Result<()> {
        fs::create_dir_all(place)?;
        let name = match self.extension {
            Some(extension) => format!("input.{extension}"),
            None => "input".to_owned(),
        };
        fs::write(place.join(&name), self.text)?;
        let candidate = Candidate::single(job.name_of(&name), self.text.to_vec());
        let printed = match test.observe(&candidate, TIMEOUT, cancel) {
            Ok(observed) => [observed.observation.stderr, observed.observation.stdout].concat(),
            // Somebody wants to stop; the rest is worth having.
            Err(_) => Vec::new(),
        };
        fs::write(place.join("output.txt"), &printed)?;
        let cwd = std::env::current_dir().unwrap_or_default();
        let command = job.test.shown.replace("{}", &name).replace("{cwd}", &cwd.display().to_string());
        fs::write(place.join("command.txt"), format!("{command}\n"))?;
        Ok(fs::write(place.join("report.md"), self.report(&command, &name, &printed))?)
    }

    fn report(&self, command: &str, name: &str, printed: &[u8]) -> String {
        let mut text = format!("# {}\n\n", self.signature);
        let largest = self.inputs.iter().map(|(_, bytes)| *bytes).max().unwrap_or_default();
        let inputs = count(self.inputs.len() as u64);
        let _ = writeln!(
            text,
            "Found by {inputs} inputs of up to {} bytes; the smallest that shows it has {} bytes.\n",
            count(largest),
            count(self.text.len() as u64)
        );
        let _ =
            writeln!(text, "## To reproduce\n\n```sh\n{command}\n```\n\n`{name}`:\n\n```\n{}\n```\n", shown(self.text));
        let lines = String::from_utf8_lossy(printed);
        let head: Vec<&str> = lines.lines().take(MAX_LINES).collect();
        let _ = writeln!(text, "## Output\n\n```\n{}\n```\n", head.join("\n"));
        let _ = writeln!(text, "## Inputs\n");
        for (name, bytes) in self.inputs.iter().take(MAX_NAMES) {
            let _ = writeln!(text, "- `{name}` ({} bytes)", count(*bytes));
        }
        text
    }
}

/// A text as it is, other bytes in hexadecimal.
fn shown(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(MAX_BYTES)];
    let is_plain = |text: &&str| text.chars().all(|character| !character.is_control() || "\n\t".contains(character));
    if let Some(text) = std::str::from_utf8(head).ok().filter(is_plain) {
        return text.trim_end().to_owned();
    }
    let line = |(index, bytes): (usize, &[u8])| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String = bytes.iter().map(|&b| if b.is_ascii_graphic() { b as char } else { '.' }).collect();
        format!("{:04x}: {:<47}  {text}", index * 16, digits.join(" "))
    };
    head.chunks(16).enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_shown_in_hexadecimal() {
        assert_eq!(shown(b"int x;\n"), "int x;");
        let dump = shown(b"FZ\0\xff");
        assert!(dump.starts_with("0000: 46 5a 00 ff") && dump.ends_with("FZ.."), "{dump}");
    }
}
