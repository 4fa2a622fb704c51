//! `run`: plans the runs, makes them one at a time, and appends each result to a file.
//!
//! Runs are interleaved: all reducers reduce a subject before the next subject, each time another reducer goes first, and
//! repetitions start over from the first subject. So other load on the machine affects all reducers alike.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::args::RunArgs;
use crate::names::Only;
use crate::outcome::{Outcome, Results};
use crate::print::say;
use crate::reducers::{self, Found, Reducer, Reducers};
use crate::single::{Bench, Run};
use crate::subject::{self, Subject};
use crate::watch::{Limits, Watch};

/// Makes all requested runs that are not in the file yet.
pub(crate) fn run(args: &RunArgs) -> Result<()> {
    let home = tempfile::Builder::new().prefix("whittle-bench-").tempdir()?;
    // Copies, so that a build during the run changes nothing.
    let tester = copy_program(&std::env::current_exe()?, &home)?;
    let whittle = copy_program(&reducers::locate_whittle(args.whittle.as_deref())?, &home)?;

    let mut folders = vec![subject::own_folder()];
    folders.extend(args.subjects.iter().cloned());
    let subjects = subject::load_all(&folders)?;
    let (reducers, subjects) = pick(&args.only, reducers::find(args, &whittle), subjects)?;
    if let Some(folder) = &args.keep {
        fs::create_dir_all(folder).with_context(|| format!("--keep {}", folder.display()))?;
    }
    let watch = Watch::new(limits(args), tester.clone())?;
    let bench = Bench { watch, tester, jobs: args.jobs, keep: args.keep.clone(), stamp: stamp() };
    let subjects = fit(subjects, &bench, &home)?;
    let contestants: Vec<Contestant> = reducers.into_iter().map(Contestant::new).collect();
    let mut results = Results::open(&args.output)?;
    let plan = plan(&contestants, &subjects, args, &results.known);
    let mut progress = Progress::begin(&plan, args.timeout);
    for run in &plan {
        let folder = tempfile::tempdir_in(&home)?;
        let outcome = bench.make(run, folder.path())?;
        results.append(&outcome)?;
        progress.tell(&outcome);
    }
    Ok(())
}

fn limits(args: &RunArgs) -> Limits {
    Limits { wall: args.timeout, cpu: args.cpu }
}

/// The commit of the source, the system and the processor, as far as they are known.
fn stamp() -> String {
    let first_line = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
    };
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let commit = first_line("git", &["-C", source, "rev-parse", "--short=10", "HEAD"]);
    let system = first_line("uname", &["-srm"]);
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        known.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    format!("commit {commit}, {system}, {cores} cores ({model})")
}

/// A reducer and its version, queried once.
pub(crate) struct Contestant {
    pub(crate) reducer: Box<dyn Reducer>,
    pub(crate) version: String,
}

impl Contestant {
    fn new(reducer: Box<dyn Reducer>) -> Self {
        Self { version: reducer.version(), reducer }
    }
}

fn copy_program(program: &Path, home: &TempDir) -> Result<PathBuf> {
    let copy = home.path().canonicalize()?.join(program.file_name().context("a program has a name")?);
    fs::copy(program, &copy).with_context(|| program.display().to_string())?;
    Ok(copy)
}

/// Drops what `--only` does not name, and reports missing peers.
fn pick(only: &[String], found: Vec<Found>, subjects: Vec<Subject>) -> Result<(Reducers, Vec<Subject>)> {
    let reducer_names: Vec<String> = found.iter().map(reducers::name_of).collect();
    let subject_names: Vec<String> = subjects.iter().map(|subject| subject.name.clone()).collect();
    let (of_reducers, of_subjects) = Only(only).pick(&reducer_names, &subject_names)?;
    let mut reducers = Vec::new();
    for (found, _) in found.into_iter().zip(of_reducers).filter(|(_, is_in)| *is_in) {
        match found {
            Ok(reducer) => reducers.push(reducer),
            Err(missing) => say(&format!("skipping {}: {}", missing.name, missing.reason)),
        }
    }
    let subjects = subjects.into_iter().zip(of_subjects).filter(|(_, is_in)| *is_in).map(|(subject, _)| subject);
    let subjects = subjects.collect();
    if reducers.is_empty() {
        bail!("none of the reducers is installed");
    }
    Ok((reducers, subjects))
}

