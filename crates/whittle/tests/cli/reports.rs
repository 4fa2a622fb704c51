//! What people and scripts get to read.

use serde_json::Value;

use crate::bench_folder::Folder;

fn folder() -> Folder {
    Folder::new("grep -q keep bug.txt", "bug.txt", (0..30).map(|i| format!("{i}\n")).collect::<String>() + "keep\n")
}

/// Replaces what differs from run to run: times, rates, shares of time.
fn stable(text: &str) -> String {
    let mut stable = String::new();
    for line in text.lines() {
        let line = match line.split_once(" s  ") {
            Some((time, rest)) if time.trim().parse::<f64>().is_ok() => format!("[time]  {rest}"),
            _ if line.starts_with("time:") => "time:    [time]".into(),
            _ if line.starts_with("  test ") => {
                let (start, rest) = line.split_once(" bytes, ").unwrap();
                format!("{start} bytes, [time], {}", rest.split_once(", ").unwrap().1)
            }
            _ => line.to_owned(),
        };
        stable += &line;
        stable += "\n";
    }
    stable
}

#[test]
fn without_a_terminal_there_is_a_line_per_improvement_and_a_summary() {
    insta::assert_snapshot!(stable(&folder().whittle("test.sh bug.txt --jobs 1").stderr));
}

#[test]
fn verbose_tells_passes_and_tests() {
    let ran = folder().whittle("test.sh bug.txt --jobs 1 --verbose --max-tests 7");
    insta::assert_snapshot!(stable(&ran.stderr));
}

#[test]
fn quiet_says_nothing() {
    assert_eq!(folder().whittle("test.sh bug.txt --quiet").stderr, "");
}

#[test]
fn tree_shows_lists_optionals_and_what_places_expect() {
    let folder = Folder::new("true", "x.json", "[1, {\"a\": true}]\n");
    insta::assert_snapshot!(folder.whittle("tree x.json").stdout);
    let unknown = Folder::new("true", "notes.xyz", "one (two three)\nfour\n");
    insta::assert_snapshot!(unknown.whittle("tree notes.xyz").stdout);
    let ran = unknown.whittle("tree notes.xyz --language klingon");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("whittle languages"), "{}", ran.stderr);
}

#[test]
fn languages_are_listed_with_their_extensions() {
    let listed = folder().whittle("languages").stdout;
    for line in ["c                C                    .c .h", "smtlib", "python"] {
        assert!(listed.lines().any(|listed| listed.starts_with(line)), "no {line:?} in: {listed}");
    }
}

#[cfg(not(feature = "all-languages"))]
#[test]
fn a_language_that_is_not_in_this_build_is_named() {
    let folder = Folder::new("grep -q keep \"$1\"", "Bug.hs", "main = keep\nother = 1\n");
    let missing = "Haskell is known, but not in this build";
    let ran = folder.whittle("test.sh Bug.hs");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(missing) && ran.stderr.contains("language: none, plain text"), "{}", ran.stderr);
    let ran = folder.whittle("check test.sh Bug.hs");
    assert!(ran.stdout.contains(missing), "{}", ran.stdout);
    let ran = folder.whittle("test.sh Bug.hs --language haskell");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains(missing) && ran.stderr.contains("--features all-languages"), "{}", ran.stderr);
    let ran = folder.whittle("test.sh Bug.hs --language none --force");
    assert!(!ran.stderr.contains(missing), "{}", ran.stderr);
    assert!(folder.whittle("languages").stderr.contains(", haskell, "));
}

#[test]
fn help_teaches() {
    for (name, line) in [
        ("help", "--help"),
        ("help_reduce", "reduce --help"),
        ("help_reduce_short", "reduce -h"),
        ("help_init", "init --help"),
        ("help_compare", "compare --help"),
        ("help_explain", "explain --help"),
        ("help_check", "check --help"),
        ("help_tree", "tree --help"),
        ("help_learn", "learn --help"),
    ] {
        let output = folder().command(line.split(' ')).output().unwrap();
        assert!(output.status.success());
        insta::assert_snapshot!(name, String::from_utf8(output.stdout).unwrap());
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish"] {
        let ran = folder.whittle(&format!("completions {shell}"));
        assert!(ran.stdout.contains("max-time") && ran.stdout.contains("dedup"), "{shell}: {}", ran.stderr);
        assert!(!ran.stdout.contains("slow-test"), "{shell}: what users do not type is not completed");
    }
    std::fs::create_dir(folder.path("man1")).unwrap();
    assert_eq!(folder.whittle("man man1").status, Some(0));
    for (page, text) in [("whittle.1", "whittle\\-init(1)"), ("whittle-reduce.1", "\\-\\-max\\-time")] {
        assert!(folder.text(&format!("man1/{page}")).contains(text), "{page}");
    }
    let ran = folder.whittle("man nowhere");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("mkdir -p"), "{}", ran.stderr);
}

