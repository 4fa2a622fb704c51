//! The reducers: Whittle's algorithms, and the peers, each with its conventions in its own file.
//!
//! All work on a copy of the input in the current folder, with the wrapped test next to it. Peers get the settings with
//! which they end smallest, if that takes one flag; the files say which.
//!
//! To add a peer, add a file here and a line in [`find`].

mod creduce;
mod cvise;
mod ddsmt;
mod jsdelta;
mod llvm_reduce;
mod perses;
mod picire;
mod picireny;
mod shrinkray;
mod treereduce;
mod whittle;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::args::RunArgs;
use crate::property::Places;
use crate::subject::Subject;

pub(crate) use whittle::{is_whittle, locate as locate_whittle};

/// A reducer.
pub(crate) trait Reducer {
    /// The name in results.
    fn name(&self) -> String;

    /// The program.
    fn program(&self) -> &Path;

    /// The version, if the program can report it.
    fn version(&self) -> String {
        first_line_of(Command::new(self.program()).arg("--version"))
    }

    /// Why it cannot reduce a subject.
    fn refusal(&self, _subject: &Subject) -> Option<&'static str> {
        None
    }

    /// The command line for a task. The command runs in the task's folder.
    fn call(&self, task: &Task<'_>) -> Result<Call>;
}

/// What to reduce, and where.
pub(crate) struct Task<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) places: &'a Places,
    /// How many tests may run in parallel.
    pub(crate) jobs: u16,
}

impl Task<'_> {
    /// The copy of the input.
    pub(crate) fn input(&self) -> PathBuf {
        self.places.work().join(&self.subject.input)
    }

    /// An unused file for the result, in the work folder.
    pub(crate) fn output(&self) -> PathBuf {
        self.places.work().join("result").join(&self.subject.input)
    }

    /// Whether the subject's language is one of these.
    pub(crate) fn is_in(&self, languages: &[&str]) -> bool {
        languages.contains(&self.subject.language_name())
    }
}

/// A command line, and where the result is afterwards.
pub(crate) struct Call {
    pub(crate) command: Command,
    pub(crate) result: PathBuf,
}

/// A peer that is not installed.
pub(crate) struct Missing {
    pub(crate) name: &'static str,
    pub(crate) reason: String,
}

/// A reducer, or the fact that it is missing.
pub(crate) type Found = Result<Box<dyn Reducer>, Missing>;
pub(crate) type Reducers = Vec<Box<dyn Reducer>>;

/// The name of a reducer, installed or not.
pub(crate) fn name_of(found: &Found) -> String {
    match found {
        Ok(reducer) => reducer.name(),
        Err(missing) => missing.name.to_owned(),
    }
}

/// Every algorithm of Whittle, and every peer, installed or not. `whittle` is the binary.
pub(crate) fn find(args: &RunArgs, whittle: &Path) -> Vec<Found> {
    let mut reducers: Vec<Found> = whittle::all(whittle, &args.only).into_iter().map(Ok).collect();
    reducers.extend([
        creduce::find(),
        cvise::find(),
        shrinkray::find(),
        picire::find(),
        picireny::find(args.antlr.as_deref()),
        treereduce::find(treereduce::Dialect::C),
        treereduce::find(treereduce::Dialect::Rust),
        treereduce::find(treereduce::Dialect::JavaScript),
        jsdelta::find(),
        ddsmt::find(),
        llvm_reduce::find(),
        perses::find(args.perses.as_deref(), perses::Effort::Default),
        perses::find(args.perses.as_deref(), perses::Effort::Most),
    ]);
    reducers
}

/// A program on PATH.
fn on_path(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// A program on PATH as a peer of the same name, or the fact that it is missing.
fn peer<R: Reducer + 'static>(name: &'static str, make: impl FnOnce(PathBuf) -> R) -> Found {
    match on_path(name) {
        Some(program) => Ok(Box::new(make(program))),
        None => Err(Missing { name, reason: "not on PATH".into() }),
    }
}

fn first_line_of(command: &mut Command) -> String {
    let Ok(output) = command.output() else { return String::new() };
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    String::from_utf8_lossy(&text).lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// Creates the parent folder of a file.
fn make_folder_of(file: &Path) -> Result<()> {
    Ok(fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?)
}
