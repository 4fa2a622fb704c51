//! Test and input resolved: every path is absolute or read, every mistake in them is found.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use whittle::output::Stamp;
use whittle::property::conditions::{CommandLine, Conditions, ExitSet, Likeness};
use whittle::property::{CommandTest, Crew, CrewSetup, Criteria, HelperProgram, Invocation};
use whittle::search::Candidate;

use super::exit::Refusal;
use super::test_args::{Repeat, TestArgs};

/// The argument that makes this program a helper.
pub(crate) const HELPER: &str = "__helper";

/// What is tested, and how.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) input: Input,
    pub(crate) manner: Arc<Manner>,
}

/// How candidates are tested, whatever the input is.
#[derive(Debug)]
pub(crate) struct Manner {
    pub(crate) criteria: Criteria,
    /// The test or the command as the user wrote it.
    pub(crate) shown: String,
    pub(crate) timeout: Option<Duration>,
    pub(crate) repeat: Option<Repeat>,
    memory_limit: Option<u64>,
    scratch: Option<PathBuf>,
    /// The file of `--stderr-like`.
    recorded: Option<PathBuf>,
}

/// The file to reduce.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) permissions: Permissions,
    /// Tells whether the file is still what was read.
    pub(crate) stamp: Stamp,
    pub(crate) candidate: Candidate,
}

impl Subject {
    /// Checks the arguments and reads the input.
    pub(crate) fn resolve(args: TestArgs) -> Result<Self> {
        let (manner, input) = Manner::resolve(args, "an INPUT")?;
        Ok(Self { input: Input::read(&input)?, manner: Arc::new(manner) })
    }

    /// The test, with helpers to run it `jobs` times at once.
    pub(crate) fn test(&self, jobs: usize) -> Result<Arc<CommandTest>> {
        self.manner.test(self.input.candidate.byte_count(), jobs)
    }

    /// The files that are read, and must not be written.
    pub(crate) fn files_read(&self) -> Vec<PathBuf> {
        let test = match &self.manner.criteria.command {
            Invocation::Script(path) => Some(path.as_path()),
            Invocation::Line(line) => line.program_file(),
        };
        [Some(self.input.path.as_path()), test, self.manner.recorded.as_deref()]
            .into_iter()
            .flatten()
            .map(Path::to_owned)
            .collect()
    }

    /// What a journal's verdicts are about: parts of the form name=fingerprint. Jobs and budgets may change.
    pub(crate) fn binding(&self) -> String {
        format!("input={:032x} {}", self.input.candidate.fingerprint().0, self.manner.binding())
    }
}

impl Manner {
    /// Checks the arguments, whose second path is `about`, and gives that path too.
    pub(crate) fn resolve(args: TestArgs, about: &str) -> Result<(Self, PathBuf)> {
        let (command, shown, path) = resolve_command(&args, about)?;
        let args = args.options;
        let any_ending_asked = args.exit.is_some() || !args.signal.is_empty() || args.timeout_is_interesting;
        let is_script = matches!(command, Invocation::Script(_));
        let conditions = Conditions {
            // A script says yes by its exit status, whatever is asked of its output besides.
            exits: if is_script && !any_ending_asked { Some(ExitSet::SUCCESS) } else { args.exit },
            signature: args.signature.is_some(),
            signals: args.signal,
            timeout_is_interesting: args.timeout_is_interesting,
            stdout: args.stdout,
            stderr: args.stderr,
            not_stdout: args.not_stdout,
            not_stderr: args.not_stderr,
            stderr_like: match &args.stderr_like {
                Some(path) => Some(Likeness::new(&read_recorded(path)?, args.similarity)),
                None => None,
            },
        };
        let valid = args.valid.as_deref().map(|text| parse_line(text, "--valid", args.stdin)).transpose()?;
        let criteria = Criteria {
            command,
            stdin: args.stdin,
            conditions,
            valid,
            signature: args.signature,
            output_limit: args.output_limit,
        };
        let manner = Self {
            criteria,
            shown,
            timeout: args.timeout,
            repeat: args.repeat,
            memory_limit: args.memory_limit,
            scratch: args.scratch,
            recorded: args.stderr_like,
        };
        Ok((manner, path))
    }

    /// The test, with helpers to run it `jobs` times at once on up to so many bytes.
    pub(crate) fn test(&self, bytes: u64, jobs: usize) -> Result<Arc<CommandTest>> {
        let setup = CrewSetup {
            helper: HelperProgram::this([HELPER]).context("cannot find out which program this is")?,
            scratch: self.scratch.clone(),
            room: (bytes, jobs as u64),
            memory_limit: self.memory_limit,
        };
        let crew = Crew::new(setup).map_err(|error| {
            Refusal::new(format!("cannot make scratch folders: {error}"), "Choose a place for them with --scratch.")
        })?;
        Ok(Arc::new(CommandTest::new(self.criteria.clone(), crew)))
    }

