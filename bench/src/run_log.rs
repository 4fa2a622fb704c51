//! The log of a run: two lines per test, one when it begins and one when it ends.
//!
//! Each line is one small write to a file opened for appending, so parallel tests do not interfere with each other,
//! and a test that the reducer kills counts too.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::clock;
use crate::size::Size;

/// A line of the log. Times are in microseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Line {
    Begin {
        id: String,
        at: u64,
    },
    /// `size` is that of the candidate, if it is interesting.
    End {
        id: String,
        at: u64,
        size: Option<Size>,
    },
}

impl Line {
    fn at(&self) -> u64 {
        match self {
            Self::Begin { at, .. } | Self::End { at, .. } => *at,
        }
    }
}

pub(crate) struct RunLog {
    path: PathBuf,
}

/// What a log says about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// The number of test runs.
    pub(crate) runs: u64,
    /// How long it ran, all tests together.
    pub(crate) property_seconds: f64,
    /// When the best candidate got smaller.
    pub(crate) curve: Vec<Point>,
}

/// The size of the best candidate from some time on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    /// The number of test runs that had begun.
    pub(crate) runs: u64,
    pub(crate) seconds: f64,
    pub(crate) tokens: u64,
}

impl RunLog {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    pub(crate) fn append(&self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        File::options().create(true).append(true).open(&self.path)?.write_all(&text)
    }

    /// Reads the log of a run that began and ended at these times. A test that began and did not end was killed. It
    /// counts as lasting until the next line, which is right for one worker and slightly too short for several.
    pub(crate) fn tally(&self, begin: u64, end: u64) -> io::Result<Tally> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let lines: Vec<Line> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(tally(&lines, begin, end))
    }
}

fn tally(lines: &[Line], begin: u64, end: u64) -> Tally {
    let ends: HashMap<&str, u64> = lines
        .iter()
        .filter_map(|line| if let Line::End { id, at, .. } = line { Some((id.as_str(), *at)) } else { None })
        .collect();
    let mut tally = Tally::default();
    let mut micros = 0;
    for (index, line) in lines.iter().enumerate() {
        match line {
            Line::Begin { id, at } => {
                let next = lines.get(index + 1).map_or(end, Line::at);
                tally.runs += 1;
                micros += ends.get(id.as_str()).copied().unwrap_or(next).saturating_sub(*at);
            }
            Line::End { at, size: Some(size), .. } => {
                if tally.curve.last().is_none_or(|last| size.tokens < last.tokens) {
                    let seconds = clock::seconds(at.saturating_sub(begin));
                    tally.curve.push(Point { runs: tally.runs, seconds, tokens: size.tokens });
                }
            }
            Line::End { size: None, .. } => {}
        }
    }
    tally.property_seconds = clock::seconds(micros);
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(id: &str, at: u64) -> Line {
        Line::Begin { id: id.into(), at }
    }

    fn end(id: &str, at: u64, tokens: Option<u64>) -> Line {
        Line::End { id: id.into(), at, size: tokens.map(|tokens| Size { tokens, non_blank: 0, bytes: 0 }) }
    }

    #[test]
    fn killed_tests_are_counted_and_last_until_the_next_line() {
        let lines = [
            begin("a", 1_000_000),
            end("a", 2_000_000, Some(9)),
            begin("b", 3_000_000),
            begin("c", 5_000_000),
            end("c", 5_500_000, None),
        ];
        let tally = tally(&lines, 0, 9_000_000);
        assert_eq!(tally.runs, 3);
        assert!((tally.property_seconds - 3.5).abs() < 1e-9, "{tally:?}");
    }

    #[test]
    fn the_curve_has_a_point_for_each_improvement() {
        let lines = [
            begin("a", 10),
            end("a", 20, Some(9)),
            begin("b", 30),
            end("b", 40, Some(9)),
            begin("c", 50),
            end("c", 60, None),
            begin("d", 70),
            end("d", 80, Some(4)),
        ];
        let points: Vec<_> = tally(&lines, 0, 100).curve.iter().map(|point| (point.runs, point.tokens)).collect();
        assert_eq!(points, [(1, 9), (4, 4)]);
    }

    #[test]
    fn lines_of_many_writers_stay_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = path.clone();
                scope.spawn(move || {
                    for number in 0..200 {
                        RunLog::at(path.clone()).append(&begin(&format!("{writer}-{number}"), 1)).unwrap();
                    }
                });
            }
        });
        assert_eq!(RunLog::at(path).tally(0, 2).unwrap().runs, 800);
    }
}
