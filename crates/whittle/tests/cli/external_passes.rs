//! `--pass`: passes by other programs, in three dialects.

use std::fs;

use crate::bench_folder::{Folder, Ran};

/// A folder with words of which the test needs two, and a program.
fn folder(program: &str) -> Folder {
    let folder = Folder::new("grep -q ',keep a,' in.txt && grep -q ',keep b,' in.txt", "in.txt", INPUT);
    fs::write(folder.path("pass.py"), program).unwrap();
    folder
}

const INPUT: &str = ",one,two,keep a,three,four,keep b,five,";

/// Runs with nothing but the pass: all words are on one line, which the algorithm cannot delete.
fn reduced(folder: &Folder, pass: &str, options: &str) -> Ran {
    let words = ["test.sh", "in.txt", "--pass", pass, "--algorithm", "ddmin", "--unit", "line", "--json", "events"];
    folder.whittle_words(words.into_iter().chain(options.split_whitespace()))
}

/// The value of a field of the last event.
fn last(folder: &Folder, field: &str) -> u64 {
    let line = folder.text("events").lines().last().unwrap().to_owned();
    serde_json::from_str::<serde_json::Value>(&line).unwrap()[field].as_u64().unwrap()
}

/// Deletes the word with the number of its first argument from the file that is its second, and keeps a log.
const COUNTER: &str = "\
import sys
number, path, log = int(sys.argv[1]), sys.argv[2], sys.argv[3]
words = open(path).read().strip(',').split(',')
open(log, 'a').write(f'{number} {words}\\n')
if number > len(words):
    sys.exit(1)
del words[number - 1]
sys.stdout.write(',' + ','.join(words) + ',')
";

#[test]
fn a_counter_command_makes_one_change_after_the_other() {
    let folder = folder(COUNTER);
    for jobs in [1, 3] {
        let ran = reduced(&folder, "python3 {cwd}/pass.py {counter} {} {cwd}/log", &format!("--force --jobs {jobs}"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("in.reduced.txt"), ",keep a,keep b,");
        fs::rename(folder.path("log"), folder.path(format!("log-{jobs}"))).unwrap();
        fs::rename(folder.path("events"), folder.path(format!("events-{jobs}"))).unwrap();
    }
    let sorted = |name: &str| {
        let text = folder.text(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("log-1"), sorted("log-3"), "programs are asked the same for any number of workers");
    assert!(!folder.path("in.reduced.txt.journal.answers").exists());
}

#[test]
fn a_counter_command_that_never_makes_a_change_is_reported_once() {
    let silent = folder("import sys; sys.exit(2)");
    let ran = reduced(&silent, "python3 {cwd}/pass.py {counter} {}", "");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("it exits with an error at number 1").count(), 1, "{}", ran.stderr);
    let useful = folder(COUNTER);
    let ran = reduced(&useful, "python3 {cwd}/pass.py {counter} {} {cwd}/log", "");
    assert!(!ran.stderr.contains("at number 1"), "{}", ran.stderr);
}

/// Prints a hint that deletes a word for each of them, and one that shortens a word.
const HINTS: &str = "\
import json, sys
text = open(sys.argv[1], 'rb').read()
print(json.dumps({'format': 'cvise_hints_v0', 'pass': 'lines'}))
print(json.dumps(['first', 'word', 'X']))
start = 1
for word in text.strip(b',').split(b','):
    print(json.dumps({'t': 1, 'p': [{'l': start, 'r': start + len(word) + 1}]}))
    if word.startswith(b'keep a'):
        print(json.dumps({'t': 0, 'p': [{'l': start, 'r': start + 4, 'v': 2}]}))
    start += len(word) + 1
";

#[test]
fn hints_are_tried_together_and_in_parts() {
    let folder = folder(HINTS);
    let ran = reduced(&folder, "python3 {cwd}/pass.py {}", "");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("in.reduced.txt"), ",keep a,keep b,");
    // A replacement by a shorter word is a candidate too.
    folder.script("test.sh", "grep -q ' a,' in.txt && grep -q ',keep b,' in.txt");
    let ran = reduced(&folder, "python3 {cwd}/pass.py {}", "--force");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("in.reduced.txt"), ",X a,keep b,");
}

/// Deletes words in a random order, and says when there is nothing left to try.
const DIALOGUE: &str = "\
import base64, json, random, sys
def hear():
    line = sys.stdin.readline()
    if not line: sys.exit()
    message = json.loads(line)
    return base64.b64decode(message['content']), message['interesting']
def ask(text):
    print(json.dumps({'content': base64.b64encode(text).decode()}), flush=True)
    answered, interesting = hear()
    assert answered == text
    return interesting
while True:
    text, _ = hear()
    tried = 0
    while tried < 12:
        words = text.strip(b',').split(b',')
        del words[random.randrange(len(words))]
        smaller = b',' + b','.join(words) + b','
        tried += 1
        if ask(smaller): text, tried = smaller, 0
    print(json.dumps({'idle': True}), flush=True)
