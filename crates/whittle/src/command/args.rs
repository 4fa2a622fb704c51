//! Arguments as they are typed.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use whittle::lists::{Algorithm, SplitFactor, Unit};

/// Makes a failure-inducing input small.
///
/// Given a file that shows a bug and a test that says whether a file still shows it, Whittle finds the smallest file
/// that does. `whittle TEST INPUT` is short for `whittle reduce TEST INPUT`.
#[derive(Debug, Parser)]
#[command(name = "whittle", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Reduce(ReduceArgs),
}

/// Reduce INPUT to the smallest file for which TEST still succeeds
///
/// TEST is an executable. It runs in a fresh folder that holds the candidate under INPUT's file name; the candidate's
/// path is also its first argument. Exit status 0 means that the candidate is interesting: it still shows the bug.
///
/// INPUT is not changed; the result is written beside it, whole at every moment, as bug.reduced.c for bug.c.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ReduceArgs {
    /// The test: an executable that exits with 0 if and only if the file in its folder is interesting
    pub(crate) test: PathBuf,

    /// The file to reduce
    pub(crate) input: PathBuf,

    /// Where the result goes [default: beside INPUT, as NAME.reduced.EXT]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write the result over INPUT; the original is kept as INPUT.orig
    #[arg(long, conflicts_with = "output")]
    pub(crate) in_place: bool,

    /// How many tests run at once; the result does not depend on it [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Give up a test that takes longer than this, and take it as not interesting
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub(crate) timeout: Duration,

    /// Stop after N tests and keep the best (tests run ahead on other cores are not counted)
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this time and keep the best, as in 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    pub(crate) max_time: Option<Duration>,

    /// What to delete; auto goes from lines to words to characters (bytes if INPUT is not text)
    #[arg(short, long, value_enum, default_value_t = UnitChoice::Auto, help_heading = "Algorithm")]
    pub(crate) unit: UnitChoice,

    /// How to choose what to delete: ddmin, onemin, wddmin, probdd, wprobdd or cdd
    #[arg(short, long, value_name = "NAME", default_value_t, help_heading = "Algorithm")]
    pub(crate) algorithm: Algorithm,

    /// Into how many parts ddmin splits, 2 or more [default: 2]
    #[arg(long, value_name = "N", help_heading = "Algorithm")]
    pub(crate) split_factor: Option<SplitFactor>,

    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Reports")]
    pub(crate) quiet: bool,

    /// Print every pass and every test
    #[arg(short, long, help_heading = "Reports")]
    pub(crate) verbose: bool,

    /// Write events to FILE, one JSON object a line: tested, improved, pass-begun, pass-ended, finished
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub(crate) json: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  whittle test.sh bug.c                     reduce bug.c to bug.reduced.c
  whittle test.sh bug.c --max-time 10m      the best after ten minutes
  whittle test.sh log.txt --unit line       keep lines whole
  whittle test.sh core.bin --unit byte      for binary files

A test for a compiler crash:
  #!/bin/sh
  gcc -O2 -c bug.c 2>&1 | grep -q 'internal compiler error: in expand'

Exit status:
  0  reduced, or already minimal
  1  stopped early by a limit or a signal; the best so far is kept
  2  wrong usage, or INPUT is not interesting
  3  internal failure; the best so far is kept";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitChoice {
    Auto,
    Line,
    Word,
    Char,
    Byte,
}

impl UnitChoice {
    /// The one unit that was asked for, or `None` for all of them.
    pub(crate) fn unit(self) -> Option<Unit> {
        match self {
            Self::Auto => None,
            Self::Line => Some(Unit::Line),
            Self::Word => Some(Unit::Word),
            Self::Char => Some(Unit::Char),
            Self::Byte => Some(Unit::Byte),
        }
    }
}

fn parse_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("it must be longer than nothing".into()),
        Ok(time) => Ok(time),
        Err(error) => Err(format!("{error}; write it as in 30s, 10m or 2h")),
    }
}

/// Puts `reduce` before the arguments unless they name a command or ask for help: `whittle TEST INPUT` is the job
/// that people come for.
pub(crate) fn with_default_command(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    let cli = Cli::command();
    let is_command = |word: &str| word == "help" || cli.get_subcommands().any(|command| command.get_name() == word);
    let is_global = |word: &str| matches!(word, "-h" | "--help" | "-V" | "--version");
    let stands = args.get(1).is_none_or(|word| word.to_str().is_some_and(|word| is_command(word) || is_global(word)));
    if !stands {
        args.insert(1, "reduce".into());
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> impl Iterator<Item = OsString> {
        line.split(' ').map(OsString::from)
    }

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn reduce_may_be_left_out() {
        for (typed, meant) in [
            ("whittle t i", "whittle reduce t i"),
            ("whittle --jobs 2 t i", "whittle reduce --jobs 2 t i"),
            ("whittle reduce t i", "whittle reduce t i"),
            ("whittle --help", "whittle --help"),
            ("whittle help reduce", "whittle help reduce"),
            ("whittle", "whittle"),
        ] {
            assert_eq!(with_default_command(words(typed)), words(meant).collect::<Vec<_>>(), "{typed}");
        }
    }

    #[test]
    fn times_are_read_with_their_units_and_never_zero() {
        assert_eq!(parse_time("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert!(parse_time("0s").is_err() && parse_time("30").is_err() && parse_time("soon").is_err());
    }
}