/// Drops subjects that do not trigger their bug here, most likely because a tool is missing, and reports them.
fn fit(subjects: Vec<Subject>, bench: &Bench, home: &TempDir) -> Result<Vec<Subject>> {
    let mut fit = Vec::new();
    for subject in subjects {
        let folder = tempfile::tempdir_in(home)?;
        match bench.prepare(&subject, folder.path()) {
            Ok(_) => fit.push(subject),
            Err(error) => say(&format!("skipping {}: {error:#}", subject.name)),
        }
    }
    if fit.is_empty() {
        bail!("no subject can be reduced");
    }
    Ok(fit)
}

/// All runs in order, without those that a reducer refuses and those with a known result.
fn plan<'a>(contestants: &'a [Contestant], subjects: &'a [Subject], args: &RunArgs, known: &[Outcome]) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    let mut turn = 0;
    for round in 1..=args.repeat {
        for subject in subjects {
            turn += 1;
            for place in 0..contestants.len() {
                let contestant = &contestants[(place + turn) % contestants.len()];
                let run = Run { subject, contestant, round };
                let is_known = known.iter().any(|outcome| run.is_of(outcome, args.jobs, limits(args)));
                if contestant.reducer.refusal(subject).is_none() && !is_known {
                    runs.push(run);
                }
            }
        }
    }
    runs
}

/// Reports what is done and how long the rest will take.
struct Progress {
    done: usize,
    /// The reducers of the remaining runs, the next one last.
    left: Vec<String>,
    /// Seconds and runs by reducer.
    spent: HashMap<String, (f64, u32)>,
}

impl Progress {
    fn begin(plan: &[Run<'_>], limit: Duration) -> Self {
        let longest = limit * plan.len() as u32;
        say(&format!("{} runs to make, at most {}", plan.len(), rounded(longest.as_secs_f64())));
        let left = plan.iter().rev().map(|run| run.contestant.reducer.name()).collect();
        Self { done: 0, left, spent: HashMap::new() }
    }

    fn tell(&mut self, outcome: &Outcome) {
        self.done += 1;
        self.left.pop();
        let spent = self.spent.entry(outcome.reducer.clone()).or_default();
        *spent = (spent.0 + outcome.wall_seconds, spent.1 + 1);
        let total = self.done + self.left.len();
        say(&format!(
            "[{}/{total}] {} by {}: {} -> {} tokens, {} runs, {}{}; {} left",
            self.done,
            outcome.subject,
            outcome.reducer,
            outcome.input.tokens,
            outcome.result.tokens,
            outcome.runs,
            rounded(outcome.wall_seconds),
            if outcome.note.is_empty() { String::new() } else { format!(" ({})", outcome.note) },
            rounded(self.estimate()),
        ));
    }

    /// Estimates that each remaining run takes as long as its reducer did so far, or the overall average if it has not run.
    fn estimate(&self) -> f64 {
        let all = self.spent.values().fold((0.0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let average = |(seconds, runs): (f64, u32)| seconds / f64::from(runs.max(1));
        self.left.iter().map(|name| average(self.spent.get(name).copied().unwrap_or(all))).sum()
    }
}

fn rounded(seconds: f64) -> String {
    let whole = if seconds < 10.0 { (seconds * 10.0).round() / 10.0 } else { seconds.round() };
    humantime::format_duration(Duration::from_secs_f64(whole)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::outcome;

    #[test]
    fn the_estimate_knows_which_reducers_are_slow() {
        let mut progress = Progress {
            done: 0,
            left: ["slow", "new", "fast", "slow", "fast"].map(String::from).to_vec(),
            spent: HashMap::new(),
        };
        let mut fast = outcome("a", "fast", 1, 1);
        fast.wall_seconds = 2.0;
        let mut slow = outcome("a", "slow", 1, 1);
        slow.wall_seconds = 30.0;
        progress.tell(&fast);
        progress.tell(&slow);
        // One fast, one new at the average, one slow.
        assert!((progress.estimate() - (2.0 + 16.0 + 30.0)).abs() < 1e-9);
    }
}
