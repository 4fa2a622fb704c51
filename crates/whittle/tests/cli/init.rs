//! `whittle init`: from a failing command to a reduction, without a test written by hand.

use std::process::Command;

use crate::bench_folder::Folder;

/// A compiler that fails on every file with a needle, and quotes a name of the file when it does.
const COMPILER: &str = "\
for file; do :; done
grep -q needle \"$file\" || exit 0
echo \"$file: In function '$(head -c 3 \"$file\")':\" >&2
echo \"$file:3:1: internal compiler error: in fold, at fold.cc:12\" >&2
exit 4";

const INPUT: &str = "int a;\nint b;\nneedle c;\nint d;\n";

fn folder() -> Folder {
    let folder = Folder::new("true", "bug.c", INPUT);
    folder.script("cc.sh", COMPILER);
    folder
}

#[test]
fn it_proposes_a_command_that_keeps_the_failure() {
    let folder = folder();
    let ran = folder.whittle("init -- ./cc.sh -O2 bug.c");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "whittle --run './cc.sh -O2 {}' --stderr 'in fold, at fold\\.cc:12' bug.c\n");
    assert!(
        ran.stderr.contains("saw:    an internal error of gcc\n        bug.c:3:1: internal compiler error"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    // What is printed can be run as it is.
    let whittle = std::path::Path::new(env!("CARGO_BIN_EXE_whittle"));
    let line = ran.stdout.replacen("whittle", &whittle.display().to_string(), 1);
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.text("bug.reduced.c"), "needle\n");
}

#[test]
fn it_starts_if_it_is_asked_to() {
    let folder = folder();
    let ran = folder.whittle_words(["init", "--start", "./cc.sh bug.c 2>&1 | cat"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("whittle --run 'sh -c '"), "{}", ran.stdout);
    assert_eq!(folder.text("bug.reduced.c"), "needle\n");
}

#[test]
fn a_script_does_the_same() {
    let folder = folder();
    let ran = folder.whittle("init --script my.sh -- ./cc.sh bug.c");
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), "whittle ./my.sh bug.c\n"), "{}", ran.stderr);
    assert_eq!(folder.whittle("./my.sh bug.c").status, Some(0), "{}", folder.text("my.sh"));
    assert_eq!(folder.text("bug.reduced.c"), "needle\n");
    // A script that is there is not replaced.
    let again = folder.whittle("init --script my.sh -- ./cc.sh bug.c");
    assert_eq!(again.status, Some(2));
    assert!(again.stderr.contains("my.sh cannot be written"), "{}", again.stderr);
}

