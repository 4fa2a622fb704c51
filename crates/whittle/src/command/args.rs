//! The command-line arguments, as typed.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use whittle::grammars::Alphabet;
use whittle::lists::{SplitFactor, Unit};
use whittle::property::arguments;
use whittle::strategy::Effort;
use whittle::trees::gtr::{Filter, Templates};

use super::choice::{AlgorithmChoice, nearest};
use super::compare::{CompareArgs, CompareTestArgs};
use super::dedup::DedupArgs;
use super::doctor::DoctorArgs;
use super::dropin::CviseArgs;
use super::generator_args::GeneratorArgs;
use super::grammar::GrammarArgs;
use super::init::InitArgs;
use super::limits::{Jobs, Limits};
use super::machines::{MachinesArgs, WorkerArgs, WorkersArgs};
use super::manual::{CompletionsArgs, ManArgs};
use super::mcp::ServeMcpArgs;
use super::needed::ExplainArgs;
use super::options::Options;
use super::report::ReportArgs;
use super::rules::RulesArgs;
use super::server_module::ServerModuleArgs;
use super::slow::{SlowArgs, SlowTestArgs};
use super::test_args::{TestArgs, parse_time};

/// Shrinks inputs that trigger bugs.
///
/// You have a file that triggers a bug, and a test that says whether a file still triggers it. Whittle makes the file as
/// small as it can while the test keeps passing. `whittle TEST INPUT` is short for `whittle reduce TEST INPUT`.
#[derive(Debug, Parser)]
#[command(name = "whittle", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Reduce(ReduceArgs),
    Init(InitArgs),
    Check(CheckArgs),
    Compare(CompareArgs),
    Slow(SlowArgs),
    Explain(ExplainArgs),
    Dedup(DedupArgs),
    Generator(GeneratorArgs),
    Tree(TreeArgs),
    Grammar(GrammarArgs),
    Learn(LearnArgs),
    History(HistoryArgs),
    Report(ReportArgs),
    Rules(RulesArgs),
    /// List the supported languages
    Languages,
    Doctor(DoctorArgs),
    Worker(WorkerArgs),
    Workers(WorkersArgs),
    ServerModule(ServerModuleArgs),
    ServeMcp(ServeMcpArgs),
    Cvise(CviseArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// What Whittle runs itself, on each candidate. Users do not see it.
#[derive(Debug, Parser)]
pub(crate) enum Judge {
    CompareTest(CompareTestArgs),
    SlowTest(SlowTestArgs),
}

impl Judge {
    /// What the process's arguments ask for, if it is one of these.
    pub(crate) fn from_args() -> Option<Self> {
        let words = arguments();
        Self::command().find_subcommand(words.get(1)?)?;
        Some(Self::parse_from(words))
    }
}

/// Shrink a file or a project that triggers a bug
///
/// TEST is an executable. Whittle runs it on each candidate, in a fresh folder that contains only the candidate, under
/// INPUT's file name. The candidate's path is also TEST's first argument. Exit status 0 means that the candidate is
/// interesting: it still triggers the bug. Instead of TEST you can give a command with --run, and conditions on its exit
/// status, signal or output.
///
/// Whittle does not change INPUT. It writes the result next to it: bug.reduced.c for bug.c. This file is complete and
/// interesting at all times, even while Whittle runs.
///
/// INPUT can be a folder. The test then finds the folder's content in the folder in which it runs, whose path is its first
/// argument, and the result is a folder: src.reduced for src. Folders and files go first, then what is in the files. INPUT
/// can also be several files, whose paths are the arguments of the test.
#[derive(Debug, Args)]
#[command(after_long_help = REDUCE_EXAMPLES, override_usage = REDUCE_USAGE)]
pub(crate) struct ReduceArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,

    /// Write the result to FILE, or at the end to standard output if FILE is - [default: NAME.reduced.EXT next to
    /// INPUT, or NAME.reduced for a folder]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace the file at the result's path even if it is a smaller result of an earlier run, or no result at all
    #[arg(long, hide_short_help = true)]
    pub(crate) force: bool,

    /// Lay out the result with a command such as clang-format, if it stays interesting
    ///
    /// It is a shell command in which {} is the file; without {}, the file is its last word. What it prints is the new text,
    /// or what it leaves in the file.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) format: Option<String>,

    /// Say what each token of the result is needed for
    ///
    /// At the end, and in the page of --report. It costs a test for each token and each line.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Overwrite INPUT with the result; keep the original as INPUT.orig
    #[arg(long, conflicts_with_all = ["output", "resume"])]
    pub(crate) in_place: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) machines: MachinesArgs,
}