";

#[test]
fn a_dialogue_is_held_in_shrink_rays_words() {
    let folder = folder(DIALOGUE);
    let ran = reduced(&folder, "python3 {cwd}/pass.py", "--jobs 2");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let result = folder.text("in.reduced.txt");
    assert!(result.split(',').count() < 7 && result.contains("keep a") && result.contains("keep b"), "{result}");
    assert!(!ran.stderr.contains("--pass"), "{}", ran.stderr);
}

#[test]
fn a_resumed_run_hears_the_same_answers_whatever_the_program_would_say_now() {
    for (program, pass) in
        [(DIALOGUE, "python3 {cwd}/pass.py"), (COUNTER, "python3 {cwd}/pass.py {counter} {} {cwd}/log")]
    {
        let folder = folder(program);
        let ran = reduced(&folder, pass, "--max-tests 6");
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        let (tests, bytes) = (last(&folder, "tests"), last(&folder, "bytes"));
        assert!(folder.path("in.reduced.txt.journal.answers").exists());
        let asked = fs::read_to_string(folder.path("log")).unwrap_or_default();
        let ran = reduced(&folder, pass, "--resume");
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(last(&folder, "replayed") >= tests, "{tests} {}", folder.text("events"));
        assert!(last(&folder, "bytes") <= bytes);
        let again = fs::read_to_string(folder.path("log")).unwrap_or_default();
        let more = again.strip_prefix(&asked).unwrap();
        assert!(more.lines().all(|line| !asked.lines().any(|old| old == line)), "asked twice: {asked} {more}");
        assert!(!folder.path("in.reduced.txt.journal.answers").exists(), "a complete run leaves nothing to resume");
    }
}

#[test]
fn a_program_that_crashes_hangs_or_talks_nonsense_costs_only_its_pass() {
    for (program, pass, said) in [
        ("import os; os.kill(os.getpid(), 11)", "python3 {cwd}/pass.py {counter} {}", "it crashes"),
        ("import time; time.sleep(3600)", "python3 {cwd}/pass.py {}", "it takes too long"),
        ("import time; time.sleep(3600)", "python3 {cwd}/pass.py", "it timed out"),
        ("print('hello')", "python3 {cwd}/pass.py", "it printed 'hello', which is no message"),
        ("print('hello')", "python3 {cwd}/pass.py {}", "'hello' is not a hint"),
        ("import sys; sys.exit(3)", "python3 {cwd}/pass.py", "it exits with an error"),
        ("import sys; sys.exit(3)", "python3 {cwd}/pass.py {}", "it exits with an error"),
        ("import os; os.kill(os.getpid(), 11)", "python3 {cwd}/pass.py", "it crashes"),
    ] {
        let folder = folder(program);
        let hangs = program.contains("sleep");
        let ran = reduced(&folder, pass, if hangs { "--pass-timeout 0.3" } else { "" });
        assert_eq!(ran.status, Some(0), "{program}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{program}: {}", ran.stderr);
        assert!(folder.text("in.reduced.txt").contains("keep a"));
    }
}

#[test]
fn a_turn_of_a_program_that_never_ends_is_limited() {
    let endless = "import sys\nsys.stdout.write(open(sys.argv[2]).read()[:-int(sys.argv[1]) % 7])\n";
    let folder = folder(endless);
    let ran = reduced(&folder, "python3 {cwd}/pass.py {counter} {}", "--pass-tests 20");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}

#[test]
fn a_pass_that_cannot_be_run_is_refused() {
    let folder = folder("");
    for (pass, said) in [
        ("no-such-program {}", "no-such-program"),
        ("python3 {counter}", "but not {}, where the path of the file goes"),
    ] {
        let ran = reduced(&folder, pass, "");
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{pass}: {}", ran.stderr);
    }
}

mod needs_clang_delta {
    use super::*;

    #[test]
    #[ignore = "needs clang_delta"]
    fn clang_delta_is_offered_and_its_transformations_are_used() {
        let input = "namespace a { namespace b { int f() { return 1; } } }\nint main() { return a::b::f(); }\n";
        let folder = Folder::new("g++ -w -c bug.cc && grep -q 'main() { return .*f()' bug.cc", "bug.cc", input);
        let words = "test.sh bug.cc --algorithm bisect --unit line --options sweep=off";
        let ran = folder.whittle_words(words.split(' ').chain(["--pass", "clang_delta", "-v"]));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(!folder.text("bug.reduced.cc").contains("namespace"), "{}", folder.text("bug.reduced.cc"));
        assert!(ran.stderr.contains("clang_delta remove-namespace"), "{}", ran.stderr);
        let ran = folder.whittle("test.sh bug.cc --effort max --max-tests 1 --force");
        assert!(ran.stderr.contains("--pass clang_delta"), "{}", ran.stderr);
    }
}
