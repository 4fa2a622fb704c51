//! `whittle compare-test`: what `whittle compare` runs on each candidate. It exits with 0 if the two commands disagree.
//!
//! Its caller bounds its time and removes what it leaves in the current folder. Cheap checks come first: most
//! candidates fail them.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use whittle::property::conditions::CommandLine;

use super::guards::{Guards, SANITIZED, suspicious_line};
use super::{By, Commands, OUT, unescaped};
use crate::command::exit::Exit;
use crate::command::print::answer;

/// Judge one candidate of whittle compare
#[derive(Debug, Args)]
pub(crate) struct CompareTestArgs {
    candidate: PathBuf,

    #[command(flatten)]
    commands: Commands,

    /// Where the user called Whittle.
    #[arg(long)]
    folder: PathBuf,

    #[command(flatten)]
    guards: Guards,
}

/// What a run came to: its exit status, and what it printed.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    status: ExitStatus,
    stdout: Vec<u8>,
}

/// The longest output that is compared, in bytes.
const MOST_OUTPUT: u64 = 16 << 20;

/// How often to look whether a program has ended.
const PATIENCE: Duration = Duration::from_millis(1);

/// Says by the exit status whether the commands disagree, and if not, why.
pub(crate) fn run(args: &CompareTestArgs) -> Result<Exit> {
    match objection(args)? {
        None => Ok(Exit::Done),
        Some(reason) => {
            answer(&reason);
            Ok(Exit::Stopped)
        }
    }
}

/// Why the candidate shows no disagreement that matters.
fn objection(args: &CompareTestArgs) -> Result<Option<String>> {
    let Commands { reference, suspect, by, .. } = &args.commands;
    let [right, wrong] = [(reference, "reference"), (suspect, "suspect")].map(|(text, name)| args.answer(text, name));
    let (right, wrong) = (right?, wrong?);
    if *by == By::Status {
        let succeeds = |answer: Option<Outcome>| answer.is_some_and(|outcome| outcome.status.success());
        return Ok(match (succeeds(right), succeeds(wrong)) {
            (true, false) => None,
            (false, _) => Some("the reference fails".to_owned()),
            (true, true) => Some("the suspect succeeds".to_owned()),
        });
    }
    let Some(right) = right.filter(Outcome::is_regular) else { return Ok(Some("the reference fails".to_owned())) };
    let Some(wrong) = wrong.filter(Outcome::is_regular) else { return Ok(Some("the suspect fails".to_owned())) };
    // A solver may say its answer by its exit status in its own way; programs that were built must agree in it.
    let is_built = reference.contains(OUT) && suspect.contains(OUT);
    match right.stdout != wrong.stdout || (is_built && right.status != wrong.status) {
        // What differs from run to run is undefined, or no bug of the suspect.
        true if args.answer(reference, "reference")?.as_ref() != Some(&right) => {
            Ok(Some("the reference gives another answer the second time".to_owned()))
        }
        true => args.undefined(&right),
        false => Ok(Some("the commands agree".to_owned())),
    }
}

impl Outcome {
    /// Whether it ended by itself: a crash is another bug than a wrong answer.
    fn is_regular(&self) -> bool {
        self.status.code().is_some()
    }
}

impl CompareTestArgs {
    /// What a command comes to: its own end and output, or those of the program that it builds. None if it builds none, or
    /// takes too long.
    fn answer(&self, text: &str, name: &str) -> Result<Option<Outcome>> {
        let text = unescaped(text);
        let program = Path::new(".").join(format!(".{name}"));
        let text = text.replace(OUT, &program.display().to_string());
        let line = CommandLine::parse(&text, &self.folder)?;
        let words = line.words(self.candidate.as_os_str());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        // A command is bounded by the test's own time.
        let built = finish(&mut command, name, Duration::MAX)?;
        let is_answer =
            |built: &Outcome| self.commands.by == By::Status || self.commands.any_status || built.status.success();
        match built {
            Some(built) if text_builds(&text, &program) && self.commands.by == By::Output => {
                match built.status.success() {
                    true => self.run_program(&program, name),
                    false => Ok(None),
                }
            }
            answer => Ok(answer.filter(is_answer)),
        }
    }

