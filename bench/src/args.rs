//! The command-line arguments, as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

/// Compares Whittle with its peers on the same inputs: subjects × reducers → results.
#[derive(Debug, Parser)]
#[command(name = "whittle-bench", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Recount(RecountArgs),
    Table(TableArgs),
    Plot(PlotArgs),
    /// Run a subject's test once and log it; reducers get this as their test
    #[command(name = crate::property::COMMAND, hide = true)]
    Test(TestArgs),
}

/// Run every reducer on every subject, one run at a time, and append each result to a file
///
/// Does not repeat runs that are already in the file with the same subject and the same version of the reducer. Skips
/// peers that are not installed, and reports them.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Write results to FILE as JSON lines
    #[arg(short, long, value_name = "FILE", default_value = "bench.jsonl")]
    pub(crate) output: PathBuf,

    /// A folder with more subjects, in addition to the built-in ones
    #[arg(long, value_name = "DIR")]
    pub(crate) subjects: Vec<PathBuf>,

    /// Only these reducers and subjects, by name; * matches anything
    ///
    /// Naming a reducer excludes all other reducers; naming a subject excludes all other subjects. whittle:NAME is
    /// Whittle with --algorithm NAME, for any NAME.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// How many times to run each reducer on each subject
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,

    /// Stop a reducer after this time, such as 90s or 10m; its result is then the smallest interesting candidate it tested
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Duration,

    /// Also stop a reducer after this much processor time, its tests included; unlike --timeout, it does not depend on other
    /// load on the machine
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) cpu: Option<Duration>,

    /// Keep each result in DIR as SUBJECT.REDUCER.FILE, for `recount`
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,

    /// How many tests a reducer may run in parallel
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: u16,

    /// The whittle binary to run [default: the one next to this program, or the one on PATH]
    #[arg(long, value_name = "FILE")]
    pub(crate) whittle: Option<PathBuf>,

    /// The jar of Perses; without it, Perses is skipped
    #[arg(long, value_name = "FILE")]
    pub(crate) perses: Option<PathBuf>,

    /// The ANTLR jar with which Picireny builds parsers [default: the one it has installed]
    #[arg(long, value_name = "FILE")]
    pub(crate) antlr: Option<PathBuf>,
}

/// Count the sizes of results anew: tokens and non-blank bytes by Whittle's counter, and whether they are interesting
///
/// Results are files named SUBJECT.REDUCER.FILE, as `run --keep` leaves them.
#[derive(Debug, Args)]
pub(crate) struct RecountArgs {
    /// The folder with the results
    #[arg(value_name = "DIR")]
    pub(crate) results: PathBuf,

    /// A folder with more subjects, in addition to the built-in ones
    #[arg(long, value_name = "DIR")]
    pub(crate) subjects: Vec<PathBuf>,
}

/// Which results to use.
#[derive(Debug, Args)]
pub(crate) struct ResultArgs {
    /// Result files; for the same subject, reducer and round, the last result counts
    #[arg(required = true, value_name = "RESULTS")]
    pub(crate) results: Vec<PathBuf>,

    /// Only these reducers and subjects, by name; * matches anything
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
}

/// Print results as Markdown: a comparison of the reducers, and sizes and runs per subject
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) results: ResultArgs,

    /// The reducer to compare the others with
    #[arg(long, value_name = "NAME", default_value = "whittle")]
    pub(crate) baseline: String,

    /// Also show the tokens left after N test runs, which do not depend on the time limit or the load
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub(crate) after: Vec<u64>,

    /// Insert the tables into this Markdown file, between the lines <!-- figures --> and <!-- end of figures -->
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
}

/// Draw results as SVG: sizes.svg (size over test runs, per subject), ratios.svg (ratios to the best peer) and profile.svg (for
/// how many subjects a reducer comes how close to the smallest result)
#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    #[command(flatten)]
    pub(crate) results: ResultArgs,

    /// The folder for the plots
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
}

/// Arguments of the wrapped test.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    pub(crate) folder: PathBuf,
    pub(crate) input: String,
    pub(crate) language: String,
    pub(crate) candidate: Option<PathBuf>,
}
