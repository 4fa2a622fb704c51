//! [Shrink Ray](https://github.com/DRMacIver/shrinkray): `shrinkray TEST FILE`. It reduces in place and keeps a backup.
//! Its language-model passes are off: they download gigabytes, and results would differ between machines.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, peer};

pub(super) fn find() -> Found {
    peer("shrinkray", |program| Shrinkray { program })
}

struct Shrinkray {
    program: PathBuf,
}

impl Reducer for Shrinkray {
    fn name(&self) -> String {
        "shrinkray".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let mut command = Command::new(&self.program);
        command.args(["--ui", "basic", "--volume", "quiet", "--no-history", "--no-llm", "--formatter", "none"]);
        command.args(["--trivial-is-not-error", "--input-type", "basename", "--seed", "0"]);
        command.args(["--parallelism", &task.jobs.to_string()]);
        command.arg(task.places.test()).arg(&task.subject.input);
        Ok(Call { command, result: task.input() })
    }
}
