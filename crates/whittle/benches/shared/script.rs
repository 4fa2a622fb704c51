//! A test script as a property: run in a fresh folder, where the candidate has the name of the input, without limits.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use whittle::search::{Cancel, Candidate, Property, TestError, Tested, Verdict};

pub(crate) struct Script {
    pub(crate) path: PathBuf,
    pub(crate) name: OsString,
}

impl Property for Script {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let began = Instant::now();
        let failed = |error: std::io::Error| TestError::Failed(error.to_string());
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = folder.path().join(&self.name);
        std::fs::write(&file, candidate.files()[0].bytes()).map_err(failed)?;
        let mut command = Command::new(&self.path);
        command.current_dir(&folder).arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let interesting = command.status().map_err(failed)?.success();
        let verdict = if interesting { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Tested { verdict, elapsed: began.elapsed() })
    }
}
