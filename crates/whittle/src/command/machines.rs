//! The arguments for other machines, `whittle worker`, and what users hear of workers.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use whittle::machines::{Address, FleetReport, Machines, News, NewsListener, SharedView, WorkerSetup, serve_stdio};
use whittle::property::HelperProgram;

use super::exit::{Exit, Refusal};
use super::format::count;
use super::plan::Voice;
use super::print::tell;
use super::subject::no_helpers;
use super::test_args::{parse_size, parse_time};

const HEADING: &str = "Other machines";

/// Which other machines run tests, and what they get.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct MachinesArgs {
    /// Run tests on another machine too: a command such as 'ssh host whittle worker --stdio'; can be repeated;
    /// docs/machines.md shows how. Does not affect the result
    #[arg(long, value_name = "ADDRESS", help_heading = HEADING)]
    pub(crate) workers: Vec<String>,

    /// Run tests on workers alone, and wait if there is none. This machine still checks INPUT and the result
    #[arg(long, requires = "workers", help_heading = HEADING, hide_short_help = true)]
    pub(crate) workers_only: bool,

    /// A file that the test uses, for workers; it is in the folder of the test there, and its path in --run is replaced; can
    /// be repeated
    #[arg(long = "with", value_name = "FILE", requires = "workers", help_heading = HEADING, hide_short_help = true)]
    pub(crate) files: Vec<PathBuf>,

    /// A variable of the environment that tests on workers get; can be repeated
    #[arg(long, value_name = "NAME", requires = "workers", help_heading = HEADING, hide_short_help = true)]
    pub(crate) with_env: Vec<String>,
}

impl MachinesArgs {
    /// The machines to use, if any.
    pub(crate) fn resolve(self, voice: Voice) -> Result<Option<Machines>> {
        if self.workers.is_empty() {
            return Ok(None);
        }
        let cwd = std::env::current_dir().context("cannot find the current folder")?;
        let address = |text: &String| {
            Address::parse(text, &cwd).map_err(|error| {
                let remedy = "Give a command that connects to a worker, as in 'ssh host whittle worker --stdio'.";
                Refusal::new(format!("--workers: {error}"), remedy)
            })
        };
        let addresses = self.workers.iter().map(address).collect::<Result<_, _>>()?;
        for path in &self.files {
            if !path.is_file() {
                let problem = format!("--with {} is not a file", path.display());
                return Err(Refusal::new(problem, "Give a file that the test uses.").into());
            }
        }
        let files = self.files.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        let listener = NewsListener(Arc::new(move |news| report(voice, news)));
        let (only, environment, view) = (self.workers_only, self.with_env, SharedView::default());
        Ok(Some(Machines { addresses, only, files, environment, listener, view }))
    }
}

/// That a worker comes is no news, unless somebody wants to know everything.
fn report(voice: Voice, news: &News) {
    let is_wanted = match voice {
        Voice::Quiet | Voice::Live => false,
        Voice::Normal => !matches!(news, News::Joined { .. }),
        Voice::Verbose => true,
    };
    if is_wanted {
        tell(&news.to_string());
    }
}

/// `workers: 1,234 tests on 3 machines, 24 at once, 300 bytes sent for each; 40 compared`.
pub(crate) fn summary(report: &FleetReport) -> String {
    let FleetReport { hosts, slots, tests, median_bytes, compared } = report;
    let machines = if hosts.len() == 1 { "1 machine".to_owned() } else { format!("{} machines", hosts.len()) };
    format!(
        "workers: {} tests on {machines}, up to {slots} at once, {} bytes sent for each (median), {} compared",
        count(*tests),
        count((*median_bytes).into()),
        count(*compared),
    )
}

/// Run tests for a reduction on another machine
///
/// With --stdio, the worker serves the Whittle at the other end of its standard input and output, and ends with it. That is
/// what --workers 'ssh host whittle worker --stdio' starts. A worker runs the commands that its client sends: give it a user of
/// its own.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Serve the Whittle at the other end of standard input and output
    #[arg(long, required = true)]
    pub(crate) stdio: bool,

    /// How many tests to run at once [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Refuse clients whose tests may take longer
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub(crate) max_timeout: Option<Duration>,

    /// Refuse clients whose tests may have more memory, such as 512M or 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<u64>,

    /// Where to create scratch folders [default: TMPDIR, or shared memory if it has room, or /tmp]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) scratch: Option<PathBuf>,
}

/// Works until the client leaves.
pub(crate) fn run_worker(args: &WorkerArgs) -> Result<Exit> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let setup = WorkerSetup {
        slots: args.jobs.map_or_else(cores, usize::from),
        scratch: args.scratch.clone(),
        memory_limit: args.max_memory,
        time_limit: args.max_timeout,
        helper: HelperProgram::this().map_err(|error| no_helpers(&error))?,
        groups: Vec::new(),
    };
    serve_stdio(setup).context("cannot use standard input and output")?;
    Ok(Exit::Done)
}
