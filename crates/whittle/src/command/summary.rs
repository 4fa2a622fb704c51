//! The last words: sizes, tests, time, where the result is and why it ended.

use std::fmt;

use whittle::search::Measured;

use super::format::{count, percent, time};
use super::reduce::Ended;

/// What a reduction came to, in words.
pub(crate) struct Summary<'a> {
    pub(crate) ended: &'a Ended,
    pub(crate) jobs: usize,
    /// What sizes are told in.
    pub(crate) unit: &'static str,
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
        let Self { ended, jobs, unit } = *self;
        let Ended { tally, elapsed, .. } = ended;
        let (from, to) = (Dimensions::of(&ended.first), Dimensions::of(&ended.best));
        let in_tests = percent(tally.property_time.as_secs_f64(), elapsed.as_secs_f64() * jobs as f64);
        let share = percent(to.units as f64, from.units as f64);
        write!(f, "size:    {} -> {} {unit} ({share})", count(from.units), count(to.units))?;
        if unit != "bytes" {
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
        writeln!(f, "time:    {}, {in_tests} of it in the test", time(*elapsed))?;
        writeln!(f, "result:  {}", ended.result.display())?;
        write!(f, "stopped: {}", ended.reason)
    }
}
