//! Limits and signals: the best is kept, nothing is left behind.

use std::fs;
use std::process::Child;
use std::time::Duration;

use crate::bench_folder::{Folder, Ran, wait_until};

/// Deletes quickly down to the last lines, then sleeps long in each test.
const SLOW_END: &str = "grep -q keep bug.txt || exit 1; [ $(wc -l < bug.txt) -gt 9 ] || sleep 1000";

fn lines() -> String {
    (0..64).map(|i| if i == 20 { "keep\n".into() } else { format!("{i}\n") }).collect()
}

fn signal(child: &Child, name: &str) {
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn shrunk(folder: &Folder) -> bool {
    std::fs::read_to_string(folder.path("bug.reduced.txt")).is_ok_and(|text| text.lines().count() < 20)
}

#[test]
fn a_limit_on_tests_keeps_the_best_and_says_so() {
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", lines());
    let ran = folder.whittle("test.sh bug.txt --max-tests 6");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("6 counted") && ran.stderr.contains("limit of 6 tests"), "{}", ran.stderr);
    let result = folder.text("bug.reduced.txt");
    assert!(result.contains("keep\n") && result.len() < lines().len());
}

#[test]
fn a_limit_on_time_keeps_the_best_and_ends_running_tests() {
    let folder = Folder::new(SLOW_END, "bug.txt", lines());
    let ran = folder.whittle("test.sh bug.txt --max-time 1500ms --jobs 2");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("time limit"), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").contains("keep\n") && shrunk(&folder));
}

#[test]
fn one_signal_ends_with_the_best() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = Folder::new(SLOW_END, "bug.txt", lines());
        let child = folder.start("test.sh bug.txt --jobs 3");
        wait_until("it has shrunk", || shrunk(&folder));
        std::thread::sleep(Duration::from_millis(100));
        signal(&child, name);
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.status, Some(1), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains("stopped: interrupted"), "{name}: {}", ran.stderr);
        assert!(folder.text("bug.reduced.txt").contains("keep\n"));
        folder.assert_nothing_left();
    }
}

#[test]
fn a_signal_or_the_time_limit_ends_the_check_of_the_input() {
    let folder = Folder::new("echo begun > \"$0.log\"; sleep 1000", "bug.txt", lines());
    let child = folder.start("test.sh bug.txt --jobs 2 --timeout 1h");
    wait_until("the test runs", || fs::read(folder.path("test.sh.log")).is_ok_and(|log| !log.is_empty()));
    signal(&child, "INT");
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    folder.assert_nothing_left();

    let ran = folder.whittle("test.sh bug.txt --timeout 1h --max-time 300ms");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(folder.whittle("test.sh bug.txt --timeout 1h --max-time 1ms").status, Some(1));
    folder.script("test.sh", "true");
    assert_eq!(folder.whittle("test.sh bug.txt --max-tests 0").status, Some(1));
}

#[test]
fn what_nohup_ignores_stays_ignored() {
    let folder = Folder::new("sleep 0.02; grep -q keep bug.txt", "bug.txt", lines());
    let binary = env!("CARGO_BIN_EXE_whittle");
    let script = format!("trap '' HUP; exec {binary} -q test.sh bug.txt");
    let mut shell = std::process::Command::new("sh");
    let mut child =
        shell.args(["-c", &script]).current_dir(folder.path("")).env("TMPDIR", folder.path("tmp")).spawn().unwrap();
    wait_until("there is a result", || folder.path("bug.reduced.txt").exists());
    signal(&child, "HUP");
    assert!(child.wait().unwrap().success());
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
}

#[test]
fn signals_that_arrive_together_are_one() {
    let folder = Folder::new(SLOW_END, "bug.txt", lines());
    let child = folder.start("test.sh bug.txt --jobs 3");
    wait_until("it has shrunk", || shrunk(&folder));
    for name in ["TERM", "TERM", "INT", "HUP"] {
        signal(&child, name);
    }
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopped: interrupted"), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").contains("keep\n"));
    folder.assert_nothing_left();
}

#[test]
fn timeout_gets_a_summary() {
    let folder = Folder::new(SLOW_END, "bug.txt", lines());
    let mut timeout = std::process::Command::new("timeout");
    timeout.args(["--preserve-status", "2", env!("CARGO_BIN_EXE_whittle"), "test.sh", "bug.txt", "--jobs", "2"]);
    let ran = Ran::from(timeout.current_dir(folder.path("")).env("TMPDIR", folder.path("tmp")).output().unwrap());
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopped: interrupted"), "{}", ran.stderr);
    folder.assert_nothing_left();
}

#[test]
fn a_second_signal_later_ends_at_once_with_a_whole_result() {
    // A helper that is stopped cannot cancel its test, so the first signal takes a while.
    let script = "grep -q keep bug.txt || exit 1; \
                  [ $(wc -l < bug.txt) -gt 9 ] || { echo > \"$0.log\"; kill -STOP $PPID; sleep 1000; }";
    let folder = Folder::new(script, "bug.txt", lines());
    let child = folder.start("test.sh bug.txt --jobs 1 --timeout 1h");
    wait_until("a helper is stopped", || folder.path("test.sh.log").exists() && shrunk(&folder));
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(1200));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("stopped:"), "{output:?}");
    assert!(folder.text("bug.reduced.txt").contains("keep\n"));
    folder.assert_nothing_left();
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_interesting_file() {
    for round in 0..12 {
        let folder = Folder::new("grep -q keep bug.txt", "bug.txt", lines());
        let mut child = folder.start("test.sh bug.txt --jobs 2");
        wait_until("there is a result", || folder.path("bug.reduced.txt").exists());
        std::thread::sleep(Duration::from_millis(7 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(folder.text("bug.reduced.txt").contains("keep"), "killed after {round} steps");
        folder.assert_nothing_left();
        // What was half-written goes with the next run.
        assert_eq!(folder.whittle("test.sh bug.txt").status, Some(0));
        assert_eq!(folder.files(), ["bug.reduced.txt", "bug.reduced.txt.history", "bug.txt", "test.sh", "tmp"]);
    }
}

#[test]
fn a_kill_at_any_moment_of_the_start_leaves_no_scratch_folder() {
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", lines());
    for round in 0..60 {
        let mut child = folder.start("test.sh bug.txt --jobs 2 --force");
        let delay = Duration::from_micros(random.u64(0..60_000));
        std::thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();
        println!("seed {seed}, round {round}: killed after {delay:?}");
        folder.assert_nothing_left();
    }
}

#[test]
fn a_test_that_can_no_longer_be_run_ends_the_reduction_with_the_best_kept() {
    let script = "grep -q keep bug.txt || exit 1; [ $(wc -l < bug.txt) -gt 20 ] || rm \"$0\"";
    let folder = Folder::new(script, "bug.txt", lines());
    let ran = folder.whittle("test.sh bug.txt -u line --jobs 1");
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot run"), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").contains("keep\n") && shrunk(&folder));
}
