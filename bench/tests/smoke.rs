//! The bench end to end, on one tiny subject: Whittle, and Picire if it is installed.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(clippy::print_stdout, reason = "a test that skips says why")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INPUT: &str = "alpha\nbeta\nBUG\ngamma\ndelta BUG 2\nepsilon\n";
/// Interesting: both bugs are there, in their order.
const TEST: &str = "#!/bin/sh\ntr '\\n' ' ' <bug.txt | grep -q 'BUG.*BUG 2'\n";

/// The whittle that was built beside the bench, built now if it was not.
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

fn has_picire() -> bool {
    let has = Command::new("picire").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has {
        println!("picire is not installed: the smoke test runs without it");
    }
    has
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

    fn bench(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle-bench"));
        command.current_dir(self.root.path()).env("TMPDIR", self.path("tmp")).args(arguments);
        command.output().unwrap()
    }

    fn run(&self, only: &str, more: &[&str]) -> Output {
        let whittle = whittle();
        let mut arguments = vec!["run", "--subjects", "subjects", "--output", "results.jsonl", "--only", only];
        arguments.extend(["--whittle", whittle.to_str().unwrap()]);
        arguments.extend(more);
        self.bench(&arguments)
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
    let playground = Playground::new();
    let mut only = "tiny,whittle,whittle:cdd".to_owned();
    if has_picire() {
        only.push_str(",picire");
    }
    assert_success(&playground.run(&only, &["--repeat", "2"]));
    playground.assert_nothing_is_left();

    let results = playground.results();
    assert_eq!(results.len(), 2 * (only.split(',').count() - 1));
    for result in &results {
        assert_eq!(result["end"], "finished", "{result}");
        assert_eq!(result["rechecked"], true, "{result}");
        assert_eq!(result["input"]["bytes"], INPUT.len(), "{result}");
        // Two words, a number, and what stands between them.
        assert!(result["result"]["tokens"].as_u64().unwrap() <= 4, "{result}");
        let runs = result["runs"].as_u64().unwrap();
        assert!(runs > 3, "{result}");
        let curve = result["curve"].as_array().unwrap();
        assert!(curve.len() >= 2 && curve.iter().all(|point| point["runs"].as_u64().unwrap() <= runs), "{result}");
        let (wall, inside) = (result["wall_seconds"].as_f64().unwrap(), result["property_seconds"].as_f64().unwrap());
        assert!(0.0 < inside && inside <= wall, "{result}");
        assert!(!cfg!(target_os = "linux") || result["memory_bytes"].as_u64().unwrap() > 100_000, "{result}");
    }

    let table = playground.bench(&["table", "results.jsonl"]);
    assert_success(&table);
    assert!(String::from_utf8_lossy(&table.stdout).contains("`whittle:cdd`"));
    assert_success(&playground.bench(&["plot", "results.jsonl", "--output", "plots"]));
    for plot in ["plots/sizes.svg", "plots/ratios.svg"] {
        assert!(fs::read_to_string(playground.path(plot)).unwrap().contains("whittle:cdd"), "{plot}");
    }
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
    // Lines go quickly; below four of them every test hangs, so that there is no end.
    let hanging = TEST.replace("\ntr", "\n[ \"$(wc -l <bug.txt)\" -lt 4 ] && sleep 600\ntr");
    fs::write(playground.path("subjects/tiny/test.sh"), hanging).unwrap();
    assert_success(&playground.run("tiny,whittle", &["--timeout", "8s"]));
    playground.assert_nothing_is_left();
    let result = &playground.results()[0];
    assert_eq!((&result["end"], &result["rechecked"]), (&"stopped".into(), &true.into()), "{result}");
    assert!(result["result"]["bytes"].as_u64() < result["input"]["bytes"].as_u64(), "{result}");
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
    assert!(said.contains("tiny") && said.contains("does not find the input interesting"), "{said}");
}
