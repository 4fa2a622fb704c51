//! Completions for shells and man pages, made from the arguments.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::args::Cli;
use super::exit::{Exit, Refusal};
use super::print::hand_over;

/// Print completions for a shell
///
/// To use them with bash: whittle completions bash > ~/.local/share/bash-completion/completions/whittle
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write man pages to a folder: whittle.1, whittle-reduce.1 and so on
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder, which must exist, such as ~/.local/share/man/man1
    folder: PathBuf,
}

/// Prints completions.
pub(crate) fn complete(args: &CompletionsArgs) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "whittle", &mut text);
    hand_over(&text)?;
    Ok(Exit::Done)
}

/// Writes one page for the program and one for each of its commands.
pub(crate) fn write_pages(args: &ManArgs) -> Result<Exit> {
    let program = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(program, &args.folder).map_err(|error| {
        let problem = format!("man pages cannot be written to {}: {error}", args.folder.display());
        Refusal::new(problem, "Create the folder first, with mkdir -p.")
    })?;
    Ok(Exit::Done)
}
