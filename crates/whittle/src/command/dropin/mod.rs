//! `whittle cvise`, and a `whittle` that is called by the name `cvise` or `creduce`: the command line of C-Vise and
//! C-Reduce, and what users of these see of a run. The files are reduced in place; the test has no arguments.

mod args;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Parser;
use tempfile::TempPath;
use whittle::project::Selection;
use whittle::property::{Target, arguments};
use whittle::reduction::Input;
use whittle::search::Candidate;
use whittle::syntaxes::LanguageChoice;

use super::args::{Cli, Command, ReduceArgs};
use super::exit::{Exit, Refusal, explain};
use super::plan::{Plan, Voice};
use super::print::{answer, tell};
use super::subject::{Subject, Test, read_input, unreadable_project};
pub(crate) use args::CviseArgs;

/// The names under which this is C-Vise or C-Reduce.
const NAMES: [&str; 4] = ["cvise", "cvise.py", "cvise-cli.py", "creduce"];

/// What distinguishes C-Reduce from C-Vise: it gives tests the names of files without their folders.
const CREDUCE: &str = "creduce";

/// The command line with `whittle cvise` in the place of a name that stands for it.
pub(crate) fn by_name(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let name = words.first().and_then(|word| Path::new(word).file_name());
    if name.is_some_and(|name| NAMES.iter().any(|known| name == *known)) {
        words.insert(1, "cvise".into());
    }
    words
}

/// Reduces the files in place. Every failure has status 1, as in C-Reduce.
pub(crate) fn run(args: &CviseArgs) -> Exit {
    match reduce(args) {
        Ok(Exit::Done) => Exit::Done,
        Ok(_) => Exit::Stopped,
        Err(error) => {
            explain(&error);
            Exit::Stopped
        }
    }
}

fn reduce(args: &CviseArgs) -> Result<Exit> {
    if args.version {
        let name = if is_creduce() { CREDUCE } else { "cvise" };
        answer(&format!("whittle {} in the place of {name}", env!("CARGO_PKG_VERSION")));
        return Ok(Exit::Done);
    }
    if args.list_passes {
        answer("Whittle chooses its passes by the language of each file. --debug prints those that run.");
        return Ok(Exit::Done);
    }
    if let Some(path) = &args.log_file {
        log_to(path)?;
    }
    let script = args.commands.as_ref().map(|commands| write_script(commands, &args.shell)).transpose()?;
    let mut plan = plan(args, script.as_deref())?;
    let idle = args.without_effect();
    if !idle.is_empty() && plan.voice != Voice::Quiet {
        tell(&format!("note:    no effect in Whittle: {}", idle.join(", ")));
    }
    plan.keeps_originals = !args.tidy;
    let exit = super::reduce::run(&plan)?;
    show(&plan);
    Ok(exit)
}

/// What to do, by the words that ask Whittle for the same.
fn plan(args: &CviseArgs, script: Option<&Path>) -> Result<Plan> {
    let words = words(args, script)?;
    let Cli { command: Command::Reduce(ReduceArgs { test, run, .. }) } = Cli::parse_from(words) else {
        unreachable!("the words are those of a reduction")
    };
    let (mut test, paths) = Test::resolve(test, "a file to reduce")?;
    if let Some(commands) = &args.commands {
        // The script that they are in is gone when somebody reads a message.
        test.shown.clone_from(commands);
    }
    // The test knows where its files are.
    test.command.criteria.target = Target::Files(Vec::new());
    if let Some(path) = paths.iter().find(|path| File::options().append(true).open(path).is_err() && path.is_file()) {
        let problem = format!("the file {} cannot be written", path.display());
        return Err(Refusal::new(problem, "It is reduced in place. Check its permissions.").into());
    }
    let (input, output) = match paths.as_slice() {
        [path] => {
            let input = read_input(path)?;
            let bytes = input.candidate().files()[0].bytes().to_vec();
            let output = fs::canonicalize(path).context("cannot resolve the path of the file")?;
            (input.with_candidate(Candidate::single(name_in_test(path), bytes)), output)
        }
        _ => {
            let (input, _) = Input::read_files(&paths, &Selection::default()).map_err(|e| unreadable_project(&e))?;
            let folder = input.folder().unwrap_or(Path::new(".")).to_owned();
            (input, folder)
        }
    };
    let below = input.folder().map(Path::to_owned);
    let subject = Subject { input, path: paths[0].clone(), test: Arc::new(test) };
    Ok(Plan { in_place: true, in_place_below: below, ..Plan::about(subject, output, run)? })
}

