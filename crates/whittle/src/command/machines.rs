//! The arguments for other machines, `whittle worker`, and what users hear of workers.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use whittle::machines::{
    About, Address, FleetReport, MAX_FILES_BYTES, Machines, NatsAddress, News, NewsListener, SharedView, WorkerSetup,
    census, serve_nats, serve_stdio,
};
use whittle::property::HelperProgram;

use super::exit::{Exit, Refusal};
use super::format::count;
use super::plan::Voice;
use super::print::{answer, tell};
use super::subject::no_helpers;
use super::test_args::{parse_size, parse_time};

const HEADING: &str = "Other machines";

/// Which other machines run tests, and what they get.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct MachinesArgs {
    /// Run tests on other machines too; can be repeated
    ///
    /// A command such as 'ssh host whittle worker --stdio', or nats://host:4222/group for workers that are connected to a NATS
    /// server. docs/machines.md shows how. Does not affect the result, as long as workers give the same verdicts as this machine.
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
                let remedy = "Give a command that connects to a worker, as in 'ssh host whittle worker --stdio', or a NATS \
                              server and a group, as in nats://host:4222/group.";
                Refusal::new(format!("--workers: {error}"), remedy)
            })
        };
        let addresses = self.workers.iter().map(address).collect::<Result<Vec<_>, _>>()?;
        if addresses.iter().any(|address| matches!(address, Address::Nats(_))) {
            check_account()?;
        }
        if let Some(name) = self.with_env.iter().find(|name| std::env::var_os(name).is_none()) {
            let problem = format!("--with-env {name} is not set");
            return Err(Refusal::new(problem, "Set the variable, or leave out the option.").into());
        }
        for path in &self.files {
            if !path.is_file() {
                let problem = format!("--with {} is not a file", path.display());
                return Err(Refusal::new(problem, "Give a file that the test uses.").into());
            }
        }
        let bytes: u64 = self.files.iter().filter_map(|path| path.metadata().ok()).map(|metadata| metadata.len()).sum();
        if bytes > MAX_FILES_BYTES {
            let (bytes, limit) = (count(bytes), count(MAX_FILES_BYTES));
            let problem = format!("the files of --with have {bytes} bytes, and workers take at most {limit}");
            return Err(Refusal::new(problem, "Install large files on the workers, and refer to them there.").into());
        }
        let files = self.files.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        let listener = NewsListener(Arc::new(move |news| report(voice, news)));
        let (only, environment, view) = (self.workers_only, self.with_env, SharedView::default());
        Ok(Some(Machines { addresses, only, files, environment, listener, view }))
    }
}

/// Prints what happens to workers. New workers are shown with `--verbose` only. `--quiet` keeps what explains why a run hangs.
fn report(voice: Voice, news: &News) {
    let is_wanted = match voice {
        Voice::Live => false,
        Voice::Quiet => matches!(news, News::Waiting | News::LeftOut { .. }),
        Voice::Normal => !matches!(news, News::Joined { .. }),
        Voice::Verbose => true,
    };
    if is_wanted {
        tell(&news.to_string());
    }
}

/// What to say when a search starts over.
pub(crate) fn started_over(withdrawn: u64) -> String {
    let verdicts = if withdrawn == 1 { "1 verdict".to_owned() } else { format!("{} verdicts", count(withdrawn)) };
    format!("starting over without {verdicts} of workers that were left out; other tests are not run again")
}

/// `workers: 1,234 tests on 3 machines, 24 at once, 300 bytes sent for each; 40 compared`.
pub(crate) fn summary(report: &FleetReport) -> String {
    let FleetReport { hosts, slots, tests, median_bytes, compared, withdrawn } = report;
    let withdrawn = if *withdrawn == 0 { String::new() } else { format!(", {} withdrawn", count(*withdrawn)) };
    let machines = if hosts.len() == 1 { "1 machine".to_owned() } else { format!("{} machines", hosts.len()) };
    format!(
        "workers: {} tests on {machines}, up to {slots} at once, {} bytes sent for each (median), {} compared{withdrawn}",
        count(*tests),
        count((*median_bytes).into()),
        count(*compared),
    )
}