/// How a reduction runs. All commands that reduce share these arguments.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// Continue a run that was stopped or killed, without repeating any test
    #[arg(long)]
    pub(crate) resume: bool,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Never there: a hint for users of C-Vise.
    #[arg(short = 'n', hide = true, value_name = "N", value_parser = refuse_cvise_jobs)]
    pub(crate) cvise_jobs: Option<Infallible>,

    #[command(flatten)]
    pub(crate) how: AlgorithmArgs,

    /// Print only errors
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Reports")]
    pub(crate) quiet: bool,

    /// Print every pass and every test
    #[arg(short, long, help_heading = "Reports")]
    pub(crate) verbose: bool,

    /// Show the run on the whole screen, with keys that steer it
    ///
    /// The smallest input so far or the last change, the size over tests, what each pass brings, why tests are rejected. Keys
    /// pause the run, skip a pass, show what rejected tests printed, save a copy, and quit.
    #[arg(long, conflicts_with_all = ["quiet", "verbose"], help_heading = "Reports")]
    pub(crate) live: bool,

    /// Write events as JSON lines to FILE, which may be a pipe, or - for standard output; docs/events.md lists the fields
    #[arg(long, value_name = "FILE", help_heading = "Reports", hide_short_help = true)]
    pub(crate) json: Option<PathBuf>,

    /// Write a page about the reduction to FILE
    ///
    /// One file of HTML: the result, all steps, the size over tests, what each pass brought, a text for a bug tracker.
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub(crate) report: Option<PathBuf>,
}

/// Which algorithm reduces the input.
#[derive(Clone, Debug, Args)]
pub(crate) struct AlgorithmArgs {
    /// INPUT's language, or none for plain text [default: detected from the name, extension, #! line or first bytes, or
    /// guessed from the text]
    #[arg(long, value_name = "NAME", help_heading = "Algorithm")]
    pub(crate) language: Option<String>,

