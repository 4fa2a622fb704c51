//! [`TestCommand`]: everything that a user can say about a command that serves as a property.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use whittle_search::Candidate;

use crate::command::{CommandTest, Criteria, Invocation, Target};
use crate::conditions::{CommandLine, CommandLineError, Conditions, ExitSet};
use crate::crew::{Crew, CrewError, CrewSetup, HelperProgram};
use crate::protocol::ServerRules;

/// A longer file is not a script that a user wrote for one test. Not measured.
const MAX_SCRIPT_BYTES: u64 = 1 << 16;

/// A command, what makes its run interesting, and its limits.
///
/// ```
/// use whittle_property::TestCommand;
///
/// let mut test = TestCommand::line("grep -q needle {}")?;
/// test.timeout = Some(std::time::Duration::from_secs(5));
/// # Ok::<(), whittle_property::conditions::CommandLineError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TestCommand {
    /// What runs, and what makes it interesting.
    pub criteria: Criteria,
    /// How long a test may take; `None`: ten times the first run, at least two seconds.
    pub timeout: Option<Duration>,
    /// The address space of each process of a test, in bytes.
    pub memory_limit: Option<u64>,
    /// Where scratch folders go; `None`: `TMPDIR`, or shared memory if it has room, or `/tmp`.
    pub scratch: Option<PathBuf>,
    /// Folders of a project that stay from test to test, such as `target`, as relative paths. What a test finds in them
    /// depends on the tests before it.
    pub warm: Vec<PathBuf>,
    /// The program that runs as a helper; `None`: this one, which must call [`init`](crate::init) first.
    pub helper: Option<HelperProgram>,
}

/// A file that a command uses, from another machine.
#[derive(Clone, Debug)]
pub struct SentFile {
    /// The absolute path by which the command knows it. Its last part must be there, and no two may have the same.
    pub path: PathBuf,
    /// Whether it may be executed.
    pub executable: bool,
    /// What it holds.
    pub bytes: Arc<Vec<u8>>,
}

impl TestCommand {
    /// A test by C-Reduce's convention: an executable that exits with 0 if the candidate in its folder is interesting.
    /// `path` is absolute.
    pub fn script(path: impl Into<PathBuf>) -> Self {
        let conditions = Conditions { exits: Some(ExitSet::SUCCESS), ..Conditions::default() };
        Self::new(Invocation::Script(path.into()), conditions)
    }

    /// A command line in which `{}` stands for the candidate. Without a condition, it is interesting if it exits with 0.
    pub fn line(text: &str) -> Result<Self, CommandLineError> {
        let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        Ok(Self::new(Invocation::Line(CommandLine::parse(text, &cwd)?), Conditions::default()))
    }

    /// A command line that starts a server (`docs/servers.md`). Without a condition, a candidate is interesting if the server
    /// answers yes or 0.
    pub fn server(text: &str, rules: ServerRules) -> Result<Self, CommandLineError> {
        let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        Ok(Self::new(Invocation::Server(CommandLine::parse(text, &cwd)?, rules), Conditions::default()))
    }

    fn new(command: Invocation, conditions: Conditions) -> Self {
        let target = Target::default();
        let criteria = Criteria { command, target, stdin: false, conditions, valid: None, output_limit: None };
        Self { criteria, timeout: None, memory_limit: None, scratch: None, warm: Vec::new(), helper: None }
    }

    /// The same with other conditions.
    #[must_use]
    pub fn asking(mut self, conditions: Conditions) -> Self {
        self.criteria.conditions = conditions;
        self
    }

    /// Makes it ready to run `jobs` times at once on candidates of up to `bytes` bytes.
    pub fn start(self, bytes: u64, jobs: usize) -> Result<Arc<CommandTest>, CrewError> {
        self.start_with_files(&[], bytes, jobs)
    }

    /// The same on a machine that does not have the files that the command uses. They are laid into one folder, which goes with
    /// the scratch folders, and their paths in the command are replaced.
    pub fn start_with_files(
        mut self,
        files: &[SentFile],
        bytes: u64,
        jobs: usize,
    ) -> Result<Arc<CommandTest>, CrewError> {
        let setup = CrewSetup {
            helper: self.helper.clone().map_or_else(HelperProgram::this, Ok)?,
            scratch: self.scratch.clone(),
            room: (bytes, jobs as u64),
            memory_limit: self.memory_limit,
            warm: self.warm.clone().into(),
        };
        let crew = Crew::new(setup)?;
        let moved = crew.write_files(files)?;
        self.criteria.relocate(&moved);
        Ok(Arc::new(CommandTest::new(self, crew)))
    }

    /// What verdicts depend on besides the candidate, as parts of the form name=digest: a journal of another test, or of
    /// other limits, must not be believed.
    pub fn binding(&self) -> String {
        let Criteria { command, target, stdin, conditions, valid, output_limit } = &self.criteria;
        let content = |path: &Path| fs::read(path).unwrap_or_default();
        let line_with_program = |line: &CommandLine| {
            [line.to_string().into_bytes(), line.program_file().map(content).unwrap_or_default()].concat()
        };
        let test = match command {
            Invocation::Script(path) => content(path),
            Invocation::Line(line) => line_with_program(line),
            Invocation::Server(line, _) => [b"server ".to_vec(), line_with_program(line)].concat(),
        };
        let valid = valid.as_ref().map(line_with_program).unwrap_or_default();
        let options = format!(
            "{stdin} {:?} {output_limit:?} {:?} {:?} {target:?} {:?}",
            conditions.signature, self.memory_limit, self.timeout, self.warm,
        );
        let digest = |bytes: Vec<u8>| format!("{:032x}", Candidate::single("", bytes).fingerprint().0);
        format!(
            "test={} validity-check={} conditions={} options={}",
            digest(test),
            digest(valid),
            digest(conditions.to_string().into_bytes()),
            digest(options.into_bytes()),
        )
    }

    /// What the user wrote: the command line and its conditions, and the script if it is one. Other programs are not
    /// texts.
    pub fn source(&self) -> String {
        let Criteria { command, conditions, valid, .. } = &self.criteria;
        let line = match command {
            Invocation::Script(_) => String::new(),
            Invocation::Line(line) | Invocation::Server(line, _) => line.to_string(),
        };
        let is_short = |path: &&Path| fs::metadata(path).is_ok_and(|file| file.len() <= MAX_SCRIPT_BYTES);
        let script = self.program_file().filter(is_short).and_then(|path| fs::read_to_string(path).ok());
        let valid = valid.as_ref().map(CommandLine::to_string).unwrap_or_default();
        [line, conditions.to_string(), valid, script.unwrap_or_default()].join("\n")
    }

    /// The file of the test, or of the program that runs.
    pub fn program_file(&self) -> Option<&Path> {
        match &self.criteria.command {
            Invocation::Script(path) => Some(path),
            Invocation::Line(line) | Invocation::Server(line, _) => line.program_file(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_is_what_the_user_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.sh");
        fs::write(&path, "#!/bin/sh\ngrep needle input.c\n").unwrap();
        assert!(TestCommand::script(&path).source().contains("grep needle input.c"));
        let line = TestCommand::line("sh -c 'grep pin {}'").unwrap().source();
        assert!(line.contains("grep pin") && line.len() < 100, "the shell itself is not a script: {line}");
    }

    #[test]
    fn a_long_program_is_not_a_script() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.sh");
        fs::write(&path, "needle ".repeat(1 << 14)).unwrap();
        assert!(!TestCommand::script(&path).source().contains("needle"));
    }
}
