//! `whittle generator` with Python programs as people write them.

use std::process::Command;
use std::sync::Arc;

use whittle::search::{Recorder, Setup};
use whittle::traces::{Generated, NoInput, Player, Script, Session, Shrink};

use crate::bench_folder::Folder;

/// Listing 1 of GReduce's paper, with its seed as an argument.
const PASSWORD: &str = r#"
import random, sys
from string import ascii_lowercase

def gen(seed):
    random.seed(seed)
    w = ""
    n = random.choice(range(20))
    for i in range(n):
        w += random.choice(ascii_lowercase)
    w += '\n'
    return w + w

print(gen(int(sys.argv[1])), end="")
"#;

/// The test of section 2: two equal passwords with a "c".
const EQUAL_WITH_C: &str = "test \"$(sed -n 1p \"$1\")\" = \"$(sed -n 2p \"$1\")\" && grep -q c \"$1\"";

/// The path of the Python that tests need. What is on the search path may be a wrapper that is slow to start.
pub(crate) fn python() -> String {
    let show = "import sys; print(sys.executable if sys.version_info >= (3, 9) else '')";
    let output = Command::new("python3").args(["-c", show]).output();
    let path = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    assert!(!path.is_empty(), "there is no python3 of version 3.9 or later");
    path
}

#[test]
fn the_password_of_the_paper_ends_as_one_c_twice() {
    let python = python();
    let folder = Folder::new(EQUAL_WITH_C, "gen.py", PASSWORD);
    let ran = folder.whittle(&format!("generator test.sh -- {python} gen.py 26524"));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("generated.txt"), "abc\nabc\n");
    assert_eq!(folder.text("generated.reduced.txt"), "c\nc\n");
    assert_eq!(
        folder.files(),
        ["gen.py", "generated.reduced.txt", "generated.reduced.txt.history", "generated.txt", "test.sh", "tmp"]
    );
    assert!(ran.stderr.contains("trace:   9 -> 5 steps"), "{}", ran.stderr);
}

#[test]
fn all_six_settings_of_the_paper_can_be_chosen() {
    let python = python();
    let folder = Folder::new(EQUAL_WITH_C, "gen.py", PASSWORD);
    for by in ["sequence", "tree"] {
        for align in ["halt", "bypass", "re-align"] {
            let line = format!("generator test.sh -q --by {by} --align {align} -- {python} gen.py 26524");
            let ran = folder.whittle(&line);
            assert_eq!((ran.status, folder.text("generated.reduced.txt").as_str()), (Some(0), "c\nc\n"), "{line}");
        }
    }
}

/// The draws of the password generator for each seed, from the real `random`.
fn password_draws(python: &str) -> Vec<Vec<u64>> {
    let program = "import random\nfor seed in range(1, 201):\n    random.seed(seed)\n    \
                   n = random.choice(range(20))\n    print(n, *[random.choice(range(26)) for _ in range(n)])\n";
    let output = Command::new(python).args(["-c", program]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect()).collect()
}

/// The same generator, here.
fn password(player: &mut Player<'_>) -> Result<Vec<u8>, NoInput> {
    let mut word = Vec::new();
    let length = player.draw("length", 19)?;
    player.times("letters", length, |player, _| {
        word.push(b'a' + player.draw("letter", 25)? as u8);
        Ok(())
    })?;
    word.push(b'\n');
    Ok(word.repeat(2))
}

#[test]
fn every_seed_whose_password_has_a_c_ends_as_one_c_twice() {
    let python = python();
    let (mut seeds, mut tests) = (0, 0);
    for draws in password_draws(&python) {
        let mut draws = draws.into_iter();
        let mut player = Player::recording(|_| draws.next().unwrap());
        let input = password(&mut player).unwrap();
        let made = player.finish(input).unwrap();
        if !made.input.contains(&b'c') {
            continue;
        }
        let generator = Arc::new(|script: &Script| -> Result<Generated, NoInput> {
            let mut player = Player::following(script, 1000);
            let input = password(&mut player)?;
            player.finish(input)
        });
        let mut session = Session::new(generator, "generated.txt", &made);
        let mut search = Setup::default()
            .start(Arc::new(Recorder::new(|text| text.contains('c'))), session.input().clone())
            .unwrap();
        Shrink::default().reduce(&mut session, &mut search).unwrap();
        assert_eq!(search.best().candidate.files()[0].bytes(), b"c\nc\n");
        seeds += 1;
        tests += search.tally().tests;
    }
    println!("{seeds} seeds, {:.1} tests on average", tests as f64 / f64::from(seeds));
    assert_eq!(seeds, 62);
}

/// Programs with functions, made by recursion; writes a file.
const PROGRAMS: &str = r#"
import random, sys, argparse
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
parser.add_argument("--out")
arguments = parser.parse_args()
rng = random.Random(arguments.seed)

