//! `whittle slow`: inputs on which a command takes too much time or memory.

use crate::bench_folder::Folder;

/// Takes time if there is an `aaa` in a file, and memory with its `bbb`s.
const TOOL: &str = "\
import sys
text = open(sys.argv[1]).read()
total = 0
if 'aaa' in text:
    for j in range(8000000):
        total += j
held = bytearray(16000000 * text.count('bbb'))
";

fn input() -> String {
    let line = |i: usize| if i.is_multiple_of(3) { "aaa bbb\n".to_owned() } else { format!("line {i}\n") };
    (0..24).map(line).collect()
}

fn folder() -> Folder {
    let folder = Folder::new("true", "bug.txt", input());
    std::fs::write(folder.path("tool.py"), TOOL).unwrap();
    folder
}

const RUN: &str = "python3 {cwd}/tool.py {}";

#[test]
fn what_takes_the_time_stays() {
    let folder = folder();
    let ran = folder.whittle_words(["slow", "--run", RUN, "--times", "3", "bug.txt", "--", "--algorithm", "ddmin"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("usual:   0.") && ran.stderr.contains("limit:   "), "{}", ran.stderr);
    let result = folder.text("bug.reduced.txt");
    assert_eq!(result, "aaa");
}

#[test]
fn what_takes_the_memory_stays() {
    let folder = folder();
    std::fs::write(folder.path("bug.txt"), input().replace("aaa ", "")).unwrap();
    let ran = folder.whittle_words(["slow", "--run", RUN, "--what", "memory", "--at-least", "50M", "bug.txt"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let result = folder.text("bug.reduced.txt");
    assert_eq!(result.matches("bbb").count(), 3, "three times 16 MB and Python itself: {result}");
    assert!(!result.contains("line"), "{result}");
}

#[test]
fn an_input_that_is_not_slow_is_refused_with_what_it_takes() {
    let folder = folder();
    let ran = folder.whittle_words(["slow", "--run", RUN, "--at-least", "1h", "bug.txt"]);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("and 1h 00m of processor time would be too much"),
        "{}",
        ran.stderr
    );
    let ran = folder.whittle_words(["slow", "--run", "python3 tool.py", "bug.txt"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("does not mention the candidate"), "{}", ran.stderr);
    let ran = folder.whittle_words(["slow", "--run", RUN, "--at-least", "much", "bug.txt"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("--at-least much"), "{}", ran.stderr);
}
