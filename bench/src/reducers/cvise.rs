//! [C-Vise](https://github.com/marxin/cvise): called and behaving like C-Reduce.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::creduce::C_FAMILY;
use super::{Call, Found, Reducer, Task, peer};

pub(super) fn find() -> Found {
    peer("cvise", |program| Cvise { program })
}

struct Cvise {
    program: PathBuf,
}

impl Reducer for Cvise {
    fn name(&self) -> String {
        "cvise".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let mut command = Command::new(&self.program);
        command.args(["--tidy", "--skip-key-off", "--n", &task.jobs.to_string()]);
        if !task.is_in(C_FAMILY) {
            command.arg("--not-c");
        }
        command.arg(task.places.test()).arg(&task.subject.input);
        Ok(Call { command, result: task.input() })
    }
}
