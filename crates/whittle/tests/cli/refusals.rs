//! Bad input gets one message that says what is wrong and what to do, and status 2.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::bench_folder::Folder;

/// Spaces separate arguments; `_` stands for a space within one.
fn assert_refused(folder: &Folder, line: &str, words: &[&str]) {
    let arguments: Vec<String> = line.split(' ').map(|word| word.replace('_', " ")).collect();
    let ran = folder.whittle_words(arguments.iter().map(String::as_str));
    assert_eq!(ran.status, Some(2), "{line}: {}", ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "{line}: no {word:?} in: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    assert!(!folder.path("bug.reduced.txt").exists(), "{line}: nothing was reduced");
}

#[test]
fn a_test_that_cannot_be_run_is_refused_with_the_remedy() {
    let folder = Folder::new("true", "bug.txt", "x\n");
    assert_refused(&folder, "nowhere.sh bug.txt", &["nowhere.sh does not exist", "TEST comes first"]);
    assert_refused(&folder, "tmp bug.txt", &["tmp is not a regular file"]);

    fs::set_permissions(folder.path("test.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    assert_refused(&folder, "test.sh bug.txt", &["not executable", "chmod +x test.sh"]);

    fs::set_permissions(folder.path("bug.txt"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_refused(&folder, "test.sh bug.txt", &["not executable", "swapped"]);

    fs::write(folder.path("test.sh"), b"\x7fELF\0\0\n").unwrap();
    fs::set_permissions(folder.path("test.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_refused(&folder, "test.sh bug.txt", &["cannot run", "program for another system"]);

    fs::write(folder.path("test.sh"), "#!/bin/sh\r\ntrue\r\n").unwrap();
    assert_refused(&folder, "test.sh bug.txt", &["cannot run", "ends with CRLF"]);

    fs::write(folder.path("test.sh"), "#!/no/such/interpreter\n").unwrap();
    assert_refused(&folder, "test.sh bug.txt", &["cannot run", "#!"]);
}

#[test]
fn an_input_that_cannot_be_read_is_refused_with_the_remedy() {
    let folder = Folder::new("true", "bug.txt", "x\n");
    assert_refused(&folder, "test.sh nowhere.txt", &["nowhere.txt does not exist"]);
    assert_refused(&folder, "test.sh tmp", &["tmp cannot be reduced: there is no file in it that may change"]);

    fs::set_permissions(folder.path("bug.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    let ran = folder.whittle_as_ordinary_user("test.sh bug.txt");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot be read"), "{}", ran.stderr);
}

#[test]
fn an_input_that_is_not_interesting_is_refused_with_what_the_test_did() {
    let folder = Folder::new("echo not this time; cat other.txt; exit 7", "bug.txt", "x\n");
    let words =
        ["bug.txt is not interesting", "exit status 7, expected 0", "not this time", "other.txt", "by absolute paths"];
    assert_refused(&folder, "test.sh bug.txt", &words);

    folder.script("test.sh", "echo boom >&2; echo fine");
    for (condition, hint) in [
        ("--stderr crash", "--stderr asks for another text"),
        ("--stdout boom", "on the other stream: ask for it with --stderr"),
        ("--not-stderr boom", "--not-stderr forbids"),
        ("--valid false_{}", "the command of --valid does not exit with 0"),
        ("--signature at_(.*)", "--signature matches nothing"),
    ] {
        assert_refused(&folder, &format!("test.sh bug.txt {condition}"), &["not interesting", hint]);
    }

    let ran = folder.whittle("test.sh bug.txt --stderr crash");
    assert!(!ran.stderr.contains("exit status: 0 means"), "the exit status is as it should be: {}", ran.stderr);

    folder.script("test.sh", "sleep 100");
    assert_refused(&folder, "test.sh bug.txt --timeout 100ms", &["not interesting", "--timeout"]);
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_any_work() {
    let folder = Folder::new("true", "bug.txt", "x\n");
    assert_refused(&folder, "test.sh bug.txt --output no/such/folder/out", &["no/such/folder/out", "--output"]);
    assert_refused(&folder, "test.sh bug.txt --output tmp", &["tmp, which is not a file"]);
    assert_refused(&folder, "test.sh bug.txt --output bug.txt", &["input itself", "--in-place"]);
    assert_refused(&folder, "test.sh bug.txt --json no/such/folder/log", &["no/such/folder/log", "--json"]);
}

#[test]
fn nothing_that_is_read_is_written_over() {
    let folder = Folder::new("grep -q keep \"$1\"", "bug.txt", "keep\n1\n");
    fs::write(folder.path("b.journal"), "keep\n").unwrap();
    let over = |file: &str| format!("would overwrite {file}");
    assert_refused(&folder, "test.sh bug.txt --json bug.txt", &[&over("bug.txt")]);
    assert_refused(&folder, "test.sh bug.txt --output ./test.sh", &["test.sh"]);
    assert_refused(&folder, "test.sh b.journal --output b", &[&over("b.journal")]);
    assert_refused(&folder, "test.sh bug.txt --output log --json log", &[&over("log")]);
    assert_refused(&folder, "test.sh bug.txt --output /dev/null", &["/dev/null, which is not a file"]);
    assert_refused(&folder, "--run ./test.sh_{} bug.txt --output test.sh", &["test.sh"]);
    assert_eq!(folder.text("bug.txt"), "keep\n1\n");
    assert!(folder.text("test.sh").contains("grep"));
}

#[test]
fn a_signature_that_changes_from_run_to_run_is_refused() {
    let folder = Folder::new("echo error at $$; true", "bug.txt", "x\n");
    let line = "test.sh bug.txt --signature at_([0-9]+)";
    assert_refused(&folder, line, &["the signature of the input differs", "--signature"]);
}

#[test]
fn two_runs_do_not_write_one_result() {
    let folder = Folder::new("sleep 0.05; grep -q keep bug.txt", "bug.txt", "keep\n1\n2\n3\n4\n");
    let mut first = folder.start("test.sh bug.txt --jobs 1");
    folder.wait_for_journal("bug.reduced.txt.journal");
    let output = folder.command(["test.sh", "bug.txt"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("another run of Whittle"), "{output:?}");
    assert!(first.wait().unwrap().success());
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
}

#[test]
fn a_flaky_test_is_refused_with_what_to_do_about_it() {
    let folder = Folder::new("echo >> \"$0.runs\"; [ $(wc -l < \"$0.runs\") != 2 ]", "bug.txt", "x\n");
    assert_refused(&folder, "test.sh bug.txt --jobs 1", &["flaky", "in 2 of 3 runs", "--repeat"]);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = Folder::new("true", "bug.txt", "x\n");
    assert_refused(&folder, "test.sh", &["TEST and an INPUT are needed"]);
    assert_refused(&folder, "test.sh bug.txt --algorithm ddmax", &["--algorithm", "ddmin, onemin"]);
    assert_refused(&folder, "test.sh bug.txt --split-factor 1", &["--split-factor", "at least 2"]);
    assert_refused(&folder, "test.sh bug.txt --split-factor 3 -a probdd", &["--split-factor", "Only ddmin"]);
    assert_refused(&folder, "test.sh bug.txt --unit page", &["--unit", "line"]);
    assert_refused(&folder, "test.sh bug.txt -a percy+ddmin", &["--algorithm", "percy", "perses"]);
    assert_refused(&folder, "test.sh bug.txt -a perses+ddmax", &["--algorithm", "ddmax", "wprobdd"]);
    assert_refused(&folder, "test.sh bug.txt -a perses --effort max", &["--algorithm", "--effort"]);
    assert_refused(&folder, "test.sh bug.txt -a perses+cdd -u line", &["--unit does not go", "list algorithms"]);
    assert_refused(&folder, "test.sh bug.txt --alphabet=", &["--alphabet", "no characters given", "xyz or p-t"]);
    assert_refused(&folder, "test.sh bug.txt --alphabet a.b", &["--alphabet", "'.' cannot come first", "0 to 9 and _"]);
    assert_refused(&folder, "test.sh bug.txt --alphabet z-a", &["--alphabet", "z-a is not a range"]);
    let both = "test.sh bug.txt -a trec --alphabet x --options characters=ascii";
    assert_refused(&folder, both, &["--alphabet does not go with --options characters"]);
    assert_refused(&folder, "test.sh bug.txt -a ddmin --options p0=0.5", &["--options p0", "probdd"]);
    assert_refused(&folder, "test.sh bug.txt --alphabet x -a perses", &["--alphabet has no effect", "canon"]);
    for idle in ["-u line", "--language c -u line", "--language c --effort quick", "-a ddmin"] {
        assert_refused(&folder, &format!("test.sh bug.txt --alphabet x {idle}"), &["--alphabet has no effect"]);
    }
    assert_refused(&folder, "test.sh bug.txt --language klingon", &["klingon", "whittle languages"]);
    assert_refused(&folder, "test.sh bug.txt --language pyhton", &["did you mean python?"]);
    assert_refused(&folder, "test.sh bug.txt -a perces", &["did you mean perses?"]);
    assert_refused(&folder, "reduec test.sh bug.txt", &["'reduce'"]);
    assert_refused(&folder, "test.sh bug.txt -n 4", &["-j 4"]);
    assert_refused(&folder, "test.sh bug.txt --name x.c", &["--name is only for", "standard input"]);
    assert_refused(&folder, "test.sh - --in-place", &["--in-place needs a file"]);
    assert_refused(&folder, "test.sh bug.txt --jobs 0", &["--jobs"]);
    assert_refused(&folder, "test.sh bug.txt --max-time soon", &["--max-time", "30s"]);
    assert_refused(&folder, "test.sh bug.txt --exit 300", &["--exit", "255"]);
    assert_refused(&folder, "test.sh bug.txt --signal NONE", &["--signal", "SEGV"]);
    assert_refused(&folder, "test.sh bug.txt --stderr a(b", &["--stderr", "unclosed group"]);
    assert_refused(&folder, "test.sh bug.txt --memory-limit lots", &["--memory-limit", "512M"]);
    assert_refused(&folder, "test.sh bug.txt --timeout-is-interesting", &["--timeout <TIME>"]);
    assert_refused(&folder, "test.sh bug.txt --stderr-like nowhere", &["--stderr-like nowhere", "Record it"]);
    assert_refused(&folder, "test.sh bug.txt --scratch nowhere", &["scratch", "--scratch"]);
    assert_refused(&folder, "--run true bug.txt", &["--run 'true' does not mention the candidate"]);
    assert_refused(&folder, "--run no-such-program_{} bug.txt", &["--run", "no-such-program"]);
    assert_refused(&folder, "--run cat_{} test.sh bug.txt", &["--run replaces TEST"]);
    assert_refused(&folder, "test.sh bug.txt --in-place --output x", &["--in-place", "--output"]);
}
