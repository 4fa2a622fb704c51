//! The last words: sizes, tests, time, where the result is and why it ended.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use whittle::search::{Measured, Search, Tally};

use super::format::{count, percent, time};
use super::plan::Plan;

/// What a reduction came to.
#[derive(Debug)]
pub(crate) struct Summary {
    from: Dimensions,
    to: Dimensions,
    tally: Tally,
    elapsed: Duration,
    jobs: usize,
    /// What sizes are told in.
    unit: &'static str,
    result: PathBuf,
    reason: String,
}

impl Summary {
    /// What `search` came to: from the first to the best, where that is, and why it ended.
    pub(crate) fn of(
        plan: &Plan,
        search: &Search,
        (first, best): (&Measured, &Measured),
        result: PathBuf,
        reason: String,
    ) -> Self {
        Self {
            from: Dimensions::of(first),
            to: Dimensions::of(best),
            unit: plan.unit_name(),
            tally: search.tally(),
            elapsed: search.elapsed(),
            jobs: plan.jobs,
            result,
            reason,
        }
    }
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

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, tally, .. } = self;
        let in_tests = percent(tally.property_time.as_secs_f64(), self.elapsed.as_secs_f64() * self.jobs as f64);
        let unit = self.unit;
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
        writeln!(f, "time:    {}, {in_tests} of it in the test", time(self.elapsed))?;
        writeln!(f, "result:  {}", self.result.display())?;
        write!(f, "stopped: {}", self.reason)
    }
}
