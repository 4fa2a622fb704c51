//! What is reduced, and what its test says: recorded once in a journal, then read from there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Deserialize;
use whittle::languages::Language;
use whittle::search::{Candidate, Fingerprint, Journal, Verdict};
use whittle::syntaxes::{LanguageChoice, Syntaxes};

use crate::script::Script;

pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) input: Candidate,
    pub(crate) syntaxes: Syntaxes,
    test: PathBuf,
}

/// Verdicts in the order in which they were recorded.
type Verdicts = Vec<(Fingerprint, Verdict)>;

#[derive(Deserialize)]
struct Meta {
    input: String,
    language: Option<String>,
}

impl Subject {
    /// The subject of `bench/subjects` with this name, or the one in this folder.
    pub(crate) fn load(name: &str) -> Result<Self> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/subjects").join(name);
        let folder = if own.is_dir() { own } else { PathBuf::from(name) };
        let folder = folder.canonicalize().context("neither a name in bench/subjects nor a folder")?;
        let meta: Meta = toml::from_str(&std::fs::read_to_string(folder.join("meta.toml")).context("meta.toml")?)?;
        let bytes = std::fs::read(folder.join(&meta.input)).context(meta.input.clone())?;
        let input = Candidate::single(&meta.input, bytes);
        let syntaxes = match meta.language.and_then(|name| Language::by_name(&name)) {
            Some(language) => Syntaxes::choose(&LanguageChoice::Is(language), &input)?,
            None => Syntaxes::choose(&LanguageChoice::Detect, &input)?,
        };
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { name, test: folder.join("test.sh"), input, syntaxes })
    }

    /// Its real test.
    pub(crate) fn script(&self) -> Script {
        Script { path: self.test.clone(), name: self.input.files()[0].path().into() }
    }

    /// The journal of its real test, and the verdicts in it. It is in the folder for temporary files of the build.
    pub(crate) fn journal(&self) -> Result<(Arc<Journal>, Verdicts)> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("workers-{}.journal", self.name));
        let test = std::fs::read(&self.test).context("test.sh")?;
        let both = Candidate::from_files([("input", self.input.files()[0].bytes().to_vec()), ("test", test)]);
        let binding = format!("{:032x}", both.fingerprint().0);
        if let Ok((journal, replay)) = Journal::resume(&path, &binding) {
            return Ok((Arc::new(journal), replay.verdicts));
        }
        Ok((Arc::new(Journal::create(&path, &binding, "")?), Vec::new()))
    }

    /// All verdicts of its real test.
    pub(crate) fn verdicts(&self) -> Result<HashMap<Fingerprint, Verdict>> {
        Ok(self.journal()?.1.into_iter().collect())
    }
}
