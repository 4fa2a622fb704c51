//! `whittle server-module`: prints the module that makes a function a test server.

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::exit::Exit;
use super::print::hand_over;

/// Print a module that makes a function a test server, for --server
///
/// Keep it beside your server: whittle server-module python > whittle_server.py, or whittle server-module node >
/// whittle_server.js. Its first lines show how it is used; docs/servers.md has the protocol for other languages.
#[derive(Debug, Args)]
pub(crate) struct ServerModuleArgs {
    /// The language of the server
    language: ModuleLanguage,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModuleLanguage {
    Python,
    Node,
}

/// Prints the module.
pub(crate) fn run(args: &ServerModuleArgs) -> Result<Exit> {
    let module = match args.language {
        ModuleLanguage::Python => include_str!("../../servers/whittle_server.py"),
        ModuleLanguage::Node => include_str!("../../servers/whittle_server.js"),
    };
    hand_over(module.as_bytes())?;
    Ok(Exit::Done)
}