    fn run_program(&self, program: &Path, name: &str) -> Result<Option<Outcome>> {
        finish(&mut Command::new(program), name, self.commands.program_timeout)
    }

    /// Why the program of the candidate may have no defined meaning, if the guards see a reason.
    fn undefined(&self, right: &Outcome) -> Result<Option<String>> {
        let Some(guard) = &self.guards.guard else { return Ok(None) };
        let options = self.shared_options();
        let mut build = Command::new(guard);
        build.args(["-O1", "-Wall", "-Wextra", "-c"]).args(&options).arg(&self.candidate).args(["-o", ".warned"]);
        let warned = build.output().with_context(|| format!("cannot run {guard}"))?;
        if !warned.status.success() {
            return Ok(Some(format!("{guard} does not compile it, so it cannot be guarded")));
        }
        if let Some(warning) = suspicious_line(&warned.stderr) {
            return Ok(Some(format!("{guard} warns: {warning}")));
        }
        if self.guards.sanitizers && !self.agrees(guard, &SANITIZED, "sanitized", right)? {
            return Ok(Some(format!("{guard} {} disagrees with the reference", SANITIZED[2])));
        }
        match &self.guards.second {
            Some(second) if !self.agrees(second, &["-w", "-O0"], "second", right)? => {
                Ok(Some(format!("{second} -O0 disagrees with the reference")))
            }
            _ => Ok(None),
        }
    }

    /// Options of the reference that say what the program is: macros, headers, libraries, the standard, the machine.
    fn shared_options(&self) -> Vec<OsString> {
        let Ok(line) = CommandLine::parse(&unescaped(&self.commands.reference), &self.folder) else {
            return Vec::new();
        };
        let words = line.words(self.candidate.as_os_str());
        let is_shared =
            |word: &str| ["-I", "-D", "-U", "-std=", "-m", "-l", "-L"].iter().any(|option| word.starts_with(option));
        let takes_next = |word: &str| ["-I", "-D", "-U", "-L", "-include", "-isystem", "-iquote"].contains(&word);
        let mut shared = Vec::new();
        let mut is_next = false;
        for word in words.iter().skip(1) {
            let text = word.to_string_lossy();
            if is_next || is_shared(&text) || takes_next(&text) {
                shared.push(word.clone());
            }
            is_next = !is_next && takes_next(&text);
        }
        shared
    }

    /// Whether a program that a compiler builds does what is right.
    fn agrees(&self, compiler: &str, options: &[&str], name: &str, right: &Outcome) -> Result<bool> {
        let program = Path::new(".").join(format!(".{name}"));
        let mut build = Command::new(compiler);
        build.args(options).arg(&self.candidate).arg("-o").arg(&program).args(self.shared_options()).arg("-lm");
        let is_built = finish(&mut build, name, Duration::MAX)?.is_some_and(|built| built.status.success());
        Ok(is_built && self.run_program(&program, name)?.as_ref() == Some(right))
    }
}

/// Whether a command names the program that it builds.
fn text_builds(text: &str, program: &Path) -> bool {
    text.contains(&program.display().to_string())
}

/// Runs a command to its end. None if it takes longer or prints more than it may.
fn finish(command: &mut Command, name: &str, limit: Duration) -> Result<Option<Outcome>> {
    // A file, because nobody reads a pipe while the command runs.
    let path = PathBuf::from(format!(".{name}.stdout"));
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let shown = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot run {shown}"))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            // Programs that print without end are common among candidates, and what they print may be kept in memory.
            None if start.elapsed() > limit || fs::metadata(&path)?.len() > MOST_OUTPUT => {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            None => sleep(PATIENCE),
        }
    };
    Ok(Some(Outcome { status, stdout: fs::read(&path)? }))
}
