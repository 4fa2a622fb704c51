//! Test and input resolved: every path is absolute or read, every mistake in them is found.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::project::{ProjectError, Selection};
use whittle::property::conditions::{CommandLine, Conditions, ExitSet, Likeness};
use whittle::property::{CommandTest, CrewError, Criteria, Invocation, Repeat, ServerRules, Target, TestCommand};
use whittle::reduction::{Input, InputError, binding};

use super::exit::Refusal;
use super::print::STANDARD;
use super::test_args::{ProjectArgs, TestArgs};

/// What is tested, and how.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) input: Input,
    pub(crate) path: PathBuf,
    pub(crate) test: Arc<Test>,
}

/// How candidates are tested, whatever the input is.
#[derive(Debug)]
pub(crate) struct Test {
    pub(crate) command: TestCommand,
    pub(crate) repeat: Option<Repeat>,
    /// The test or the command as the user wrote it.
    pub(crate) shown: String,
    /// The file of `--stderr-like`.
    recorded: Option<PathBuf>,
}

impl Subject {
    /// Checks the arguments and reads the input.
    pub(crate) fn resolve(args: TestArgs) -> Result<Self> {
        let (name, project) = (args.name.clone(), args.project.clone());
        let (mut test, paths) = Test::resolve(args, "an INPUT")?;
        let [path] = paths.as_slice() else { return Self::of_files(test, &paths, &project) };
        if name.is_some() && path != Path::new(STANDARD) {
            let problem = "--name is only for an input that comes from standard input";
            return Err(Refusal::new(problem, "Write - as INPUT, or leave out --name.").into());
        }
        if path.is_dir() {
            test.command.criteria.target = Target::Folder;
            test.warm(&project)?;
            let input = read_project(path, &project)?;
            return Ok(Self { input, path: path.clone(), test: Arc::new(test) });
        }
        if let Some(flag) = project.given() {
            let problem = format!("{flag} is for projects, and the input is one file");
            return Err(Refusal::new(problem, format!("Leave out {flag}, or give a folder or several files.")).into());
        }
        let (input, path) = match path == Path::new(STANDARD) {
            true => read_stdin(name.unwrap_or_else(|| "stdin".into()))?,
            false => (read_input(path)?, path.clone()),
        };
        Ok(Self { input, path, test: Arc::new(test) })
    }

    /// Several files, which commands know by their paths.
    fn of_files(mut test: Test, paths: &[PathBuf], project: &ProjectArgs) -> Result<Self> {
        test.warm(project)?;
        let (input, targets) =
            Input::read_files(paths, &selection(project)).map_err(|error| unreadable_project(&error))?;
        test.command.criteria.target = Target::Files(targets);
        Ok(Self { input, path: paths[0].clone(), test: Arc::new(test) })
    }

    /// The test, with helpers to run it `jobs` times at once.
    pub(crate) fn start_test(&self, jobs: usize) -> Result<Arc<CommandTest>> {
        self.test.start(self.input.candidate().byte_count(), jobs)
    }

    /// The files that are read, and must not be written.
    pub(crate) fn files_read(&self) -> Vec<PathBuf> {
        let files = [Some(self.path.as_path()), self.test.command.program_file(), self.test.recorded.as_deref()];
        files.into_iter().flatten().map(Path::to_owned).collect()
    }

    /// What verdicts are about.
    pub(crate) fn binding(&self, well_formed: bool) -> String {
        binding(self.input.candidate(), &self.test.command.binding(), well_formed, self.test.repeat)
    }
}

impl Test {
    /// In place of a property that is not a command. Nothing runs it.
    pub(crate) fn none(repeat: Option<Repeat>) -> Self {
        Self { command: TestCommand::script(PathBuf::new()), repeat, shown: String::new(), recorded: None }
    }

