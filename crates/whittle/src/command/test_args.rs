//! The arguments that say what interesting means. All commands that run tests share them.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use whittle::property::Repeat;
use whittle::property::conditions::{ExitSet, Pattern, SignalName, Signature, Similarity};

/// TEST and INPUT, and everything about how a test is run and judged.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// The test: an executable that exits with 0 if and only if the file in its folder is interesting; left out with
    /// --run
    #[arg(value_name = "TEST")]
    pub(crate) first: PathBuf,

    /// The file to reduce
    #[arg(value_name = "INPUT")]
    pub(crate) second: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: TestOptions,
}

/// How a test is run and judged.
#[derive(Debug, Args)]
pub(crate) struct TestOptions {
    /// Run this command instead of a TEST, without a shell; {} is the candidate, {cwd} the current folder
    #[arg(short, long, value_name = "COMMAND", help_heading = "What is interesting")]
    pub(crate) run: Option<String>,

    /// The exit status must be one of these, as in 1,128..=255 [default: 0 if nothing else is asked for]
    #[arg(long, value_name = "SET", help_heading = "What is interesting")]
    pub(crate) exit: Option<ExitSet>,

    /// It must be ended by this signal, as in SEGV; several: by one of them
    #[arg(long, value_name = "NAME", help_heading = "What is interesting")]
    pub(crate) signal: Vec<SignalName>,

    /// Standard output must match; several: all of them
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) stdout: Vec<Pattern>,

    /// Standard error must match; several: all of them
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) stderr: Vec<Pattern>,

    /// Standard output must not match
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) not_stdout: Vec<Pattern>,

    /// Standard error must not match
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) not_stderr: Vec<Pattern>,

    /// Standard error must be like what is in FILE
    #[arg(long, value_name = "FILE", help_heading = "What is interesting")]
    pub(crate) stderr_like: Option<PathBuf>,

    /// How similar --stderr-like asks for, from 0 to 1
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.8",
        requires = "stderr_like",
        help_heading = "What is interesting"
    )]
    pub(crate) similarity: Similarity,

    /// A test that does not end in time is interesting; needs --timeout
    #[arg(long, requires = "timeout", help_heading = "What is interesting")]
    pub(crate) timeout_is_interesting: bool,

    /// Run this cheap command first; candidates for which it does not exit with 0 are not tested
    #[arg(long, value_name = "COMMAND", help_heading = "What is interesting")]
    pub(crate) valid: Option<String>,

    /// What this captures from the output must stay what it is for INPUT; the smallest candidate of each other bug is
    /// kept in the folder NAME.other
    #[arg(long, value_name = "REGEX", help_heading = "What is interesting")]
    pub(crate) signature: Option<Signature>,

    /// Feed the candidate on standard input too
    #[arg(long, help_heading = "How tests run")]
    pub(crate) stdin: bool,

    /// End a test that takes longer [default: ten times the first run, at least 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "How tests run")]
    pub(crate) timeout: Option<Duration>,

    /// How often a flaky test must succeed in a row, or auto to find out
    #[arg(long, value_name = "N|any:N|auto", help_heading = "How tests run")]
    pub(crate) repeat: Option<Repeat>,

    /// The memory that each process of a test may have, as in 512M or 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "How tests run")]
    pub(crate) memory_limit: Option<u64>,

    /// End a test that prints more, as not interesting [default: 64M where output is looked at]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "How tests run")]
    pub(crate) output_limit: Option<u64>,

    /// Where scratch folders go [default: TMPDIR, or shared memory if it has room, or /tmp]
    #[arg(long, value_name = "FOLDER", help_heading = "How tests run")]
    pub(crate) scratch: Option<PathBuf>,
}

const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Reads a time with its unit.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("it must be longer than nothing".into()),
        Ok(time) if time > LONGEST => Err("it must not be longer than a year".into()),
        Ok(time) => Ok(time),
        Err(error) => Err(format!("{error}; write it as in 30s, 10m or 2h")),
    }
}

/// Reads a number of bytes with an optional K, M or G.
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
    size.filter(|&size| size > 0).ok_or_else(|| "write it as in 4096, 512M or 4G".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units_and_never_zero() {
        assert_eq!(parse_time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert!(
            parse_time("0s").is_err()
                && parse_time("30").is_err()
                && parse_time("300000000years").is_err()
                && parse_time("soon").is_err()
        );
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
