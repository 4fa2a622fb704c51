//! The summary: sizes, tests, time, where the result is and why it ended.

use std::fmt;

use whittle::reduction::Outcome;
use whittle::search::Measured;
use whittle::syntaxes::SizeUnit;

use super::format::{count, percent, time};

/// What a reduction came to, in words.
pub(crate) struct Summary<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) language: &'a str,
    pub(crate) jobs: usize,
}

/// How large a file is, in the measures that people know.
#[derive(Clone, Copy, Debug)]
struct Dimensions {
    units: u64,
    bytes: u64,
    lines: u64,
}

impl Dimensions {
    fn of(measured: &Measured) -> Self {
        let candidate = &measured.candidate;
        let lines = |bytes: &[u8]| {
            let ended = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
            ended + u64::from(bytes.last().is_some_and(|&last| last != b'\n'))
        };
        Self {
            units: measured.size.units,
            bytes: candidate.byte_count(),
            lines: candidate.files().iter().map(|file| lines(file.bytes())).sum(),
        }
    }
}

/// So many files are listed.
const MOST_LISTED: usize = 20;

impl Summary<'_> {
    /// How many files there are, and the largest of those that are left.
    fn write_files(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, best) = (&self.outcome.first.candidate, &self.outcome.best.candidate);
        let (from, to) = (first.files().len() as u64, best.files().len() as u64);
        writeln!(f, "files:   {} -> {}", count(from), count(to))?;
        let mut files: Vec<_> = best.files().iter().collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.words()));
        for file in files.iter().take(MOST_LISTED) {
            let (words, bytes) = (count(file.words()), count(file.bytes().len() as u64));
            writeln!(f, "         {words:>9} words  {bytes:>9} bytes  {}", file.path().display())?;
        }
        match files.len().saturating_sub(MOST_LISTED) {
            0 => Ok(()),
            more => writeln!(f, "         and {} more", count(more as u64)),
        }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { outcome, language, jobs } = *self;
        let Outcome { tally, elapsed, searching, unit, .. } = outcome;
        let (from, to) = (Dimensions::of(&outcome.first), Dimensions::of(&outcome.best));
        let in_tests = percent(tally.property_time.as_secs_f64(), searching.as_secs_f64() * jobs as f64);
        writeln!(f, "language: {language}")?;
        let bytes = (SizeUnit::Bytes, from.bytes, to.bytes);
        // A text of comments alone has no tokens, and what is left of a comment may be tokens: then bytes say more.
        let sizes = match unit {
            SizeUnit::Tokens if from.units == 0 => vec![bytes],
            SizeUnit::Tokens if to.units > from.units => vec![bytes, (*unit, from.units, to.units)],
            SizeUnit::Tokens => vec![(*unit, from.units, to.units), bytes],
            SizeUnit::Bytes => vec![bytes],
        };
        for (index, (unit, from, to)) in sizes.into_iter().enumerate() {
            let share = if index == 0 { format!(" ({})", percent(to as f64, from as f64)) } else { String::new() };
            let start = if index == 0 { "size:    " } else { ", " };
            write!(f, "{start}{} -> {} {unit}{share}", count(from), count(to))?;
        }
        writeln!(f, ", {} -> {} lines", count(from.lines), count(to.lines))?;
        if outcome.best.candidate.is_project() {
            self.write_files(f)?;
        }
        writeln!(
            f,
            "tests:   {} counted, {} speculative, {} cached, {} timed out",
            count(tally.tests),
            count(tally.speculative()),
            count(tally.cached),
            count(tally.timed_out),
        )?;
        let checking = time(elapsed.saturating_sub(*searching));
        writeln!(
            f,
            "time:    {}, {checking} of it to check the input; {in_tests} of the rest in the test",
            time(*elapsed)
        )?;
        if let Some(output) = &outcome.output {
            writeln!(f, "result:  {}", output.display())?;
        }
        write!(f, "stopped: {}", outcome.end)
    }
}