    /// The grammar of INPUT's language, read now: ANTLR 4 (.g4), EBNF (.ebnf) or a tree-sitter parser (.so)
    ///
    /// START is the rule of a whole text [default: the first rule that no other uses]. EXT= limits it to files that end with
    /// .EXT, as in --grammar recipe=Recipe.g4 for a project.
    #[arg(
        long = "grammar",
        value_name = "[EXT=]FILE[:START]",
        conflicts_with = "language",
        help_heading = "Algorithm"
    )]
    pub(crate) grammars: Vec<String>,

    /// Reject candidates with more syntax errors than INPUT, so that the result parses as INPUT does: for bug reports
    #[arg(long, help_heading = "Algorithm")]
    pub(crate) well_formed: bool,

    /// How hard to try for a small result; not with --algorithm
    #[arg(long, value_enum, default_value_t = EffortChoice::Normal, conflicts_with = "algorithm", help_heading = "Algorithm")]
    pub(crate) effort: EffortChoice,

    /// More rules for edits of a declaration together with its uses; docs/rules.md explains the format, and whittle rules
    /// FILE checks it
    #[arg(long, value_name = "FILE", conflicts_with = "algorithm", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) rules: Option<PathBuf>,

    /// Another pass: a program that proposes smaller texts, or clang_delta; can be repeated
    ///
    /// docs/passes.md shows how. clang_delta stands for all that an installed clang_delta can do.
    #[arg(long = "pass", value_name = "COMMAND", help_heading = "Algorithm")]
    pub(crate) passes: Vec<String>,

    /// How long an answer of --pass may take [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "passes", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) pass_timeout: Option<Duration>,

    /// How many tests, and how many answers, a turn of --pass may take [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "passes", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) pass_tests: Option<u64>,

    /// Which algorithm to use [default: set by --effort; plain text as a tree of brackets, indentation and
    /// separators, then by lines, words and characters]
    ///
    /// A list algorithm deletes elements of a list, such as lines: ddmin, onemin, wddmin, probdd, wprobdd, cdd or bisect.
    ///
    /// A tree algorithm is a tree reducer plus the list algorithm it uses: perses+probdd. The tree reducers are perses
    /// (follows the grammar), perses-classic (as published), perses-smallest (can also replace a node with the smallest
    /// text its place allows), hdd (level by level), hddr (node by node, depth-first), hddr-breadth (breadth-first) and
    /// gtr (level by level, with templates). hdd*, hddr*, hddr-breadth* and gtr* repeat until nothing changes. In a longer
    /// name you can leave out either part; it is then perses or probdd.
    ///
    /// A token reducer can follow: perses+probdd+trec, or trec for short. It makes names, numbers and strings canonical:
    /// trec (as published), trec-shrink (only shortens tokens), rename (like C-Reduce), canon (few tests). At the
    /// end, the layout becomes canonical; layout does only that. vulcan goes before it, as in vulcan or vulcan+trec: it replaces nodes with smaller ones from
    /// elsewhere in the file, deletes every combination of neighbours, and replaces names with other names. The parts
    /// take turns until none of them finds anything.
    #[arg(short, long, value_name = "NAME", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) algorithm: Option<AlgorithmChoice>,

    /// Characters to use first in new names, such as xyz or p-t [default: a-z, then A-Z, 0-9 and _]
    #[arg(long, value_name = "CHARS", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) alphabet: Option<Alphabet>,

    /// What a list algorithm deletes; auto: lines, then words, then characters (bytes if INPUT is not text)
    #[arg(short, long, value_enum, default_value_t = UnitChoice::Auto, help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) unit: UnitChoice,

    /// How many parts ddmin splits a part into, at least 2; auto: 2 until a round of many short parts removes nothing,
    /// then single elements [default: 2]
    #[arg(long, value_name = "N", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) split_factor: Option<SplitFactor>,

    /// Variants of the algorithm as in its papers, such as subsets=forward,after-success=restart
    ///
    /// subsets=off|forward|backward, complements=forward|backward, after-success=continue|restart, split=zeller|balanced,
    /// p0=P, threshold=P, sweep=on|off, repeat=once|fixpoint, characters=readable|ascii, layout=on|off.
    /// docs/papers.md explains them.
    #[arg(
        long,
        value_name = "KEY=VALUE,...",
        requires = "algorithm",
        help_heading = "Algorithm",
        hide_short_help = true
    )]
    pub(crate) options: Option<Options>,

    /// Which candidates gtr skips untested: none, or those that the corpus model, the grammar or both rule out, or that
    /// have new syntax errors (syntax); corpus-first, grammar-first and syntax-first try them last [default:
    /// syntax-first; corpus-first with --model]
    #[arg(long, value_name = "NAME", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) filter: Option<Filter>,

    /// The model for gtr's filter, written by whittle learn [default: the built-in one for the language]
    #[arg(long, value_name = "FILE", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) model: Option<PathBuf>,

    /// Which edits gtr tries, separated by commas: delete, substitute-by-child, substitute-by-grandchild,
    /// swap-siblings [default: delete,substitute-by-child]
    #[arg(long, value_name = "NAMES", help_heading = "Algorithm", hide_short_help = true)]
    pub(crate) templates: Option<Templates>,
}

/// Check that INPUT is interesting and that the test is good enough to reduce with
///
/// Runs the test several times. Shows the command, how it ended, what it printed and how long it took. Also shows
/// whether the test gives the same answer every time, and whether it accepts an empty file or a one-byte file, which a
/// good test rejects.
#[derive(Debug, Args)]
#[command(override_usage = CHECK_USAGE)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,

    /// How many times to run the test on INPUT
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
}

/// Show how Whittle parses FILE: as lists, optionals, rules and tokens
///
/// Lists show their separator; each slot shows what it expects. A file in an unknown language is split by brackets,
/// indentation, lines and words.
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// The file to show
    pub(crate) file: PathBuf,

    /// The language of FILE, or none for plain text [default: detected from the name, extension, #! line or first bytes, or
    /// guessed from the text]
    #[arg(short, long, value_name = "NAME")]
    pub(crate) language: Option<String>,

    /// The grammar of FILE's language, read now: ANTLR 4 (.g4), EBNF (.ebnf) or a tree-sitter parser (.so), and
    /// the rule of a whole text [default: the first rule that no other uses]
    #[arg(short, long = "grammar", value_name = "GRAMMAR[:START]", conflicts_with = "language")]
    pub(crate) grammars: Vec<String>,
}

/// List the candidates that led to a result, or print one of them
///
/// A reduction keeps the candidates it accepted in a file next to the result. If the test turns out to be too weak, you can
/// go back to an earlier candidate.
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// The result of a reduction, such as bug.reduced.c
    pub(crate) result: PathBuf,

    /// Print candidate N to standard output; 0 is the input
    pub(crate) number: Option<usize>,

    /// Write candidate N to this file or folder instead
    #[arg(short, long, value_name = "PATH", requires = "number")]
    pub(crate) output: Option<PathBuf>,
}

