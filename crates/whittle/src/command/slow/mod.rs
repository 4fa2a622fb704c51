//! `whittle slow`: shrinks an input on which a command takes too much time or memory.
//!
//! What is too much is settled once: a multiple of what the command takes on a reference, or a number. Time is processor
//! time, which other programs on the machine hardly change. The reduction runs this program on each candidate: `judge.rs`
//! is what it does then.

mod judge;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use whittle::property::conditions::CommandLine;

use super::compare::escaped;
use super::exit::{Exit, Refusal};
use super::print::tell;
use super::shell::{own_words, shell_words};
use super::test_args::{parse_size, parse_time};
use judge::Cost;

pub(crate) use judge::{SlowTestArgs, run as judge};

/// Shrink an input on which a command takes too much time or memory
///
/// The command runs without a shell; {} is the candidate. A candidate is interesting if the command takes at least --times
/// as much processor time as it takes on the reference, or at least --at-least. With --what memory, the largest process
/// counts. Runs near the limit are repeated, and all of three must reach it. How the command ends does not matter; a
/// command that reaches the limit is stopped.
///
/// For a command that hangs, use whittle reduce with --run and --timeout-is-interesting.
///
/// Options of whittle reduce go after --.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = "whittle slow [OPTIONS] --run <COMMAND> <INPUT> [-- <OPTIONS OF REDUCE>...]")]
pub(crate) struct SlowArgs {
    /// The file to reduce
    input: PathBuf,

    /// The command that takes too much
    #[arg(long, value_name = "COMMAND")]
    run: String,

    /// What it takes too much of
    #[arg(long, value_enum, default_value_t = What::Time)]
    what: What,

    /// A file on which it takes as much as it should [default: an empty file]
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,

    /// How many times as much as on the reference is too much
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = parse_times)]
    times: f64,

    /// How much is too much, in place of a reference: a time such as 5s, or a size such as 2G
    #[arg(long, value_name = "AMOUNT", conflicts_with_all = ["reference", "times"])]
    at_least: Option<String>,

    /// Options of whittle reduce, such as --jobs 8
    #[arg(last = true, value_name = "OPTIONS OF REDUCE")]
    rest: Vec<String>,
}

/// What a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Processor time, of all its processes
    Time,
    /// Memory, of its largest process
    Memory,
}

const EXAMPLES: &str = "\
Examples:
  whittle slow --run 'gcc -O2 -c {}' bug.c
  whittle slow --run 'z3 {}' --reference similar.smt2 --times 50 bug.smt2
  whittle slow --run 'rustc --emit=metadata {}' --what memory --at-least 2G bug.rs -- --jobs 8";

/// How often the command runs on the reference; the run that takes least counts.
const REFERENCE_RUNS: usize = 3;

/// Settles how much is too much, and reduces the input by a test that measures.
pub(crate) fn run(args: &SlowArgs) -> Result<Exit> {
    let cwd = std::env::current_dir().context("cannot find the current folder")?;
    let line = CommandLine::parse(&args.run, &cwd).map_err(|error| {
        Refusal::new(format!("--run: {error}"), "The command runs without a shell, as in 'gcc -O2 -c {}'.")
    })?;
    if !line.mentions_candidate() {
        let problem = format!("--run '{}' does not mention the candidate", args.run);
        return Err(Refusal::new(problem, "Write {} where its file name goes.").into());
    }
    let limit = args.limit()?;
    tell(&format!("limit:   {limit}; a candidate on which the command takes as much is interesting"));
    let words = ["whittle".to_owned(), "reduce".to_owned(), "--run".to_owned(), args.test_line(limit)?];
    let input = args.input.display().to_string();
    super::reduce_as_typed(&words.into_iter().chain(args.rest.clone()).chain([input]).collect::<Vec<_>>())
}

impl SlowArgs {
    /// How much is too much.
    fn limit(&self) -> Result<Cost> {
        let Some(text) = &self.at_least else { return self.limit_by_reference() };
        let parsed = match self.what {
            What::Time => parse_time(text).map(Cost::Time),
            What::Memory => parse_size(text).map(Cost::Memory),
        };
        let example = if self.what == What::Time { "a time, such as 5s" } else { "a size, such as 2G" };
        Ok(parsed.map_err(|error| Refusal::new(format!("--at-least {text}: {error}"), format!("Give {example}.")))?)
    }

    fn limit_by_reference(&self) -> Result<Cost> {
        let reference = match &self.reference {
            None => Vec::new(),
            Some(path) => fs::read(path).map_err(|error| {
                let problem = format!("cannot read the reference {}: {error}", path.display());
                Refusal::new(problem, "Give a file on which the command takes as much as it should.")
            })?,
        };
        let runs = (0..REFERENCE_RUNS).map(|_| self.probe(&reference)).collect::<Result<Vec<Cost>>>()?;
        let usual = runs.into_iter().min().unwrap_or(self.what.none());
        tell(&format!(
            "usual:   {usual} on {}",
            if self.reference.is_some() { "the reference" } else { "an empty file" }
        ));
        Ok(usual.times(self.times).max(self.what.least()))
    }

    /// What the command takes on a file of this content. A process of its own measures it, since the largest of all processes
    /// before would hide how large this one is.
    fn probe(&self, bytes: &[u8]) -> Result<Cost> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let path = folder.path().join(self.input.file_name().unwrap_or_default());
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        let here = std::env::current_dir().context("cannot find the current folder")?;
        let words = own_words()?;
        let measured = Command::new(&words[0])
            .args(&words[1..])
            .args(["slow-test", "--measure", "--run", &escaped(&self.run), self.what.none().flag(), "0", "--folder"])
            .args([here.as_path(), &path])
            .current_dir(folder.path())
            .stderr(Stdio::inherit())
            .output()
            .context("cannot measure the command")?;
        let amount = String::from_utf8_lossy(&measured.stdout).trim().parse().context("cannot measure the command")?;
        Ok(self.what.cost(amount))
    }

    /// The command line that judges one candidate: this program.
    fn test_line(&self, limit: Cost) -> Result<String> {
        let (run, amount) = (escaped(&self.run), limit.amount().to_string());
        let mut words = own_words()?;
        let test = ["slow-test", "--run", &run, limit.flag(), &amount, "--folder", "{cwd}", "{}"];
        words.extend(test.map(str::to_owned));
        Ok(shell_words(&words))
    }
}

impl What {
    /// A cost of this kind, in milliseconds or bytes.
    fn cost(self, amount: u64) -> Cost {
        match self {
            Self::Time => Cost::Time(Duration::from_millis(amount)),
            Self::Memory => Cost::Memory(amount),
        }
    }

    fn none(self) -> Cost {
        self.cost(0)
    }

    /// Less cannot be told from noise.
    fn least(self) -> Cost {
        match self {
            Self::Time => Cost::Time(Duration::from_millis(100)),
            Self::Memory => Cost::Memory(16 << 20),
        }
    }
}

fn parse_times(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(times) if times > 1.0 && f64::is_finite(times) => Ok(times),
        _ => Err("a number above 1 is needed".to_owned()),
    }
}
