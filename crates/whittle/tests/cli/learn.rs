//! `whittle learn`, and reductions by `gtr` with what was learned.

use std::fs;

use crate::bench_folder::Folder;

/// Needs the call of `f`, and a line that begins a block if there is an indented one.
const CALLS_F: &str = "grep -q 'f(7)' bug.py && { grep -q ':$' bug.py || ! grep -q '^ ' bug.py; }";

const PROGRAM: &str = "\
import os

def main(argument):
    if argument > 1:
        print(os.name)
        f(7)
    else:
        pass

main(3)
";

/// A folder with a test, a program, and a small corpus.
fn folder() -> Folder {
    let folder = Folder::new(CALLS_F, "bug.py", PROGRAM);
    fs::create_dir(folder.path("corpus")).unwrap();
    for number in 0..20 {
        let text = format!("import a\nif x{number}:\n    f(1)\n    y = {number}\nfor i in x:\n    g(i)\nh()\n");
        fs::write(folder.path(format!("corpus/{number}.py")), text).unwrap();
    }
    fs::write(folder.path("corpus/broken.py"), "if if if\n").unwrap();
    folder
}

#[test]
fn a_corpus_becomes_a_model_that_filters_candidates() {
    let folder = folder();
    let ran = folder.whittle("learn --language python -o py.model --curve corpus");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("learned: 20 files, ") && ran.stderr.contains("; 1 files skipped"), "{}", ran.stderr);
    let files: Vec<&str> = ran.stdout.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(files, ["1", "2", "5", "10", "20"]);
    assert!(folder.text("py.model").starts_with("whittle-model 1\nlanguage python\nfiles 20\n"));

    let ran = folder.whittle("test.sh bug.py --algorithm gtr*+ddmin --filter corpus --model py.model");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(folder.text("bug.reduced.py").trim(), "f(7)");
    let model = ran.stderr.lines().find(|line| line.starts_with("model:")).unwrap();
    assert!(model.ends_with(" candidates filtered, by python of 20 files") && !model.contains(" 0 cand"), "{model}");
}

#[test]
fn the_shipped_model_saves_tests_and_the_result_stays() {
    let counted = |filter: &str| {
        let folder = folder();
        let ran = folder.whittle(&format!("test.sh bug.py --algorithm gtr*+ddmin --filter {filter}"));
        assert_eq!(folder.text("bug.reduced.py").trim(), "f(7)", "{filter}: {}", ran.stderr);
        let tests = ran.stderr.lines().find_map(|line| line.strip_prefix("tests:")).unwrap();
        tests.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let [none, corpus, both, syntax] = ["none", "corpus", "both", "syntax"].map(counted);
    let [corpus_first, syntax_first] = ["corpus-first", "syntax-first"].map(counted);
    assert!(corpus < none && both < none, "{none} tests without, {corpus} with the corpus, {both} with both");
    // Here, what is tried last takes as many tests as the filter has saved; docs/models.md has larger programs.
    for (only, first) in [(corpus, corpus_first), (syntax, syntax_first)] {
        assert!(only < first && first <= none, "{none} tests without, {only} with a filter, {first} with it first");
    }
}

#[test]
fn what_is_given_for_gtr_goes_with_gtr_alone() {
    let folder = folder();
    let refused = |arguments: &str| {
        let ran = folder.whittle(&format!("test.sh bug.py {arguments}"));
        assert_eq!(ran.status, Some(2), "{arguments}");
        ran.stderr
    };
    assert!(refused("--filter both").contains("--filter works only with the algorithm gtr"));
    assert!(refused("-a hdd+ddmin --templates delete").contains("--templates works only with the algorithm gtr"));
    assert!(refused("-a gtr+ddmin --templates shrink").contains("unknown template 'shrink'"));
    assert!(refused("-a gtr+ddmin --filter all").contains("unknown filter 'all'"));
    assert!(refused("-a gtr+ddmin --filter none --model x").contains("--model x does not go with --filter none"));
    assert!(refused("-a gtr+ddmin --model bug.py").contains("this is not a model"));
    assert!(refused("-a gtr+ddmin --model missing").contains("--model missing"));
    assert!(refused("-a gtr+ddmin --filter corpus --language smtlib").contains("there is no model"));
}

#[test]
fn a_model_of_another_language_is_refused() {
    let folder = folder();
    fs::write(folder.path("other.model"), "whittle-model 1\nlanguage json\nfiles 1\nnodes 1\n").unwrap();
    let ran = folder.whittle("test.sh bug.py -a gtr+ddmin --model other.model");
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("other.model is a model of json, but the input is in another language"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_corpus_without_files_and_an_unknown_language_are_refused() {
    let folder = folder();
    let ran = folder.whittle("learn --language json -o x.model corpus");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("there is no file in JSON that parses"), "{}", ran.stderr);
    let ran = folder.whittle("learn --language klingon -o x.model corpus");
    assert!(ran.stderr.contains("--language klingon is not known"), "{}", ran.stderr);
    let ran = folder.whittle("learn --language python -o no/such/folder.model corpus");
    assert!(ran.stderr.contains("the model cannot be written to no/such/folder.model"), "{}", ran.stderr);
}
