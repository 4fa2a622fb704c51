//! [Picire](https://github.com/renatahodovan/picire): delta debugging of lines, then of characters. It runs the test in
//! a folder for each candidate and puts the result, under the input's name, into the folder that `--out` names.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, peer};

pub(super) fn find() -> Found {
    peer("picire", |program| Picire { program })
}

struct Picire {
    program: PathBuf,
}

impl Reducer for Picire {
    fn name(&self) -> String {
        "picire".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let mut command = Command::new(&self.program);
        command.args(["--atom", "both"]);
        add_common(&mut command, task);
        Ok(Call { command, result: task.output() })
    }
}

/// Options that Picire and Picireny share. The content cache is the stronger one.
pub(super) fn add_common(command: &mut Command, task: &Task<'_>) {
    command.arg("--input").arg(task.input()).arg("--test").arg(task.places.test());
    command.args(["--cache", "content", "--log-level", "ERROR", "--out"]);
    command.arg(task.output().parent().unwrap_or(Path::new("result")));
    if task.jobs > 1 {
        command.args(["--parallel", "--jobs", &task.jobs.to_string()]);
    }
}
