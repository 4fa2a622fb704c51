//! What recording costs a generator, as ratios taken in one run: recorded and bare runs alternate. For Python it
//! measures the processor time of making many inputs in one process, and the time of a whole process that makes one; for
//! C and JavaScript the processor time of a whole process that makes a large input. Prints tables and never fails.
#![allow(clippy::print_stdout, reason = "it prints a table")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to print")]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How often everything is measured; the lower quartile counts.
const TIMES: usize = 9;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn main() {
    let folder = tempfile::tempdir().unwrap();
    println!("| generator | making inputs | recorded | ratio | process that makes one | recorded | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for name in ["graph", "model", "expression"] {
        let making = quartiles(|record| seconds_of_making(python(name, record, folder.path())));
        let one = quartiles(|record| seconds_of_one(python(name, record, folder.path())));
        println!("| {name}.py | {} | {} |", shown(making), shown(one));
    }
    println!("\n| generator | process | recorded | ratio |\n|---|---|---|---|");
    let generators = format!("{HERE}/../../bench/generators");
    let graphs = folder.path().join("gen").to_string_lossy().into_owned();
    let header = format!("{HERE}/../../c");
    let source = format!("{generators}/graphs/gen.c");
    let compiled = Command::new("cc").args(["-std=c99", "-O2", "-I", &header, "-o", &graphs, &source]).status();
    let script = format!("{generators}/javascript/gen.js");
    let client = format!("{HERE}/../../javascript/whittle-choices.js");
    let mut rows = vec![
        ("gen.js 107 200", vec!["node", &script, "107", "200"]),
        ("gen.js 3 3000", vec!["node", &script, "3", "3000"]),
        ("gen.js 107 200 places", vec!["node", &script, "107", "200", "places"]),
        ("gen.js 3 3000 places", vec!["node", &script, "3", "3000", "places"]),
        ("gen.js 107 200 places, -r", vec!["node", "-r", &client, &script, "107", "200", "places"]),
        ("gen.js 3 3000 places, -r", vec!["node", "-r", &client, &script, "3", "3000", "places"]),
    ];
    if compiled.is_ok_and(|status| status.success()) {
        rows.push(("gen.c 6 5000 500000", vec![&graphs, "6", "5000", "500000"]));
        rows.push(("gen.c 6 500000 500000", vec![&graphs, "6", "500000", "500000"]));
    }
    for (name, words) in rows {
        let seconds = quartiles(|record| processor_seconds(&words, record, folder.path()));
        println!("| {name} | {} |", shown(seconds));
    }
}

/// The seconds of bare and of recorded runs.
fn quartiles(measure: impl Fn(bool) -> f64) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TIMES {
        times[0].push(measure(false));
        times[1].push(measure(true));
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[TIMES / 4]
    })
}

fn shown([bare, recorded]: [f64; 2]) -> String {
    format!("{:.1} ms | {:.1} ms | {:.2}", bare * 1e3, recorded * 1e3, recorded / bare)
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

/// User and system time of a process, as bash tells it; not a number if it cannot run.
fn processor_seconds(words: &[&str], record: bool, folder: &Path) -> f64 {
    let mut command = Command::new("bash");
    command.args(["-c", "TIMEFORMAT='%U %S'; time \"$@\" > /dev/null", "bash"]).args(words);
    if record {
        // Overwriting a file would cost more than a new one, which is what Whittle asks for.
        let _ = std::fs::remove_file(folder.join("record"));
        command.env("WHITTLE_TRACE_RECORD", folder.join("record"));
    }
    let Ok(output) = command.output() else { return f64::NAN };
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = shown.trim().lines().last().unwrap_or_default();
    let times: Vec<f64> = last.split_whitespace().filter_map(|time| time.parse().ok()).collect();
    if times.len() == 2 { times.iter().sum() } else { f64::NAN }
}

fn python(name: &str, record: bool, folder: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg(format!("{HERE}/benches/generators/{name}.py"));
    if record {
        command.env("PYTHONPATH", format!("{HERE}/python/start:{HERE}/python"));
        command.env("WHITTLE_TRACE_RECORD", folder.join("record")).env("WHITTLE_TRACE_CACHE", folder);
    }
    command
}
