//! Checks the descriptions of the real bugs in `real/`. Whether the bugs show is checked by `real/setup.sh`, which needs
//! their tools.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn bugs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("real");
    fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
}

fn meta(bug: &Path) -> toml::Table {
    fs::read_to_string(bug.join("meta.toml")).unwrap().parse().unwrap()
}

#[test]
fn there_are_35_in_12_languages() {
    let languages: BTreeSet<String> =
        bugs().iter().map(|bug| meta(bug)["language"].as_str().unwrap().to_owned()).collect();
    assert_eq!((bugs().len(), languages.len()), (35, 12), "{languages:?}");
}

#[test]
fn each_says_what_it_is_and_how_it_is_made() {
    for bug in bugs() {
        let (name, meta) = (bug.display(), meta(&bug));
        for field in ["input", "language", "tool", "bug", "source", "description"] {
            assert!(
                meta.get(field).and_then(toml::Value::as_str).is_some_and(|text| !text.is_empty()),
                "{name}: {field}"
            );
        }
        // Made at bench time: no input of others is in the repository.
        let files: BTreeSet<String> = fs::read_dir(&bug)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        assert_eq!(files, ["make.sh", "meta.toml", "test.sh"].map(String::from).into(), "{name}");
        assert!(fs::metadata(bug.join("test.sh")).unwrap().permissions().mode() & 0o111 != 0, "{name}: test.sh");
    }
}
