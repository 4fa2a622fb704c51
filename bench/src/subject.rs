//! Subjects: folders with an input that triggers a bug, a `test.sh` that checks for the bug, and a `meta.toml` that
//! names the input.
//!
//! `test.sh` exits with 0 if and only if the file with the input's name in the current folder triggers the bug. It always
//! ends, and writes only to its own folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use whittle_languages::Language;
use xxhash_rust::xxh3::Xxh3;

use crate::size::Size;

const META: &str = "meta.toml";
/// The test within a subject's folder.
pub(crate) const TEST: &str = "test.sh";

/// One thing to reduce.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// The name of the input file.
    pub(crate) input: String,
    pub(crate) language: Option<&'static Language>,
    pub(crate) antlr: Option<Antlr>,
    pub(crate) size: Size,
    /// Changes when the input or the test does.
    pub(crate) fingerprint: String,
}

/// The grammar that a subject provides for Picireny, which has none of its own.
#[derive(Debug, Deserialize)]
pub(crate) struct Antlr {
    /// Grammar files in the subject's folder.
    pub(crate) grammars: Vec<PathBuf>,
    /// The rule of a whole file.
    pub(crate) start: String,
}

#[derive(Deserialize)]
struct Meta {
    input: String,
    language: Option<String>,
    antlr: Option<Antlr>,
}

impl Subject {
    fn load(folder: &Path) -> Result<Self> {
        let meta = fs::read_to_string(folder.join(META))?;
        let Meta { input, language, antlr } = toml::from_str(&meta).with_context(|| format!("in {META}"))?;
        let text = fs::read(folder.join(&input)).with_context(|| format!("the input {input}"))?;
        let test = fs::read(folder.join(TEST)).with_context(|| format!("the test {TEST}"))?;
        let language =
            language.and_then(|name| Language::by_name(&name)).or_else(|| Language::detect(Path::new(&input), &text));
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let mut hash = Xxh3::new();
        for part in [input.as_bytes(), &text, &test] {
            hash.update(&part.len().to_le_bytes());
            hash.update(part);
        }
        Ok(Self {
            name,
            folder: folder.to_owned(),
            size: Size::of(&text, language),
            input,
            language,
            antlr,
            fingerprint: format!("{:016x}", hash.digest()),
        })
    }

    /// The name of the language, or nothing.
    pub(crate) fn language_name(&self) -> &'static str {
        self.language.map_or("", |language| language.name)
    }
}

/// The subjects that come with this program.
pub(crate) fn own_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("subjects")
}

/// All subjects in these folders, by name.
pub(crate) fn load_all(folders: &[PathBuf]) -> Result<Vec<Subject>> {
    let mut subjects: BTreeMap<String, Subject> = BTreeMap::new();
    for folder in folders {
        let folder = folder.canonicalize().with_context(|| format!("--subjects {}", folder.display()))?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if !path.join(META).is_file() {
                continue;
            }
            let subject = Subject::load(&path).with_context(|| format!("the subject {}", path.display()))?;
            if let Some(other) = subjects.insert(subject.name.clone(), subject) {
                bail!("two subjects are called {}: {} and {}", other.name, other.folder.display(), path.display());
            }
        }
    }
    Ok(subjects.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(folder: &Path, name: &str, meta: &str) {
        let folder = folder.join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(META), meta).unwrap();
        fs::write(folder.join(TEST), "#!/bin/sh\n").unwrap();
        fs::write(folder.join("a.c"), "int a;\n").unwrap();
    }

    #[test]
    fn a_subject_knows_its_language_and_its_size() {
        let root = tempfile::tempdir().unwrap();
        subject(root.path(), "one", "input = 'a.c'\nkind = 'crash'\n");
        subject(root.path(), "two", "input = 'a.c'\nlanguage = 'C++'\n");
        fs::create_dir(root.path().join("no-subject")).unwrap();
        let subjects = load_all(&[root.path().to_owned()]).unwrap();
        let seen: Vec<_> = subjects.iter().map(|subject| (&*subject.name, subject.language_name())).collect();
        assert_eq!(seen, [("one", "c"), ("two", "cpp")]);
        assert_eq!(subjects[0].size.tokens, 3);
        assert_eq!(subjects[0].fingerprint, subjects[1].fingerprint);
    }

    #[test]
    fn what_is_wrong_with_a_subject_is_said() {
        let root = tempfile::tempdir().unwrap();
        subject(root.path(), "broken", "input = 'b.c'\n");
        let error = format!("{:#}", load_all(&[root.path().to_owned()]).unwrap_err());
        assert!(error.contains("broken") && error.contains("b.c"), "{error}");
    }

    #[test]
    fn two_subjects_of_one_name_are_refused() {
        let root = tempfile::tempdir().unwrap();
        subject(root.path(), "one", "input = 'a.c'\n");
        let folder = root.path().to_owned();
        assert!(load_all(&[folder.clone(), folder]).is_err());
    }
}
