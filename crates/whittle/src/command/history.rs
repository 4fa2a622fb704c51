//! `whittle history`: lists the candidates that led to a result, or prints one.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use whittle::output::replace;
use whittle::reduction::{HistoryEntry, HistoryFile};
use whittle::search::Candidate;

use super::args::HistoryArgs;
use super::exit::{Exit, Refusal};
use super::format::count;
use super::print::answer;

/// Lists or prints.
pub(crate) fn run(args: &HistoryArgs) -> Result<Exit> {
    let place = HistoryFile::place(&args.result);
    let history = HistoryFile::read(&place).map_err(|error| {
        let problem = format!("the history {} cannot be read: {error}", place.display());
        Refusal::new(problem, "Pass the result of a reduction, such as bug.reduced.c.")
    })?;
    let Some(number) = args.number else {
        history.entries.iter().enumerate().for_each(|(number, entry)| answer(&line(number, entry)));
        return Ok(Exit::Done);
    };
    let entry = history.entries.get(number).ok_or_else(|| {
        let last = history.entries.len().saturating_sub(1);
        Refusal::new(format!("there is no candidate {number}"), format!("They have the numbers 0 to {last}."))
    })?;
    match &args.output {
        Some(place) => write(&entry.candidate, place)?,
        None if entry.candidate.is_project() => {
            let problem = "a project cannot be printed";
            return Err(Refusal::new(problem, "Choose a folder for it with --output.").into());
        }
        None => {
            let bytes = entry.candidate.files().first().map_or(&[][..], |file| file.bytes());
            let _ = std::io::stdout().write_all(bytes);
        }
    }
    Ok(Exit::Done)
}

/// Writes a candidate to a place where nothing is.
fn write(candidate: &Candidate, place: &Path) -> Result<()> {
    if place.symlink_metadata().is_ok() {
        let problem = format!("{} is there already", place.display());
        return Err(Refusal::new(problem, "Choose another place with --output.").into());
    }
    replace(place, candidate, None, false).with_context(|| format!("cannot write to {}", place.display()))
}

fn line(number: usize, entry: &HistoryEntry) -> String {
    let files = match entry.candidate.is_project() {
        true => format!("{:>8} files", count(entry.candidate.files().len() as u64)),
        false => String::new(),
    };
    let bytes = count(entry.candidate.byte_count());
    format!("{number:>4}{files}  {bytes:>12} bytes  after {} tests", count(entry.tests))
}
