//! The real binary, as users call it. Modules named `needs_…` hold tests that need more than Rust, a C compiler and
//! Python 3; they are ignored unless asked for, and `.ci/run` asks for those that the machine can run.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod accounts;
mod bench_folder;
mod compare;
mod conditions;
mod contents;
mod dedup;
mod domains;
mod dropin;
mod early_ends;
mod events;
mod examples;
mod external_passes;
mod farms;
mod fleet;
mod generator;
mod grammars;
mod hostile;
mod init;
mod kept;
mod learn;
mod live;
mod machines;
mod mcp;
mod nats;
mod pages;
mod papers;
mod parsers;
mod projects;
mod refusals;
mod reports;
mod results;
mod resume;
mod rules;
mod servers;
mod slow;
mod ssh;
mod trees;
