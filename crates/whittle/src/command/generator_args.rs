//! The arguments of `whittle generator`, as they are typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::args::RunArgs;
use super::test_args::{TestOptions, parse_size, parse_time};

/// Reduce an input through the generator that made it
///
/// The generator is run once, and its random choices are recorded. Then it is run again and again with some choices left
/// out or lowered, so that every candidate is an input that the generator could have made; TEST says which are
/// interesting, as for whittle reduce.
///
/// The generator is a command that prints the input, or writes it to the file that {} stands for. Its choices are seen if
/// it is a Python program (3.9 or later) that uses random or numpy, which need not be changed; if it draws by
/// whittle-choices, which there is for Rust, C and JavaScript; or if it takes them from bytes on its standard input
/// (--bytes). With the same choices it must make the same input: a seed, if there is one, goes among its arguments.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct GeneratorArgs {
    /// The test: an executable that exits with 0 if and only if the file in its folder is interesting; left out with
    /// --run
    #[arg(value_name = "TEST", required_unless_present = "run", conflicts_with = "run")]
    pub(crate) test: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: TestOptions,

    /// What the generated input is called in tests; it is kept under this name
    #[arg(long, value_name = "FILE", default_value = "generated.txt")]
    pub(crate) name: PathBuf,

    /// The generator takes its choices from its standard input, as a target for libFuzzer does: this file at first
    #[arg(long, value_name = "FILE")]
    pub(crate) bytes: Option<PathBuf>,

    /// Where the result goes [default: beside the generated input, as NAME.reduced.EXT]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace whatever is in the place of the result: a smaller result of an earlier run, or a file that is not one
    #[arg(long)]
    pub(crate) force: bool,

    /// What follows when the generator's choices cannot be reduced any more; auto: what whittle reduce does
    #[arg(long, value_name = "WHAT")]
    pub(crate) then: Option<Then>,

    /// How choices are reduced: everything that Whittle knows, or the parts of the trace as GReduce does it, as one
    /// sequence or level by level as a tree
    #[arg(long, value_enum, default_value_t = By::Auto, help_heading = "Algorithm")]
    pub(crate) by: By,

    /// What a replay does where it cannot follow: stop, leave out the part around it, or go on with what is possible
    /// [default: re-align]; not with --by auto, which goes on
    #[arg(long, value_enum, help_heading = "Algorithm")]
    pub(crate) align: Option<Align>,

    /// End a run of the generator that takes longer [default: ten times the first run, at least 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "How the generator runs")]
    pub(crate) generator_timeout: Option<Duration>,

    /// End a run of the generator that draws more often [default: four times the first run, at least 1000]
    #[arg(long, value_name = "N", help_heading = "How the generator runs")]
    pub(crate) max_draws: Option<u64>,

    /// End a run of the generator that prints or writes more [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "How the generator runs")]
    pub(crate) max_input: Option<u64>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// The generator and its arguments
    #[arg(last = true, required = true, value_name = "GENERATOR")]
    pub(crate) generator: Vec<OsString>,
}

/// What follows the reduction of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Then {
    Auto,
}

/// How choices are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Auto,
    Sequence,
    Tree,
}

/// What a replay does where it cannot follow.
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
  whittle generator test.sh -- python3 gen.py 26524        reduce what gen.py makes with seed 26524
  whittle generator test.sh --name bug.js -- ./gen.py --out {} --seed 7
  whittle generator test.sh --then auto -- python3 gen.py 7      go on without the generator
  whittle generator --run './solver {}' --signal SEGV --name bug.smt2 -- python3 gen.py 7
  whittle generator test.sh --bytes crash-1f9a -- ./print_input

What is generated first is kept as generated.txt (--name), the result is generated.reduced.txt (--output). If the first
input is not interesting, run the generator with the seed that showed the bug.

Exit status: as for whittle reduce; 2 also if the generator fails, makes nothing, or is not the same in every run.";
