//! `whittle init`: writes the test. It runs a failing command, says what it saw, and proposes the conditions that keep this
//! failure, as a `whittle` command or as a script.

mod conditions;
mod failures;
mod leftovers;
mod line;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use whittle::property::conditions::{ExitSet, Observation, SignalName};
use whittle::property::{DEFAULT_OUTPUT_LIMIT, Observed, Target, TestCommand};
use whittle::reduction::Input;
use whittle::search::{Cancel, Candidate, File};

use super::exit::{Exit, Refusal};
use super::format::time;
use super::print::{answer, tell};
use super::shell::{quoted, shell_words};
use super::subject::{no_helpers, read_input, read_project};
use super::test_args::{ProjectArgs, parse_time};
pub(crate) use conditions::error_line;
use conditions::{Condition, Proposal, propose};
use line::FailingCommand;

/// Propose a whittle command for a command that fails
///
/// Runs the command, says how it failed, and prints the whittle command that reduces its input while it fails in the same
/// way. Known failures are internal errors of compilers, sanitizer reports, failed assertions and stack traces of many
/// languages; for others, a signal, an error message or an exit status is kept.
///
/// The input is the last word of the command that is a file. COMMAND can also be one text for a shell, or what a compiler
/// left behind: the script of clang's crash bundle, or the source that gcc -freport-bug stores.
///
/// A C or C++ file that includes files beside it is preprocessed: bug.pre.c is then the input.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES, override_usage = "whittle init [OPTIONS] -- <COMMAND>...")]
pub(crate) struct InitArgs {
    /// The failing command
    #[arg(required = true, value_name = "COMMAND", trailing_var_arg = true)]
    command: Vec<String>,

    /// The file or folder to reduce [default: the last word of the command that is a file]
    #[arg(short, long, value_name = "PATH")]
    input: Option<PathBuf>,

    /// The command reads the input from standard input
    #[arg(long, requires = "input")]
    stdin: bool,

    /// Preprocess a C or C++ file also if it includes only files of the system
    #[arg(long)]
    preprocess: bool,

    /// Write a test script to FILE, with comments, instead of conditions on the command line
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,

    /// A command that takes longer hangs
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    timeout: Duration,

    /// Start the reduction without asking
    #[arg(long)]
    start: bool,
}

const EXAMPLES: &str = "\
Examples:
  whittle init -- gcc -O2 -c bug.c
  whittle init 'node tool.js bug.js 2>&1'
  whittle init --start -- ./fuzz_target crash-0123
  whittle init --script test.sh -- z3 bug.smt2
  whittle init bug-4f2a31.sh                 the script of clang's crash bundle
  whittle init /tmp/ccQ3bXa1.out             what gcc -freport-bug stored";

/// Looks, proposes, and starts if it may.
pub(crate) fn run(args: &InitArgs) -> Result<Exit> {
    let cwd = std::env::current_dir().context("cannot find the current folder")?;
    let command = failing_command(args, &cwd)?;
    let found = match leftovers::preprocessed(&command, args.preprocess)? {
        Some(preprocessed) => look(&preprocessed, args.timeout).or_else(|error| {
            tell(&format!("note:   {} does not fail: {error}", preprocessed.input.display()));
            look(&command, args.timeout)
        }),
        None => look(&command, args.timeout),
    }?;
    tell(&found.report());
    let words = match &args.script {
        Some(path) => write_script(path, &found, &cwd)?,
        None => found.whittle_words(),
    };
    answer(&shell_words(&words));
    match !found.is_always && (args.start || wants_to_start()) {
        true => super::reduce_as_typed(&words),
        false if found.is_always => Ok(Exit::Usage),
        false => Ok(Exit::Done),
    }
}

fn look(command: &FailingCommand, timeout: Duration) -> Result<Finding> {
    let input = match command.input.is_dir() {
        true => read_project(&command.input, &ProjectArgs::default())?,
        false => read_input(&command.input)?,
    };
    Finding::look(command, &input, timeout)
}

/// The command that the user typed, or that a crash bundle has.
fn failing_command(args: &InitArgs, cwd: &Path) -> Result<FailingCommand> {
    let words = match args.command.as_slice() {
        [file] => leftovers::command_of(Path::new(file), cwd)?.unwrap_or_else(|| args.command.clone()),
        _ => args.command.clone(),
    };
    if let Some(word) = words.iter().find(|word| word.contains("{}") || word.contains("{cwd}")) {
        let problem = format!("the command has {{}} or {{cwd}} in it, which stand for something else: {word}");
        return Err(Refusal::new(problem, "Put it in a script: whittle init -- ./script.sh INPUT").into());
    }
    if let Some(input) = &args.input {
        let command = FailingCommand::with_input(words, input.clone(), args.stdin);
        return match command.mentions_input() || !input.exists() {
            true => Ok(command),
            false => Err(Refusal::new(
                format!("no word of the command is the input {}", input.display()),
                "Write its path in the command, or add --stdin if it is fed in.",
            )
            .into()),
        };
    }
    Ok(FailingCommand::find(words).ok_or_else(|| {
        Refusal::new(
            "no word of the command is a file",
            "Name the input with --input PATH; add --stdin if it is fed in.",
        )
    })?)
}

