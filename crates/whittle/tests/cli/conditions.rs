//! Conditions without a script, graded verdicts, and how tests are run.

use std::fs;

use crate::bench_folder::{Folder, Ran};

/// A folder whose program `prog` has this text, with an input of thirty lines and `keep`.
fn folder(program: &str) -> Folder {
    let lines: String = (0..30).map(|i| if i == 11 { "keep\n".into() } else { format!("{i}\n") }).collect();
    let folder = Folder::new("exit 9", "bug.txt", lines);
    folder.script("prog", program);
    folder
}

fn reduced(folder: &Folder, words: &[&str]) -> String {
    let ran = folder.whittle_words(words.iter().copied());
    assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.stderr);
    folder.text("bug.reduced.txt")
}

#[test]
fn each_condition_alone_keeps_what_it_asks_for() {
    let program = "grep -q keep \"$1\" || exit 0; echo out keep; echo err keep >&2; exit 3";
    for condition in [
        &["--exit", "1..=4,200"][..],
        &["--exit", "1-255"],
        &["--exit", "nonzero"],
        &["--exit", "!0", "--timeout", "5"],
        &["--stdout", "^out keep$"],
        &["--stderr", "err k.ep"],
        &["--not-stdout", "nothing", "--exit", "3"],
        &["--not-stderr", "other", "--exit", "3"],
    ] {
        let words: Vec<&str> = ["--run", "./prog {}", "bug.txt"].iter().chain(condition).copied().collect();
        assert_eq!(reduced(&folder(program), &words), "keep", "{condition:?}");
    }
}

#[test]
fn a_signal_is_a_condition() {
    let folder = folder("grep -q keep \"$1\" && kill -SEGV $$");
    assert_eq!(reduced(&folder, &["--run", "./prog {}", "--signal", "SEGV", "bug.txt"]), "keep");
}

#[test]
fn a_timeout_can_be_what_is_looked_for() {
    let folder = folder("grep -q keep \"$1\" && sleep 100");
    let words = ["--run", "./prog {}", "--timeout-is-interesting", "--timeout", "2s", "-u", "line", "bug.txt"];
    assert_eq!(reduced(&folder, &words), "keep\n");
}

#[test]
fn stderr_may_be_like_a_recorded_one() {
    let program = "grep -q keep \"$1\" && echo \"bug.txt:$(wc -l < \"$1\"): internal error in the frobnicator\" >&2";
    let folder = folder(program);
    fs::write(folder.path("recorded"), "bug.txt:31: internal error in the frobnicator\n").unwrap();
    assert_eq!(reduced(&folder, &["--run", "./prog {}", "--stderr-like", "recorded", "bug.txt"]), "keep");
}

#[test]
fn the_candidate_can_come_on_standard_input() {
    let folder = folder("grep -q keep");
    assert_eq!(reduced(&folder, &["--run", "./prog", "--stdin", "bug.txt"]), "keep");
    folder.script("test.sh", "grep -q keep");
    assert_eq!(reduced(&folder, &["test.sh", "bug.txt", "--stdin"]), "keep");
}

