//! The outcome of one run of a reducer on a subject: one line of JSON.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::run_log::Point;
use crate::size::Size;
use crate::watch::Limits;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) subject: String,
    /// Of the subject: its input and its test.
    pub(crate) fingerprint: String,
    pub(crate) language: String,
    pub(crate) reducer: String,
    pub(crate) version: String,
    /// Which of the repetitions, from 1.
    pub(crate) round: u32,
    pub(crate) jobs: u16,
    pub(crate) limit_seconds: f64,
    /// The limit on its processor time, with the tests.
    #[serde(default)]
    pub(crate) cpu_limit_seconds: Option<f64>,
    pub(crate) end: End,
    /// What was wrong, if it failed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) note: String,
    pub(crate) input: Size,
    /// The result's size. For a run that did not finish: the smallest interesting candidate it tested.
    pub(crate) result: Size,
    /// Whether the subject's own test, run again, found the result interesting.
    pub(crate) rechecked: bool,
    /// The number of test runs.
    pub(crate) runs: u64,
    pub(crate) wall_seconds: f64,
    pub(crate) property_seconds: f64,
    /// Processor time of the reducer and of all its tests.
    pub(crate) cpu_seconds: f64,
    /// The peak of the reducer's own memory.
    pub(crate) memory_bytes: Option<u64>,
    /// Where it ran: the commit, the system and the processor.
    #[serde(default)]
    pub(crate) stamp: String,
    /// The best candidate over time.
    pub(crate) curve: Vec<Point>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum End {
    /// By itself, with a result.
    Finished,
    /// At the time limit.
    Stopped,
    /// With an error, or with a result that is not interesting.
    Failed,
}

impl Outcome {
    /// The statistic of the papers: how many tokens were deleted per second.
    pub(crate) fn tokens_per_second(&self) -> f64 {
        self.input.tokens.saturating_sub(self.result.tokens) as f64 / self.wall_seconds.max(1e-6)
    }

    /// The tokens of the best candidate after this many test runs; `None` if the reducer was stopped before.
    pub(crate) fn tokens_after(&self, runs: u64) -> Option<u64> {
        if self.end != End::Finished && self.runs < runs {
            return None;
        }
        self.curve.iter().take_while(|point| point.runs <= runs).last().map(|point| point.tokens)
    }

    /// When the best candidate first had at most so many tokens.
    pub(crate) fn reached(&self, tokens: f64) -> Option<Point> {
        self.curve.iter().copied().find(|point| point.tokens as f64 <= tokens)
    }

    /// The share of the total reduction, in tokens, that was reached after a tenth of the runs.
    pub(crate) fn early_share(&self) -> Option<f64> {
        let gone = |tokens: u64| self.input.tokens.saturating_sub(tokens) as f64;
        let early = self.tokens_after(self.runs.div_ceil(10))?;
        let all = gone(self.result.tokens);
        (all > 0.0).then(|| gone(early) / all)
    }

    /// Whether a run with these limits would come to the same: it ended by itself within them, or they stopped it.
    pub(crate) fn holds_within(&self, limits: Limits) -> bool {
        let (wall, cpu) = (limits.wall.as_secs_f64(), limits.cpu.map(|cpu| cpu.as_secs_f64()));
        match self.end {
            End::Finished => self.wall_seconds <= wall && cpu.is_none_or(|cpu| self.cpu_seconds <= cpu),
            End::Stopped | End::Failed => (self.limit_seconds, self.cpu_limit_seconds) == (wall, cpu),
        }
    }

    /// What identifies a run among those with the same settings.
    pub(crate) fn key(&self) -> (String, String, u32) {
        (self.subject.clone(), self.reducer.clone(), self.round)
    }
}

/// Reads results. For the same subject, reducer and round, the last one counts. Skips a truncated last line; any other
/// unreadable line is an error.
pub(crate) fn read_all(files: &[PathBuf]) -> Result<Vec<Outcome>> {
    let mut outcomes = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        for (index, line) in whole_lines(&text).lines().enumerate() {
            let outcome: Outcome =
                serde_json::from_str(line).with_context(|| format!("{}:{}", file.display(), index + 1))?;
            outcomes.insert(outcome.key(), outcome);
        }
    }
    Ok(outcomes.into_values().collect())
}

/// A result file to append to.
pub(crate) struct Results {
    file: File,
    pub(crate) known: Vec<Outcome>,
}

