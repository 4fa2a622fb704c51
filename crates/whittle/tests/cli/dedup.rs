//! `whittle dedup`: a folder of inputs, grouped by what they reduce to.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::bench_folder::{Folder, Ran, wait_until};

/// Two bugs, which are told apart by what is printed: one needs a call in a call, the other a division by a zero.
const TWO_BUGS: &str = r#"echo "$1" >> "$0.runs"
if grep -Eq '[a-z]+\([a-z]+\(' "$1"; then echo "bug: nested"; exit 0; fi
if grep -Eq '/ *0[^-9x.]' "$1"; then echo "bug: zero"; exit 0; fi
exit 1"#;

/// A folder of inputs that show these bugs, and one that shows none.
fn inputs(script: &str) -> Folder {
    let folder = Folder::new(script, "unused", "");
    fs::create_dir(folder.path("crashes")).unwrap();
    for (name, text) in [
        ("one.c", "int main(void) {\n    int total = 17;\n    total = sum(mul(total));\n    return total;\n}\n"),
        ("two.c", "int x;\nint helper(int first) { return abs(len(first + 2)); }\nint y = 8;\n"),
        ("three.c", "int half(int n) { n = n + 1; return n / 0; }\n"),
        ("four.c", "int other = 5;\nint quarter(int count) { return 12 / 0; }\n"),
        ("none.c", "int fine;\n"),
    ] {
        fs::write(folder.path(format!("crashes/{name}")), text).unwrap();
    }
    folder
}

fn dedup(folder: &Folder, options: &str) -> Ran {
    folder.whittle(&format!("dedup test.sh crashes {options}"))
}

fn json(folder: &Folder) -> Value {
    serde_json::from_slice(&folder.read("groups.json")).unwrap()
}

/// The names of the inputs in each group; the first one represents the others.
fn names(json: &Value) -> Vec<Vec<&str>> {
    let groups = json["groups"].as_array().unwrap().iter().map(|group| group["inputs"].as_array().unwrap());
    groups.map(|inputs| inputs.iter().map(|input| input["name"].as_str().unwrap()).collect()).collect()
}

#[test]
fn inputs_that_reduce_to_the_same_text_are_one_group_and_a_failure_is_named() {
    let folder = inputs(TWO_BUGS);
    let ran = dedup(&folder, "--signature bug:.* --json groups.json");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let json = json(&folder);
    let mut groups = names(&json);
    groups.sort();
    assert_eq!(groups, [["three.c", "four.c"], ["two.c", "one.c"]], "{}", ran.stdout);
    assert_eq!((&json["inputs"], &json["duplicates"]), (&5.into(), &2.into()));
    assert_eq!(json["failed"][0]["name"], "none.c");
    assert!(ran.stderr.contains("failed:  none.c: the input crashes/none.c is not interesting"), "{}", ran.stderr);
    assert!(ran.stderr.contains("inputs:  5: 2 groups, 2 duplicates, 1 failed"), "{}", ran.stderr);
    assert!(ran.stderr.contains(" left"), "there is an estimate: {}", ran.stderr);
    for group in json["groups"].as_array().unwrap() {
        let representative = fs::read_to_string(folder.path(group["file"].as_str().unwrap())).unwrap();
        let name = group["representative"].as_str().unwrap();
        assert_eq!(group["inputs"][0]["name"], name);
        assert_eq!(representative, folder.text(&format!("crashes.dedup/reduced/{name}")));
        assert_eq!(representative.len() as u64, group["inputs"][0]["after"]["bytes"].as_u64().unwrap());
        assert!(ran.stdout.contains(name) && ran.stdout.contains(group["signature"].as_str().unwrap()));
    }
    assert!(!folder.path("crashes.dedup/unfinished").exists());
    assert_eq!(fs::read_dir(folder.path("crashes")).unwrap().count(), 5, "nothing is written beside the inputs");
}

#[test]
fn a_second_run_does_only_what_is_new_or_has_changed() {
    let folder = inputs(TWO_BUGS);
    let first = dedup(&folder, "--quiet");
    assert_eq!((first.status, first.stderr.lines().count()), (Some(0), 1), "{}", first.stderr);
    let tested =
        |name: &str| folder.text("test.sh.runs").lines().filter(|line| line.ends_with(&format!("/{name}"))).count();
    let before = ["one.c", "two.c", "three.c", "four.c"].map(tested);
    assert_eq!(dedup(&folder, "--quiet").stdout, first.stdout);
    assert_eq!(["one.c", "two.c", "three.c", "four.c"].map(tested), before);

    fs::write(folder.path("crashes/one.c"), "int z = f(g(1));\n").unwrap();
    fs::write(folder.path("crashes.dedup/reduced/two.c"), "spoilt").unwrap();
    fs::write(folder.path("crashes/five.c"), "int v = h(i(1));\n").unwrap();
    let ran = dedup(&folder, "--jobs 3");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let after = ["one.c", "two.c", "three.c", "four.c"].map(tested);
    assert!(after[0] > before[0] && after[1] > before[1] && tested("five.c") > 0);
    assert_eq!(after[2..], before[2..]);
}

