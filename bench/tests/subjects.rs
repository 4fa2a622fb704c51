//! The subjects that come with the bench: they are what they claim to be, where their tools are installed.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(clippy::print_stdout, reason = "a test that skips says why")]

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

    /// Whether the tool that it needs is there.
    fn can_run(&self) -> bool {
        let script = fs::read_to_string(self.folder.join("test.sh")).unwrap();
        let tool = ["gcc", "g++", "node"].into_iter().find(|tool| script.contains(&format!(" {tool} ")));
        let tool = tool.unwrap_or("python3");
        let is_there = Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
        if !is_there {
            println!("{} is not checked: {tool} is not installed", self.folder.display());
        }
        is_there
    }
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
    for subject in Subject::all().iter().filter(|subject| subject.can_run()) {
        let name = subject.folder.display();
        assert!(subject.is_interesting(&subject.text()), "{name}: its input is not interesting");
        let beginning = &subject.text()[..subject.text().len() / 8];
        for (what, text) in [("nothing", &b""[..]), ("a letter", b"a\n"), ("its beginning", beginning)] {
            assert!(!subject.is_interesting(text), "{name}: {what} is interesting");
        }
    }
}