/// Run tests for a reduction on another machine
///
/// With --connect, the worker serves clients of a NATS server, one after the other, as whittle --workers nats://host:4222/GROUP
/// does. With --stdio, it serves the Whittle at the other end of its standard input and output, and ends with it. That is
/// what --workers 'ssh host whittle worker --stdio' starts. A worker runs the commands that its client sends: give it a user of
/// its own. Secrets for the server come from the environment; docs/machines.md lists the variables.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("transport").required(true).args(["stdio", "connect"])))]
pub(crate) struct WorkerArgs {
    /// Serve the Whittle at the other end of standard input and output
    #[arg(long)]
    pub(crate) stdio: bool,

    /// Serve clients of this NATS server, such as nats://host:4222
    #[arg(long, value_name = "URL", requires = "group")]
    pub(crate) connect: Option<String>,

    /// The group of workers to join
    #[arg(long, value_name = "NAME", requires = "connect")]
    pub(crate) group: Option<String>,

    /// Another group whose clients are served; can be repeated
    #[arg(long = "allow-group", value_name = "NAME", requires = "connect")]
    pub(crate) more_groups: Vec<String>,

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
        groups: args.group.iter().chain(&args.more_groups).cloned().collect(),
    };
    match &args.connect {
        Some(url) => connect(setup, url)?,
        None => serve_stdio(setup).context("cannot use standard input and output")?,
    }
    Ok(Exit::Done)
}

/// Serves clients of a NATS server.
fn connect(setup: WorkerSetup, url: &str) -> Result<()> {
    let addresses: Result<Vec<_>, _> = setup.groups.iter().map(|group| NatsAddress::of_group(url, group)).collect();
    let addresses = addresses.map_err(|problem| Refusal::new(format!("--connect: {problem}"), NATS_REMEDY))?;
    check_account()?;
    Ok(serve_nats(setup, &addresses[0], &tell)?)
}

/// Refuses secrets that cannot be read.
fn check_account() -> Result<(), Refusal> {
    NatsAddress::check_account().map_err(|problem| Refusal::new(problem, "Check the variables WHITTLE_NATS_…"))
}

const NATS_REMEDY: &str = "Give a server and a group, as in --connect nats://host:4222 --group name.";

/// List the workers of a group at a NATS server
///
/// Shows the machine, its cores and its load, how many tests the worker runs at once and how many it has run, how often it was
/// left out because its verdicts were not those of others, and whether it works for somebody.
#[derive(Debug, Args)]
pub(crate) struct WorkersArgs {
    /// The server and the group, such as nats://host:4222/group
    pub(crate) address: String,
}

/// Lists who is there.
pub(crate) fn list(args: &WorkersArgs) -> Result<Exit> {
    let address = NatsAddress::parse(&args.address)
        .map_err(|problem| Refusal::new(problem, "Give a server and a group, as in nats://host:4222/group."))?;
    let all = census(&address).map_err(|problem| {
        Refusal::new(format!("{address}: {problem}"), "Check that the server runs, and the variables WHITTLE_NATS_…")
    })?;
    if all.is_empty() {
        tell(&format!("no worker is connected to {address}"));
        return Ok(Exit::Stopped);
    }
    answer(&format!(
        "{:<20} {:>8} {:>5} {:>6} {:>5} {:>9} {:>13}  state",
        "host", "process", "cores", "load", "slots", "tests", "disagreements"
    ));
    for about in &all {
        answer(&match about {
            Ok(about) => line(about),
            Err(reason) => format!("a worker cannot be used: {reason}"),
        });
    }
    Ok(Exit::Done)
}

fn line(about: &About) -> String {
    let About { host, process, cores, slots, load, tests, disagreements, is_busy, .. } = about;
    let state = if *is_busy { "busy" } else { "idle" };
    let tests = count(*tests);
    format!("{host:<20} {process:>8} {cores:>5} {load:>6.2} {slots:>5} {tests:>9} {disagreements:>13}  {state}")
}
