//! Checks that the built-in subjects are what they claim to be. Those that need GCC or Node are ignored by default.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Subject {
    folder: PathBuf,
    input: String,
}

impl Subject {
    fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("subjects");
        let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
        folders.filter(|folder| folder.is_dir()).map(Self::at).collect()
    }

    fn at(folder: PathBuf) -> Self {
        let meta: toml::Table = fs::read_to_string(folder.join("meta.toml")).unwrap().parse().unwrap();
        Self { folder, input: meta["input"].as_str().unwrap().to_owned() }
    }

    fn text(&self) -> Vec<u8> {
        fs::read(self.folder.join(&self.input)).unwrap()
    }

    fn is_interesting(&self, text: &[u8]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(&self.input), text).unwrap();
        let mut test = Command::new(self.folder.join("test.sh"));
        test.current_dir(folder.path()).env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap().status.success()
    }

    /// The tool that its test runs.
    fn tool(&self) -> Tool {
        let script = fs::read_to_string(self.folder.join("test.sh")).unwrap();
        match script {
            _ if script.contains(" gcc ") || script.contains(" g++ ") => Tool::Gcc,
            _ if script.contains(" node ") => Tool::Node,
            _ => Tool::Python,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Tool {
    Gcc,
    Node,
    Python,
}

#[test]
fn there_are_a_dozen_in_at_least_eight_languages() {
    let subjects = Subject::all();
    let extension = |subject: &Subject| subject.input.rsplit('.').next().map(str::to_owned);
    let languages: std::collections::HashSet<_> = subjects.iter().map(extension).collect();
    assert!(subjects.len() >= 12 && languages.len() >= 8, "{} in {languages:?}", subjects.len());
}

#[test]
fn inputs_are_interesting_and_trivial_files_are_not() {
    assert_sound(Tool::Python);
}

mod needs_gcc {
    #[test]
    #[ignore = "needs GCC"]
    fn inputs_are_interesting_and_trivial_files_are_not() {
        super::assert_sound(super::Tool::Gcc);
    }
}

mod needs_node {
    #[test]
    #[ignore = "needs Node"]
    fn inputs_are_interesting_and_trivial_files_are_not() {
        super::assert_sound(super::Tool::Node);
    }
}

/// Checks the subjects of one tool, of which there are some.
fn assert_sound(tool: Tool) {
    let subjects: Vec<Subject> = Subject::all().into_iter().filter(|subject| subject.tool() == tool).collect();
    assert!(!subjects.is_empty(), "{tool:?}");
    for subject in subjects {
        let name = subject.folder.display();
        assert!(subject.is_interesting(&subject.text()), "{name}: its input is not interesting");
        let beginning = &subject.text()[..subject.text().len() / 8];
        for (what, text) in [("nothing", &b""[..]), ("a letter", b"a\n"), ("its beginning", beginning)] {
            assert!(!subject.is_interesting(text), "{name}: {what} is interesting");
        }
    }
}
