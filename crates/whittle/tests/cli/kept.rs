//! Results are not lost: what a run may replace, and what led to a result.

use std::fs;

use crate::bench_folder::Folder;

const KEEPS: &str = "grep -q keep \"$1\"";

fn reduced() -> Folder {
    let folder = Folder::new(KEEPS, "bug.txt", "1\n2\n3\nkeep this\n4\n5\n6\n7\n8\n");
    assert_eq!(folder.whittle("test.sh bug.txt").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
    folder
}

#[test]
fn a_run_that_is_stopped_does_not_replace_a_smaller_result() {
    let folder = reduced();
    let ran = folder.whittle("test.sh bug.txt --max-tests 3");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
    assert!(ran.stderr.contains("result of an earlier run") && ran.stderr.contains("--force"), "{}", ran.stderr);

    let ran = folder.whittle("test.sh bug.txt --max-tests 3 --force");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").len() > 4, "{}", ran.stderr);
}

#[test]
fn the_best_of_a_killed_or_stopped_run_is_not_replaced_by_something_larger() {
    let folder = Folder::new(KEEPS, "bug.txt", "1\n2\n3\nkeep this\n4\n5\n6\n7\n8\n");
    assert_eq!(folder.whittle("test.sh bug.txt --jobs 1 --max-tests 9").status, Some(1));
    let best = folder.text("bug.reduced.txt");
    // A killed run leaves a journal and no history.
    fs::remove_file(folder.path("bug.reduced.txt.history")).unwrap();
    assert_eq!(folder.whittle("test.sh bug.txt --jobs 1 --max-tests 3").status, Some(1));
    assert_eq!(folder.text("bug.reduced.txt"), best);
}

#[test]
fn a_file_that_no_run_has_written_is_not_replaced() {
    let folder = Folder::new(KEEPS, "bug.txt", "1\nkeep\n2\n");
    fs::write(folder.path("bug.reduced.txt"), "notes\n").unwrap();
    let ran = folder.whittle("test.sh bug.txt");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("bug.reduced.txt exists") && ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "notes\n");
    assert_eq!(folder.whittle("test.sh bug.txt --force").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
    // A result that somebody edited is no longer ours.
    fs::write(folder.path("bug.reduced.txt"), "keep, edited\n").unwrap();
    assert_eq!(folder.whittle("test.sh bug.txt").status, Some(2));
}

#[test]
fn the_result_for_another_test_is_replaced() {
    let folder = reduced();
    folder.script("test.sh", "grep -q 7 \"$1\"");
    let ran = folder.whittle("test.sh bug.txt");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "7");
}

#[test]
fn resuming_a_finished_run_starts_from_its_result() {
    let folder = Folder::new(KEEPS, "bug.txt", "1\n2\n3\nkeep this\n4\n5\n6\n7\n8\n");
    assert_eq!(folder.whittle("test.sh bug.txt -u line").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "keep this\n");
    let ran = folder.whittle("test.sh bug.txt --resume --jobs 1 -v");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
    // Input and two trivial files are known from the checks; the fourth test is the earlier result.
    assert!(ran.stderr.contains("10 bytes"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("nothing to resume"), "{}", ran.stderr);
}

#[test]
fn a_history_lists_what_led_to_the_result_and_prints_it() {
    let folder = reduced();
    let listed = folder.whittle("history bug.reduced.txt");
    assert_eq!(listed.status, Some(0), "{}", listed.stderr);
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert!(lines.len() >= 3, "{}", listed.stdout);
    assert!(lines[0].contains("26 bytes") && lines[lines.len() - 1].contains(" 4 bytes"), "{}", listed.stdout);
    assert_eq!(folder.whittle("history bug.reduced.txt 0").stdout, folder.text("bug.txt"));
    assert_eq!(folder.whittle(&format!("history bug.reduced.txt {}", lines.len() - 1)).stdout, "keep");
    let wrong = folder.whittle("history bug.reduced.txt 99");
    assert!(wrong.status == Some(2) && wrong.stderr.contains("0 to"), "{}", wrong.stderr);
    let none = folder.whittle("history bug.txt");
    assert!(none.status == Some(2) && none.stderr.contains("bug.txt.history cannot be read"), "{}", none.stderr);
}

#[test]
fn temporary_files_of_tests_go_and_are_not_seen_by_the_next() {
    // The first line fails if another test has left something.
    let script =
        "[ -z \"$(ls -A \"$TMPDIR\")\" ] || exit 1\ntouch \"$TMPDIR/left\" \"$(mktemp)\"\ngrep -q needle bug.txt";
    let folder = Folder::new(script, "bug.txt", "one\nneedle\ntwo\n");
    let ran = folder.whittle("test.sh bug.txt -j 2");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
}
