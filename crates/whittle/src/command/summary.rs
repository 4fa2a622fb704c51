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

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { outcome, language, jobs } = *self;
        let Outcome { tally, elapsed, searching, unit, .. } = outcome;
        let (from, to) = (Dimensions::of(&outcome.first), Dimensions::of(&outcome.best));
        let in_tests = percent(tally.property_time.as_secs_f64(), searching.as_secs_f64() * jobs as f64);
        let share = percent(to.units as f64, from.units as f64);
        writeln!(f, "language: {language}")?;
        write!(f, "size:    {} -> {} {unit} ({share})", count(from.units), count(to.units))?;
        if *unit != SizeUnit::Bytes {
            write!(f, ", {} -> {} bytes", count(from.bytes), count(to.bytes))?;
        }
        writeln!(f, ", {} -> {} lines", count(from.lines), count(to.lines))?;
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
