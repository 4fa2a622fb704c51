//! The arguments that define what is interesting. All commands that run tests share them.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use whittle::property::Repeat;
use whittle::property::conditions::{ExitSet, Pattern, SignalName, Signature, Similarity};

/// TEST and INPUT, and how to run and judge a test.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// The test: an executable that exits with 0 if and only if the candidate is interesting; omit it with --run
    #[arg(value_name = "TEST")]
    pub(crate) first: PathBuf,

    /// The file to reduce, or - for standard input; or a folder; or several files
    #[arg(value_name = "INPUT")]
    pub(crate) rest: Vec<PathBuf>,

    /// The file name of an input that comes from standard input [default: stdin]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) name: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) project: ProjectArgs,

    #[command(flatten)]
    pub(crate) options: TestOptions,
}

/// What belongs to a project, and what of it may change.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ProjectArgs {
    /// Files that match do not change; a pattern as in .gitignore, relative to the folder; can be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Projects", hide_short_help = true)]
    pub(crate) keep: Vec<String>,

    /// Only files that match change; can be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Projects", hide_short_help = true)]
    pub(crate) only: Vec<String>,

    /// Leave out what .gitignore files name
    #[arg(long, help_heading = "Projects", hide_short_help = true)]
    pub(crate) git_ignore: bool,

    /// Keep this folder of the project from test to test, such as target; can be repeated. Faster builds, but a test then
    /// depends on the tests before it
    #[arg(long, value_name = "FOLDER", help_heading = "Projects", hide_short_help = true)]
    pub(crate) warm: Vec<PathBuf>,
}

impl ProjectArgs {
    /// The first option that is given, for a message where none applies.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.keep.is_empty(), "--keep"),
            (!self.only.is_empty(), "--only"),
            (self.git_ignore, "--git-ignore"),
            (!self.warm.is_empty(), "--warm"),
        ];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// How to run and judge a test.
#[derive(Debug, Args)]
pub(crate) struct TestOptions {
    /// Run this command instead of TEST, without a shell; {} is the candidate, {cwd} the current folder
    #[arg(short, long, value_name = "COMMAND", help_heading = "What is interesting")]
    pub(crate) run: Option<String>,

    /// Start this command once per worker, and ask it about one candidate after the other, a line each; docs/servers.md
    /// shows how
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["run", "stdin", "valid"], help_heading = "What is interesting")]
    pub(crate) server: Option<String>,

    /// The exit status must be in this set, such as 1,128-255, nonzero or !0 [default: 0 if there is no other condition]
    #[arg(long, value_name = "SET", help_heading = "What is interesting")]
    pub(crate) exit: Option<ExitSet>,

    /// The command must be killed by this signal, such as SEGV; if repeated, by any of them
    #[arg(long, value_name = "NAME", help_heading = "What is interesting")]
    pub(crate) signal: Vec<SignalName>,

    /// Standard output must match; if repeated, all must match
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) stdout: Vec<Pattern>,

    /// Standard error must match; if repeated, all must match
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) stderr: Vec<Pattern>,

    /// Standard output must not match
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting", hide_short_help = true)]
    pub(crate) not_stdout: Vec<Pattern>,

    /// Standard error must not match
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) not_stderr: Vec<Pattern>,

    /// Standard error must be similar to the contents of FILE
    #[arg(long, value_name = "FILE", help_heading = "What is interesting", hide_short_help = true)]
    pub(crate) stderr_like: Option<PathBuf>,

    /// The similarity that --stderr-like requires, from 0 to 1
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.8",
        requires = "stderr_like",
        help_heading = "What is interesting",
        hide_short_help = true
    )]
    pub(crate) similarity: Similarity,

    /// A test that times out is interesting; needs --timeout
    #[arg(long, requires = "timeout", help_heading = "What is interesting")]
    pub(crate) timeout_is_interesting: bool,

    /// Run this cheap command first; skip the test unless it exits with 0
    #[arg(long, value_name = "COMMAND", help_heading = "What is interesting", hide_short_help = true)]
    pub(crate) valid: Option<String>,

    /// What this captures from the output must stay the same as for INPUT
    ///
    /// The smallest candidate with each other capture is kept in the folder NAME.other. @stack stands for the crash that a
    /// sanitizer, an assertion or a panic reports.
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) signature: Option<Signature>,

    /// Also pass the candidate on standard input
    #[arg(long, help_heading = "How tests run", hide_short_help = true)]
    pub(crate) stdin: bool,

    /// Kill a test that takes longer [default: ten times the first run, at least 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "How tests run")]
    pub(crate) timeout: Option<Duration>,

    /// For a flaky test: N successes in a row, one success in N runs (any:N), or as many runs as its error rates need (auto)
    #[arg(long, value_name = "N|any:N|auto", help_heading = "How tests run")]
    pub(crate) repeat: Option<Repeat>,

    /// Replace a server that holds more memory than this, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "server", help_heading = "How tests run", hide_short_help = true)]
    pub(crate) server_memory: Option<u64>,

    /// Replace a server after N tests [default: when it was used 20 times as long as its start took]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "server", help_heading = "How tests run", hide_short_help = true)]
    pub(crate) server_tests: Option<u64>,

    /// The memory limit for each process of a test, such as 512M or 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "How tests run", hide_short_help = true)]
    pub(crate) memory_limit: Option<u64>,

    /// Kill a test that prints more, and treat it as not interesting [default: 64M if a condition looks at the output]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "How tests run", hide_short_help = true)]
    pub(crate) output_limit: Option<u64>,

    /// Where to create scratch folders [default: TMPDIR, or shared memory if it has room, or /tmp]
    #[arg(long, value_name = "FOLDER", help_heading = "How tests run", hide_short_help = true)]
    pub(crate) scratch: Option<PathBuf>,
}

impl TestOptions {
    /// Whether anything is asked of how a command ends or of what it prints.
    pub(crate) fn has_conditions(&self) -> bool {
        let patterns = [&self.stdout, &self.stderr, &self.not_stdout, &self.not_stderr];
        let asks_ending = self.exit.is_some() || !self.signal.is_empty() || self.timeout_is_interesting;
        let asks_output = self.signature.is_some() || self.stderr_like.is_some();
        asks_ending || asks_output || patterns.iter().any(|patterns| !patterns.is_empty())
    }
}

const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Parses a time with its unit; a number without a unit is in seconds.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match seconds.map_or_else(|| humantime::parse_duration(text), Ok) {
        Ok(Duration::ZERO) => Err("it must be greater than zero".into()),
        Ok(time) if time > LONGEST => Err("it must not exceed one year".into()),
        Ok(time) => Ok(time),
        Err(error) => Err(format!("{error}; write it like 30s, 10m or 2h")),
    }
}

/// Parses a number of bytes with an optional K, M or G.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['K', 'M', 'G', 'k', 'm', 'g']);
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => 64,
    };
    let size = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1u64.checked_shl(shift)?));
    size.filter(|&size| size > 0).ok_or_else(|| "write it like 4096, 512M or 4G".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units_and_never_zero() {
        assert_eq!(parse_time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_time("5"), Ok(Duration::from_secs(5)));
        assert_eq!(parse_time("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["0s", "0", "-1", "1e300", "NaN", "300000000years", "soon", ""] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read_with_their_units_and_never_zero() {
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("4g"), Ok(4 << 30));
        for wrong in ["", "0", "M", "1T", "1MG", "-1", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
