//! clang_delta, the program with which C-Reduce and C-Vise transform C and C++ by Clang's syntax trees.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use whittle_property::conditions::CommandLine;

use super::command::{Counter, PassCommandError};

/// Where packages of C-Vise and C-Reduce put it.
const PLACES: [&str; 5] =
    ["/usr/lib/cvise", "/usr/libexec/cvise", "/usr/local/libexec/cvise", "/usr/libexec", "/usr/local/libexec"];

/// Transformations that make no smaller program by themselves: they rename, or insert checks.
const LEFT_OUT: [&str; 8] = [
    "expression-detector",
    "rename-class",
    "rename-cxx-method",
    "rename-fun",
    "rename-param",
    "rename-var",
    "class-to-struct",
    "union-to-struct",
];

/// The path of an installed clang_delta: on `PATH`, or where packages put it.
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(PLACES.map(PathBuf::from)).collect::<Vec<_>>();
    folders.into_iter().map(|folder| folder.join("clang_delta")).find(|program| program.is_file())
}

/// One counter command for each transformation.
pub(super) fn counters() -> Result<Vec<Counter>, PassCommandError> {
    let program = find().ok_or(PassCommandError::NoClangDelta)?;
    let shown = program.display().to_string();
    let listed = Command::new(&program).arg("--transformations").output().map(|output| output.stdout);
    let listed = String::from_utf8_lossy(&listed.unwrap_or_default()).into_owned();
    let names: Vec<&str> = listed.lines().map(str::trim).filter(|name| is_name(name)).collect();
    if names.is_empty() {
        return Err(PassCommandError::Silent(shown));
    }
    let wanted = names.into_iter().filter(|name| !LEFT_OUT.contains(name));
    let counter = |name: &str| {
        let text = format!("'{shown}' --transformation={name} --counter={{counter}} {{}}");
        let line = CommandLine::parse(&text, Path::new("/"))?;
        Ok(Counter { name: format!("clang_delta {name}"), line })
    };
    wanted.map(counter).collect()
}

fn is_name(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
