//! `whittle history`: lists the candidates that led to a result, or prints one.

use std::io::Write;

use anyhow::Result;
use whittle::reduction::{HistoryEntry, HistoryFile};

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
    for (_, bytes) in &entry.files {
        let _ = std::io::stdout().write_all(bytes);
    }
    Ok(Exit::Done)
}

fn line(number: usize, entry: &HistoryEntry) -> String {
    let bytes = entry.files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    format!("{number:>4}  {:>12} bytes  after {} tests", count(bytes), count(entry.tests))
}
