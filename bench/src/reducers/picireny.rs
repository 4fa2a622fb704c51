//! [Picireny](https://github.com/renatahodovan/picireny): hierarchical delta debugging, called like Picire. It has no
//! grammars of its own: a subject names one for ANTLR in the table `antlr` of its `meta.toml`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::picire::add_common;
use super::{Call, Found, Reducer, Task, peer};
use crate::subject::Subject;

pub(super) fn find(jar: Option<&Path>) -> Found {
    peer("picireny", |program| Picireny { program, jar: jar.map(Path::to_owned) })
}

struct Picireny {
    program: PathBuf,
    jar: Option<PathBuf>,
}

impl Reducer for Picireny {
    fn name(&self) -> String {
        "picireny".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn refusal(&self, subject: &Subject) -> Option<&'static str> {
        subject.antlr.is_none().then_some("the subject has no grammar for ANTLR")
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let antlr = task.subject.antlr.as_ref().context("the subject has no grammar for ANTLR")?;
        let mut command = Command::new(&self.program);
        command.args(["--start", &antlr.start, "--grammar"]);
        command.args(antlr.grammars.iter().map(|grammar| task.places.subject().join(grammar)));
        if let Some(jar) = &self.jar {
            command.arg("--antlr").arg(jar.canonicalize().with_context(|| format!("--antlr {}", jar.display()))?);
        }
        add_common(&mut command, task);
        Ok(Call { command, result: task.output() })
    }
}
