//! What compilers leave behind when they crash, and what a preprocessor makes of an input: commands and inputs that need no
//! other files.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use whittle::property::conditions::CommandLine;

use super::Refusal;
use super::line::FailingCommand;
use crate::command::print::tell;
use crate::command::shell::shell_words;

/// The words of the command that a file describes: the script of clang's crash bundle, or gcc's preprocessed source, which is
/// then written here without its comments.
pub(super) fn command_of(path: &Path, cwd: &Path) -> Result<Option<Vec<String>>, Refusal> {
    let Ok(text) = fs::read_to_string(path) else { return Ok(None) };
    if text.contains("Crash reproducer for") {
        return Ok(bundle(path, &text, cwd));
    }
    if text.starts_with("// Target: ") {
        return gcc_report(&text, cwd).transpose();
    }
    if text.starts_with("thread 'rustc") && text.contains("query stack during panic") {
        let problem = format!("{} says how rustc crashed, but not on what", path.display());
        return Err(Refusal::new(problem, "Give the command that crashes: whittle init -- rustc bug.rs"));
    }
    Ok(None)
}

/// The words of the command in a script that clang left behind with a preprocessed source.
fn bundle(script: &Path, text: &str, cwd: &Path) -> Option<Vec<String>> {
    let line = text.lines().rev().find(|line| !line.trim().is_empty() && !line.starts_with('#'))?;
    // It names files beside itself.
    let beside = |word: &OsString| {
        let path = script.parent().unwrap_or(Path::new("")).join(word);
        let is_there = !word.as_bytes().contains(&b'/') && path.is_file();
        if is_there { path.to_string_lossy().into_owned() } else { word.to_string_lossy().into_owned() }
    };
    Some(words_of(line, cwd)?.iter().map(beside).collect())
}

fn words_of(line: &str, cwd: &Path) -> Option<Vec<OsString>> {
    Some(CommandLine::parse(line, cwd).ok()?.words("".as_ref()))
}

/// The words of the command in the file that `gcc -freport-bug` stores, with its source in a file of its own.
fn gcc_report(text: &str, cwd: &Path) -> Option<Result<Vec<String>, Refusal>> {
    let is_command = |line: &&str| line.starts_with("// /") && line.contains("/cc1");
    let line = text.lines().find(is_command)?;
    let source = &text[text.find(line)? + line.len()..];
    let words: Vec<String> =
        words_of(&line[3..], cwd)?.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let after = |option: &str| words.iter().position(|word| word == option).and_then(|at| words.get(at + 1));
    let input = after("-dumpbase")?;
    let place = preprocessed_name(Path::new(Path::new(input).file_name()?));
    let mut command = vec![words[0].clone()];
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-freport-bug" => {}
            "-dumpbase" | "-dumpbase-ext" | "-o" => _ = rest.next(),
            word if Path::new(word).file_name() == Path::new(input).file_name() => {
                command.push(place.display().to_string());
            }
            word => command.push(word.to_owned()),
        }
    }
    Some(write_new(&place, source.trim_start().as_bytes()).map(|()| command))
}

/// The same command on a preprocessed input, if it is that of a C or C++ compiler and the input takes in files by `#include`:
/// files beside it, or any with `all`.
pub(super) fn preprocessed(command: &FailingCommand, all: bool) -> Result<Option<FailingCommand>, Refusal> {
    let text = fs::read(&command.input).unwrap_or_default();
    let includes = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let rest = line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("include"));
        rest.is_some_and(|rest| all || rest.trim_start().starts_with('"'))
    };
    if !command.is_compiler() || !text.split(|byte| *byte == b'\n').any(includes) {
        return Ok(None);
    }
    let place = command.input.with_file_name(preprocessed_name(&command.input));
    let words = command.preprocessing();
    let ran = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let Some(printed) = ran.ok().filter(|ran| ran.status.success() && !ran.stdout.is_empty()) else {
        tell(&format!("note:   {} cannot be preprocessed: {} fails", command.input.display(), shell_words(&words)));
        return Ok(None);
    };
    write_new(&place, &printed.stdout)?;
    tell(&format!("note:   {} is the preprocessed input", place.display()));
    Ok(Some(command.on(place)))
}

/// `bug.pre.c` for `bug.c`.
fn preprocessed_name(input: &Path) -> PathBuf {
    let stem = input.file_stem().unwrap_or_default().to_string_lossy();
    let extension = input.extension().map(|extension| format!(".{}", extension.to_string_lossy())).unwrap_or_default();
    PathBuf::from(format!("{stem}.pre{extension}"))
}

/// Writes a file that is not there yet, or has this content.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let refuse = |problem: String| Refusal::new(problem, "Move it away, or call Whittle in another folder.");
    match path.exists() {
        true => Err(refuse(format!("the preprocessed source would overwrite {}", path.display()))),
        false => fs::write(path, bytes)
            .map_err(|error| refuse(format!("the preprocessed source {} cannot be written: {error}", path.display()))),
    }
}
