//! `whittle compare`: two commands disagree on an input.

use crate::bench_folder::Folder;

#[test]
fn two_interpreters_that_print_something_else() {
    let folder = Folder::new("true", "bug.txt", "one\ntwo needle three\nfour\n");
    let words =
        ["compare", "--reference", "cat {}", "--suspect", "sed s/needle/noodle/ {}", "bug.txt", "--", "-j", "1"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
}

#[test]
fn a_valid_input_that_is_rejected() {
    let folder = Folder::new("true", "bug.txt", "one\ntwo needle three\nfour\n");
    folder.script("reject.sh", "! grep -q needle \"$1\"");
    folder.script("accept.sh", "grep -q e \"$1\"");
    let words =
        ["compare", "--by", "status", "--reference", "./accept.sh {}", "--suspect", "{cwd}/reject.sh {}", "bug.txt"];
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
}

/// A compiler that gets a constant wrong: the macro is set for the suspect only.
const WRONG_CODE: &str = "\
#ifndef BUG
#define BUG 1
#endif
int printf(const char *, ...);
int unused(int x) { return x * 2; }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += i * BUG;
    printf(\"%d\\n\", sum);
    return 0;
}
";

#[test]
fn wrong_code_without_undefined_behaviour() {
    let folder = Folder::new("true", "bug.c", WRONG_CODE);
    let words = ["compare", "--reference", "cc {} -o {out}", "--suspect", "cc -DBUG=2 {} -o {out}", "bug.c"];
    let ran = folder.whittle_words(words.into_iter().chain(["--", "--max-tests", "60"]));
    assert!(ran.stderr.contains("guards against undefined behaviour"), "{}", ran.stderr);
    let result = folder.text("bug.reduced.c");
    assert!(result.contains("BUG") && !result.contains("unused"), "{result}");
    // The guards accept what is left: it is interesting when it is given again.
    std::fs::copy(folder.path("bug.reduced.c"), folder.path("again.c")).unwrap();
    let again = words.into_iter().map(|word| if word == "bug.c" { "again.c" } else { word });
    let ran = folder.whittle_words(again.chain(["--", "--max-tests", "1"]));
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    let undefined = WRONG_CODE.replace("int sum = 0;", "int sum;");
    let folder = Folder::new("true", "bug.c", undefined);
    let ran = folder.whittle_words(words);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("warns: bug.c:") && ran.stderr.contains("ninitialized"), "{}", ran.stderr);
}

#[test]
fn commands_that_fail_give_no_answer_unless_that_is_asked_for() {
    let folder = Folder::new("true", "bug.txt", "one\nneedle\n");
    // On the needle both give an answer; on anything else both fail, with other words.
    folder.script("right.sh", "grep needle \"$1\" || { echo bad; exit 1; }");
    folder.script("wrong.sh", "grep -q needle \"$1\" && echo noodle || { echo worse; exit 1; }");
    let words = ["compare", "--reference", "./right.sh {}", "--suspect", "./wrong.sh {}", "bug.txt"];
    assert_eq!(folder.whittle_words(words).status, Some(0));
    assert_eq!(folder.text("bug.reduced.txt"), "needle");
    let ran = folder.whittle_words(words.into_iter().chain(["--any-status"]));
    // An empty file shows it too, then.
    assert!(ran.stderr.contains("empty"), "{}", ran.stderr);
}

#[test]
fn commands_that_cannot_be_compared_are_refused() {
    let folder = Folder::new("true", "bug.txt", "one\n");
    for (reference, suspect, problem) in [
        ("cat {}", "cat", "--suspect 'cat' does not mention the candidate"),
        ("no-such-program {}", "cat {}", "--reference: there is no program no-such-program"),
        ("cat {}", "cat {}", "the commands agree"),
    ] {
        let ran = folder.whittle_words(["compare", "--reference", reference, "--suspect", suspect, "bug.txt"]);
        assert_eq!(ran.status, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(problem), "{}", ran.stderr);
    }
}