#[test]
fn events_are_json_lines_that_agree_with_the_result() {
    let folder = folder();
    assert_eq!(folder.whittle("test.sh bug.txt --json events.jsonl --jobs 2").status, Some(0));
    let events: Vec<Value> =
        folder.text("events.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_kind = |kind: &str| events.iter().filter(|event| event["kind"] == kind).collect::<Vec<_>>();
    let last = events.last().unwrap();
    assert_eq!(last["kind"], "finished");
    assert_eq!(last["tests"].as_u64().unwrap() as usize, of_kind("tested").len());
    assert_eq!(last["bytes"], folder.read("bug.reduced.txt").len());
    assert_eq!(of_kind("pass-begun").len(), of_kind("pass-ended").len());
    let sizes: Vec<u64> = of_kind("improved").iter().map(|event| event["bytes"].as_u64().unwrap()).collect();
    assert!(sizes.is_sorted_by(|a, b| a > b) && !sizes.is_empty(), "{sizes:?}");
    let interesting = of_kind("tested").iter().filter(|event| event["verdict"] == "interesting").count();
    assert_eq!(interesting, sizes.len() + 1, "every interesting test but that of the input improves");
}

#[test]
fn an_improvement_of_the_same_size_is_not_printed_again() {
    let folder = Folder::new("grep -Eq 'int [a-z];' bug.c", "bug.c", "long f;\nint z;\nint unneeded;\n");
    let ran = folder.whittle("test.sh bug.c --json events.jsonl --jobs 1");
    assert_eq!(folder.text("bug.reduced.c").trim(), "int a;");
    let improved = |line: &&str| line.contains(r#""kind":"improved""#);
    let sizes: Vec<Value> =
        folder.text("events.jsonl").lines().filter(improved).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(sizes.windows(2).any(|pair| pair[0]["bytes"] == pair[1]["bytes"]), "a name changed, and no size");
    let lines: Vec<&str> =
        ran.stderr.lines().filter_map(|line| line.split_once(": ")?.1.split_once(" (")).map(|(size, _)| size).collect();
    assert!(lines.iter().any(|size| size.contains(" tokens, ") && size.ends_with(" bytes")), "{}", ran.stderr);
    let mut distinct = lines.clone();
    distinct.dedup();
    assert_eq!(lines, distinct, "{}", ran.stderr);
}

#[test]
fn a_live_line_says_since_when_a_slow_test_runs() {
    let folder = Folder::new("sleep 1.2; [ $(wc -c < bug.txt) = 4 ]", "bug.txt", "a\nb\n");
    let words = [env!("CARGO_BIN_EXE_whittle"), "test.sh", "bug.txt", "--jobs", "1", "--max-tests", "3"];
    let program = "import pty, sys; pty.spawn(sys.argv[1:])";
    let mut python = std::process::Command::new("python3");
    python.args(["-c", program]).args(words).current_dir(folder.path("")).env("TMPDIR", folder.path("tmp"));
    python.env("TERM", "xterm").env("COLUMNS", "200").stdin(std::process::Stdio::null());
    let output = python.output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    for words in ["checking the input for 1.", ", 1 running for 1.", "no gain yet"] {
        assert!(shown.contains(words), "no {words:?} in: {shown}");
    }
    assert!(!shown.contains("last gain"), "{shown}");
}

#[test]
fn the_size_of_a_text_without_tokens_is_in_bytes() {
    let text = "/* a b c d e f g h\n*/\n// \\\ni j k l m n\n";
    let folder = Folder::new("grep -q a bug.c && grep -q n bug.c", "bug.c", text);
    let ran = folder.whittle("test.sh bug.c -a ddmin -u line --jobs 1");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.c").lines().count(), 2);
    let size = ran.stderr.lines().find(|line| line.starts_with("size:")).unwrap();
    assert_eq!(size, "size:    39 -> 31 bytes (79%), 4 -> 2 lines");
}

#[test]
fn what_each_part_is_needed_for() {
    let script = "grep -q keep bug.txt || { echo 'error: nothing to keep'; exit 3; }\ngrep -q this bug.txt";
    let folder = Folder::new(script, "bug.txt", "keep this\nmore\n");
    let ran = folder.whittle("explain test.sh bug.txt -j 2");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let expected = "   1  keep this\n      bbbb aaaa\n      without this: exit status 3: error: nothing to keep\n";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    assert!(ran.stdout.contains("   2  more\n      cccc\n      without this: the test still passes"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\n\na  exit status 1\nb  exit status 3: error: nothing to keep\nc  the test"),
        "{}",
        ran.stdout
    );
    let large = Folder::new("true", "bug.txt", "word ".repeat(1001));
    let ran = large.whittle("explain test.sh bug.txt");
    assert!(ran.stderr.contains("at most 1000 can be explained\n  Reduce it first."), "{}", ran.stderr);
}
