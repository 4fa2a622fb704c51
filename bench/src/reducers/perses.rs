//! [Perses](https://github.com/uw-pluverse/perses), a jar: with its defaults, and with Vulcan to its fixpoint and T-Rec.
//! It runs the test in folders that contain the candidate under its own name, and writes the result to `--output-dir`.
//!
//! Follows its documented command line; untested, because the jar was not available.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Missing, Reducer, Task, first_line_of, make_folder_of, on_path};

/// How hard Perses tries.
#[derive(Clone, Copy)]
pub(super) enum Effort {
    Default,
    /// With Vulcan and T-Rec.
    Most,
}

impl Effort {
    fn name(self) -> &'static str {
        match self {
            Self::Default => "perses",
            Self::Most => "perses-max",
        }
    }
}

pub(super) fn find(jar: Option<&Path>, effort: Effort) -> Found {
    let missing = |reason: String| Missing { name: effort.name(), reason };
    let jar = jar.ok_or_else(|| missing("no jar is given with --perses".into()))?;
    let jar = jar.canonicalize().map_err(|error| missing(format!("--perses {}: {error}", jar.display())))?;
    let java = on_path("java").ok_or_else(|| missing("java is not on PATH".into()))?;
    Ok(Box::new(Perses { java, jar, effort }))
}

struct Perses {
    java: PathBuf,
    jar: PathBuf,
    effort: Effort,
}

impl Reducer for Perses {
    fn name(&self) -> String {
        self.effort.name().into()
    }

    fn program(&self) -> &Path {
        &self.java
    }

    fn version(&self) -> String {
        first_line_of(Command::new(&self.java).arg("-jar").arg(&self.jar).arg("--version"))
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let result = task.output();
        make_folder_of(&result)?;
        let mut command = Command::new(&self.java);
        command.arg("-jar").arg(&self.jar).arg("--test-script").arg(task.places.test());
        command.arg("--input-file").arg(task.input()).args(["--threads", &task.jobs.to_string()]);
        command.arg("--output-dir").arg(result.parent().unwrap_or(Path::new("result")));
        if let Effort::Most = self.effort {
            command.args(["--enable-vulcan", "true", "--vulcan-fixpoint", "true", "--enable-trec", "true"]);
        }
        Ok(Call { command, result })
    }
}
