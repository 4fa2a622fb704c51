//! The real binary, as users call it.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(clippy::print_stdout, reason = "a test that skips says why")]

mod bench_folder;
mod conditions;
mod contents;
mod dedup;
mod domains;
mod early_ends;
mod generator;
mod hostile;
mod kept;
mod learn;
mod refusals;
mod reports;
mod results;
mod resume;
mod trees;
