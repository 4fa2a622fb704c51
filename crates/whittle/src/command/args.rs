//! Arguments as they are typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use whittle::grammars::Alphabet;
use whittle::lists::{SplitFactor, Unit};
use whittle::strategy::Effort;
use whittle::trees::gtr::{Filter, Templates};

use super::choice::AlgorithmChoice;
use super::dedup::DedupArgs;
use super::generator_args::GeneratorArgs;
use super::limits::{Jobs, Limits};
use super::test_args::TestArgs;

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
    Check(CheckArgs),
    Dedup(DedupArgs),
    Generator(GeneratorArgs),
    Tree(TreeArgs),
    Learn(LearnArgs),
    History(HistoryArgs),
    /// List the languages that Whittle knows
    Languages,
}

/// Reduce INPUT to the smallest file for which TEST still succeeds
///
/// TEST is an executable. It runs in a fresh folder that holds the candidate under INPUT's file name; the candidate's
/// path is also its first argument. Exit status 0 means that the candidate is interesting: it still shows the bug.
/// Without a TEST, --run gives a command, and conditions say what makes its end and its output interesting.
///
/// INPUT is not changed; the result is written beside it, whole at every moment, as bug.reduced.c for bug.c.
#[derive(Debug, Args)]
#[command(after_long_help = REDUCE_EXAMPLES, override_usage = REDUCE_USAGE)]
pub(crate) struct ReduceArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,

    /// Where the result goes [default: beside INPUT, as NAME.reduced.EXT]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace whatever is in the place of the result: a smaller result of an earlier run, or a file that is not one
    #[arg(long)]
    pub(crate) force: bool,

    /// Write the result over INPUT; the original is kept as INPUT.orig
    #[arg(long, conflicts_with_all = ["output", "resume"])]
    pub(crate) in_place: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// How a reduction runs: what all commands that reduce share.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// Go on where an earlier run was stopped or killed, without testing anything twice
    #[arg(long)]
    pub(crate) resume: bool,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) how: AlgorithmArgs,

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

/// By what algorithm inputs are reduced.
#[derive(Clone, Debug, Args)]
pub(crate) struct AlgorithmArgs {
    /// INPUT's language, or none to see it as plain text [default: by name, extension, #! line or how it begins]
    #[arg(long, value_name = "NAME", help_heading = "Algorithm")]
    pub(crate) language: Option<String>,

    /// How much to do for a small result, if no algorithm is chosen
    #[arg(long, value_enum, default_value_t = EffortChoice::Normal, conflicts_with = "algorithm", help_heading = "Algorithm")]
    pub(crate) effort: EffortChoice,

    /// How to choose what to delete [default: what --effort says; without a language, ddmin by lines, words and
    /// characters, then from one token to the next like it]
    ///
    /// A list algorithm deletes pieces of text: ddmin, onemin, wddmin, probdd, wprobdd, cdd or bisect.
    ///
    /// A tree algorithm is a reducer and the list algorithm that it uses, as in perses+wprobdd. Reducers: perses (keeps to
    /// the syntax), perses-classic (as it was published), perses-smallest (may replace a part by the smallest that can
    /// stand there), hdd (level by level), hddr (node by node, depth-first), hddr-breadth, gtr (level by level, by templates);
    /// hdd*, hddr*, hddr-breadth* and gtr* repeat until nothing changes. Either may be left out of a longer name; then it
    /// is perses, or wprobdd.
    ///
    /// A token reducer after that makes tokens canonical, as in perses+wprobdd+trec, or trec for short: trec (T-Rec as it
    /// was published), trec-shrink (only shortens tokens), rename (as C-Reduce does), canon (with few tests; blanks too).
    /// Both then run in turn until nothing changes. So does vulcan, which stands before it: nodes become smaller ones from
    /// elsewhere, neighbours are deleted in every combination, names become other names, as in vulcan or vulcan+trec.
    #[arg(short, long, value_name = "NAME", help_heading = "Algorithm")]
    pub(crate) algorithm: Option<AlgorithmChoice>,

    /// Which characters come first in the names that tokens get, as in xyz or p-t [default: a-z, then A-Z, 0-9 and _]
    #[arg(long, value_name = "CHARS", help_heading = "Algorithm")]
    pub(crate) alphabet: Option<Alphabet>,

    /// What a list algorithm deletes; auto goes from lines to words to characters (bytes if INPUT is not text)
    #[arg(short, long, value_enum, default_value_t = UnitChoice::Auto, help_heading = "Algorithm")]
    pub(crate) unit: UnitChoice,

    /// Into how many parts ddmin splits, 2 or more; auto splits in two, until a round of many short parts has failed
    /// altogether, and goes on with single ones [default: 2]
    #[arg(long, value_name = "N", help_heading = "Algorithm")]
    pub(crate) split_factor: Option<SplitFactor>,

