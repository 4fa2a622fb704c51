//! Bytes of every kind.

use std::fs;

use crate::bench_folder::Folder;

#[test]
fn line_ends_of_two_bytes_go_as_one() {
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", "one\r\nkeep\r\ntwo\r\n");
    assert_eq!(folder.whittle("test.sh bug.txt --unit line").status, Some(0));
    assert_eq!(folder.read("bug.reduced.txt"), b"keep\r\n");
}

#[test]
fn a_last_line_without_an_end_is_a_line() {
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", "one\ntwo\nkeep");
    assert_eq!(folder.whittle("test.sh bug.txt --unit line").status, Some(0));
    assert_eq!(folder.read("bug.reduced.txt"), b"keep");
}

#[test]
fn bytes_that_are_no_text_are_reduced_by_bytes() {
    let script = "[ \"$(od -An -tx1 bug.bin | tr -d ' \\n' | grep -c 00ff)\" = 1 ]";
    let bytes: Vec<u8> = (0..200u8).map(|i| 255 - i).chain([7, 0, 255, 9]).collect();
    let folder = Folder::new(script, "bug.bin", bytes);
    let ran = folder.whittle("test.sh bug.bin");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.read("bug.reduced.bin"), [0, 255]);
}

#[test]
fn characters_of_several_bytes_are_never_cut() {
    let folder = Folder::new("grep -q 'ä' bug.txt && iconv -f utf-8 -t utf-8 bug.txt", "bug.txt", "öäü→ß 漢字");
    assert_eq!(folder.whittle("test.sh bug.txt").status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "ä");
}

#[test]
fn an_empty_input_is_minimal() {
    let folder = Folder::new("true", "bug.txt", "");
    let ran = folder.whittle("test.sh bug.txt");
    assert_eq!((ran.status, folder.read("bug.reduced.txt").len()), (Some(0), 0), "{}", ran.stderr);
}

#[test]
fn a_test_that_accepts_the_empty_file_is_suspicious() {
    let folder = Folder::new("true", "bug.txt", "something\n");
    let ran = folder.whittle("test.sh bug.txt");
    assert_eq!((ran.status, folder.read("bug.reduced.txt").len()), (Some(0), 0));
    assert!(ran.stderr.contains("an empty file or a single line end is interesting too"), "{}", ran.stderr);
}

#[test]
fn a_file_name_of_any_bytes_is_kept() {
    let folder = Folder::new("grep -q keep \"$1\"", "a b\u{e9}'\"$x.txt", "one\nkeep\n");
    let output = folder.command(["test.sh", "a b\u{e9}'\"$x.txt"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read(folder.path("a b\u{e9}'\"$x.reduced.txt")).unwrap(), b"keep");
}
