//! [C-Reduce](https://github.com/csmith-project/creduce): `creduce TEST FILE`. It reduces in place, and runs the test in
//! a fresh folder with the candidate under its own name. `--not-c` skips the passes for C.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, peer};

/// The languages that its Clang passes understand.
pub(super) const C_FAMILY: &[&str] = &["c", "cpp", "objc", "cuda"];

pub(super) fn find() -> Found {
    peer("creduce", |program| Creduce { program })
}

struct Creduce {
    program: PathBuf,
}

impl Reducer for Creduce {
    fn name(&self) -> String {
        "creduce".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let mut command = Command::new(&self.program);
        command.args(["--tidy", "--n", &task.jobs.to_string()]);
        if !task.is_in(C_FAMILY) {
            command.arg("--not-c");
        }
        command.arg(task.places.test()).arg(&task.subject.input);
        Ok(Call { command, result: task.input() })
    }
}
