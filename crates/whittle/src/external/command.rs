//! [`PassCommand`]: an external pass as users write it. Its words say which dialect it speaks.

use std::path::Path;

use whittle_property::conditions::{CommandLine, CommandLineError};

use super::clang_delta;

/// Where the number of a change goes.
pub(super) const COUNTER: &str = "{counter}";

/// The name that stands for all transformations of clang_delta.
const CLANG_DELTA: &str = "clang_delta";

/// The command of an external pass.
#[derive(Clone, Debug)]
pub struct PassCommand {
    pub(super) name: String,
    pub(super) dialect: Dialect,
}

/// How a pass is asked, and how it answers.
#[derive(Clone, Debug)]
pub(super) enum Dialect {
    /// Each makes one change a call.
    Counters(Vec<Counter>),
    /// It prints patches.
    Hints(CommandLine),
    /// It stays, proposes, and hears what was interesting.
    Dialogue(CommandLine),
}

/// A command that makes the change with a number.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) name: String,
    pub(super) line: CommandLine,
}

/// Why a text is not the command of a pass.
#[derive(Debug, thiserror::Error)]
pub enum PassCommandError {
    /// It cannot be run.
    #[error(transparent)]
    Line(#[from] CommandLineError),
    /// It has a number, but no file.
    #[error("it has {{counter}}, but not {{}}, where the path of the file goes")]
    NoFile,
    /// C-Vise or C-Reduce, which have it, are not installed.
    #[error("clang_delta is not on PATH, and neither C-Vise nor C-Reduce is installed where their packages put it")]
    NoClangDelta,
    /// It does not say what it can do.
    #[error("{0} does not list its transformations")]
    Silent(String),
}

impl PassCommand {
    /// Reads a command that a user wrote in the folder `cwd`: with `{counter}` and `{}`, it makes the change with that number to
    /// the file; with `{}` alone, it prints hints about the file; without either, it is talked to. `clang_delta` stands for all
    /// that an installed clang_delta can do.
    pub fn parse(text: &str, cwd: &Path) -> Result<Self, PassCommandError> {
        if text == CLANG_DELTA {
            return Ok(Self { name: text.to_owned(), dialect: Dialect::Counters(clang_delta::counters()?) });
        }
        let line = CommandLine::parse(text, cwd)?;
        let program = line.program_file().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let name = format!("external {program}");
        let dialect = match (text.contains(COUNTER), line.mentions_candidate()) {
            (true, true) => Dialect::Counters(vec![Counter { name: name.clone(), line }]),
            (true, false) => return Err(PassCommandError::NoFile),
            (false, true) => Dialect::Hints(line),
            (false, false) => Dialect::Dialogue(line),
        };
        Ok(Self { name, dialect })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_say_which_dialect_it_is() {
        let parse = |text: &str| PassCommand::parse(text, Path::new("/"));
        assert!(
            matches!(parse("sh -c {counter} {}").unwrap().dialect, Dialect::Counters(counters) if counters.len() == 1)
        );
        assert!(matches!(parse("sh hints.sh {}").unwrap().dialect, Dialect::Hints(_)));
        assert!(matches!(parse("sh talk.sh").unwrap().dialect, Dialect::Dialogue(_)));
        assert_eq!(parse("sh talk.sh").unwrap().name, "external sh");
        assert!(matches!(parse("sh {counter}"), Err(PassCommandError::NoFile)));
        assert!(matches!(parse("no-such-program {}"), Err(PassCommandError::Line(_))));
    }
}
