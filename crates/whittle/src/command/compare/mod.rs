//! `whittle compare`: shrinks an input on which two commands disagree. For compilers this is wrong code, for solvers an
//! unsound answer, for parsers a valid input that is rejected.
//!
//! The reduction runs this program on each candidate: `judge.rs` is what it does then.

mod guards;
mod judge;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use whittle::property::conditions::CommandLine;

use super::exit::{Exit, Refusal};
use super::print::tell;
use super::shell::{own_words, shell_words};
use super::test_args::parse_time;
use guards::Guards;

pub(crate) use judge::{CompareTestArgs, run as judge};

/// Shrink an input on which two commands disagree: wrong code, unsound answers
///
/// Both commands run on each candidate, without a shell; {} is the candidate. A command with {out} builds a program, which
/// runs after it. The candidate is interesting if both succeed and what they print differs, while the reference prints the
/// same twice. With --by status, it is interesting if the reference succeeds and the suspect fails; for an input that a
/// command accepts and should not, name that command as the reference.
///
/// For C and C++, candidates with undefined behaviour are rejected: those with warnings that suggest it, those whose
/// program fails under the address and undefined-behaviour sanitizers, and those on which another compiler disagrees
/// with the reference without optimization.
///
/// Options of whittle reduce go after --.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = "whittle compare [OPTIONS] --reference <COMMAND> --suspect <COMMAND> <INPUT> [-- <OPTIONS OF REDUCE>...]")]
pub(crate) struct CompareArgs {
    /// The file to reduce
    input: PathBuf,

    #[command(flatten)]
    commands: Commands,

    /// Accept candidates with undefined behaviour
    #[arg(long)]
    no_guards: bool,

    /// Options of whittle reduce, such as --jobs 8
    #[arg(last = true, value_name = "OPTIONS OF REDUCE")]
    rest: Vec<String>,
}

/// What is compared.
#[derive(Clone, Debug, Args)]
struct Commands {
    /// The command that is right
    #[arg(long, value_name = "COMMAND")]
    reference: String,

    /// The command that is wrong
    #[arg(long, value_name = "COMMAND")]
    suspect: String,

    /// What must differ
    #[arg(long, value_enum, default_value_t = By::Output)]
    by: By,

    /// Also compare what commands print that fail, such as solvers that say their answer by the exit status
    #[arg(long)]
    any_status: bool,

    /// Kill a program that a command built, if it takes longer
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5s")]
    program_timeout: Duration,
}

/// What of two runs is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// What they print on standard output, and the exit statuses of programs that were built
    Output,
    /// Whether they succeed: the reference does, the suspect does not
    Status,
}

const EXAMPLES: &str = "\
Examples:
  whittle compare --reference 'gcc -O0 {} -o {out}' --suspect 'gcc -O3 {} -o {out}' bug.c
  whittle compare --reference 'z3 {}' --suspect 'cvc5 {}' bug.smt2 -- --jobs 8
  whittle compare --reference 'lli {}' --suspect 'sh -c \"opt -O2 $0 | lli\" {}' bug.ll
  whittle compare --by status --reference 'clang -fsyntax-only {}' --suspect 'gcc -fsyntax-only {}' valid.c";

/// In the commands, `{}` and `{cwd}` are meant for those, not for the command line that has them as words.
const ESCAPES: [(&str, &str); 2] = [("{}", "{input}"), ("{cwd}", "{folder}")];

/// Reduces the input by a test that compares.
pub(crate) fn run(args: &CompareArgs) -> Result<Exit> {
    let cwd = std::env::current_dir().context("cannot find the current folder")?;
    if args.input.is_dir() {
        return Err(Refusal::new("compare reduces one file, and the input is a folder", "Give a file.").into());
    }
    for (flag, text) in [("--reference", &args.commands.reference), ("--suspect", &args.commands.suspect)] {
        let line = CommandLine::parse(text, &cwd).map_err(|error| {
            Refusal::new(format!("{flag}: {error}"), "The command runs without a shell, as in 'gcc -O2 {} -o {out}'.")
        })?;
        if !line.mentions_candidate() {
            let problem = format!("{flag} '{text}' does not mention the candidate");
            return Err(Refusal::new(problem, "Write {} where its file name goes.").into());
        }
    }
    let builds = [&args.commands.reference, &args.commands.suspect].iter().all(|text| text.contains(OUT));
    let guards = match builds && !args.no_guards && args.commands.by == By::Output {
        true => Guards::find(&args.input),
        false => Guards::default(),
    };
    guards.notice().into_iter().for_each(|notice| tell(&notice));
    let words = ["whittle".to_owned(), "reduce".to_owned(), "--run".to_owned(), test_line(&args.commands, &guards)?];
    let input = args.input.display().to_string();
    super::reduce_as_typed(&words.into_iter().chain(args.rest.clone()).chain([input]).collect::<Vec<_>>())
}

/// A command that can be a word of another.
pub(crate) fn escaped(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (meant, safe)| text.replace(meant, safe))
}

/// A command as the user wrote it.
pub(crate) fn unescaped(text: &str) -> String {
    ESCAPES.iter().fold(text.to_owned(), |text, (meant, safe)| text.replace(safe, meant))
}

/// What stands for the program that a command builds.
const OUT: &str = "{out}";

/// The command line that judges one candidate: this program.
fn test_line(commands: &Commands, guards: &Guards) -> Result<String> {
    let by = if commands.by == By::Status { "status" } else { "output" };
    let mut words = own_words()?;
    words.push("compare-test".to_owned());
    for (flag, value) in [
        ("--reference", escaped(&commands.reference)),
        ("--suspect", escaped(&commands.suspect)),
        ("--by", by.to_owned()),
        ("--program-timeout", format!("{}ms", commands.program_timeout.as_millis())),
        ("--folder", "{cwd}".to_owned()),
    ] {
        words.extend([flag.to_owned(), value]);
    }
    words.extend(commands.any_status.then(|| "--any-status".to_owned()));
    words.extend(guards.words());
    words.push("{}".to_owned());
    Ok(shell_words(&words))
}
