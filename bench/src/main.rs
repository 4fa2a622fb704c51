//! The bench: compares Whittle with its peers on the same inputs.
//!
//! Subjects × reducers → results. The bench measures all reducers from outside, with a wrapper around the subject's test
//! and the system's process table. It ignores what a reducer reports about itself.
//!
//! | file | contents |
//! |---|---|
//! | `subject.rs` | subjects: folders with an input, a test and a description |
//! | `reducers/` | reducers, one file each |
//! | `property.rs`, `run_log.rs` | the wrapped test, and the log it writes |
//! | `session.rs`, `single.rs`, `watch.rs` | all runs in order, one run, one process |
//! | `size.rs`, `outcome.rs` | what a run records |
//! | `statistics.rs`, `comparison.rs` | geometric means, the Wilcoxon test; results side by side |
//! | `recount.rs` | sizes of results that were kept |
//! | `table.rs`, `duels.rs`, `plot/` | Markdown and SVG |

mod args;
mod clock;
mod comparison;
mod duels;
mod names;
mod outcome;
mod plot;
mod print;
mod property;
mod recount;
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
        Command::Recount(args) => recount::run(args)?,
        Command::Table(args) => table::run(args)?,
        Command::Plot(args) => plot::run(args)?,
        Command::Test(args) if !property::test_and_note(args)? => return Ok(ExitCode::FAILURE),
        Command::Test(_) => {}
    }
    Ok(ExitCode::SUCCESS)
}