/// What a command does on its input, and what is proposed.
struct Finding {
    command: FailingCommand,
    /// The text for `--run`.
    line: String,
    observed: Observed,
    proposal: Proposal,
    timeout: Duration,
    /// Whether an empty input does the same.
    is_always: bool,
}

impl Finding {
    /// Runs the command where the user is, then as a test, then on an empty input.
    fn look(command: &FailingCommand, input: &Input, timeout: Duration) -> Result<Self> {
        let candidate = input.candidate();
        let name = command.input.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text: Vec<u8> = candidate.files().iter().flat_map(|file| file.bytes()).copied().collect();
        let seen = |observed: &Observed| propose(&observed.observation, &text, &name);
        // Beside the input there may be headers that are missing where tests run. Which words are paths is found out before
        // the command writes files.
        let variants = [Some(command.clone()), command.with_headers_here()];
        let variants: Vec<(FailingCommand, String)> =
            variants.into_iter().flatten().map(|variant| (variant.clone(), variant.run_line())).collect();
        let here = observe(&command.in_place(), candidate, command, timeout)?;
        let proposal = seen(&here).ok_or_else(|| {
            Refusal::new(
                format!("the command does not fail in a way that can be kept: {}", here.observation.ending),
                "Give the command that shows the bug. If its result is wrong, use whittle compare.",
            )
        })?;
        for (variant, line) in variants {
            let observed = observe(&line, candidate, &variant, timeout)?;
            let Some(proposal) = seen(&observed).and_then(|again| proposal.merged(&again)) else { continue };
            let emptied =
                |file: &File| if file.kind().has_content() { file.with_bytes(Vec::new()) } else { file.clone() };
            let empty = candidate.with_files(candidate.files().iter().map(emptied));
            let of_empty = seen(&observe(&line, &empty, &variant, timeout)?);
            let is_always = of_empty.and_then(|of_empty| proposal.merged(&of_empty)).as_ref() == Some(&proposal);
            return Ok(Self { command: variant, line, observed, proposal, timeout, is_always });
        }
        let problem = format!("the failure shows in this folder, but not in one that holds only {name}");
        let remedy = "The command needs other files, or gives another answer each time. Preprocess the input, \
                      write other paths as absolute ones, or reduce the folder with --input FOLDER.";
        Err(Refusal::new(problem, remedy).into())
    }

    /// What was seen, for the user.
    fn report(&self) -> String {
        let Observed { observation, elapsed, .. } = &self.observed;
        let mut text = format!(
            "input:  {}\nended:  {} after {}\n",
            self.command.input.display(),
            observation.ending,
            time(*elapsed)
        );
        let _ = write!(text, "saw:    {}", self.proposal.seen);
        for condition in &self.proposal.conditions {
            if let Some(line) = condition.line(observation) {
                let _ = write!(text, "\n        {line}");
            }
        }
        if self.is_always {
            text.push_str("\nwarning: an empty input does the same, so this does not test for the bug");
        }
        text
    }

    /// The command that reduces the input.
    fn whittle_words(&self) -> Vec<String> {
        let mut words: Vec<String> = ["whittle", "--run"].map(str::to_owned).into();
        words.push(self.line.clone());
        if self.command.stdin {
            words.push("--stdin".to_owned());
        }
        for condition in &self.proposal.conditions {
            words.extend(condition.options(self.timeout));
        }
        words.push(self.command.input.display().to_string());
        words
    }
}

impl Condition {
    /// The options of `whittle reduce` that ask for it.
    fn options(&self, timeout: Duration) -> Vec<String> {
        match self {
            // A value that looks like an option must be one word with its own.
            Self::Stdout(pattern) if pattern.starts_with('-') => vec![format!("--stdout={pattern}")],
            Self::Stderr(pattern) if pattern.starts_with('-') => vec![format!("--stderr={pattern}")],
            Self::Stdout(pattern) => vec!["--stdout".into(), pattern.clone()],
            Self::Stderr(pattern) => vec!["--stderr".into(), pattern.clone()],
            Self::Exit(status) => vec!["--exit".into(), status.to_string()],
            Self::Signal(number) => vec!["--signal".into(), SignalName::from_raw(*number).to_string()],
            Self::TimedOut => {
                vec!["--timeout".into(), format!("{}ms", timeout.as_millis()), "--timeout-is-interesting".into()]
            }
        }
    }