#[test]
fn another_test_algorithm_or_alphabet_does_it_all_again() {
    let folder = inputs(TWO_BUGS);
    let runs = || folder.text("test.sh.runs").lines().count();
    dedup(&folder, "--quiet");
    let first = runs();
    dedup(&folder, "--quiet --algorithm hdd+ddmin");
    let second = runs();
    assert!(second > first + 20, "{first}, then {second}");
    dedup(&folder, "--quiet --alphabet xyz");
    let third = runs();
    assert!(third > second + 20, "{second}, then {third}");
    let results: Vec<String> =
        ["one.c", "two.c"].iter().map(|name| folder.text(&format!("crashes.dedup/reduced/{name}"))).collect();
    assert_eq!(results, ["x(x(\n", "x(x(\n"]);
    folder.script("test.sh", &format!("{TWO_BUGS} # changed"));
    dedup(&folder, "--quiet");
    assert!(runs() > third + 20);
}

#[test]
fn another_model_does_it_all_again_but_not_the_same_one() {
    let folder = inputs(TWO_BUGS);
    let runs = || folder.text("test.sh.runs").lines().count();
    let learn = |corpus: &str| {
        let ran = folder.whittle(&format!("learn --language c --output model {corpus}"));
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    };
    let mut tests = [0; 3];
    for (corpus, tests) in ["crashes", "crashes", "crashes/none.c"].into_iter().zip(&mut tests) {
        learn(corpus);
        let ran = dedup(&folder, "--quiet --algorithm gtr+ddmin --model model");
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        *tests = runs();
    }
    // The input that is not interesting is tried again each time.
    let [first, second, third] = tests;
    assert!(second < first + 20, "{first}, then {second}");
    assert!(third > second + 20, "{second}, then {third}");
}

#[test]
fn what_was_interrupted_goes_on_with_what_was_found_out() {
    let slow = format!("sleep 0.02\n{TWO_BUGS}");
    let folder = inputs(&slow);
    let child = folder.start("dedup test.sh crashes --jobs 2");
    wait_until("tests run", || {
        fs::read_to_string(folder.path("test.sh.runs")).is_ok_and(|runs| runs.lines().count() > 20)
    });
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let stopped = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(stopped.status, Some(1), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("the same command goes on"), "{}", stopped.stderr);
    folder.assert_nothing_left();
    assert!(folder.path("crashes.dedup/unfinished").exists());
    let runs = || folder.text("test.sh.runs").lines().count();
    let before = runs();
    let resumed = dedup(&folder, "--quiet");
    assert_eq!(resumed.status, Some(0), "{}", resumed.stderr);
    let second = runs() - before;

    let whole = inputs(&slow);
    assert_eq!(dedup(&whole, "--quiet").stdout.replace("  ", " "), resumed.stdout.replace("  ", " "));
    let uninterrupted = whole.text("test.sh.runs").lines().count();
    assert!(second < uninterrupted, "{second} of {uninterrupted} tests");
    assert!(!folder.path("crashes.dedup/unfinished").exists());
}

#[test]
fn a_limit_is_for_each_input_and_more_can_be_allowed_later() {
    let folder = inputs(TWO_BUGS);
    let ran = dedup(&folder, "--max-tests 3");
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("stopped: 4 inputs by a limit"), "{}", ran.stderr);
    let ran = dedup(&folder, "");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(!folder.path("crashes.dedup/unfinished").exists());
}

#[test]
fn tests_may_look_for_a_certain_name() {
    let folder = inputs("grep -q 'sum(mul' bug.c || grep -q '/ 0' bug.c");
    fs::rename(folder.path("crashes/one.c"), folder.path("crashes/id:000,sig:11")).unwrap();
    let ran = dedup(&folder, "--name bug.c --json groups.json -o out");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let json = json(&folder);
    assert_eq!(names(&json).concat().len(), 3, "{}", ran.stdout);
    assert!(json["groups"][0]["file"].as_str().unwrap().ends_with("out/groups/1.c"));
    assert!(json["groups"][1]["inputs"][0]["before"]["tokens"].is_u64(), "--name tells the language");
}

