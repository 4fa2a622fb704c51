//! The command line: arguments become a plan once; the rest sees only the plan.
//!
//! Programs that contain Whittle, such as a module of Python, have the whole command in [`main`], and its options for their
//! own properties in [`embedded`].

mod args;
mod check;
mod choice;
mod compare;
mod dedup;
mod doctor;
mod dropin;
pub mod embedded;
mod exit;
mod explain;
mod external_passes;
mod format;
mod formatting;
mod generator;
mod generator_args;
mod grammar;
mod gtr;
mod history;
mod init;
mod json;
mod languages;
mod learn;
mod limits;
mod live;
mod machines;
mod manual;
mod mcp;
mod needed;
mod options;
mod passes;
mod plan;
mod print;
mod reduce;
mod report;
mod restart;
mod rules;
mod server_module;
mod shell;
mod signals;
mod slow;
mod subject;
mod summary;
mod terminal;
mod test_args;
mod tree;

use std::process::ExitCode;

use clap::Parser;
use whittle::property::arguments;

use args::{Cli, Command, Judge};

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    whittle::init();
    if let Some(judge) = Judge::from_args() {
        let judged = match judge {
            Judge::CompareTest(args) => compare::judge(&args),
            Judge::SlowTest(args) => slow::judge(&args),
        };
        return judged.unwrap_or_else(|error| exit::explain(&error)).into();
    }
    let words = args::with_default_command(dropin::by_name(arguments()));
    let cli = Cli::parse_from(&words);
    restart::prepare(&cli.command, words);
    let result = match cli.command {
        Command::Reduce(args) => plan::Plan::resolve(args).and_then(|plan| reduce::run(&plan)),
        Command::Init(args) => init::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Slow(args) => slow::run(&args),
        Command::Cvise(args) => Ok(dropin::run(&args)),
        Command::Check(args) => check::run(args),
        Command::Explain(args) => needed::run(args),
        Command::Dedup(args) => dedup::run(args),
        Command::Generator(args) => generator::run(args),
        Command::Tree(args) => tree::run(&args),
        Command::Grammar(args) => grammar::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::History(args) => history::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Worker(args) => machines::run_worker(&args),
        Command::Workers(args) => machines::list(&args),
        Command::ServerModule(args) => server_module::run(&args),
        Command::ServeMcp(args) => mcp::run(&args),
        Command::Completions(args) => manual::complete(&args),
        Command::Man(args) => manual::write_pages(&args),
        Command::Languages => tree::list_languages(),
    };
    result.unwrap_or_else(|error| exit::explain(&error)).into()
}

/// Reduces as if a user had typed these words.
fn reduce_as_typed(words: &[String]) -> anyhow::Result<exit::Exit> {
    let words = args::with_default_command(words.iter().map(Into::into));
    let cli = Cli::parse_from(&words);
    restart::prepare(&cli.command, words);
    match cli.command {
        Command::Reduce(args) => plan::Plan::resolve(args).and_then(|plan| reduce::run(&plan)),
        _ => unreachable!("the words are those of a reduction"),
    }
}