/// Learn a model of a language from a corpus, for --model
///
/// Reads all files of the language in each CORPUS and skips those that do not parse. The model records which edges every
/// node with a given label has, and in which contexts each label occurs. A reduction with --algorithm gtr and --filter
/// corpus or both then skips candidates with anything the corpus does not contain.
#[derive(Debug, Args)]
#[command(mut_arg("jobs", |jobs| jobs.help(LEARN_JOBS)))]
pub(crate) struct LearnArgs {
    /// Files of the language, or folders that contain some
    #[arg(required = true)]
    pub(crate) corpus: Vec<PathBuf>,

    /// The language of the corpus
    #[arg(short, long, value_name = "NAME", required_unless_present = "grammar")]
    pub(crate) language: Option<String>,

    /// The grammar of the corpus, read now: ANTLR 4 (.g4), EBNF (.ebnf) or a tree-sitter parser (.so); EXT is the ending of
    /// its files in folders
    #[arg(short, long, value_name = "[EXT=]GRAMMAR[:START]", conflicts_with = "language")]
    pub(crate) grammar: Option<String>,

    /// Write the model to FILE
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Print how the model grows with the number of files
    #[arg(long)]
    pub(crate) curve: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const LEARN_JOBS: &str = "How many files to read in parallel; does not affect the model [default: the number of cores]";

const REDUCE_USAGE: &str = "\
whittle reduce [OPTIONS] <TEST> <INPUT>...
       whittle reduce [OPTIONS] --run <COMMAND> <INPUT>...";

const CHECK_USAGE: &str = "\
whittle check [OPTIONS] <TEST> <INPUT>...
       whittle check [OPTIONS] --run <COMMAND> <INPUT>...";

const REDUCE_EXAMPLES: &str = "\
Examples:
  whittle test.sh bug.c                     reduce bug.c to bug.reduced.c
  whittle test.sh bug.c --max-time 10m      stop after ten minutes
  whittle test.sh bug.c --resume            continue where that stopped
  whittle test.sh log.txt --unit line       delete whole lines only
  whittle --run 'gcc -O2 -c {}' --stderr 'internal compiler error' bug.c
  whittle --run './solver {}' --signal SEGV bug.smt2
  whittle test.sh src/                      reduce a project to src.reduced/
  whittle --run 'make -C {}' --stderr 'Assertion' project/ --keep Makefile

A test for a compiler crash:
  #!/bin/sh
  gcc -O2 -c bug.c 2>&1 | grep -q 'internal compiler error: in expand'

Exit status:
  0  reduced, or nothing smaller was found
  1  stopped early by a limit or a signal; the best result so far is kept
  2  usage error, or INPUT is not interesting
  3  internal error; the best result so far is kept";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortChoice {
    /// Stop when the grammar allows no more deletions
    Quick,
    /// Also make tokens canonical, and try edits of several places at once
    Normal,
    /// Also try more combinations and single characters, and retry failed edits
    Max,
}

impl From<EffortChoice> for Effort {
    fn from(choice: EffortChoice) -> Self {
        match choice {
            EffortChoice::Quick => Self::Quick,
            EffortChoice::Normal => Self::Normal,
            EffortChoice::Max => Self::Max,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitChoice {
    Auto,
    Line,
    Word,
    Char,
    Byte,
}

impl UnitChoice {
    /// The chosen unit, or `None` for all of them.
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

/// C-Vise's name for the number of tests at once.
fn refuse_cvise_jobs(number: &str) -> Result<Infallible, String> {
    Err(format!("the number of tests at once is -j here: -j {number}"))
}

/// Inserts `reduce` unless the arguments name a command or ask for help: `whittle TEST INPUT` is the common case.
pub(crate) fn with_default_command(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    let cli = Cli::command();
    let names = || cli.get_subcommands().map(clap::Command::get_name).chain(["help"]);
    // A word like a command's name that is no file either is a typo, and the parser says of which command. `--language` and
    // `check.sh` are something else.
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_typo = |word: &str| is_word(word) && nearest(word, names()).is_some() && !Path::new(word).exists();
    let is_command = |word: &str| names().any(|name| name == word) || is_typo(word);
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
            ("whittle check t i", "whittle check t i"),
            ("whittle --help", "whittle --help"),
            ("whittle help reduce", "whittle help reduce"),
            ("whittle lerrn a", "whittle lerrn a"),
            ("whittle --language none t i", "whittle reduce --language none t i"),
            ("whittle check.sh i", "whittle reduce check.sh i"),
            ("whittle", "whittle"),
        ] {
            assert_eq!(with_default_command(words(typed)), words(meant).collect::<Vec<_>>(), "{typed}");
        }
    }
}