    /// Checks the arguments, whose paths after the test are `about`, and gives those too. There is at least one.
    pub(crate) fn resolve(args: TestArgs, about: &str) -> Result<(Self, Vec<PathBuf>)> {
        let (command, shown, paths) = resolve_command(&args, about)?;
        let args = args.options;
        let any_ending_asked = args.exit.is_some() || !args.signal.is_empty() || args.timeout_is_interesting;
        let is_script = matches!(command, Invocation::Script(_) | Invocation::Server(..));
        let conditions = Conditions {
            // A script or a server says yes by its status, whatever is asked of its output besides.
            exits: if is_script && !any_ending_asked { Some(ExitSet::SUCCESS) } else { args.exit },
            signature: args.signature,
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
        let (stdin, output_limit) = (args.stdin, args.output_limit);
        let criteria = Criteria { command, target: Target::File, stdin, conditions, valid, output_limit };
        let command = TestCommand {
            criteria,
            timeout: args.timeout,
            memory_limit: args.memory_limit,
            scratch: args.scratch,
            warm: Vec::new(),
            helper: None,
        };
        Ok((Self { command, repeat: args.repeat, shown, recorded: args.stderr_like }, paths))
    }

    /// Whether a server answers.
    pub(crate) fn is_server(&self) -> bool {
        matches!(self.command.criteria.command, Invocation::Server(..))
    }

    /// Takes in the folders that stay from test to test.
    fn warm(&mut self, project: &ProjectArgs) -> Result<()> {
        let is_inside = |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(path) = project.warm.iter().find(|path| !is_inside(path)) {
            let problem = format!("--warm {} is not a folder in the project", path.display());
            return Err(Refusal::new(problem, "Give a path relative to the project, such as --warm target.").into());
        }
        if self.command.criteria.stdin && self.command.criteria.target == Target::Folder {
            return Err(
                Refusal::new("--stdin does not go with a folder", "A folder cannot be fed on standard input.").into()
            );
        }
        self.command.warm = project.warm.iter().map(|path| path.components().collect()).collect();
        Ok(())
    }

    /// The test, with helpers to run it `jobs` times at once on up to so many bytes.
    pub(crate) fn start(&self, bytes: u64, jobs: usize) -> Result<Arc<CommandTest>> {
        Ok(self.command.clone().start(bytes, jobs).map_err(|error| no_helpers(&error))?)
    }
}

/// Why tests, or a generator, cannot be run here.
pub(crate) fn no_helpers(error: &CrewError) -> Refusal {
    Refusal::new(error.to_string(), "Choose another place for them with --scratch.")
}

fn resolve_command(args: &TestArgs, about: &str) -> Result<(Invocation, String, Vec<PathBuf>)> {
    if let Some(text) = &args.options.server {
        refuse_test(&args.first, &args.rest, "--server")?;
        let rules = ServerRules { tests: args.options.server_tests, memory: args.options.server_memory };
        let inputs = std::iter::once(&args.first).chain(&args.rest).cloned().collect();
        return Ok((Invocation::Server(parse_server(text)?, rules), text.clone(), inputs));
    }
    match (&args.options.run, &args.first, args.rest.as_slice()) {
        (None, test, inputs @ [input, ..]) => {
            Ok((Invocation::Script(resolve_script(test, input)?), test.display().to_string(), inputs.to_vec()))
        }
        (None, _, []) => Err(Refusal::new(
            format!("one path is not enough: TEST and {about} are needed"),
            "Write the path of the test before it, or give a command with --run.",
        )
        .into()),
        (Some(text), input, more) => {
            refuse_test(input, more, "--run")?;
            let inputs = std::iter::once(input).chain(more).cloned().collect();
            Ok((Invocation::Line(parse_line(text, "--run", args.options.stdin)?), text.clone(), inputs))
        }
    }
}

/// Whether somebody gave a test although there is a command: an executable script is hardly one of several inputs.
fn looks_like_a_test(path: &Path) -> bool {
    let is_script = fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    is_script && fs::metadata(path).is_ok_and(|metadata| is_executable(&metadata))
}

/// Refuses a test beside a command that replaces it.
fn refuse_test(first: &Path, more: &[PathBuf], flag: &str) -> Result<()> {
    match more {
        [_, ..] if looks_like_a_test(first) => {
            let problem = format!("{flag} replaces TEST, so there must be one path");
            Err(Refusal::new(problem, format!("Leave out TEST, or leave out {flag}.")).into())
        }
        _ => Ok(()),
    }
}

fn parse_program(text: &str, flag: &str, example: &str) -> Result<CommandLine> {
    let cwd = std::env::current_dir().context("cannot find the current folder")?;
    Ok(CommandLine::parse(text, &cwd).map_err(|error| {
        Refusal::new(format!("{flag}: {error}"), format!("The command runs without a shell, as in '{example}'."))
    })?)
}

fn parse_server(text: &str) -> Result<CommandLine> {
    let line = parse_program(text, "--server", "python3 {cwd}/server.py")?;
    if line.mentions_candidate() {
        let problem = format!("--server '{text}' contains {{}}, which means nothing here");
        return Err(Refusal::new(problem, "Leave it out: a server reads the paths of candidates, a line each.").into());
    }
    Ok(line)
}

fn parse_line(text: &str, flag: &str, stdin: bool) -> Result<CommandLine> {
    let line = parse_program(text, flag, "gcc -O2 -c {}")?;
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
        return Err(
            Refusal::new(format!("the test {shown} is not a regular file"), "TEST is an executable file.").into()
        );
    }
    if !is_executable(&metadata) {
        let remedy = if fs::metadata(input).is_ok_and(|input| input.is_file() && is_executable(&input)) {
            "Are the two swapped? TEST comes first, then INPUT.".to_owned()
        } else {
            format!("Make it executable: chmod +x {shown}")
        };
        return Err(Refusal::new(format!("the test {shown} is not executable"), remedy).into());
    }
    std::path::absolute(test).with_context(|| format!("cannot resolve the path of {shown}"))
}

