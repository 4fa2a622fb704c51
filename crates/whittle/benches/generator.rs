//! What recording costs a Python generator: the processor time of making many inputs in one process, and the time of a
//! whole process that makes one, each with and without. Prints a table and never fails.
#![allow(clippy::print_stdout, reason = "it prints a table")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to print")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How often everything is measured; the lower quartile counts.
const TIMES: usize = 9;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    println!("| generator | making inputs | recorded | ratio | process that makes one | recorded | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for name in ["graph", "model", "expression"] {
        let [plain, recorded] =
            [false, true].map(|record| quartile(|| seconds_of_making(command(name, record, folder.path()))));
        let [one, one_recorded] =
            [false, true].map(|record| quartile(|| seconds_of_one(command(name, record, folder.path()))));
        let (ratio, one_ratio) = (recorded / plain, one_recorded / one);
        println!(
            "| {name} | {:.1} ms | {:.1} ms | {ratio:.1} | {:.1} ms | {:.1} ms | {one_ratio:.2} |",
            plain * 1e3,
            recorded * 1e3,
            one * 1e3,
            one_recorded * 1e3,
        );
    }
}

fn quartile(measure: impl Fn() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..TIMES).map(|_| measure()).collect();
    times.sort_by(f64::total_cmp);
    times[TIMES / 4]
}

fn seconds_of_making(mut command: Command) -> f64 {
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn seconds_of_one(mut command: Command) -> f64 {
    let start = Instant::now();
    command.arg("1").output().unwrap();
    start.elapsed().as_secs_f64()
}

fn command(name: &str, record: bool, folder: &Path) -> Command {
    let here = env!("CARGO_MANIFEST_DIR");
    let mut command = Command::new("python3");
    command.arg(format!("{here}/benches/generators/{name}.py"));
    if record {
        command.env("PYTHONPATH", format!("{here}/python/start:{here}/python"));
        command.env("WHITTLE_TRACE_RECORD", folder.join("record")).env("WHITTLE_TRACE_CACHE", folder);
    }
    command
}
