//! The arguments of `whittle generator`, as typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::args::RunArgs;
use super::test_args::{TestOptions, parse_size, parse_time};

/// Shrink a generated input by replaying its generator
///
/// Whittle runs the generator once and records its random choices. Then it reruns the generator with some choices removed
/// or lowered, so every candidate is an input that the generator could have produced. TEST decides which candidates are
/// interesting, as for whittle reduce.
///
/// The generator is a command that prints the input, or writes it to the file that {} stands for. Whittle can record the
/// choices of an unmodified Python program (3.9 or later) that uses random or numpy.random; of a program in Rust, C or
/// JavaScript that uses the whittle-choices client; and of any program that reads its choices as bytes from standard
/// input (--bytes). The same choices must produce the same input. If the generator takes a seed, pass it as an argument.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct GeneratorArgs {
    /// The test: an executable that exits with 0 if and only if the candidate is interesting; omit it with --run
    #[arg(value_name = "TEST", required_unless_present = "run", conflicts_with = "run")]
    pub(crate) test: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: TestOptions,

    /// The file name of the generated input, in tests and where Whittle keeps it
    #[arg(long, value_name = "FILE", default_value = "generated.txt")]
    pub(crate) name: PathBuf,

    /// The generator reads its choices from standard input, like a libFuzzer target; start with the bytes in FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) bytes: Option<PathBuf>,

    /// Write the result to FILE, or to standard output if FILE is - [default: NAME.reduced.EXT next to the generated input]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace the file at the result's path even if it is a smaller result of an earlier run, or no result at all
    #[arg(long)]
    pub(crate) force: bool,

    /// What to do when the choices cannot be reduced further; auto: continue like whittle reduce
    #[arg(long, value_name = "WHAT")]
    pub(crate) then: Option<Then>,

    /// How to reduce choices: with all of Whittle's passes (auto), or like GReduce, with the trace as one sequence or as
    /// a tree, level by level
    #[arg(long, value_enum, default_value_t = By::Auto, help_heading = "Algorithm")]
    pub(crate) by: By,

    /// What to do when a replay diverges: stop, skip the part around it, or continue with possible values [default:
    /// re-align]; --by auto always continues
    #[arg(long, value_enum, help_heading = "Algorithm")]
    pub(crate) align: Option<Align>,

    /// Kill a generator run that takes longer [default: ten times the first run, at least 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "How the generator runs")]
    pub(crate) generator_timeout: Option<Duration>,

    /// Kill a generator run that draws more often [default: four times the first run, at least 1000]
    #[arg(long, value_name = "N", help_heading = "How the generator runs")]
    pub(crate) max_draws: Option<u64>,

    /// Kill a generator run that writes more [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "How the generator runs")]
    pub(crate) max_input: Option<u64>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The generator and its arguments
    #[arg(last = true, required = true, value_name = "GENERATOR")]
    pub(crate) generator: Vec<OsString>,
}

/// What to do after reducing the choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Then {
    Auto,
}

/// How to reduce choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Auto,
    Sequence,
    Tree,
}

/// What to do when a replay diverges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Align {
    Halt,
    Bypass,
    #[value(name = "re-align")]
    Adapt,
}

const USAGE: &str = "\
whittle generator [OPTIONS] <TEST> -- <GENERATOR>...
       whittle generator [OPTIONS] --run <COMMAND> -- <GENERATOR>...";

const EXAMPLES: &str = "\
Examples:
  whittle generator test.sh -- python3 gen.py 26524        shrink what gen.py prints for seed 26524
  whittle generator test.sh --name bug.js -- ./gen.py --out {} --seed 7
  whittle generator test.sh --then auto -- python3 gen.py 7      then reduce the text
  whittle generator --run './solver {}' --signal SEGV --name bug.smt2 -- python3 gen.py 7
  whittle generator test.sh --bytes crash-1f9a -- ./print_input

The first generated input is kept as generated.txt (--name). The result is generated.reduced.txt
(--output). If the first input is not interesting, pass the seed that triggered the bug.

Exit status: as for whittle reduce; also 2 if the generator fails, prints nothing, or differs from
run to run.";
