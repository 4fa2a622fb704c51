//! The bench end to end, on one tiny subject: Whittle, and Picire where tests that need it are asked for.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// No test waits longer than this for anything.
const PATIENCE: Duration = Duration::from_secs(60);
const INPUT: &str = "alpha\nbeta\nBUG\ngamma\ndelta BUG 2\nepsilon\n";
/// Interesting: both bugs are present, in order.
const TEST: &str = "#!/bin/sh\ntr '\\n' ' ' <bug.txt | grep -q 'BUG.*BUG 2'\n";

/// The whittle binary next to the bench; builds it if it is missing.
fn whittle() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_whittle-bench")).with_file_name("whittle");
    if !program.is_file() {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--package", "whittle", "--bin", "whittle"]);
        if program.components().any(|part| part.as_os_str() == "release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success(), "whittle cannot be built");
    }
    program
}

struct Playground {
    root: tempfile::TempDir,
}

impl Playground {
    fn new() -> Self {
        let playground = Self { root: tempfile::tempdir().unwrap() };
        let subject = playground.path("subjects/tiny");
        fs::create_dir_all(&subject).unwrap();
        fs::create_dir(playground.path("tmp")).unwrap();
        fs::write(subject.join("bug.txt"), INPUT).unwrap();
        fs::write(subject.join("meta.toml"), "input = \"bug.txt\"\n").unwrap();
        fs::write(subject.join("test.sh"), TEST).unwrap();
        fs::set_permissions(subject.join("test.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        playground
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn bench(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle-bench"));
        command.current_dir(self.root.path()).env("TMPDIR", self.path("tmp")).args(arguments);
        command
    }

    fn command(&self, only: &str, more: &[&str]) -> Command {
        let mut command = self.bench(&["run", "--subjects", "subjects", "--output", "results.jsonl", "--only", only]);
        command.arg("--whittle").arg(whittle()).args(more);
        command
    }

    fn run(&self, only: &str, more: &[&str]) -> Output {
        self.command(only, more).output().unwrap()
    }

    /// Makes the subject's test hang on every interesting candidate except the input and the first one after it, so that
    /// a reducer makes progress but does not end. A test that hangs writes its process id to the file `hanging`.
    fn hang(&self) {
        let (found, hanging) = (self.path("found"), self.path("hanging"));
        let script = format!(
            "{TEST}[ $? = 0 ] || exit 1\n\
            [ \"$(wc -c <bug.txt)\" -lt {} ] || exit 0\n\
            [ -e '{1}' ] || cp bug.txt '{1}'\n\
            cmp -s bug.txt '{1}' && exit 0\n\
            echo $$ >'{2}'\n\
            sleep 600\n",
            INPUT.len(),
            found.display(),
            hanging.display(),
        );
        fs::write(self.path("subjects/tiny/test.sh"), script).unwrap();
    }

    fn results(&self) -> Vec<serde_json::Value> {
        let text = fs::read_to_string(self.path("results.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn assert_nothing_is_left(&self) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn subjects_are_reduced_measured_tabulated_and_drawn() {
    assert_measured("tiny,whittle,whittle:cdd");
}

mod needs_picire {
    #[test]
    #[ignore = "needs Picire"]
    fn picire_is_measured_beside_whittle() {
        super::assert_measured("tiny,whittle:cdd,picire");
    }
}

/// Runs a subject with some reducers, twice each, and checks what is recorded, tabulated and drawn.
fn assert_measured(only: &str) {
    let playground = Playground::new();
    assert_success(&playground.run(only, &["--repeat", "2"]));
    playground.assert_nothing_is_left();

    let results = playground.results();
    assert_eq!(results.len(), 2 * (only.split(',').count() - 1));
    for result in &results {
        assert_eq!(result["end"], "finished", "{result}");
        assert_eq!(result["rechecked"], true, "{result}");
        assert_eq!(result["input"]["bytes"], INPUT.len(), "{result}");
        // Two words, a number, and what is between them.
        assert!(result["result"]["tokens"].as_u64().unwrap() <= 4, "{result}");
        let runs = result["runs"].as_u64().unwrap();
        assert!(runs > 3, "{result}");
        let curve = result["curve"].as_array().unwrap();
        assert!(curve.len() >= 2 && curve.iter().all(|point| point["runs"].as_u64().unwrap() <= runs), "{result}");
        let (wall, inside) = (result["wall_seconds"].as_f64().unwrap(), result["property_seconds"].as_f64().unwrap());
        assert!(0.0 < inside && inside <= wall, "{result}");
        assert!(result["cpu_seconds"].as_f64().unwrap() > 0.0, "{result}");
        assert!(!cfg!(target_os = "linux") || result["memory_bytes"].as_u64().unwrap() > 100_000, "{result}");
    }

    let table = playground.bench(&["table", "results.jsonl"]).output().unwrap();
    assert_success(&table);
    assert!(String::from_utf8_lossy(&table.stdout).contains("`whittle:cdd`"));
    assert_success(&playground.bench(&["plot", "results.jsonl", "--output", "plots"]).output().unwrap());
    for plot in ["plots/sizes.svg", "plots/ratios.svg", "plots/profile.svg"] {
        assert!(fs::read_to_string(playground.path(plot)).unwrap().contains("whittle:cdd"), "{plot}");
    }
}

#[test]
fn results_that_are_kept_are_counted_alike() {
    let playground = Playground::new();
    assert_success(&playground.run("tiny,whittle", &["--keep", "kept"]));
    let tokens = playground.results()[0]["result"]["tokens"].as_u64().unwrap();
    fs::write(playground.path("kept/tiny.other.bug.txt"), "fine\n").unwrap();
    let output = playground.bench(&["recount", "kept", "--subjects", "subjects"]).output().unwrap();
    assert_success(&output);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows: Vec<Vec<&str>> = printed.lines().map(|row| row.split('|').map(str::trim).collect()).collect();
    let cells = |reducer| rows.iter().find(|row| row[3] == reducer).unwrap();
    assert_eq!((cells("whittle")[4], cells("whittle")[6]), (tokens.to_string().as_str(), "yes"), "{printed}");
    assert_eq!((cells("other")[4], cells("other")[6]), ("1", "no"), "{printed}");
}

#[test]
fn runs_that_are_known_are_not_repeated() {
    let playground = Playground::new();
    assert_success(&playground.run("tiny,whittle", &[]));
    assert_success(&playground.run("tiny,whittle", &["--repeat", "2"]));
    let rounds: Vec<_> = playground.results().iter().map(|result| result["round"].clone()).collect();
    assert_eq!(rounds, [1, 2]);
}

#[test]
fn a_reducer_is_stopped_at_the_limit_and_its_best_candidate_counts() {
    let playground = Playground::new();
    playground.hang();
    assert_success(&playground.run("tiny,whittle", &["--timeout", "8s"]));
    playground.assert_nothing_is_left();
    let result = &playground.results()[0];
    assert_eq!((&result["end"], &result["rechecked"]), (&"stopped".into(), &true.into()), "{result}");
    assert!(result["result"]["bytes"].as_u64() < result["input"]["bytes"].as_u64(), "{result}");
}

#[test]
fn a_reducer_is_stopped_when_it_has_used_its_processor_time() {
    let playground = Playground::new();
    playground.hang();
    let script = playground.path("subjects/tiny/test.sh");
    let busy = fs::read_to_string(&script).unwrap().replace("sleep 600", "while :; do :; done");
    fs::write(&script, busy).unwrap();
    assert_success(&playground.run("tiny,whittle", &["--cpu", "2s", "--timeout", "5m"]));
    playground.assert_nothing_is_left();
    let result = &playground.results()[0];
    assert_eq!((&result["end"], &result["cpu_limit_seconds"]), (&"stopped".into(), &2.0.into()), "{result}");
    assert!(result["wall_seconds"].as_f64() < Some(300.0), "{result}");
}

#[test]
fn an_interrupt_leaves_no_process_and_no_file() {
    let playground = Playground::new();
    playground.hang();
    let bench = playground.command("tiny,whittle", &[]).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + PATIENCE;
    let hanging = loop {
        let id = fs::read_to_string(playground.path("hanging")).unwrap_or_default();
        if id.ends_with('\n') {
            break id.trim().to_owned();
        }
        assert!(Instant::now() < deadline, "no test has hung");
        std::thread::sleep(Duration::from_millis(5));
    };
    kill(Pid::from_raw(bench.id() as i32), Signal::SIGINT).unwrap();
    let output = bench.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
    assert!(!Path::new("/proc").join(hanging).exists(), "a test is still running");
    playground.assert_nothing_is_left();
    assert_eq!(playground.results().len(), 0);
}

#[test]
fn what_a_reducer_complains_about_is_recorded() {
    let playground = Playground::new();
    assert_success(&playground.run("tiny,whittle:no-such-algorithm", &[]));
    let result = &playground.results()[0];
    assert_eq!(result["end"], "failed");
    assert!(result["note"].as_str().unwrap().contains("no-such-algorithm"), "{result}");
}

#[test]
fn an_input_that_is_not_interesting_is_refused() {
    let playground = Playground::new();
    fs::write(playground.path("subjects/tiny/bug.txt"), "fine\n").unwrap();
    let output = playground.run("tiny,whittle", &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("tiny") && said.contains("its own test rejects the input"), "{said}");
}