#[test]
fn standard_input_signals_and_hangs_are_kept_too() {
    let folder = folder();
    folder.script("crash.sh", "grep -q needle && kill -SEGV $$");
    let ran = folder.whittle("init --start --stdin --input bug.c -- ./crash.sh --all");
    assert!(ran.stdout.contains("--stdin --signal SEGV bug.c"), "{} {}", ran.stdout, ran.stderr);
    assert_eq!(folder.text("bug.reduced.c"), "needle\n");
    folder.script("hang.sh", "grep -q needle \"$1\" && exec sleep 60");
    let ran = folder.whittle("init --timeout 1s -- ./hang.sh bug.c");
    assert!(ran.stdout.contains("--timeout 1000ms --timeout-is-interesting bug.c"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn headers_beside_the_input_are_found() {
    let folder = folder();
    std::fs::write(folder.path("gone.h"), "").unwrap();
    folder.script(
        "my-gcc",
        &format!("case \"$1\" in -I*) dir=${{1#-I}};; *) dir=.;; esac\n[ -f \"$dir/gone.h\" ] || exit 1\n{COMPILER}"),
    );
    let ran = folder.whittle("init -- ./my-gcc bug.c");
    assert!(ran.stdout.contains("--run './my-gcc -I{cwd}/. {}'"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let folder = folder();
    folder.script("picky.sh", "[ -f test.sh ] && { echo 'error: bad' >&2; exit 1; }; exit 0");
    for (words, problem) in [
        (vec!["init", "--", "true", "bug.c"], "the command does not fail"),
        (vec!["init", "--", "./cc.sh", "min({})", "bug.c"], "the command has {} or {cwd} in it"),
        (vec!["init", "--", "./cc.sh", "-v"], "no word of the command is a file"),
        (vec!["init", "--", "./missing.sh", "bug.c"], "missing.sh"),
        (vec!["init", "--", "./picky.sh", "bug.c"], "shows in this folder, but not in one that holds only bug.c"),
        (vec!["init", "--input", "gone.c", "--", "./cc.sh"], "the input gone.c"),
    ] {
        let ran = folder.whittle_words(words.iter().copied());
        assert_eq!(ran.status, Some(2), "{words:?} {}", ran.stderr);
        assert!(ran.stderr.contains(problem), "{words:?} {}", ran.stderr);
    }
    folder.script("always.sh", "echo 'error: always' >&2; exit 1");
    let ran = folder.whittle("init -- ./always.sh bug.c");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("warning: an empty input does the same"), "{}", ran.stderr);
}

#[test]
fn names_and_messages_of_all_kinds_are_kept() {
    let folder = folder();
    std::fs::create_dir(folder.path("a b")).unwrap();
    std::fs::write(folder.path("a b/bug file.c"), INPUT).unwrap();
    folder.script(
        "tool.py.sh",
        "for file; do :; done\ngrep -q needle \"$file\" && { echo '--- FAIL: error'; exit 1; }; exit 0",
    );
    for words in [
        vec!["init", "--start", "-i", "a b/bug file.c", "--", "./tool.py.sh", "a b/bug file.c"],
        vec!["init", "--start", "--", "sh", "tool.py.sh", "bug.c"],
        vec!["init", "--start", "./tool.py.sh bug.c 2>&1 | cat"],
        vec!["init", "--start", "-i", "./bug.c", "--", "./tool.py.sh", "bug.c"],
    ] {
        let ran = folder.whittle_words(words.iter().copied());
        assert_eq!(ran.status, Some(0), "{words:?} {} {}", ran.stdout, ran.stderr);
    }
    for result in ["a b/bug file.reduced.c", "bug.reduced.c"] {
        assert_eq!(folder.text(result), "needle\n");
    }
}

#[test]
fn the_script_of_a_crash_bundle_is_a_command() {
    let folder = folder();
    let script = format!(
        "# Crash reproducer for clang version 14\n# Driver args: x\n \"{}\" \"-cc1\" \"bug.c\"\n",
        folder.path("cc.sh").display()
    );
    std::fs::write(folder.path("bug-1234.sh"), script).unwrap();
    let ran = folder.whittle("init bug-1234.sh");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("cc.sh -cc1 {}' --stderr 'in fold, at fold\\.cc:12' bug.c"), "{}", ran.stdout);
}

#[test]
fn the_source_that_gcc_stores_is_an_input() {
    let folder = folder();
    folder.script("cc1", COMPILER);
    let program = folder.path("cc1").display().to_string();
    let report = format!(
        "// Target: x86_64-linux-gnu\n// gcc version 12\n// bug.c:1: internal compiler error\n\n\
         // {program} -quiet -dumpbase bug.c -dumpbase-ext .c -O2 -freport-bug -o - -w gone/bug.c\n\n{INPUT}"
    );
    std::fs::write(folder.path("ccAbc123.out"), report).unwrap();
    let ran = folder.whittle("init ccAbc123.out");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("/cc1 -quiet -O2 -w {}' --stderr"), "{}", ran.stdout);
    assert_eq!(folder.text("bug.pre.c"), INPUT);
    std::fs::write(folder.path("bug.pre.c"), "mine").unwrap();
    let ran = folder.whittle("init ccAbc123.out");
    assert!(ran.status == Some(2) && ran.stderr.contains("would overwrite bug.pre.c"), "{}", ran.stderr);
    std::fs::write(folder.path("ice.txt"), "thread 'rustc' panicked at x\nquery stack during panic:\n").unwrap();
    let ran = folder.whittle("init ice.txt");
    assert!(ran.status == Some(2) && ran.stderr.contains("whittle init -- rustc bug.rs"), "{}", ran.stderr);
}

#[test]
fn an_input_that_includes_files_beside_it_is_preprocessed() {
    let folder = folder();
    std::fs::write(folder.path("part.h"), INPUT).unwrap();
    std::fs::write(folder.path("main.c"), "#include \"part.h\"\nint main(void) { return 0; }\n").unwrap();
    // The failure is that of a compiler that has read everything.
    let script = format!(
        "case \"$*\" in *-E*) exec cc \"$@\";; esac\nfor file; do :; done\ncc -E -P \"$file\" > .all || exit 1\nset -- .all\n{COMPILER}"
    );
    folder.script("my-cc", &script);
    let ran = folder.whittle("init --start -- ./my-cc -c main.c");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("--run './my-cc -c {}'") && ran.stdout.contains(" main.pre.c"), "{}", ran.stdout);
    assert_eq!(folder.text("main.pre.reduced.c"), "needle\n");
}