#[test]
fn the_input_can_come_on_standard_input() {
    let folder = folder("");
    folder.script("test.sh", "grep -q keep bug.c");
    let mut command = folder.command(["test.sh", "-", "--name", "bug.c"]);
    let input = fs::File::open(folder.path("bug.txt")).unwrap();
    let ran = Ran::from(command.stdin(input).output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("language: C\n"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.c").trim(), "keep");
    folder.script("prog", "grep -q keep stdin");
    let input = fs::File::open(folder.path("bug.txt")).unwrap();
    let mut command = folder.command(["--run", "./prog {}", "-", "-o", "-"]);
    assert_eq!(Ran::from(command.stdin(input).output().unwrap()).stdout, "keep");
    folder.assert_nothing_left();
}

#[test]
fn the_scratch_folder_may_be_given_by_a_relative_path() {
    let folder = folder("grep -q keep \"$1\"");
    folder.script("test.sh", "grep -q keep \"$1\"");
    assert_eq!(reduced(&folder, &["test.sh", "bug.txt", "--scratch", "tmp"]), "keep");
}

#[test]
fn only_the_program_is_looked_for_where_the_user_is() {
    let folder = folder("[ ! -e prog ] && [ -e \"$2/prog\" ] && grep -q keep \"$1\"");
    assert_eq!(reduced(&folder, &["--run", "./prog {} {cwd}", "bug.txt"]), "keep");
}

#[test]
fn a_script_without_an_interpreter_line_is_run_by_sh() {
    let folder = folder("");
    for file in ["test.sh", "prog"] {
        fs::write(folder.path(file), "grep -q keep \"$1\"\n").unwrap();
    }
    assert_eq!(reduced(&folder, &["test.sh", "bug.txt"]), "keep");
    assert_eq!(reduced(&folder, &["--run", "./prog {}", "bug.txt", "--force"]), "keep");
}

#[test]
fn a_cheap_check_keeps_the_costly_test_from_being_run() {
    let folder = folder("grep -q keep \"$1\"");
    folder.script("test.sh", "echo >> \"$0.runs\"; grep -q keep bug.txt");
    let ran = folder.whittle_words(["test.sh", "bug.txt", "--valid", "./prog {}", "--jobs", "1", "--json", "log"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
    let log = folder.text("log");
    let of = |verdict: &str| log.lines().filter(|line| line.contains(&format!("\"verdict\":\"{verdict}\""))).count();
    assert_eq!(of("uninteresting"), 0, "what is not interesting is invalid here");
    // Three runs for the input and one for the end; its verdict, counted as the first test, needs no further run.
    assert_eq!(folder.text("test.sh.runs").lines().count(), of("interesting") - 1 + 3 + 1);
}

#[test]
fn failures_with_another_signature_are_kept_aside_and_listed() {
    let program = "n=$(grep -c . \"$1\"); grep -q keep \"$1\" || exit 0; \
                   [ $n -gt 4 ] && echo 'crash in parse()' || echo 'crash in lex()'; exit 1";
    let folder = folder(program);
    let words = ["--run", "./prog {}", "--exit", "1", "--signature", r"crash in (\w+)", "-u", "line", "bug.txt"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt").lines().count(), 5);
    let others: Vec<_> = fs::read_dir(folder.path("bug.other")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(others.len(), 1, "{others:?}");
    let text = fs::read_to_string(&others[0]).unwrap();
    assert!(text.contains("keep\n") && text.lines().count() < 5, "{text}");
    let name = others[0].file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("lex") && name.ends_with(".txt"), "{name}");
    assert!(
        ran.stderr.contains(&format!("other:   bug.other/{name}")) && ran.stderr.contains("lex)"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_flaky_test_is_reduced_with_repetitions() {
    // Fails on every fourth run.
    let script = "echo >> \"$0.runs\"; [ $(( $(wc -l < \"$0.runs\") % 4 )) != 0 ] && grep -q keep bug.txt";
    let folder = Folder::new(script, "bug.txt", "one\nkeep\ntwo\n");
    let ran = folder.whittle("test.sh bug.txt --repeat 2 --jobs 1 -u line");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").contains("keep\n"));

    let ran = folder.whittle("test.sh bug.txt --repeat auto --jobs 1 -u line");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(folder.text("bug.reduced.txt").contains("keep\n"));
}

#[test]
fn a_result_that_does_not_stand_a_second_look_is_told() {
    // The result is accepted once and never again.
    let script = "grep -q keep bug.txt || exit 1; [ $(wc -l < bug.txt) -gt 1 ] || mkdir \"$0.once\"";
    let folder = Folder::new(script, "bug.txt", "one\nkeep\ntwo\n");
    let ran = folder.whittle("test.sh bug.txt -u line --jobs 1");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("not interesting when it was tested once more"), "{}", ran.stderr);
}

#[test]
fn check_tells_what_a_reduction_would_start_from() {
    let folder = Folder::new("echo hello; grep -q keep bug.txt", "bug.txt", "one\nkeep\n");
    let ran = folder.whittle("check test.sh bug.txt --runs 4");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    for word in [
        "command: test.sh",
        "language: none, plain text",
        "exit status 0 after",
        "  hello",
        "in 4 of 4 runs",
        "timeout: ",
        "empty file is not",
    ] {
        assert!(ran.stdout.contains(word), "no {word:?} in: {}", ran.stdout);
    }

    folder.script("test.sh", "true");
    let ran = folder.whittle("check test.sh bug.txt");
    assert!(ran.stdout.contains("an empty file is interesting too"), "{}", ran.stdout);
    assert!(ran.stdout.contains("verdict: the test accepts everything"), "{}", ran.stdout);
    assert_eq!(ran.status, Some(2), "{}", ran.stdout);

    folder.script("test.sh", "cat missing.h");
    let ran = folder.whittle("check test.sh bug.txt");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("it needs a file that is not there"), "{}", ran.stderr);

    folder.script("test.sh", "echo >> \"$0.runs\"; [ $(wc -l < \"$0.runs\") != 2 ]");
    let ran = folder.whittle("check test.sh bug.txt");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stdout.contains("in 4 of 5 runs") && ran.stdout.contains("--repeat"), "{}", ran.stdout);
}

mod needs_flock {
    use super::Folder;

    #[test]
    #[ignore = "needs the program flock"]
    fn a_timeout_under_load_is_confirmed_alone() {
        // A test that is not alone takes too long.
        let script = "exec 9> \"$0.lock\"; flock -n 9 || sleep 100; sleep 0.02; grep -q keep bug.txt";
        let lines: String = (0..12).map(|i| if i == 5 { "keep\n".into() } else { format!("{i}\n") }).collect();
        let folder = Folder::new(script, "bug.txt", lines);
        let ran = folder.whittle("test.sh bug.txt -u line --jobs 3 --timeout 2s --repeat 1");
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.txt"), "keep\n");
        assert!(ran.stderr.contains(" 0 timed out"), "{}", ran.stderr);
    }
}

#[test]
fn a_bug_that_shows_rarely_is_reduced_and_how_often_it_is_missed_is_stated() {
    let every_other_run = "echo >> \"$0.runs\"; [ $(($(wc -l < \"$0.runs\") % 2)) = 0 ] && grep -q keep bug.txt";
    let folder = Folder::new(every_other_run, "bug.txt", "1\nkeep\n2\n");
    let ran = folder.whittle("test.sh bug.txt --jobs 1");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("--repeat any:12 if it never"), "1 of 3 runs: {}", ran.stderr);
    let ran = folder.whittle("test.sh bug.txt --jobs 1 --repeat any:4");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("the bug shows in 2 of 4 runs on the input"), "{}", ran.stderr);
    assert!(ran.stderr.contains("4 runs miss 6.3%"), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "keep");
}