    fn binding(&self) -> String {
        let Criteria { command, stdin, conditions, valid, signature, output_limit } = &self.criteria;
        let content = |path: &Path| fs::read(path).unwrap_or_default();
        let line_with_program = |line: &CommandLine| {
            [line.to_string().into_bytes(), line.program_file().map(content).unwrap_or_default()].concat()
        };
        let test = match command {
            Invocation::Script(path) => content(path),
            Invocation::Line(line) => line_with_program(line),
        };
        let valid = valid.as_ref().map(line_with_program).unwrap_or_default();
        let options = format!(
            "{stdin} {signature:?} {output_limit:?} {:?} {:?} {:?}",
            self.memory_limit, self.timeout, self.repeat,
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
}

fn resolve_command(args: &TestArgs, about: &str) -> Result<(Invocation, String, PathBuf)> {
    match (&args.options.run, &args.first, &args.second) {
        (None, test, Some(input)) => {
            Ok((Invocation::Script(resolve_script(test, input)?), test.display().to_string(), input.clone()))
        }
        (None, _, None) => Err(Refusal::new(
            format!("one path is not enough: there must be a TEST and {about}"),
            "Write the path of the test before it, or give a command with --run.",
        )
        .into()),
        (Some(text), input, None) => {
            Ok((Invocation::Line(parse_line(text, "--run", args.options.stdin)?), text.clone(), input.clone()))
        }
        (Some(_), _, Some(_)) => Err(Refusal::new(
            "--run takes the place of TEST: there must be one path",
            "Leave out TEST, or leave out --run.",
        )
        .into()),
    }
}

fn parse_line(text: &str, flag: &'static str, stdin: bool) -> Result<CommandLine> {
    let cwd = std::env::current_dir().context("cannot find out which folder this is")?;
    let line = CommandLine::parse(text, flag, &cwd)
        .map_err(|error| Refusal::new(error.to_string(), "The command runs without a shell, as in 'gcc -O2 -c {}'."))?;
    if !stdin && !line.mentions_candidate() {
        let problem = format!("{flag} '{text}' does not mention the candidate");
        return Err(Refusal::new(problem, "Write {} where its file name goes, or feed it with --stdin.").into());
    }
    Ok(line)
}

fn resolve_script(test: &Path, input: &Path) -> Result<PathBuf> {
    let shown = test.display();
    let metadata = fs::metadata(test).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(
            format!("the test {shown} does not exist"),
            "TEST comes first, then INPUT; TEST is a path, it is not looked up on PATH.",
        ),
        _ => Refusal::new(format!("the test {shown} cannot be read: {error}"), "Check its path and permissions."),
    })?;
    if !metadata.is_file() {
        return Err(Refusal::new(format!("the test {shown} is not a file"), "TEST is an executable file.").into());
    }
    if !is_executable(&metadata) {
        let remedy = if fs::metadata(input).is_ok_and(|input| input.is_file() && is_executable(&input)) {
            "Are the two swapped? TEST comes first, then INPUT.".to_owned()
        } else {
            format!("Make it executable: chmod +x {shown}")
        };
        return Err(Refusal::new(format!("the test {shown} is not executable"), remedy).into());
    }
    std::path::absolute(test).with_context(|| format!("cannot find out where {shown} is"))
}

fn is_executable(metadata: &fs::Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

impl Input {
    /// Reads the file, or says why it cannot be reduced.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let refuse =
            |problem: &str, remedy: &str| Refusal::new(format!("the input {} {problem}", path.display()), remedy);
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refuse("does not exist", "Check the path: INPUT is the file to reduce."),
            _ => refuse(&format!("cannot be read: {error}"), "Check its path and permissions."),
        })?;
        if !metadata.is_file() {
            return Err(refuse("is not a file", "INPUT is one regular file.").into());
        }
        if metadata.len() > u64::from(u32::MAX) {
            return Err(refuse("is larger than 4 GiB", "Cut it down by other means first.").into());
        }
        let bytes =
            fs::read(path).map_err(|error| refuse(&format!("cannot be read: {error}"), "Check its permissions."))?;
        let name = path.file_name().ok_or_else(|| refuse("has no file name", "INPUT is one regular file."))?;
        Ok(Self {
            path: path.to_owned(),
            permissions: metadata.permissions(),
            stamp: Stamp::from(&metadata),
            candidate: Candidate::single(name, bytes),
        })
    }
}

fn read_recorded(path: &Path) -> Result<Vec<u8>> {
    Ok(fs::read(path).map_err(|error| {
        let problem = format!("--stderr-like {} cannot be read: {error}", path.display());
        Refusal::new(problem, "Record it first, as in: gcc -c bug.c 2> recorded.txt")
    })?)
}