def expression(depth):
    if depth > 4 or rng.random() < 0.3:
        return rng.choice(["x", "y", str(rng.randint(0, 99))])
    return "(%s %s %s)" % (expression(depth + 1), rng.choice("+-*/"), expression(depth + 1))

def block(depth):
    lines = []
    while True:
        if rng.random() < 0.25:
            break
        if depth < 2 and rng.random() < 0.3:
            lines.append("if %s {\n%s}" % (expression(2), block(depth + 1)))
        else:
            lines.append("%s = %s;" % (rng.choice("xy"), expression(0)))
    return "".join("  " * depth + line + "\n" for line in lines)

with open(arguments.out, "w") as file:
    file.write("".join("fun f%d() {\n%s}\n" % (i, block(1)) for i in range(rng.randint(1, 5))))
"#;

#[test]
fn a_recursive_generator_that_writes_a_file_is_reduced_to_the_same_for_any_number_of_workers() {
    let python = python();
    // A division within an if, in any function.
    let test = "awk '/if /{i=1} i && /\\//{f=1} /^}/{i=0} END{exit !f}' bug.prog";
    let results: Vec<(String, String)> = [1, 3]
        .map(|jobs| {
            let folder = Folder::new(test, "gen.py", PROGRAMS);
            let line =
                format!("generator test.sh --jobs {jobs} --name bug.prog -- {python} gen.py --seed 26 --out {{}}");
            let ran = folder.whittle(&line);
            assert_eq!(ran.status, Some(0), "{}", ran.stderr);
            assert!(folder.text("bug.prog").len() > 400);
            (folder.text("bug.reduced.prog"), ran.counted().to_owned())
        })
        .into();
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
    assert_eq!(results[0].0, "fun f0() {\n  if x {\n    x = (x / x);\n}\n}\n");
}

#[test]
fn then_auto_goes_on_without_the_generator_and_tells_both_sizes() {
    let python = python();
    let folder = Folder::new("grep -q c \"$1\"", "gen.py", PASSWORD);
    let ran = folder.whittle(&format!("generator test.sh --then auto -o small -- {python} gen.py 26524"));
    assert_eq!((ran.status, folder.text("small").as_str()), (Some(0), "c"), "{}", ran.stderr);
    assert!(ran.stderr.contains("size:    8 -> 1 bytes"), "{}", ran.stderr);
    assert!(ran.stderr.contains("then:    4 bytes by the generator"), "{}", ran.stderr);
}

#[test]
fn choices_that_make_a_generator_fail_or_hang_yield_no_candidate() {
    let python = python();
    let generator = r#"
import random, sys, time
random.seed(5)
values = [random.randint(0, 9) for _ in range(random.randint(4, 8))]
if len(values) < 5:
    sys.exit("too few")
if not any(values):
    time.sleep(60)
print(*values)
"#;
    let folder = Folder::new("grep -q 7 \"$1\"", "gen.py", generator);
    let ran = folder.whittle(&format!("generator test.sh --generator-timeout 3s -- {python} gen.py"));
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let values: Vec<u32> =
        folder.text("generated.reduced.txt").split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert_eq!(values.len(), 5);
    assert!(values.contains(&7));
    assert!(!ran.stderr.contains(", 0 of them without an input"), "{}", ran.stderr);
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let python = python();
    let folder = Folder::new(EQUAL_WITH_C, "gen.py", PASSWORD);
    let stopped = folder.whittle(&format!("generator test.sh --max-tests 4 -- {python} gen.py 26524"));
    assert_eq!(stopped.status, Some(1), "{}", stopped.stderr);
    let resumed = folder.whittle(&format!("generator test.sh --resume -- {python} gen.py 26524"));
    assert_eq!(
        (resumed.status, folder.text("generated.reduced.txt").as_str()),
        (Some(0), "c\nc\n"),
        "{}",
        resumed.stderr
    );
}

/// Takes its choices from bytes: whether there is one more number, and which; and a checksum at the end.
const SUMS: &str = r#"
import sys
numbers, data = [], iter(sys.stdin.buffer.read())
while next(data, 0) % 2:
    numbers.append(next(data, 0))
print(*numbers, sum(numbers))
"#;