/// Texts with the same tokens and other whitespace, for each kind of language.
const LAID_OUT_DIFFERENTLY: [(&str, [&str; 3]); 10] = [
    ("c", ["a(a){if(a)a/0;}", "a ( a )\n{\n\n  if (a) a / 0;\n}\n", "a\n(\na\n)\n{\nif\n(\na\n)\na\n/\n0\n;\n}\n\n\n"]),
    ("js", ["a=>{b(1,[2]);}", "a => {\n\tb( 1, [ 2 ] );\n}\n", "a  =>\n{ b (\n1 ,\n[\n2 ] ) ; }"]),
    ("rs", ["fn a(b:&u8){c!(b);}", "fn a(b: &u8)\n{\n\n    c!(b);\n}\n", "fn\ta ( b\n: & u8 ) { c ! (\nb ) ; }"]),
    ("json", ["{\"a\":[1,{}]}", "{\n  \"a\": [\n    1,\n    {}\n  ]\n}\n", "{ \"a\"\t:[ 1 ,\n\n{ } ] }"]),
    ("css", ["a,b{c:0 1px}", "a ,\nb {\n  c : 0  1px\n}\n", "a,b\n{c:\t0\n1px\n}"]),
    ("sql", ["SELECT a,b FROM c;", "SELECT\n  a,\n  b\nFROM\n  c\n;\n", "SELECT\ta , b   FROM c ;\n\n"]),
    ("smt2", ["(assert(= a(f b)))", "(assert\n  (= a\n     (f b)))\n", "( assert ( =\ta ( f b ) ) )"]),
    ("lua", ["if a then b(1)c=2 end", "if a then\n    b( 1 )\n    c = 2\nend\n", "if\na\nthen b (1)\n\nc\n=\n2\nend"]),
    ("py", ["if a:\n b(1,c=2)\n", "if a :\n\n\tb ( 1,\n  c = 2 )\n\n\n", "if  a:\n        b(\n1, c=2\n)"]),
    ("toml", ["[a]\nb=[1,2]\n", "[ a ]\n\n  b = [ 1, 2 ]\n", "\n[a]\nb  =  [\n  1,\n  2\n]\n\n"]),
];

#[test]
fn whitespace_makes_no_difference_where_it_has_no_meaning() {
    for (extension, texts) in LAID_OUT_DIFFERENTLY {
        let folder = Folder::new("tr -d ' \\n\\t' < \"$1\" | cmp -s - \"${0%/*}/tokens\"", "unused", "");
        fs::write(folder.path("tokens"), texts[0].replace([' ', '\n'], "")).unwrap();
        fs::create_dir(folder.path("crashes")).unwrap();
        for (number, text) in texts.iter().enumerate() {
            fs::write(folder.path(format!("crashes/{number}.{extension}")), text).unwrap();
        }
        let ran = dedup(&folder, "--algorithm trec --json groups.json");
        let texts = || [0, 1, 2].map(|number| folder.text(&format!("crashes.dedup/reduced/{number}.{extension}")));
        assert_eq!((ran.status, names(&json(&folder)).len()), (Some(0), 1), "{}\n{:#?}", ran.stderr, texts());
    }
}

#[test]
fn near_duplicates_are_told() {
    let folder = Folder::new("grep -Eq '^(keep|save) [0-9]$' \"$1\"", "unused", "");
    fs::create_dir(folder.path("crashes")).unwrap();
    for (name, text) in [("a.txt", "x\nkeep 1\n"), ("b.txt", "save 1\ny\n"), ("c.txt", "z\nz\nkeep 2\n")] {
        fs::write(folder.path(format!("crashes/{name}")), text).unwrap();
    }
    // The default would make the numbers equal.
    let ran = dedup(&folder, "--quiet -a ddmin");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains(" are equal after renaming"), "{}", ran.stdout);
    assert!(ran.stdout.contains(" have the same kinds of tokens"), "{}", ran.stdout);
}

#[test]
fn inputs_that_cannot_be_read_and_links_that_lead_nowhere_stop_nothing() {
    let folder = inputs(TWO_BUGS);
    std::os::unix::fs::symlink("nowhere", folder.path("crashes/lost.c")).unwrap();
    fs::write(folder.path("crashes/.hidden"), "f(g(").unwrap();
    fs::create_dir(folder.path("crashes/folder")).unwrap();
    fs::set_permissions(folder.path("crashes/one.c"), fs::Permissions::from_mode(0o000)).unwrap();
    let readable = fs::read(folder.path("crashes/one.c")).is_ok();
    let ran = dedup(&folder, "");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("failed:  lost.c: the input crashes/lost.c does not exist"), "{}", ran.stderr);
    assert_eq!(ran.stderr.contains("failed:  one.c: the input crashes/one.c cannot be read"), !readable);
    assert!(ran.stderr.contains("inputs:  6: 2 groups"), "{}", ran.stderr);
}

#[test]
fn wrong_usage_is_refused() {
    let folder = inputs(TWO_BUGS);
    let refused = |line: &str, words: &str| {
        let ran = folder.whittle(line);
        assert_eq!(ran.status, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    };
    refused("dedup test.sh", "TEST and a FOLDER are needed");
    refused("dedup test.sh missing", "the folder missing cannot be listed");
    refused("dedup missing crashes", "the test missing does not exist");
    refused("dedup test.sh crashes --name a/b.c", "--name a/b.c is not the name of a file");
    refused("dedup test.sh crashes -o tmp/..", "holds something else than results of whittle dedup");
    fs::create_dir(folder.path("empty")).unwrap();
    refused("dedup test.sh empty", "there is no file in empty");
    fs::write(folder.path("empty/none.c"), "int fine;\n").unwrap();
    refused("dedup test.sh empty", "failed:  none.c: the input empty/none.c is not interesting");
}

#[test]
fn help() {
    insta::assert_snapshot!(inputs("").whittle("dedup --help").stdout);
}
