//! Files of known languages are reduced as trees, unless users want it otherwise.

use crate::bench_folder::Folder;

/// Needs a call of `f` with the argument 7, and braces in pairs, as a compiler would.
const CALLS_F: &str = "grep -q 'f *(.*7.*) *;' bug.c && \
                       [ $(tr -dc '{' < bug.c | wc -c) = $(tr -dc '}' < bug.c | wc -c) ]";

const PROGRAM: &str = "\
/* A program with a bug. */
#include <stdio.h>

static int square(int x) { return x * x; }

int main(int argc, char **argv) {
    int i;
    for (i = 0; i < 10; i++) {
        if (argc > 1) { // often
            printf(\"%d\\n\", square(i));
            f(square(3) + 7, \"text\");
        }
    }
    return 0;
}
";

#[test]
fn the_default_is_a_tree_whose_size_is_told_in_tokens() {
    let folder = Folder::new(CALLS_F, "bug.c", PROGRAM);
    let ran = folder.whittle("test.sh bug.c");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.c"), "f(7);\n");
    assert!(ran.stderr.contains("size:    85 -> 5 tokens (5.9%), 310 -> 6 bytes, 15 -> 1 lines"), "{}", ran.stderr);
    assert!(ran.stderr.contains("perses: "), "{}", ran.stderr);
}

#[test]
fn trees_give_the_same_bytes_and_the_same_counted_tests_for_any_number_of_workers() {
    let algorithms = ["perses+probdd", "hdd*+wddmin", "hddr+cdd", "trec", "canon", "vulcan"];
    let algorithms = algorithms.map(|name| format!("--algorithm {name}"));
    for options in algorithms.into_iter().chain(["--effort normal".into(), "--effort max".into()]) {
        let results = [1, 2, 5].map(|jobs| {
            let folder = Folder::new(CALLS_F, "bug.c", PROGRAM);
            let ran = folder.whittle(&format!("test.sh bug.c {options} --jobs {jobs}"));
            (folder.text("bug.reduced.c"), ran.counted().to_owned())
        });
        assert!(results.iter().all(|result| *result == results[0]), "{options}: {results:?}");
    }
}

#[test]
fn names_are_made_of_the_characters_that_are_to_come_first() {
    let is_sum =
        "grep -qE '^int ([a-zA-Z]+) = [a-zA-Z]+ [+] [a-zA-Z]+;$' bug.c && ! grep -qE '([a-zA-Z]).* \\1;' bug.c";
    for (options, expected) in [
        ("", "int a = a + b;\n"),
        ("--alphabet xyz", "int x = x + y;\n"),
        ("--alphabet P-T --algorithm trec", "int P = P + Q;\n"),
        // Those that follow are as usual.
        ("--alphabet q --algorithm canon", "int q = q + a;\n"),
    ] {
        let folder = Folder::new(is_sum, "bug.c", "int i = counter + j;\n");
        let ran = folder.whittle(&format!("test.sh bug.c {options}"));
        assert_eq!(ran.status, Some(0), "{options}: {}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.c"), expected, "{options}");
    }
}

#[test]
fn more_effort_makes_smaller_results() {
    // Two numbers that are the same, and nothing that is not C.
    let has_twins = "gcc -w -fsyntax-only bug.c 2>/dev/null && grep -qE '(0x[0-9a-f]+).*, *\\1' bug.c";
    let program = "int alpha(int value) { return value; }\nint beta[] = { 0xff, 0xff };\n";
    for (effort, expected) in [("quick", "int beta = { 0xff, 0xff };"), ("normal", "a = {\n  0x0, 0x0\n};")] {
        let folder = Folder::new(has_twins, "bug.c", program);
        let ran = folder.whittle(&format!("test.sh bug.c --effort {effort}"));
        assert_eq!(ran.status, Some(0), "{effort}: {}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.c").trim(), expected, "{effort}");
    }
}

