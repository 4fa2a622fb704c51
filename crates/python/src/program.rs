//! The `whittle` command inside Python, and what the package asks about the build.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;
use whittle::languages::Language;
use whittle::property::Host;

/// Runs the command and ends the process. Started again by `again` with other arguments, it becomes a helper.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, again: Vec<OsString>, arguments: Vec<OsString>) {
    whittle::property::init_as(Host { again, arguments });
    let code = py.detach(whittle::command::main);
    // Python's end would flush what this process has not written, and wait for threads that the command has left.
    std::process::exit(if code == ExitCode::SUCCESS { 0 } else { status(code) });
}

/// The number in an exit code, which has no other way out.
fn status(code: ExitCode) -> i32 {
    (0..=u8::MAX).find(|&status| ExitCode::from(status) == code).map_or(1, i32::from)
}

/// The names of the languages in this build.
#[pyfunction]
pub(crate) fn languages() -> Vec<&'static str> {
    Language::all().iter().map(|language| language.name).collect()
}

/// The file name of an input in a language, if it is known.
#[pyfunction]
pub(crate) fn file_name(language: &str) -> Option<String> {
    let extension = Language::by_name(language)?.extensions.first()?;
    Some(format!("data.{extension}"))
}

/// The version of the build.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