#[test]
fn bytes_that_a_generator_reads_go_and_are_lowered() {
    let python = python();
    let folder = Folder::new(
        "awk '{ for (i = 1; i < NF; i++) { s += $i; f += $i > 99 } } END { exit !(f && s == $NF) }' \"$1\"",
        "gen.py",
        SUMS,
    );
    std::fs::write(folder.path("bytes"), b"\x01\x05\x03\xff\x01\x63\x01\xc8\x00unread").unwrap();
    // GReduce lowers nothing.
    for (by, expected) in [("auto", "100 100\n"), ("tree", "255 255\n"), ("sequence", "255 255\n")] {
        let ran = folder.whittle(&format!("generator test.sh --force --bytes bytes --by {by} -- {python} gen.py"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert_eq!(folder.text("generated.txt"), "5 255 99 200 559\n");
        assert_eq!(folder.text("generated.reduced.txt"), expected, "{}", ran.stderr);
    }
    for (line, problem) in [
        ("generator test.sh --bytes missing -- cat", "the bytes in missing cannot be read"),
        ("generator test.sh --bytes bytes --name bytes -- cat", "would overwrite bytes"),
        ("generator test.sh --bytes bytes -- false", "the generator failed: exit status 1"),
    ] {
        let ran = folder.whittle(line);
        assert!(ran.status == Some(2) && ran.stderr.contains(problem), "{line}: {}", ran.stderr);
    }
}

/// The sample generator of whittle-choices in this language.
fn sample(name: &str) -> String {
    format!("{}/../choices/tests/conformance/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_generator_in_c_is_reduced() {
    let folder = Folder::new("grep -q '[def](.*([1-9]' \"$1\"", "unused", "");
    let header = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../c");
    let made = Command::new("cc").args([header, "-o"]).arg(folder.path("gen")).arg(sample("trees.c")).status();
    assert!(made.unwrap().success());
    let ran = folder.whittle("generator test.sh -- ./gen 1");
    assert_eq!(folder.text("generated.txt"), "f(e(f(61)68)f(b(a())))\n", "{}", ran.stderr);
    assert_eq!((ran.status, folder.text("generated.reduced.txt").as_str()), (Some(0), "d(a(10))\n"), "{}", ran.stderr);
}

#[test]
fn generators_that_are_of_no_use_are_refused_with_the_reason() {
    let python = python();
    let cases = [
        ("import random\nrandom.random()\nraise SystemExit('no luck')", "exit status 1", "no luck"),
        ("import random\nrandom.random()", "made an empty input", "It must print the input"),
        ("print('hello')", "no random choice of the generator was recorded", "Python program (3.9 or later)"),
        ("import os, random\nprint(random.random(), os.urandom(4))", "another input from the same", "os.urandom"),
        ("import random\nprint(random.choice('ab'))", "generated.txt is not interesting", "command: test.sh"),
    ];
    for (program, problem, remedy) in cases {
        let folder = Folder::new("false", "gen.py", program);
        let ran = folder.whittle(&format!("generator test.sh -- {python} gen.py"));
        assert_eq!(ran.status, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(problem) && ran.stderr.contains(remedy), "{program}: {}", ran.stderr);
    }
}

#[test]
fn commands_that_make_no_sense_are_refused() {
    let folder = Folder::new("true", "gen.py", "");
    for (line, problem) in [
        ("generator test.sh -- ./missing", "cannot run ./missing"),
        ("generator test.sh", "required arguments were not provided"),
        ("generator -- python3 gen.py", "required arguments were not provided"),
        ("generator test.sh --name test.sh -- python3 gen.py", "would overwrite test.sh"),
        ("generator test.sh --name gen.py -- python3 gen.py", "would overwrite gen.py"),
        ("generator test.sh --align halt -- python3 gen.py", "--align does not go with --by auto"),
        ("generator test.sh -- echo hello", "no random choice of the generator was recorded"),
    ] {
        let ran = folder.whittle(line);
        assert_eq!(ran.status, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(problem), "{line}: {}", ran.stderr);
    }
    assert_eq!(folder.files(), ["gen.py", "test.sh", "tmp"]);
}

#[test]
fn the_help_teaches() {
    let folder = Folder::new("true", "gen.py", "");
    insta::assert_snapshot!("generator_help", folder.whittle("generator --help").stdout);
}

/// Runs the Python package's own tests whose files match a pattern. None may be skipped.
fn python_tests(pattern: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/python");
    let words = ["-B", "-m", "unittest", "discover", "--top-level-directory", ".", "--start-directory", "tests"];
    let mut command = Command::new(python());
    let output = command.args(words).args(["--pattern", pattern]).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !said.contains("Ran 0 tests") && !said.contains("skipped"), "{said}");
}

#[test]
fn the_python_package_passes_its_own_tests() {
    python_tests("test_[!n]*.py");
}

mod needs_numpy {
    #[test]
    #[ignore = "needs numpy"]
    fn the_python_package_passes_its_own_tests_of_numpy() {
        super::python_tests("test_numpy.py");
    }
}

mod needs_node {
    use super::{Folder, sample};

    #[test]
    #[ignore = "needs Node"]
    fn a_generator_in_javascript_is_reduced() {
        let folder = Folder::new("grep -q '[def](.*([1-9]' \"$1\"", "unused", "");
        let ran = folder.whittle(&format!("generator test.sh -- node {} 1", sample("trees.js")));
        let result = folder.text("generated.reduced.txt");
        assert_eq!((ran.status, result.as_str()), (Some(0), "d(a(10))\n"), "{}", ran.stderr);
    }
}
