//! One clock for all processes of a run.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// Microseconds on the system's monotonic clock, which all processes share.
pub(crate) fn now() -> u64 {
    let time = clock_gettime(ClockId::CLOCK_MONOTONIC).expect("every Unix system has a monotonic clock");
    Duration::from(time).as_micros() as u64
}

/// Microseconds as seconds.
pub(crate) fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}
