//! The arguments for parallelism and limits. Commands that use them differently override their help.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use super::test_args::parse_time;

/// How much runs in parallel.
#[derive(Clone, Debug, Args)]
pub(crate) struct Jobs {
    /// How many tests to run in parallel; does not affect the result [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// No parallelism.
    pub(crate) const ONE: Self = Self { jobs: Some(1) };

    /// The number given, or one per core.
    pub(crate) fn count(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// How much runs in parallel, and when to stop.
#[derive(Clone, Debug, Args)]
pub(crate) struct Limits {
    #[command(flatten)]
    pub(crate) jobs: Jobs,

    /// Stop after N tests and keep the best result; speculative tests do not count
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this time, such as 30s, 10m or 2h, and keep the best result
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    pub(crate) max_time: Option<Duration>,
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
