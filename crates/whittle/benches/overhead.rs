//! What the `whittle` command costs beside the test, and how well it keeps its workers busy.
//!
//! The tests are native programs that count marks in the candidate, sleep, and decide. Each figure is a ratio of two
//! things measured in turn in one run, so that a noisy machine disturbs both alike; the range behind it is that of the
//! turns. Walls are those of the whole process, from its start to the synced result.
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
const SEED: u64 = 2024;
const MARK: char = '!';

/// A test that finds all marks interesting: `MARKS` is their number, `PAUSE` the time it takes in milliseconds.
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
    if (PAUSE > 0)
        nanosleep(&pause, NULL);
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
    tests: u64,
    runs: u64,
    /// The sum over all runs of the test, as the command saw it.
    in_property: Duration,
    /// For each success the number of tests since the one before; at the end the tests after the last.
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
            let bare = spawn_and_wait(&test, &problem.input, run.runs)?;
            outside.add((run.wall - run.in_property).as_secs_f64(), run.wall.as_secs_f64());
            spawned.add((run.wall.as_secs_f64() - bare.as_secs_f64()).max(0.0), run.wall.as_secs_f64());
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
        let mut rate = Ratio::default();
        let mut tests = 0;
        for _ in 0..self.turns(8) {
            let run = reduce(&test, &problem, 1)?;
            let bare = spawn_and_wait(&test, &problem.input, run.tests)?;
            rate.add(bare.as_secs_f64(), run.wall.as_secs_f64());
            tests += run.tests;
        }
        let [bare, ours] = rate.sums().map(|seconds| tests as f64 / seconds);
        println!("rate: 1 worker, a test of 0 ms, {tests} tests; {ours:.0} tests/s, bare {bare:.0} spawns/s");
        rate.report("tests per second against bare spawns", Bar::AtLeast(0.8));
        Ok(())
    }

    fn workers(&self) -> Result<()> {
        for (name, lines, marks) in [("seldom", 200, 60), ("often", 400, 8)] {
            let problem = self.problem(name, lines, marks)?;
            let test = self.program(&problem, 50)?;
            // The sequence of tests depends neither on their time nor on the workers: a fast test shows it.
            let sequence = reduce(&self.program(&problem, 0)?, &problem, 1)?;
            let steps: u64 = sequence.gaps.iter().map(|gap| gap.div_ceil(WORKERS)).sum();
            let (mut bound, mut speed_up) = (Ratio::default(), Ratio::default());
            for _ in 0..self.turns(2) {
                let one = reduce(&test, &problem, 1)?;
                let many = reduce(&test, &problem, WORKERS)?;
                let bare = spawn_and_wait(&test, &problem.input, 20)? / 20;
                ensure!(one.result == sequence.result && many.result == one.result, "the result depends on the run");
                ensure!(one.gaps == sequence.gaps && many.gaps == one.gaps, "the tests depend on the run");
                bound.add(steps as f64 * bare.as_secs_f64(), many.wall.as_secs_f64());
                speed_up.add(one.wall.as_secs_f64(), many.wall.as_secs_f64());
            }
            let successes = sequence.gaps.len() - 1;
            println!(
                "workers: {WORKERS} workers, a test of 50 ms, {} tests, {successes} succeed ({:.1}%), {steps} steps",
                sequence.tests,
                100.0 * successes as f64 / sequence.tests as f64,
            );
            bound.report("share of what perfect speculation allows", Bar::AtLeast(0.9));
            let at_best = sequence.tests as f64 / steps as f64;
            // Where many tests succeed, nobody can be that fast.
            speed_up.report(
                &format!("times as fast as 1 worker (at best {at_best:.2})"),
                Bar::AtLeast(if name == "seldom" { 5.0 } else { 0.9 * at_best }),
            );
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
    let start = Instant::now();
    let status = command.status()?;
    let wall = start.elapsed();
    ensure!(status.success(), "whittle ended with {status}");

    let (mut gaps, mut gap, mut last) = (Vec::new(), 0, Value::Null);
    for line in std::fs::read_to_string(&json)?.lines() {
        last = serde_json::from_str(line)?;
        if last["kind"] == "tested" {
            gap += 1;
            if last["verdict"] == "interesting" {
                gaps.push(std::mem::take(&mut gap));
            }
        }
    }
    gaps.push(gap);
    let count = |field: &str| last[field].as_u64().with_context(|| format!("the last event has no {field}"));
    let in_property = last["property_seconds"].as_f64().context("the last event has no property_seconds")?;
    Ok(Reduction {
        wall,
        tests: count("tests")?,
        runs: count("runs")?,
        in_property: Duration::from_secs_f64(in_property),
        gaps,
        result: std::fs::read(&output)?,
    })
}

/// The time for so many runs of the test, one after the other, with nothing around them.
fn spawn_and_wait(test: &Path, file: &Path, times: u64) -> Result<Duration> {
    let start = Instant::now();
    for _ in 0..times {
        let mut command = Command::new(test);
        let status = command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        ensure!(status.success(), "the input is not interesting");
    }
    Ok(start.elapsed())
}

impl Ratio {
    fn add(&mut self, part: f64, whole: f64) {
        self.turns.push((part, whole));
    }

    fn sums(&self) -> [f64; 2] {
        [self.turns.iter().map(|turn| turn.0).sum(), self.turns.iter().map(|turn| turn.1).sum()]
    }

    fn report(&self, what: &str, bar: Bar) {
        let [part, whole] = self.sums();
        let value = part / whole;
        let ratios = || self.turns.iter().map(|(part, whole)| part / whole);
        let (least, most) = (ratios().fold(f64::INFINITY, f64::min), ratios().fold(0.0, f64::max));
        let (passes, bar) = match bar {
            Bar::Below(bar) => (value < bar, format!("< {bar:.2}")),
            Bar::AtLeast(bar) => (value >= bar, format!(">= {bar:.2}")),
        };
        let word = if passes { "pass" } else { "fail" };
        println!("  {what:<44} {value:>6.3}  bar {bar:<7}  {word}   {least:.3} to {most:.3}");
    }
}
