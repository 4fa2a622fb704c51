//! What the `whittle` command costs beside the test, and how well it keeps its workers busy.
//!
//! The tests are native programs that count marks in the candidate, sleep, and decide. Each figure is a ratio of two
//! things measured in turn, so that a noisy machine disturbs both alike: the median over all turns, and behind it their
//! range. Walls are those of the whole process, from its start to the synced result, unless the search is named.
//!
//! - `overhead`: the share of the wall time outside a test of 20 ms, with one worker.
//! - `rate`: tests per second with a test that does nothing but decide, against a loop that spawns it and waits.
//! - `workers`: eight workers and a test of 50 ms, against what perfect speculation allows (between two successes, k
//!   tests take as long as k/8, rounded up), and against one worker.
//!
//! `cargo bench --bench overhead -- rate workers` measures only these two.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

type Measure = fn(&Bench) -> Result<()>;

const PARTS: [(&str, Measure); 3] = [("overhead", Bench::overhead), ("rate", Bench::rate), ("workers", Bench::workers)];
const WORKERS: u64 = 8;
const BARE_SPAWNS: u32 = 200;
const SEED: u64 = 2024;
const MARK: char = '!';

/// A test that finds all marks interesting: `MARKS` is their number, `PAUSE` the time it takes in milliseconds. One
/// that takes time also leaves a byte in `LOG`, so that all its runs can be counted, those before the search too.
const PROGRAM: &str = r#"
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char buffer[1 << 16];
    long marks = 0, length;
    struct timespec pause = { 0, PAUSE * 1000000L };
    int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    while ((length = read(file, buffer, sizeof buffer)) > 0)
        while (length-- > 0)
            marks += buffer[length] == '!';
    if (PAUSE > 0) {
        file = open(LOG, O_WRONLY | O_APPEND | O_CREAT, 0600);
        if (write(file, "r", 1) != 1)
            return 2;
        nanosleep(&pause, NULL);
    }
    return marks != MARKS;
}
"#;

struct Bench {
    folder: tempfile::TempDir,
    /// Under `cargo test` everything is as small as it can be.
    is_test: bool,
}

/// Lines of which some are needed.
struct Problem {
    folder: PathBuf,
    input: PathBuf,
    marks: usize,
}

/// What a run of the command came to.
struct Reduction {
    wall: Duration,
    /// The time from the start of the search to the end of its last pass.
    search: Duration,
    tests: u64,
    /// How often the test really ran, if it keeps a log.
    runs: u64,
    /// The time of a run of the test as the command saw it, on average.
    per_run: Duration,
    /// For each success the number of tests since the one before; at the end the tests after the last. Without those
    /// that the search knew the verdicts of.
    gaps: Vec<u64>,
    result: Vec<u8>,
}

/// Pairs of measurements that were taken in turn.
#[derive(Default)]
struct Ratio {
    turns: Vec<(f64, f64)>,
}