#[test]
fn token_reducers_make_names_and_literals_canonical() {
    let prints = "grep -q '[a-z] *(\"[^\"]*%d[^\"]*\".*) *;' bug.c";
    let program = "int main() {\n    printf(\"checksum = %d\", crc);\n    return 0x10;\n}\n";
    for (algorithm, expected) in [
        ("perses", "printf(\"checksum = %d\");"),
        ("perses+rename", "a(\"checksum = %d\");"),
        ("trec-shrink", "p(\"%d\");"),
        ("perses+ddmin+trec", "a(\"%d\");"),
        ("canon", "a(\"%d\");"),
    ] {
        let folder = Folder::new(prints, "bug.c", program);
        let ran = folder.whittle(&format!("test.sh bug.c --algorithm {algorithm}"));
        assert_eq!(ran.status, Some(0), "{algorithm}: {}", ran.stderr);
        assert_eq!(folder.text("bug.reduced.c").trim(), expected, "{algorithm}");
    }
}

#[test]
fn a_tree_algorithm_runs_alone() {
    let folder = Folder::new(CALLS_F, "bug.c", PROGRAM);
    let ran = folder.whittle("test.sh bug.c --algorithm hdd+ddmin -v");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopped: the one pass that was asked for is over"), "{}", ran.stderr);
    assert!(ran.stderr.contains("pass hdd ended"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("pass lines"), "{}", ran.stderr);

    let ran = folder.whittle("test.sh bug.c --algorithm hdd*+ddmin -v");
    assert!(ran.stderr.contains("stopped: no pass found anything smaller"), "{}", ran.stderr);
}

#[test]
fn the_language_can_be_named_or_switched_off() {
    let folder = Folder::new("grep -q 'f *(.*7.*) *;' \"$1\"", "bug.txt", PROGRAM);
    let ran = folder.whittle("test.sh bug.txt --language c");
    assert!(ran.stderr.contains(" tokens ("), "{}", ran.stderr);
    let ran = folder.whittle("test.sh bug.txt");
    assert!(ran.stderr.contains(" bytes ("), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "f(7);\n");

    let folder = Folder::new(CALLS_F, "bug.c", PROGRAM);
    let ran = folder.whittle("test.sh bug.c --language none -v");
    assert!(ran.stderr.contains("language: none") && ran.stderr.contains("pass lines"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("tokens ("), "{}", ran.stderr);
}

#[test]
fn a_language_that_nothing_names_is_guessed_and_can_be_switched_off() {
    let guessed = "language: C (guessed: 100% of the text parses; --language none turns this off)";
    let folder = Folder::new("grep -q 'f *(.*7.*) *;' crash-1", "crash-1", PROGRAM);
    let ran = folder.whittle("check test.sh crash-1");
    assert!(ran.stdout.contains(guessed), "{}", ran.stdout);
    let ran = folder.whittle("test.sh crash-1");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains(guessed) && ran.stderr.contains(" tokens ("), "{}", ran.stderr);
    let ran = folder.whittle("--language none test.sh crash-1 --force");
    assert!(ran.stderr.contains("language: none, plain text"), "{}", ran.stderr);
    assert!(folder.whittle("tree crash-1").stdout != folder.whittle("tree crash-1 --language none").stdout);
}

#[test]
fn what_does_nothing_to_plain_text_is_reported() {
    let folder = Folder::new("grep -q keep bug.txt", "bug.txt", "keep (this)\nand  this\n");
    for (line, notice) in [
        ("-a vulcan", "--algorithm: vulcan does nothing to a file of no known language"),
        ("-a perses+wprobdd+layout", "--algorithm: layout does nothing to a file of no known language"),
        ("--effort max", "--effort makes no difference to a file of no known language"),
    ] {
        let ran = folder.whittle(&format!("test.sh bug.txt --force {line}"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        assert!(ran.stderr.contains(notice), "{line}: {}", ran.stderr);
    }
    for line in ["-a canon", "-a perses", "--effort normal", "--language c --effort max"] {
        let ran = folder.whittle(&format!("test.sh bug.txt --force {line}"));
        assert!(!ran.stderr.contains("no known language"), "{line}: {}", ran.stderr);
    }
}

#[test]
fn a_stopped_tree_reduction_goes_on_where_it_was() {
    let whole = Folder::new(CALLS_F, "bug.c", PROGRAM);
    let expected = whole.whittle("test.sh bug.c");
    let folder = Folder::new(CALLS_F, "bug.c", PROGRAM);
    assert_eq!(folder.whittle("test.sh bug.c --max-tests 12").status, Some(1));
    let ran = folder.whittle("test.sh bug.c --resume");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.counted(), expected.counted());
    assert_eq!(folder.text("bug.reduced.c"), whole.text("bug.reduced.c"));
}
