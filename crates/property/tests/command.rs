//! The command property against real processes.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use whittle_property::CommandProperty;
use whittle_search::{Cancel, Candidate, Property, TestError, Verdict};

struct Script {
    folder: tempfile::TempDir,
}

impl Script {
    fn new(text: &str) -> Self {
        let script = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(script.path(), format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(script.path(), fs::Permissions::from_mode(0o755)).unwrap();
        script
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test.sh")
    }

    fn property(&self, timeout: Duration) -> CommandProperty {
        CommandProperty::new(self.path(), timeout).unwrap()
    }
}

const LONG: Duration = Duration::from_secs(60);

fn candidate(text: &str) -> Candidate {
    Candidate::single("bug.txt", text.as_bytes().to_vec())
}

/// Waits until the process with the number in `file` is gone.
fn assert_dies(file: PathBuf) {
    let pid = fs::read_to_string(file).unwrap();
    let start = Instant::now();
    while is_alive(pid.trim()) {
        assert!(start.elapsed() < LONG, "process {pid} is still alive");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A zombie that its new parent has not reaped yet is dead.
fn is_alive(pid: &str) -> bool {
    let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
    !state.is_empty() && !state.starts_with(b"Z")
}

#[test]
fn the_candidate_lies_in_the_working_folder_and_is_the_first_argument() {
    let script = Script::new("[ \"$(cat bug.txt)\" = yes ] && [ \"$1\" = \"$PWD/bug.txt\" ] && [ $(ls | wc -l) = 1 ]");
    let property = script.property(LONG);
    assert_eq!(property.test(&candidate("yes"), &Cancel::new()).unwrap().verdict, Verdict::Interesting);
    assert_eq!(property.test(&candidate("no"), &Cancel::new()).unwrap().verdict, Verdict::Uninteresting);
}

#[test]
fn a_test_that_takes_too_long_is_killed_with_its_children() {
    let script = Script::new("sleep 1000 & echo $! > \"$(dirname \"$0\")/pid\"; wait");
    let property = script.property(Duration::from_millis(300));
    let start = Instant::now();
    let tested = property.test(&candidate(""), &Cancel::new()).unwrap();
    assert_eq!(tested.verdict, Verdict::TimedOut);
    assert!(tested.elapsed >= Duration::from_millis(300) && start.elapsed() < LONG);
    assert_dies(script.folder.path().join("pid"));
}

#[test]
fn what_a_test_leaves_running_in_its_group_is_killed_when_it_ends() {
    let script = Script::new("sleep 1000 & echo $! > \"$(dirname \"$0\")/pid\"");
    let property = script.property(LONG);
    assert_eq!(property.test(&candidate(""), &Cancel::new()).unwrap().verdict, Verdict::Interesting);
    assert_dies(script.folder.path().join("pid"));
}

#[test]
fn a_cancelled_test_ends_at_once() {
    let script = Script::new("sleep 1000");
    let property = script.property(LONG);
    let cancel = Cancel::new();
    let start = Instant::now();
    let result = std::thread::scope(|scope| {
        let running = scope.spawn(|| property.test(&candidate(""), &cancel));
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        running.join().unwrap()
    });
    assert_eq!(result.unwrap_err(), TestError::Cancelled);
    assert!(start.elapsed() < LONG);
}

#[test]
fn a_program_that_cannot_be_run_is_an_error_and_not_a_verdict() {
    let property = CommandProperty::new(PathBuf::from("/nowhere/test.sh"), LONG).unwrap();
    let error = property.test(&candidate(""), &Cancel::new()).unwrap_err();
    assert!(matches!(&error, TestError::Failed(text) if text.contains("/nowhere/test.sh")), "{error}");
}

#[test]
fn no_scratch_folder_is_left() {
    let script = Script::new("touch here; rm -rf \"$PWD\"");
    let property = script.property(LONG);
    let root = property.scratch_root().to_owned();
    property.test(&candidate(""), &Cancel::new()).unwrap();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    drop(property);
    assert!(!root.exists());
}
