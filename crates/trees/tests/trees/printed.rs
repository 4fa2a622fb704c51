//! The trees of small texts, compared with what `testdata/LANGUAGE.txt` says.
//!
//! A file holds cases: `=== name`, the text, `---`, and the printed tree. `UPDATE_TESTDATA=1 cargo test` writes the trees
//! anew, to be reviewed as a diff.

use std::path::{Path, PathBuf};

use crate::parse;
use whittle_trees::Edits;

struct Case {
    name: String,
    text: String,
    tree: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

fn read_cases(content: &str) -> Vec<Case> {
    let cases = content.split("=== ").skip(1);
    cases
        .map(|case| {
            let (name, rest) = case.split_once('\n').expect("a case has a name");
            let (text, tree) = rest.split_once("---\n").expect("a case has a text and a tree");
            Case { name: name.to_owned(), text: text.to_owned(), tree: tree.to_owned() }
        })
        .collect()
}

#[test]
fn every_case_has_the_tree_that_its_file_says() {
    let files = std::fs::read_dir(folder()).expect("there is test data");
    for file in files.map(|file| file.expect("it can be listed").path()).filter(|path| path.is_file()) {
        let language = file.file_stem().and_then(|stem| stem.to_str()).expect("files are named like languages");
        let content = std::fs::read_to_string(&file).expect("it can be read");
        let mut written = String::new();
        for case in read_cases(&content) {
            let tree = parse(language, case.text.as_bytes());
            let printed = tree.to_string();
            assert_eq!(tree.unparse(&Edits::new()), case.text.as_bytes(), "{language}: {}", case.name);
            written += &format!("=== {}\n{}---\n{printed}\n", case.name, case.text);
            if std::env::var_os("UPDATE_TESTDATA").is_none() {
                assert_eq!(printed.trim_end(), case.tree.trim_end(), "{language}: {}", case.name);
            }
        }
        if std::env::var_os("UPDATE_TESTDATA").is_some() {
            std::fs::write(&file, written.trim_end().to_owned() + "\n").expect("it can be written");
        }
    }
}
