//! [treereduce](https://github.com/langston-barrett/treereduce): a program for each language. The test gets the
//! candidate as a temporary file, whose path replaces `@@`. `--slow` gives its smallest results.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, make_folder_of, peer};
use crate::subject::Subject;

/// The language of one of its programs.
#[derive(Clone, Copy)]
pub(super) enum Dialect {
    C,
    Rust,
    JavaScript,
}

impl Dialect {
    fn program(self) -> &'static str {
        match self {
            Self::C => "treereduce-c",
            Self::Rust => "treereduce-rust",
            Self::JavaScript => "treereduce-javascript",
        }
    }

    fn language(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::JavaScript => "javascript",
        }
    }
}

pub(super) fn find(dialect: Dialect) -> Found {
    peer(dialect.program(), |program| Treereduce { program, dialect })
}

struct Treereduce {
    program: PathBuf,
    dialect: Dialect,
}

impl Reducer for Treereduce {
    fn name(&self) -> String {
        self.dialect.program().into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn refusal(&self, subject: &Subject) -> Option<&'static str> {
        (subject.language_name() != self.dialect.language()).then_some("it reduces another language")
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let result = task.output();
        make_folder_of(&result)?;
        let mut command = Command::new(&self.program);
        command.args(["--slow", "--quiet", "--jobs", &task.jobs.to_string(), "--source"]).arg(task.input());
        command.arg("--output").arg(&result).arg("--temp-dir").arg(task.places.temporary());
        command.arg("--").arg(task.places.test()).arg("@@");
        Ok(Call { command, result })
    }
}