fn is_executable(metadata: &fs::Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

/// Reads the input from standard input, and gives the path that it would have.
fn read_stdin(path: PathBuf) -> Result<(Input, PathBuf)> {
    let name = path.file_name().ok_or_else(|| {
        Refusal::new(format!("--name {} is not the name of a file", path.display()), "Write it as in bug.c.")
    })?;
    let input = Input::read_from(name, io::stdin().lock()).map_err(|error| {
        Refusal::new(format!("standard input {error}"), "Write the path of a file as INPUT, or pipe one into Whittle.")
    })?;
    Ok((input, path))
}

/// Reads the file to reduce, or says why it cannot be reduced.
pub(crate) fn read_input(path: &Path) -> Result<Input> {
    Ok(Input::read(path).map_err(|error| {
        let remedy = match error {
            InputError::Missing => "Check the path: INPUT is the file to reduce.",
            InputError::NotAFile => "INPUT is one regular file.",
            InputError::TooLarge => "Cut it down by other means first.",
            InputError::Unreadable(_) => "Check its path and permissions.",
        };
        Refusal::new(format!("the input {} {error}", path.display()), remedy)
    })?)
}

fn selection(args: &ProjectArgs) -> Selection {
    Selection { keep: args.keep.clone(), only: args.only.clone(), git_ignore: args.git_ignore }
}

/// Reads the folder to reduce, or says why it cannot be reduced.
pub(crate) fn read_project(path: &Path, args: &ProjectArgs) -> Result<Input> {
    let input = Input::read_folder(path, &selection(args)).map_err(|error| match error {
        ProjectError::NothingToReduce => Refusal::new(
            format!("the folder {} cannot be reduced: {error}", path.display()),
            "Check the path, --keep and --only.",
        ),
        error => unreadable_project(&error),
    });
    Ok(input?)
}

pub(crate) fn unreadable_project(error: &ProjectError) -> Refusal {
    let remedy = match error {
        ProjectError::Unreadable { .. } => "Check its path and permissions, or move it out of the project.",
        ProjectError::Unusual { .. } => "Move it out of the project.",
        ProjectError::TooLarge(_) => "Cut it down by other means first, or move it out of the project.",
        ProjectError::Pattern { .. } => {
            "Patterns are those of .gitignore files, as in --keep 'vendor/' or --keep '*.h'."
        }
        ProjectError::NothingToReduce | ProjectError::Unmatched(_) => "Check --keep and --only.",
        ProjectError::Twice(_) => "Give each file once.",
    };
    Refusal::new(error.to_string(), remedy)
}

fn read_recorded(path: &Path) -> Result<Vec<u8>> {
    Ok(fs::read(path).map_err(|error| {
        let problem = format!("--stderr-like {} cannot be read: {error}", path.display());
        Refusal::new(problem, "Record it first, as in: gcc -c bug.c 2> recorded.txt")
    })?)
}