    /// The line of the output that it is about.
    fn line(&self, observation: &Observation) -> Option<String> {
        let (pattern, text) = match self {
            Self::Stdout(pattern) => (pattern, &observation.stdout),
            Self::Stderr(pattern) => (pattern, &observation.stderr),
            _ => return None,
        };
        let pattern = regex::Regex::new(pattern).ok()?;
        String::from_utf8_lossy(text).lines().find(|line| pattern.is_match(line)).map(|line| line.trim().to_owned())
    }

    /// The line of a script that asks for it, after the command has run.
    fn script_line(&self) -> String {
        match self {
            Self::Stdout(pattern) => format!("grep -Eq -- {} .out || exit 1", quoted(pattern)),
            Self::Stderr(pattern) => format!("grep -Eq -- {} .err || exit 1", quoted(pattern)),
            Self::Exit(status) => format!("[ $status -eq {status} ] || exit 1"),
            Self::Signal(number) => {
                format!("[ $status -eq {} ] || exit 1  # {}", 128 + number, SignalName::from_raw(*number))
            }
            Self::TimedOut => "[ $status -eq 124 ] || exit 1  # it did not end in time".to_owned(),
        }
    }
}

/// Runs a command line on a candidate as tests are run, and keeps its output.
fn observe(line: &str, candidate: &Candidate, command: &FailingCommand, timeout: Duration) -> Result<Observed> {
    let mut test = TestCommand::line(line).map_err(|error| {
        Refusal::new(error.to_string(), "Write the command after --, as in: whittle init -- gcc -c bug.c")
    })?;
    test.criteria.stdin = command.stdin;
    test.criteria.output_limit = Some(DEFAULT_OUTPUT_LIMIT);
    test.criteria.conditions.exits = Some(ExitSet::SUCCESS);
    if candidate.is_project() {
        test.criteria.target = Target::Folder;
    }
    let test = test.start(candidate.byte_count(), 1).map_err(|error| no_helpers(&error))?;
    Ok(test.observe(candidate, timeout, &Cancel::default())?)
}

/// Writes a test script, and gives the command that uses it.
fn write_script(path: &Path, found: &Finding, cwd: &Path) -> Result<Vec<String>> {
    let refuse = |error: io::Error| {
        Refusal::new(
            format!("the script {} cannot be written: {error}", path.display()),
            "Choose another --script FILE.",
        )
    };
    let mut file = fs::File::options().write(true).create_new(true).open(path).map_err(refuse)?;
    file.write_all(script(found, cwd).as_bytes()).map_err(refuse)?;
    file.set_permissions(fs::Permissions::from_mode(0o755)).map_err(refuse)?;
    let shown = if path.is_absolute() { path.to_owned() } else { Path::new(".").join(path) };
    Ok(vec!["whittle".into(), shown.display().to_string(), found.command.input.display().to_string()])
}

fn script(found: &Finding, cwd: &Path) -> String {
    let name = found.command.input.display();
    let conditions: Vec<String> = found.proposal.conditions.iter().map(Condition::script_line).collect();
    let hangs = found.proposal.conditions.contains(&Condition::TimedOut);
    let limit = if hangs { format!("timeout {} ", found.timeout.as_secs_f64()) } else { String::new() };
    format!(
        "#!/bin/sh\n\
         # Exits with 0 if the candidate, $1, still shows the failure of {name}: {seen}.\n\
         # Tests run in a folder of their own, so that files can be left there.\n\
         trap 'rm -f .out .err' EXIT\n\
         \n\
         # Run the command on the candidate.\n\
         {{ {limit}{line}; }} >.out 2>.err\n\
         status=$?\n\
         \n\
         # It must fail in the same way. Add conditions of your own here, such as: another compiler accepts the candidate.\n\
         {conditions}\n\
         exit 0\n",
        seen = found.proposal.seen,
        line = found.command.script_line(cwd),
        conditions = conditions.join("\n"),
    )
}

/// Asks, if there is somebody to ask.
fn wants_to_start() -> bool {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return false;
    }
    let _ = write!(io::stderr(), "Start the reduction now? [Y/n] ");
    let mut line = String::new();
    let is_read = io::stdin().lock().read_line(&mut line).is_ok_and(|count| count > 0);
    is_read && !line.trim_start().starts_with(['n', 'N'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_become_options_and_lines_of_a_script() {
        let limit = Duration::from_secs(9);
        for (condition, options, line) in [
            (Condition::Stderr("a'b".into()), "--stderr a'b", r"grep -Eq -- 'a'\''b' .err || exit 1"),
            (Condition::Signal(11), "--signal SEGV", "[ $status -eq 139 ] || exit 1  # SEGV"),
            (Condition::Exit(3), "--exit 3", "[ $status -eq 3 ] || exit 1"),
            (
                Condition::TimedOut,
                "--timeout 9000ms --timeout-is-interesting",
                "[ $status -eq 124 ] || exit 1  # it did not end in time",
            ),
        ] {
            assert_eq!(condition.options(limit).join(" "), options);
            assert_eq!(condition.script_line(), line);
        }
    }
}
