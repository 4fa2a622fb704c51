//! Parsers that fail, and texts that are not UTF-8: the reduction goes on, and its result has the bytes of the input.

use std::fs;
use std::process::Command;

use crate::bench_folder::{Folder, Ran, wait_until};

/// More levels of indentation than the scanner for YAML has room for: a failed assertion ends the process.
fn deep_yaml() -> String {
    let levels: String = (0..300).map(|level| " ".repeat(level) + "a:\n").collect();
    format!("{levels}{}KEEP\n", " ".repeat(300))
}

const CRASH: &str = "the parser for YAML crashed with SIGABRT";

#[test]
fn a_tree_is_shown_though_the_parser_crashes() {
    let folder = Folder::new("", "bug.yaml", deep_yaml());
    let ran = folder.whittle("tree bug.yaml");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, format!("{CRASH}; this is the tree of brackets, lines and words\n"));
    assert!(ran.stdout.contains("\"KEEP\""), "{}", ran.stdout);
}

#[test]
fn an_input_on_which_the_parser_crashes_is_reduced() {
    let folder = Folder::new("grep -q KEEP bug.yaml", "bug.yaml", deep_yaml());
    let ran = folder.whittle("test.sh bug.yaml");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches(CRASH).count(), 1, "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.yaml"), "KEEP\n");

    let checked = folder.whittle("check test.sh bug.yaml");
    assert!(checked.stdout.contains(CRASH), "{}", checked.stdout);
}

#[test]
fn a_parser_may_crash_on_candidates_of_an_input_that_it_can_read() {
    // All is one string until its first line is gone, which has to be the first to go.
    let text = format!("x: |\n{}", deep_yaml().replace("a:", " a:"));
    let script = "lines=$(wc -l < bug.yaml); grep -q KEEP bug.yaml && [ $lines -gt 255 ] || exit 1
[ $lines = 302 ] || ! grep -q x bug.yaml";
    let run = |jobs: u32| {
        let folder = Folder::new(script, "bug.yaml", &text);
        let ran = folder.whittle(&format!("test.sh bug.yaml --unit line --max-tests 60 --jobs {jobs}"));
        assert!(ran.stderr.contains(&format!("{CRASH} on some candidates")), "{}", ran.stderr);
        (folder.text("bug.reduced.yaml"), ran.counted().to_owned())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn inputs_are_deduplicated_though_the_parser_crashes() {
    let folder = Folder::new("grep -q KEEP \"$1\"", "unused", "");
    fs::create_dir(folder.path("inputs")).unwrap();
    fs::write(folder.path("inputs/one.yaml"), deep_yaml()).unwrap();
    fs::write(folder.path("inputs/two.yaml"), "b:\n  - KEEP\n").unwrap();
    let ran = folder.whittle("dedup test.sh inputs");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("one.yaml") && ran.stdout.contains("two.yaml"), "{}", ran.stdout);
}

#[test]
fn a_file_that_is_not_utf_8_is_reduced_to_its_own_bytes() {
    // From each of these lines the scanner for Lua reads to the end, until it has read enough.
    let lines = b"\xc3\x28\xff\xfe\x80 foo(\xf0\x28\x8c\x28);\n".repeat(1500);
    let folder = Folder::new("grep -q KEEP bug.lua", "bug.lua", [&lines, b"KEEP\n".as_slice(), &lines].concat());
    let ran = folder.whittle("test.sh bug.lua");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("the parser for Lua took too many steps"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.lua"), "KEEP\n");

    let text = b"int f(void) { return 0; }\nint caf\xe9 = 1; /* d\xe9j\xe0 */\nchar *s = \"\xff\xe9\";\n";
    let folder =
        Folder::new("LC_ALL=C grep -q 'caf.*;' bug.c && LC_ALL=C grep -q \"$(printf '\\377')\" bug.c", "bug.c", text);
    let ran = folder.whittle("test.sh bug.c --algorithm perses");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.read("bug.reduced.c"), b"caf\xe9 \xff\xe9;\n");
}

#[test]
fn a_crash_of_whittle_itself_costs_a_restart_and_no_test() {
    let lines: String = (0..64).map(|i| if i == 20 { "keep;\n".into() } else { format!("line{i};\n") }).collect();
    // Until the crash, tests of short candidates do not end.
    let script = "grep -q keep bug.c || exit 1; [ $(wc -l < bug.c) -gt 9 ] || [ -e \"$0.crashed\" ] || sleep 1000";
    let folder = Folder::new(script, "bug.c", lines);
    let child = folder.start("test.sh bug.c --jobs 2");
    wait_until("it has shrunk", || {
        fs::read_to_string(folder.path("bug.reduced.c")).is_ok_and(|text| text.lines().count() < 20)
    });
    fs::write(folder.path("test.sh.crashed"), "").unwrap();
    assert!(Command::new("kill").args(["-SEGV", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("it continues without parsers"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.c"), "keep");
    folder.assert_nothing_left();
}

#[test]
fn a_process_that_others_abort_is_not_started_again() {
    let folder = Folder::new("sleep 1000", "bug.c", "int a;\n");
    let child = folder.start("test.sh bug.c --timeout 1h");
    wait_until("it tests", || folder.processes().len() > 2);
    assert!(Command::new("kill").args(["-ABRT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(Ran::from(child.wait_with_output().unwrap()).status, None);
    folder.assert_nothing_left();
}
