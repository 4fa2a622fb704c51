//! [llvm-reduce](https://llvm.org/docs/CommandGuide/llvm-reduce.html): LLVM IR. The candidate's path is the test's argument.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Call, Found, Reducer, Task, make_folder_of, peer};
use crate::subject::Subject;

pub(super) fn find() -> Found {
    peer("llvm-reduce", |program| LlvmReduce { program })
}

struct LlvmReduce {
    program: PathBuf,
}

impl Reducer for LlvmReduce {
    fn name(&self) -> String {
        "llvm-reduce".into()
    }

    fn program(&self) -> &Path {
        &self.program
    }

    fn refusal(&self, subject: &Subject) -> Option<&'static str> {
        (subject.language_name() != "llvm").then_some("it reduces LLVM IR")
    }

    fn call(&self, task: &Task<'_>) -> Result<Call> {
        let result = task.output();
        make_folder_of(&result)?;
        let mut command = Command::new(&self.program);
        command.arg("--test").arg(task.places.test()).arg("-o").arg(&result).arg(task.input());
        Ok(Call { command, result })
    }
}