    /// What gtr leaves out untested: none, or what the corpus of a model, the grammar, or both say no to [default: corpus,
    /// or grammar where there is no model]
    #[arg(long, value_name = "NAME", help_heading = "Algorithm")]
    pub(crate) filter: Option<Filter>,

    /// The model that gtr's filter asks, as whittle learn writes it [default: the one that ships for the language]
    #[arg(long, value_name = "FILE", help_heading = "Algorithm")]
    pub(crate) model: Option<PathBuf>,

    /// What gtr does with a node, separated by commas: delete, substitute-by-child, substitute-by-grandchild,
    /// swap-siblings [default: the first two]
    #[arg(long, value_name = "NAMES", help_heading = "Algorithm")]
    pub(crate) templates: Option<Templates>,
}

/// Tell whether INPUT is interesting and why, and whether the test is fit for a reduction
///
/// Runs the test several times and shows the command, how it ended, what it printed, how long it took, whether it always
/// says the same, and whether it accepts an empty file or a file of one byte, which a good test does not.
#[derive(Debug, Args)]
#[command(override_usage = CHECK_USAGE)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) test: TestArgs,

    /// How often to run the test on INPUT
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
}

/// Show how Whittle sees FILE: as lists, optionals, rules and tokens
///
/// A list shows its separator, and each place what it expects. A file of an unknown language is shown as brackets,
/// indentation, lines and words.
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// The file to show
    pub(crate) file: PathBuf,

    /// Its language [default: by name, extension, #! line or how it begins]
    #[arg(short, long, value_name = "NAME")]
    pub(crate) language: Option<String>,
}

/// List the candidates that led to a result, or print one of them
///
/// A reduction keeps the candidates that it accepted in a file beside the result, so that you can go back when the test
/// turns out to be too loose.
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// The result of a reduction, such as bug.reduced.c
    pub(crate) result: PathBuf,

    /// Print candidate N to standard output; 0 is the input
    pub(crate) number: Option<usize>,
}

/// Learn from a corpus what a language allows, for --model
///
/// Reads the files of the language below each CORPUS, passes over those that do not parse, and writes which edges all
/// nodes of a label have, and in which contexts labels stand. Reductions with --algorithm gtr and --filter corpus or both
/// then leave out what was never seen.
#[derive(Debug, Args)]
#[command(mut_arg("jobs", |jobs| jobs.help(LEARN_JOBS)))]
pub(crate) struct LearnArgs {
    /// Folders with files of the language, or files
    #[arg(required = true)]
    pub(crate) corpus: Vec<PathBuf>,

    /// The language of the corpus
    #[arg(short, long, value_name = "NAME")]
    pub(crate) language: String,

    /// Where the model goes
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Print how much was known after how many files
    #[arg(long)]
    pub(crate) curve: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

const LEARN_JOBS: &str =
    "How many files are read at once; the model does not depend on it [default: the number of cores]";

const REDUCE_USAGE: &str = "\
whittle reduce [OPTIONS] <TEST> <INPUT>
       whittle reduce [OPTIONS] --run <COMMAND> <INPUT>";

const CHECK_USAGE: &str = "\
whittle check [OPTIONS] <TEST> <INPUT>
       whittle check [OPTIONS] --run <COMMAND> <INPUT>";

const REDUCE_EXAMPLES: &str = "\
Examples:
  whittle test.sh bug.c                     reduce bug.c to bug.reduced.c
  whittle test.sh bug.c --max-time 10m      the best after ten minutes
  whittle test.sh bug.c --resume            go on where that stopped
  whittle test.sh log.txt --unit line       keep lines whole
  whittle --run 'gcc -O2 -c {}' --stderr 'internal compiler error' bug.c
  whittle --run './solver {}' --signal SEGV bug.smt2

A test for a compiler crash:
  #!/bin/sh
  gcc -O2 -c bug.c 2>&1 | grep -q 'internal compiler error: in expand'

Exit status:
  0  reduced, or already minimal
  1  stopped early by a limit or a signal; the best so far is kept
  2  wrong usage, or INPUT is not interesting
  3  internal failure; the best so far is kept";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortChoice {
    /// End when the syntax allows no more to be deleted
    Quick,
    /// Make tokens canonical and try what goes only together, too
    Normal,
    /// Try more combinations, characters, and what has failed before
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
            ("whittle check t i", "whittle check t i"),
            ("whittle --help", "whittle --help"),
            ("whittle help reduce", "whittle help reduce"),
            ("whittle", "whittle"),
        ] {
            assert_eq!(with_default_command(words(typed)), words(meant).collect::<Vec<_>>(), "{typed}");
        }
    }
}
