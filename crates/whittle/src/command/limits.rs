//! The arguments that say how much is done at once, and when to stop. Commands for which they mean something else say so.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use super::test_args::parse_time;

/// How much is done at once.
#[derive(Clone, Debug, Args)]
pub(crate) struct Jobs {
    /// How many tests run at once; the result does not depend on it [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Jobs {
    /// One after the other.
    pub(crate) const ONE: Self = Self { jobs: Some(1) };

    /// As many as were asked for, or one for each core.
    pub(crate) fn count(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// How much is done at once, and when to stop.
#[derive(Clone, Debug, Args)]
pub(crate) struct Limits {
    #[command(flatten)]
    pub(crate) jobs: Jobs,

    /// Stop after N tests and keep the best (tests run ahead on other cores are not counted)
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this time and keep the best, as in 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    pub(crate) max_time: Option<Duration>,
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
