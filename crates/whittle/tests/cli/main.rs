//! The real binary, as users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod bench_folder;
mod contents;
mod early_ends;
mod refusals;
mod reports;
mod results;
