//! [ddSMT](https://github.com/ddsmt/ddSMT): SMT-LIB. `ddsmt IN OUT TEST`; the candidate's path is the test's argument,
//! and a candidate is interesting if the test ends in the same way as for the input. Its own limit of 1.5 times the first run
//! would drop good candidates on a busy machine, so it gets a longer one.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, make_folder_of, peer};
use crate::subject::Subject;

/// The limit for one test, in seconds.
const TIMEOUT: &str = "60";

pub(super) fn find() -> Found {
    peer("ddsmt", |program| Ddsmt { program })
}

struct Ddsmt {
    program: PathBuf,
}

impl Reducer for Ddsmt {
    fn name(&self) -> String {
        "ddsmt".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn refusal(&self, subject: &Subject) -> Option<&'static str> {
        (subject.language_name() != "smtlib").then_some("it reduces SMT-LIB")
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let result = task.output();
        make_folder_of(&result)?;
        let mut command = Command::new(&self.program);
        command.args(["-q", "--ignore-output", "--timeout", TIMEOUT, "--jobs", &task.jobs.to_string()]);
        command.arg(task.input()).arg(&result).arg(task.places.test());
        Ok(Call { command, result })
    }
}
