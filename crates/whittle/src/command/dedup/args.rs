//! The arguments of `whittle dedup`, as typed.

use std::path::PathBuf;

use clap::Args;

use crate::command::args::AlgorithmArgs;
use crate::command::limits::Limits;
use crate::command::test_args::TestOptions;

/// Group the inputs in a folder by the bug they trigger
///
/// Reduces every file in FOLDER and makes its names, numbers and strings canonical. Inputs that reduce to the same text
/// form a group. The table shows each group with a representative, the smallest of its inputs. It also reports
/// near-duplicates: groups whose results are equal after renaming, or have the same kinds of tokens.
///
/// Finished work is kept. If you run the same command again, it continues where it stopped and reduces only new inputs.
/// An input that is not interesting or cannot be reduced is reported; the others go on. Hidden files and subfolders of
/// FOLDER are skipped. If FOLDER has only subfolders, each of them is an input.
///
/// FOLDER can be what libFuzzer, cargo-fuzz, AFL++ or honggfuzz left. With --run and no condition, inputs are interesting if
/// they crash the command, and what a sanitizer, an assertion or a panic reports is the signature.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE, mut_args(explain))]
pub(crate) struct DedupArgs {
    /// The test: an executable that exits with 0 if and only if the candidate is interesting; omit it with --run
    #[arg(value_name = "TEST")]
    pub(crate) first: PathBuf,

    /// The folder with the inputs
    #[arg(value_name = "FOLDER")]
    pub(crate) second: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: TestOptions,

    /// The file name of every candidate, for tests that expect a fixed name [default: the name of the input]
    #[arg(long, value_name = "FILE", help_heading = "How tests run")]
    pub(crate) name: Option<PathBuf>,

    /// Where to write the results [default: FOLDER.dedup, next to FOLDER]
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) how: AlgorithmArgs,

    /// Print only errors and the table
    #[arg(short, long, help_heading = "Reports")]
    pub(crate) quiet: bool,

    /// Write groups, inputs and failures to FILE as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub(crate) json: Option<PathBuf>,
}

/// Help for options that mean something else here than for a single input.
fn explain(arg: clap::Arg) -> clap::Arg {
    match arg.get_id().as_str() {
        "jobs" => arg
            .help("How many inputs to reduce in parallel; does not affect the results [default: the number of cores]"),
        "max_tests" => arg.help("Stop after N tests per input, and use its best result so far"),
        "max_time" => {
            arg.help("Stop after this time per input, such as 30s, 10m or 2h, and use its best result so far")
        }
        "signature" => arg.help(
            "What this captures from the output identifies the bug: it must stay the same for each input, and inputs \
             with different captures are never in the same group",
        ),
        "language" => arg.help(
            "The language of all inputs, or none for plain text [default: detected for each from the name, extension, \
             #! line or first bytes]",
        ),
        _ => arg,
    }
}

const USAGE: &str = "\
whittle dedup [OPTIONS] <TEST> <FOLDER>
       whittle dedup [OPTIONS] --run <COMMAND> <FOLDER>";

const EXAMPLES: &str = "\
Examples:
  whittle dedup test.sh crashes                  group the files in crashes
  whittle dedup --run './solver {}' --signal SEGV crashes
  whittle dedup --run 'gcc -c {}' --signature 'internal compiler error: (.*)' crashes
  whittle dedup test.sh crashes --name bug.c     for a test that compiles bug.c

Contents of crashes.dedup (--output):
  groups/       a representative of each group, by number
  bugs/         if there are signatures: input, command, output and report.md for each bug
  reduced/      the result for each input, by name
  record.jsonl  finished work, with its test and options
  unfinished/   interrupted reductions, if any

Exit status:
  0  all inputs are done; failed ones are reported
  1  stopped early by a signal (run the same command to continue), or some inputs hit a limit
  2  usage error, or no input could be reduced
  3  internal error";
