//! The arguments of `whittle dedup`, as they are typed.

use std::path::PathBuf;

use clap::Args;

use crate::command::args::AlgorithmArgs;
use crate::command::limits::Limits;
use crate::command::test_args::TestOptions;

/// Find out which inputs of a folder show the same bug
///
/// Reduces every file of FOLDER and makes its names, numbers and strings canonical. Inputs that become the same text are
/// one group; the table shows each with a representative, the smallest of the texts' origins, and says which groups are
/// near-duplicates: equal after renaming, or of the same kinds of tokens.
///
/// What is done is kept, so that the same command goes on where it was stopped, and later reduces only what is new. An
/// input that is not interesting, or cannot be reduced, is reported and stops nothing. Hidden files and folders in FOLDER
/// are left out.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE, mut_args(explain))]
pub(crate) struct DedupArgs {
    /// The test: an executable that exits with 0 if and only if the file in its folder is interesting; left out with
    /// --run
    #[arg(value_name = "TEST")]
    pub(crate) first: PathBuf,

    /// The folder with the inputs
    #[arg(value_name = "FOLDER")]
    pub(crate) second: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: TestOptions,

    /// What all inputs are called in tests, for tests that look for a certain file [default: their own names]
    #[arg(long, value_name = "FILE", help_heading = "How tests run")]
    pub(crate) name: Option<PathBuf>,

    /// Where the results go [default: FOLDER.dedup]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) how: AlgorithmArgs,

    /// Print nothing but errors and the table
    #[arg(short, long, help_heading = "Reports")]
    pub(crate) quiet: bool,

    /// Write groups, inputs and failures to FILE as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub(crate) json: Option<PathBuf>,
}

/// What means something else here than for one input.
fn explain(arg: clap::Arg) -> clap::Arg {
    match arg.get_id().as_str() {
        "jobs" => arg.help(
            "How many inputs are reduced at once; the results do not depend on it [default: the number of cores]",
        ),
        "max_tests" => arg.help("Stop after N tests of an input, and go on with its best"),
        "max_time" => arg.help("Stop after this time for an input, and go on with its best, as in 30s, 10m or 2h"),
        "signature" => arg.help(
            "What this captures from the output tells bugs apart: it stays what it is for each input, and inputs with \
             different ones are never in one group",
        ),
        "language" => arg.help(
            "The language of all inputs, or none to see them as plain text [default: of each by name, extension, #! \
             line or how it begins]",
        ),
        _ => arg,
    }
}

const USAGE: &str = "\
whittle dedup [OPTIONS] <TEST> <FOLDER>
       whittle dedup [OPTIONS] --run <COMMAND> <FOLDER>";

const EXAMPLES: &str = "\
Examples:
  whittle dedup test.sh crashes                  group the files of crashes
  whittle dedup --run './solver {}' --signal SEGV crashes
  whittle dedup --run 'gcc -c {}' --signature 'internal compiler error: (.*)' crashes
  whittle dedup test.sh crashes --name bug.c     a test that compiles bug.c

What is in crashes.dedup (--output):
  groups/       a representative of each group, by its number
  reduced/      what became of each input, by its name
  record.jsonl  what was done, with which test and options
  unfinished/   what was stopped, if anything was

Exit status:
  0  all inputs are done; those that failed are named
  1  stopped early by a signal, and the same command goes on; or inputs by a limit
  2  wrong usage, or no input could be reduced
  3  internal failure";