impl Results {
    /// Opens a result file, and removes a partial last line that a killed run may have left.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let known = if path.exists() { read_all(&[path.to_owned()])? } else { Vec::new() };
        let context = || path.display().to_string();
        let file = File::options().create(true).append(true).open(path).with_context(context)?;
        let text = fs::read_to_string(path).with_context(context)?;
        file.set_len(whole_lines(&text).len() as u64)?;
        Ok(Self { file, known })
    }

    pub(crate) fn append(&mut self, outcome: &Outcome) -> Result<()> {
        let mut line = serde_json::to_vec(outcome)?;
        line.push(b'\n');
        Ok(self.file.write_all(&line)?)
    }
}

fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use super::*;

    pub(crate) fn outcome(subject: &str, reducer: &str, tokens: u64, runs: u64) -> Outcome {
        let size = |tokens| Size { tokens, non_blank: 3 * tokens, bytes: 4 * tokens };
        Outcome {
            subject: subject.into(),
            fingerprint: "0".into(),
            language: "c".into(),
            reducer: reducer.into(),
            version: "1".into(),
            round: 1,
            jobs: 1,
            limit_seconds: 60.0,
            cpu_limit_seconds: None,
            end: End::Finished,
            note: String::new(),
            input: size(1000),
            result: size(tokens),
            rechecked: true,
            runs,
            wall_seconds: 10.0,
            property_seconds: 9.0,
            cpu_seconds: 8.0,
            memory_bytes: Some(50 << 20),
            stamp: String::new(),
            curve: vec![Point { runs: 1, seconds: 0.1, tokens: 1000 }, Point { runs: runs / 2, seconds: 5.0, tokens }],
        }
    }

    #[test]
    fn a_run_that_was_stopped_says_nothing_about_later() {
        let mut outcome = outcome("a", "x", 5, 50);
        assert_eq!([10, 25, 60].map(|runs| outcome.tokens_after(runs)), [Some(1000), Some(5), Some(5)]);
        outcome.end = End::Stopped;
        assert_eq!([10, 25, 60].map(|runs| outcome.tokens_after(runs)), [Some(1000), Some(5), None]);
    }

    #[test]
    fn a_run_that_ended_by_itself_needs_no_longer_limits() {
        let minutes = |wall: u64, cpu: Option<u64>| Limits {
            wall: Duration::from_secs(60 * wall),
            cpu: cpu.map(|cpu| Duration::from_secs(60 * cpu)),
        };
        let mut outcome = outcome("a", "x", 5, 50);
        assert!(outcome.holds_within(minutes(1, None)) && outcome.holds_within(minutes(120, Some(1))));
        outcome.wall_seconds = 61.0;
        assert!(!outcome.holds_within(minutes(1, None)), "the limit would have stopped it");
        outcome.end = End::Stopped;
        assert!(outcome.holds_within(minutes(1, None)), "by this limit");
        assert!(!outcome.holds_within(minutes(2, None)) && !outcome.holds_within(minutes(1, Some(1))));
    }

    #[test]
    fn the_early_share_is_that_of_a_tenth_of_the_runs() {
        let mut outcome = outcome("a", "x", 200, 100);
        assert_eq!(outcome.early_share(), Some(0.0));
        outcome.curve.insert(1, Point { runs: 10, seconds: 1.0, tokens: 400 });
        assert_eq!(outcome.early_share(), Some(0.75));
        outcome.result = outcome.input;
        assert_eq!(outcome.early_share(), None, "nothing went");
    }

    #[test]
    fn results_survive_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let (first, second) = (outcome("a", "x", 5, 50), outcome("b", "x", 6, 60));
        Results::open(&path).unwrap().append(&first).unwrap();
        let cut = format!("{}{{\"subject\": \"b", fs::read_to_string(&path).unwrap());
        fs::write(&path, cut).unwrap();

        let mut results = Results::open(&path).unwrap();
        assert_eq!(results.known, std::slice::from_ref(&first));
        results.append(&second).unwrap();
        assert_eq!(read_all(&[path]).unwrap(), [first, second]);
    }

    #[test]
    fn the_last_result_of_a_run_counts() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["old", "new"].map(|name| folder.path().join(name));
        Results::open(&files[0]).unwrap().append(&outcome("a", "x", 5, 50)).unwrap();
        Results::open(&files[1]).unwrap().append(&outcome("a", "x", 4, 40)).unwrap();
        let tokens: Vec<u64> = read_all(&files).unwrap().iter().map(|outcome| outcome.result.tokens).collect();
        assert_eq!(tokens, [4]);
    }

    #[test]
    fn a_line_that_is_no_result_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let error = format!("{:#}", read_all(&[path]).unwrap_err());
        assert!(error.contains("results.jsonl:1"), "{error}");
    }
}
