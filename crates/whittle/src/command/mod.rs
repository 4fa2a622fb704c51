//! The command line: arguments become a plan once; the rest sees only the plan.

mod args;
mod exit;
mod format;
mod json;
mod plan;
mod reduce;
mod signals;
mod summary;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::Exit;

/// Runs the command with the process's arguments.
pub(crate) fn main() -> ExitCode {
    let Command::Reduce(args) = Cli::parse_from(args::with_default_command(std::env::args_os())).command;
    let result = plan::resolve(args).and_then(|plan| reduce::run(&plan));
    result.unwrap_or_else(|error| exit::explain(&error)).into()
}
