//! `whittle cvise`, also by the names `cvise` and `creduce`.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::bench_folder::{Folder, Ran};

/// Runs the binary under another name.
fn called(folder: &Folder, name: &str, words: &[&str]) -> Ran {
    let link = folder.path(name);
    if !link.exists() {
        symlink(env!("CARGO_BIN_EXE_whittle"), &link).unwrap();
    }
    let mut command = Command::new(link);
    command.current_dir(folder.path("")).env("TMPDIR", folder.path("tmp")).args(words);
    let ran = Ran::from(command.output().unwrap());
    folder.assert_nothing_left();
    ran
}

const NEEDS_NO_ARGUMENTS: &str = "[ $# = 0 ] && grep -q needle bug.txt";

#[test]
fn a_call_of_cvise_reduces_in_place_and_keeps_the_original() {
    let folder = Folder::new(NEEDS_NO_ARGUMENTS, "bug.txt", "hay\nneedle hay\nhay\n");
    for name in ["cvise", "creduce"] {
        fs::write(folder.path("bug.txt"), "hay\nneedle hay\nhay\n").unwrap();
        let ran = called(&folder, name, &["--n", "2", "--timeout", "20", "test.sh", "bug.txt", "--no-cache"]);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("bug.txt"), "needle");
        assert_eq!(folder.text("bug.txt.orig"), "hay\nneedle hay\nhay\n");
        assert!(ran.stderr.contains("no effect in Whittle: --no-cache"), "{}", ran.stderr);
        assert!(ran.stdout.contains("bug.txt ---\nneedle\n"), "{}", ran.stdout);
    }
}

#[test]
fn tidy_keeps_no_original_and_commands_stand_for_a_test() {
    let folder = Folder::new("exit 1", "bug.txt", "hay\nneedle {} hay\nhay\n");
    let words = ["cvise", "--tidy", "-c", "cat bug.txt | grep -q 'needle {}'", "bug.txt"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.txt"), "needle {}");
    assert!(!folder.path("bug.txt.orig").exists());
}

#[test]
fn several_files_keep_their_names_and_those_that_are_not_needed_go() {
    let folder = Folder::new("grep -q needle a.txt && cat ./*.dat | grep -q pin", "a.txt", "hay\nneedle\n");
    fs::write(folder.path("long-name.dat"), "pin\nhay\n").unwrap();
    fs::write(folder.path("c.txt"), "hay\n").unwrap();
    let ran = folder.whittle("cvise --n 2 test.sh a.txt long-name.dat c.txt");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("a.txt"), "needle");
    assert_eq!(folder.text("long-name.dat"), "pin");
    assert!(!folder.path("c.txt").exists());
    assert_eq!(folder.text("c.txt.orig"), "hay\n");
}

#[test]
fn a_file_in_a_folder_has_its_relative_path_in_tests_of_cvise_and_its_name_in_those_of_creduce() {
    let folder = Folder::new("exit 1", "bug.txt", "");
    fs::create_dir(folder.path("sub")).unwrap();
    for (name, path) in [("cvise", "sub/bug.txt"), ("creduce", "bug.txt")] {
        fs::write(folder.path("sub/bug.txt"), "hay\nneedle\n").unwrap();
        let ran = called(&folder, name, &["--tidy", "-c", &format!("grep -q needle {path}"), "sub/bug.txt"]);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.stderr);
        assert_eq!(folder.text("sub/bug.txt"), "needle");
    }
}

#[test]
fn a_test_that_rejects_the_file_ends_with_status_1_and_changes_nothing() {
    let folder = Folder::new("exit 3", "bug.txt", "hay\n");
    let ran = folder.whittle("cvise test.sh bug.txt");
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("is not interesting"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.txt"), "hay\n");
    assert!(!folder.path("bug.txt.orig").exists());
    assert_eq!(folder.whittle("cvise test.sh").status, Some(1));
    assert_eq!(folder.whittle("cvise --no-such-option test.sh bug.txt").status, Some(2));
}

#[test]
fn every_option_of_cvise_and_creduce_is_accepted() {
    let folder = Folder::new("grep -q needle bug.c", "bug.c", "int hay;\nint needle;\n");
    let options = "-n 1 --tidy --shaddap --die-on-pass-bug --sllooww --also-interesting 77 --debug --log-level INFO \
        --log-file log --no-give-up --print-diff --save-temps --skip-initial-passes -s --remove-pass a,b \
        --start-with-pass c --no-timing --timestamp --no-cache --skip-key-off --max-improvement 9 \
        --pass-group all --clang-delta-std c++17 --clang-delta-preserve-routine f --not-c --renaming --to-utf8 \
        --skip-after-n-transforms 4 --stopping-threshold 0.5 --abs-timing --timing --no-default-passes --no-kill \
        --add-pass a b 3 --timeout 30";
    let ran = folder.whittle(&format!("cvise {options} test.sh bug.c"));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "messages go to the log");
    assert_eq!(folder.text("bug.c"), "needle");
    let log = folder.text("log");
    assert!(log.contains("--stopping-threshold") && !log.contains("language: C"), "{log}");
}

#[test]
fn the_version_names_the_program_that_is_replaced() {
    let folder = Folder::new("exit 1", "bug.txt", "a\n");
    for name in ["cvise", "creduce"] {
        let ran = called(&folder, name, &["--version"]);
        assert!(ran.stdout.ends_with(&format!("in the place of {name}\n")), "{}", ran.stdout);
    }
}

#[test]
fn commands_that_reject_the_file_are_shown_as_they_were_written() {
    let folder = Folder::new("exit 1", "bug.txt", "a\n");
    let ran = called(&folder, "cvise", &["-c", "grep needle bug.txt", "bug.txt"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("command: grep needle bug.txt\n"), "{}", ran.stderr);
}

#[test]
fn no_jobs_at_all_are_refused() {
    let folder = Folder::new("exit 0", "bug.txt", "a\n");
    let ran = called(&folder, "cvise", &["--n", "0", "test.sh", "bug.txt"]);
    assert!(ran.status != Some(0) && ran.stderr.contains("--n"), "{}", ran.stderr);
}