fn words(args: &CviseArgs, script: Option<&Path>) -> Result<Vec<OsString>> {
    let (test, files) = match (script, args.paths.as_slice()) {
        (Some(script), files @ [_, ..]) => (script, files),
        (None, [test, files @ ..]) if !files.is_empty() => (test.as_path(), files),
        _ => return Err(Refusal::new("no file to reduce", "Write the test, then the files; or use --commands.").into()),
    };
    let mut words: Vec<OsString> = vec!["whittle".into(), "reduce".into()];
    let mut push = |option: &str, value: &OsStr| words.extend([option.into(), value.to_owned()]);
    if let Some(jobs) = args.n {
        push("--jobs", jobs.to_string().as_ref());
    }
    match args.timeout {
        None => {}
        Some(Some(seconds)) => push("--timeout", seconds.max(1).to_string().as_ref()),
        Some(None) => push("--timeout", "365days".as_ref()),
    }
    if args.sllooww {
        push("--effort", "max".as_ref());
    }
    if args.not_c && files.iter().any(|file| is_c(file)) {
        push("--language", "none".as_ref());
    }
    words.extend(args.voice().map(Into::into));
    words.push("--".into());
    words.push(test.into());
    words.extend(files.iter().map(Into::into));
    Ok(words)
}

fn is_c(file: &Path) -> bool {
    let bytes = fs::read(file).unwrap_or_default();
    LanguageChoice::Detect.of(file, &bytes).is_some_and(|chosen| ["c", "cpp"].contains(&chosen.language.name()))
}

/// The path under which the test of one file finds it. C-Vise keeps relative paths, C-Reduce has file names alone.
fn name_in_test(path: &Path) -> PathBuf {
    let name = PathBuf::from(path.file_name().unwrap_or_default());
    let plain: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    let is_inside = plain.components().all(|part| matches!(part, Component::Normal(_)));
    if is_inside && !is_creduce() { plain } else { name }
}

/// Whether this program was called by the name of C-Reduce.
fn is_creduce() -> bool {
    arguments().first().is_some_and(|called| Path::new(called).file_name() == Some(CREDUCE.as_ref()))
}

/// The commands as a script, which is removed at the end.
fn write_script(commands: &str, shell: &str) -> Result<TempPath> {
    let write = || {
        let mut file = tempfile::Builder::new().prefix("whittle-").suffix(".sh").tempfile()?;
        write!(file, "#!/usr/bin/env {shell}\n\n{commands}\n")?;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
        // A file that is open for writing cannot be run.
        std::io::Result::Ok(file.into_temp_path())
    };
    write().context("cannot write the commands to a script")
}

/// Lets everything that would be printed go to the end of a file.
fn log_to(path: &Path) -> Result<()> {
    let log = File::options().create(true).append(true).open(path);
    let log = log.and_then(|log| Ok(nix::unistd::dup2_stderr(&log)?));
    Ok(log.map_err(|error| {
        let problem = format!("cannot write messages to {}: {error}", path.display());
        Refusal::new(problem, "Pass --log-file the path of a file that can be written.")
    })?)
}

/// Prints the results, as C-Vise does.
fn show(plan: &Plan) {
    answer("Reduced test-cases:\n");
    for file in plan.subject.input.candidate().files() {
        let path = match &plan.in_place_below {
            Some(folder) => folder.join(file.path()),
            None => plan.output.clone(),
        };
        match fs::read_to_string(&path) {
            Ok(text) => answer(&format!("--- {} ---\n{text}", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => answer(&format!("--- {} --- removed", path.display())),
            // It is not text.
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_stands_for_the_command() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for (typed, meant) in [
            ("/usr/bin/cvise -n 4 t f", "/usr/bin/cvise cvise -n 4 t f"),
            ("creduce t f", "creduce cvise t f"),
            ("/opt/cvise/whittle t f", "/opt/cvise/whittle t f"),
        ] {
            assert_eq!(by_name(words(typed)), words(meant), "{typed}");
        }
    }
}
