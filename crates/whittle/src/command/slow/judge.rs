//! `whittle slow-test`: what `whittle slow` runs on each candidate. It exits with 0 if the command takes too much.
//!
//! Its caller bounds its time and removes what it leaves in the current folder.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::time::TimeValLike;
use whittle::property::conditions::CommandLine;

use super::super::compare::unescaped;
use super::super::exit::Exit;
use super::super::format::{count, time};
use super::super::print::answer;

/// Judge one candidate of whittle slow
#[derive(Debug, Args)]
pub(crate) struct SlowTestArgs {
    candidate: PathBuf,

    #[arg(long)]
    run: String,

    /// Where the user called Whittle.
    #[arg(long)]
    folder: PathBuf,

    /// Print what the command takes, and judge nothing.
    #[arg(long)]
    measure: bool,

    #[command(flatten)]
    limit: Limit,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Limit {
    #[arg(long)]
    milliseconds: Option<u64>,

    #[arg(long)]
    bytes: Option<u64>,
}

/// How much of something a command takes. Costs of one kind are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cost {
    /// Processor time.
    Time(Duration),
    /// Bytes.
    Memory(u64),
}

/// A run that takes so many times the limit needs no other.
const CERTAIN: f64 = 2.0;

/// How many runs decide otherwise. A busy machine makes a run longer and never shorter, so all of them must reach the limit.
const RUNS: usize = 3;

/// Says by the exit status whether the command takes too much, and if not, what it takes.
pub(crate) fn run(args: &SlowTestArgs) -> Result<Exit> {
    let limit = args.limit.cost();
    let first = args.measured(limit)?;
    if args.measure {
        answer(&first.amount().to_string());
        return Ok(Exit::Done);
    }
    let mut found = first;
    // Memory hardly differs from run to run.
    let runs = if matches!(limit, Cost::Time(_)) && first < limit.times(CERTAIN) { RUNS } else { 1 };
    for _ in 1..runs {
        if found < limit {
            break;
        }
        found = found.min(args.measured(limit)?);
    }
    if found >= limit {
        return Ok(Exit::Done);
    }
    answer(&format!("the command takes {found}, and {limit} would be too much; --times and --at-least set the limit"));
    Ok(Exit::Stopped)
}

impl SlowTestArgs {
    /// What the command takes, as far as that matters for `limit`.
    fn measured(&self, limit: Cost) -> Result<Cost> {
        let line = CommandLine::parse(&unescaped(&self.run), &self.folder)?;
        let words = line.words(self.candidate.as_os_str());
        stop_at(limit)?;
        let before = processor_time()?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().with_context(|| format!("cannot run {}", words[0].display()))?;
        Ok(match limit {
            Cost::Time(_) => Cost::Time(processor_time()?.saturating_sub(before)),
            Cost::Memory(_) => Cost::Memory(peak_memory()?),
        })
    }
}

impl Limit {
    fn cost(&self) -> Cost {
        match (self.milliseconds, self.bytes) {
            (Some(milliseconds), _) => Cost::Time(Duration::from_millis(milliseconds)),
            (None, bytes) => Cost::Memory(bytes.unwrap_or_default()),
        }
    }
}

/// Lets no process take more time than is needed to know: what begins from now on is killed.
fn stop_at(limit: Cost) -> Result<()> {
    match limit {
        Cost::Time(time) if time > Duration::ZERO => {
            let seconds = time.mul_f64(CERTAIN).as_secs() + 1;
            setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1).context("cannot limit processor time")
        }
        _ => Ok(()),
    }
}

/// The processor time of all processes that this one has started and awaited.
fn processor_time() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot measure processor time")?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(u64::try_from(micros).unwrap_or_default()))
}

/// The memory of the largest of them, in bytes.
fn peak_memory() -> Result<u64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot measure memory")?;
    Ok(u64::try_from(usage.max_rss()).unwrap_or_default() << 10)
}

impl Cost {
    /// So many times as much.
    pub(super) fn times(self, factor: f64) -> Self {
        match self {
            Self::Time(time) => Self::Time(time.mul_f64(factor)),
            Self::Memory(bytes) => Self::Memory((bytes as f64 * factor) as u64),
        }
    }

    /// The option of `slow-test` for it.
    pub(super) fn flag(self) -> &'static str {
        match self {
            Self::Time(_) => "--milliseconds",
            Self::Memory(_) => "--bytes",
        }
    }

    /// In milliseconds or bytes.
    pub(super) fn amount(self) -> u64 {
        match self {
            Self::Time(time) => time.as_millis().try_into().unwrap_or(u64::MAX),
            Self::Memory(bytes) => bytes,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(duration) => write!(f, "{} of processor time", time(*duration)),
            Self::Memory(bytes) => write!(f, "{} KB of memory", count(bytes >> 10)),
        }
    }
}