#[derive(Clone, Copy)]
enum Bar {
    Below(f64),
    AtLeast(f64),
    None,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_named = |name: &str| arguments.iter().any(|argument| argument == name);
    let all = !PARTS.iter().any(|(name, _)| is_named(name));
    let bench = Bench { folder: tempfile::tempdir()?, is_test: !is_named("--bench") };
    if bench.is_test {
        println!("only a trial: the figures mean nothing without --bench");
    }
    let start = Instant::now();
    for (_, measure) in PARTS.iter().filter(|(name, _)| all || is_named(name)) {
        measure(&bench)?;
    }
    println!("in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

impl Bench {
    fn overhead(&self) -> Result<()> {
        let problem = self.problem("overhead", 90, 24)?;
        let test = self.program(&problem, 20)?;
        let (mut outside, mut spawned) = (Ratio::default(), Ratio::default());
        let mut tests = 0;
        for _ in 0..self.turns(4) {
            let run = reduce(&test, &problem, 1)?;
            let bare = spawn_and_wait(&test, &problem.input, BARE_SPAWNS)? / BARE_SPAWNS;
            let wall = run.wall.as_secs_f64();
            outside.add(wall - run.runs as f64 * run.per_run.as_secs_f64(), wall);
            spawned.add(wall - run.runs as f64 * bare.as_secs_f64(), wall);
            tests += run.tests;
        }
        println!("overhead: 1 worker, a test of 20 ms, {tests} tests");
        outside.report("share of wall time outside the test", Bar::Below(0.05));
        spawned.report("the same, against as many bare spawns", Bar::Below(0.05));
        Ok(())
    }

    fn rate(&self) -> Result<()> {
        let problem = self.problem("rate", 250, 70)?;
        let test = self.program(&problem, 0)?;
        let (mut process, mut search) = (Ratio::default(), Ratio::default());
        let (mut tests, mut wall) = (0, Duration::ZERO);
        for _ in 0..self.turns(10) {
            let before = spawn_and_wait(&test, &problem.input, BARE_SPAWNS)?;
            let run = reduce(&test, &problem, 1)?;
            let after = spawn_and_wait(&test, &problem.input, BARE_SPAWNS)?;
            let bare = run.tests as f64 * (before + after).as_secs_f64() / f64::from(2 * BARE_SPAWNS);
            process.add(bare, run.wall.as_secs_f64());
            search.add(bare, run.search.as_secs_f64());
            (tests, wall) = (tests + run.tests, wall + run.wall);
        }
        println!("rate: 1 worker, a test of 0 ms, {tests} tests, {:.0} a second", tests as f64 / wall.as_secs_f64());
        process.report("tests per second against bare spawns", Bar::AtLeast(0.8));
        search.report("search: the same", Bar::None);
        Ok(())
    }

    fn workers(&self) -> Result<()> {
        self.workers_with("seldom", 120, 90)?;
        self.workers_with("often", 400, 8)
    }

    /// Where tests succeed often, even perfect speculation is not much faster than one worker, and that is left out.
    fn workers_with(&self, success: &str, lines: usize, marks: usize) -> Result<()> {
        let problem = self.problem(success, lines, marks)?;
        let test = self.program(&problem, 50)?;
        // The sequence of tests depends neither on their time nor on the workers: a fast test shows it.
        let sequence = reduce(&self.program(&problem, 0)?, &problem, 1)?;
        let steps: u64 = sequence.gaps.iter().map(|gap| gap.div_ceil(WORKERS)).sum();
        let [mut bound, mut whole, mut speed_up] = [(); 3].map(|()| Ratio::default());
        for turn in 0..self.turns(4) {
            let bare = spawn_and_wait(&test, &problem.input, 20)? / 20;
            let many = reduce(&test, &problem, WORKERS)?;
            ensure!(many.is_like(&sequence), "tests or result depend on the number of workers");
            let at_best = steps as f64 * bare.as_secs_f64();
            bound.add(at_best, many.search.as_secs_f64());
            whole.add(at_best, many.wall.as_secs_f64());
            if success == "seldom" && turn < 2 {
                let one = reduce(&test, &problem, 1)?;
                ensure!(one.is_like(&sequence), "tests or result depend on the time of a test");
                speed_up.add(one.wall.as_secs_f64(), many.wall.as_secs_f64());
            }
        }
        let (tests, successes) = (sequence.tests, sequence.gaps.len() - 1);
        let share = 100.0 * successes as f64 / tests as f64;
        println!("workers: {WORKERS} workers, a test of 50 ms, {tests} tests of which {share:.1}% succeed");
        bound.report("search: share of what perfect speculation allows", Bar::AtLeast(0.9));
        whole.report("the same for the whole process", Bar::None);
        if !speed_up.turns.is_empty() {
            let at_best = tests as f64 / steps as f64;
            speed_up.report(&format!("times as fast as 1 worker (at best {at_best:.2})"), Bar::AtLeast(5.0));
        }
        Ok(())
    }

    fn turns(&self, wanted: usize) -> usize {
        if self.is_test { 1 } else { wanted }
    }

    fn problem(&self, name: &str, lines: usize, marks: usize) -> Result<Problem> {
        let (lines, marks) = if self.is_test { (4, 1) } else { (lines, marks) };
        let mut needed = vec![false; lines];
        needed[..marks].fill(true);
        fastrand::Rng::with_seed(SEED).shuffle(&mut needed);
        let line = |(number, needed): (usize, &bool)| {
            format!("line {number} of the generated input{}\n", if *needed { MARK } else { '.' })
        };
        let text: String = needed.iter().enumerate().map(line).collect();
        let folder = self.folder.path().join(name);
        let input = folder.join("input.txt");
        std::fs::create_dir(&folder)?;
        std::fs::write(&input, text)?;
        Ok(Problem { folder, input, marks })
    }

    /// The test for a problem, with a pause in milliseconds.
    fn program(&self, problem: &Problem, pause: u32) -> Result<PathBuf> {
        let program = problem.folder.join(format!("test-{pause}"));
        let source = program.with_extension("c");
        std::fs::write(&source, PROGRAM)?;
        let mut compiler = Command::new("cc");
        compiler.arg("-O2").arg(format!("-DPAUSE={pause}")).arg(format!("-DMARKS={}", problem.marks));
        compiler.arg(format!("-DLOG={:?}", problem.log()));
        let status = compiler.arg("-o").arg(&program).arg(&source).status().context("this needs a C compiler, cc")?;
        ensure!(status.success(), "cc cannot compile the test");
        Ok(program)
    }
}

/// Runs the command in a folder of its own.
fn reduce(test: &Path, problem: &Problem, jobs: u64) -> Result<Reduction> {
    let folder = tempfile::tempdir_in(&problem.folder)?;
    let [input, output, json] = ["input.txt", "output.txt", "events.jsonl"].map(|name| folder.path().join(name));
    std::fs::copy(&problem.input, &input)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["reduce", "--quiet", "--unit", "line", "--jobs", &jobs.to_string()]);
    command.arg("--json").arg(&json).arg("--output").arg(&output).arg(test).arg(&input);
    let log = problem.log();
    let _ = std::fs::remove_file(&log);
    let start = Instant::now();
    let status = command.status()?;
    let wall = start.elapsed();
    ensure!(status.success(), "whittle ended with {status}");

    let (mut gaps, mut gap, mut replayed, mut search) = (Vec::new(), 0, 0.0, 0.0);
    let mut last = Value::Null;
    for line in std::fs::read_to_string(&json)?.lines() {
        last = serde_json::from_str(line)?;
        let known_so_far = number_in(&last, "replayed")?;
        let is_known = known_so_far > replayed;
        replayed = known_so_far;
        match last["kind"].as_str() {
            Some("tested") if !is_known => {
                gap += 1;
                if last["verdict"] == "interesting" {
                    gaps.push(std::mem::take(&mut gap));
                }
            }
            Some("pass-ended") => search = number_in(&last, "elapsed")?,
            _ => {}
        }
    }
    gaps.push(gap);
    Ok(Reduction {
        wall,
        search: Duration::from_secs_f64(search),
        tests: number_in(&last, "tests")? as u64,
        runs: std::fs::metadata(&log).map_or(0, |log| log.len()),
        per_run: Duration::from_secs_f64(number_in(&last, "property_seconds")? / number_in(&last, "runs")?),
        gaps,
        result: std::fs::read(&output)?,
    })
}

fn number_in(event: &Value, field: &str) -> Result<f64> {
    event[field].as_f64().with_context(|| format!("an event has no {field}: {event}"))
}

/// The time for so many runs of the test, one after the other, with nothing around them.
fn spawn_and_wait(test: &Path, file: &Path, times: u32) -> Result<Duration> {
    let start = Instant::now();
    for _ in 0..times {
        let mut command = Command::new(test);
        let status = command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        ensure!(status.success(), "the input is not interesting");
    }
    Ok(start.elapsed())
}

impl Problem {
    fn log(&self) -> PathBuf {
        self.folder.join("runs.log")
    }
}

impl Reduction {
    /// Whether it made the same tests with the same verdicts, and ended with the same bytes.
    fn is_like(&self, other: &Self) -> bool {
        self.gaps == other.gaps && self.result == other.result
    }
}

impl Ratio {
    fn add(&mut self, part: f64, whole: f64) {
        self.turns.push((part, whole));
    }

    fn report(&self, what: &str, bar: Bar) {
        let mut ratios: Vec<f64> = self.turns.iter().map(|(part, whole)| part / whole).collect();
        ratios.sort_by(f64::total_cmp);
        let last = ratios.len() - 1;
        let [least, most] = [ratios[0], ratios[last]];
        let value = f64::midpoint(ratios[last / 2], ratios[ratios.len() / 2]);
        let (bar, word) = match bar {
            Bar::Below(bar) => (format!("bar < {bar:.2}"), if value < bar { "pass" } else { "fail" }),
            Bar::AtLeast(bar) => (format!("bar >= {bar:.2}"), if value >= bar { "pass" } else { "fail" }),
            Bar::None => (String::new(), ""),
        };
        println!("  {what:<48} {value:>6.3}  {bar:<11}  {word:<4}   {least:.3} to {most:.3}");
    }
}
