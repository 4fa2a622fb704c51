//! [JS Delta](https://github.com/wala/jsdelta): JavaScript and JSON. Its command gets the candidate's path as argument;
//! exit status 0 would mean that the bug is gone, so a script prints a word if it is still there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, make_folder_of, peer};
use crate::subject::Subject;

const WORD: &str = "INTERESTING";

pub(super) fn find() -> Found {
    peer("jsdelta", |program| Jsdelta { program })
}

struct Jsdelta {
    program: PathBuf,
}

impl Reducer for Jsdelta {
    fn name(&self) -> String {
        "jsdelta".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    /// It does not report a version.
    fn version(&self) -> String {
        String::new()
    }

    fn refusal(&self, subject: &Subject) -> Option<&'static str> {
        let is_known = matches!(subject.language_name(), "javascript" | "json");
        (!is_known).then_some("it reduces JavaScript and JSON")
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let script = task.places.work().join("say.sh");
        fs::write(&script, format!("#!/bin/sh\n\"$(dirname \"$0\")/test.sh\" \"$@\" && echo {WORD}\n"))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        let result = task.output();
        make_folder_of(&result)?;
        let mut command = Command::new(&self.program);
        command.arg("--cmd").arg(&script).args(["--msg", WORD]).arg("--out").arg(&result).arg(task.input());
        Ok(Call { command, result })
    }
}
