//! Arguments as they are typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

/// Whittle and its peers on the same work: subjects × reducers → results.
#[derive(Debug, Parser)]
#[command(name = "whittle-bench", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Table(TableArgs),
    Plot(PlotArgs),
    /// Run a subject's test once and note it down; this is what reducers are given as their test
    #[command(name = crate::property::COMMAND, hide = true)]
    Test(TestArgs),
}

/// Let every reducer reduce every subject, one run at a time, and append each result to a file
///
/// Runs that are in the file already, of the same subject and the same version of the reducer, are not repeated.
/// Peers that are not installed are left out, and said to be.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Where results go, one JSON object a line
    #[arg(short, long, value_name = "FILE", default_value = "bench.jsonl")]
    pub(crate) output: PathBuf,

    /// A folder of more subjects, besides those that come with Whittle
    #[arg(long, value_name = "DIR")]
    pub(crate) subjects: Vec<PathBuf>,

    /// Only these reducers and subjects, by name; * stands for anything
    ///
    /// Names of reducers leave out all other reducers, names of subjects all other subjects. whittle:NAME is Whittle
    /// with --algorithm NAME, whatever the name.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// How often each reducer reduces each subject
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,

    /// When to stop a reducer, as in 90s or 10m; the smallest interesting candidate that it tested is its result then
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration)]
    pub(crate) timeout: Duration,

    /// How many tests a reducer may run at once
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: u16,

    /// The whittle to run [default: the one beside this program, else the one on PATH]
    #[arg(long, value_name = "FILE")]
    pub(crate) whittle: Option<PathBuf>,

    /// The jar of Perses; it is left out otherwise
    #[arg(long, value_name = "FILE")]
    pub(crate) perses: Option<PathBuf>,

    /// The jar of ANTLR that Picireny makes its parsers with [default: the one that it has installed]
    #[arg(long, value_name = "FILE")]
    pub(crate) antlr: Option<PathBuf>,
}

/// Which results to look at.
#[derive(Debug, Args)]
pub(crate) struct ResultArgs {
    /// Files of results; of several results for the same subject, reducer and round the last one counts
    #[arg(required = true, value_name = "RESULTS")]
    pub(crate) results: Vec<PathBuf>,

    /// Only these reducers and subjects, by name; * stands for anything
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
}

/// Print results as Markdown: a comparison of the reducers, and sizes and runs for each subject
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) results: ResultArgs,

    /// The reducer that the others are compared with
    #[arg(long, value_name = "NAME", default_value = "whittle")]
    pub(crate) baseline: String,

    /// Show also how many tokens were left after N runs of the property, which no time limit and no load has a say in
    #[arg(long, value_name = "N")]
    pub(crate) after: Option<u64>,

    /// Put the tables into this Markdown file, between its lines <!-- figures --> and <!-- end of figures -->
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
}

/// Draw results as SVG: sizes.svg, size over runs for each subject; ratios.svg, ratios to the best peer
#[derive(Debug, Args)]
pub(crate) struct PlotArgs {
    #[command(flatten)]
    pub(crate) results: ResultArgs,

    /// The folder for the plots
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub(crate) output: PathBuf,
}

/// What a run of the wrapped test needs to know.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    pub(crate) folder: PathBuf,
    pub(crate) input: String,
    pub(crate) language: String,
    pub(crate) candidate: Option<PathBuf>,
}
