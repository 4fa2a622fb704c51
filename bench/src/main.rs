//! The bench: Whittle and its peers on the same work.
//!
//! Subjects × reducers → results. All reducers are measured from outside, by a wrapper around the subject's test and by
//! a look at the system's table of processes; nothing that a reducer says about itself is taken over.
//!
//! | file | what it holds |
//! |---|---|
//! | `subject.rs` | what is reduced: folders with an input, a test and a description |
//! | `reducers/` | who reduces: one file for each |
//! | `property.rs`, `run_log.rs` | the wrapped test, and the log that it writes |
//! | `session.rs`, `single.rs`, `watch.rs` | all runs in their order, one run, one process |
//! | `size.rs`, `outcome.rs` | what is recorded |
//! | `statistics.rs`, `comparison.rs` | geometric means, Wilcoxon's test; results side by side |
//! | `table.rs`, `plot/` | Markdown and SVG |

mod args;
mod clock;
mod comparison;
mod names;
mod outcome;
mod plot;
mod print;
mod property;
mod reducers;
mod run_log;
mod session;
mod single;
mod size;
mod statistics;
mod subject;
mod table;
mod watch;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    match run(&Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            print::say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Run(args) => session::run(args)?,
        Command::Table(args) => table::run(args)?,
        Command::Plot(args) => plot::run(args)?,
        Command::Test(args) if !property::test_and_note(args)? => return Ok(ExitCode::FAILURE),
        Command::Test(_) => {}
    }
    Ok(ExitCode::SUCCESS)
}
