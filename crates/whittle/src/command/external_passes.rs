//! `--pass`: passes by other programs, and the offer to use clang_delta.

use anyhow::{Context, Result};
use whittle::external::{PassCommand, PassLimits, find_clang_delta};
use whittle::syntaxes::Syntaxes;

use super::args::{AlgorithmArgs, EffortChoice};
use super::exit::Refusal;

/// The commands that `--pass` gives.
pub(crate) fn resolve(args: &AlgorithmArgs) -> Result<Vec<PassCommand>> {
    let cwd = std::env::current_dir().context("cannot find the current folder")?;
    let parse = |text: &String| {
        PassCommand::parse(text, &cwd).map_err(|error| {
            let remedy =
                "Write {counter} and {}, {} alone, or neither, as docs/passes.md explains; {cwd} is this folder.";
            Refusal::new(format!("--pass '{text}': {error}"), remedy).into()
        })
    };
    args.passes.iter().map(parse).collect()
}

/// What one turn of each may use.
pub(crate) fn limits(args: &AlgorithmArgs) -> PassLimits {
    let default = PassLimits::default();
    PassLimits {
        timeout: args.pass_timeout.unwrap_or(default.timeout),
        tests: args.pass_tests.unwrap_or(default.tests),
    }
}

/// Says that clang_delta is there, where it is of use and everything is wanted. It is not used unasked: results would depend
/// on what else is installed.
pub(crate) fn offer(args: &AlgorithmArgs, syntaxes: &Syntaxes) -> Option<String> {
    let is_c = syntaxes.first_language().is_some_and(|chosen| ["c", "cpp"].contains(&chosen.language.name()));
    let is_wanted = args.effort == EffortChoice::Max && args.passes.is_empty() && is_c;
    let program = find_clang_delta().filter(|_| is_wanted)?;
    Some(format!("{} is installed: --pass clang_delta uses its transformations too", program.display()))
}
