//! Languages that the user has defined: one TOML file each in a folder, which says where the grammar is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::{GrammarFile, OwnGrammarError, OwnLanguage};

/// A language as its file defines it. The grammar is not read before the language is used.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Definition {
    /// What the language is called.
    pub name: String,
    /// The endings of its files, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// The file with the grammar; a relative path begins in the folder of the definition.
    pub(super) grammar: PathBuf,
    /// The rule of a whole text.
    pub(super) start: Option<String>,
    /// How comments begin that end with the line, if the grammar does not say.
    #[serde(default)]
    pub(super) line_comments: Vec<String>,
    /// How other comments begin and end, if the grammar does not say.
    #[serde(default)]
    pub(super) block_comments: Vec<(String, String)>,
    /// How results are laid out.
    pub(super) layout: Option<Layout>,
}

/// How a language is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Statements by braces and semicolons, a line each.
    Braces,
    /// Forms in parentheses; those that are too long go over several lines.
    Lisp,
    /// Line breaks and indentation are syntax.
    Indented,
    /// Line breaks are syntax, indentation is not.
    Lines,
    /// Line breaks are syntax, and a space can have a meaning between any two tokens.
    Spaces,
    /// Whitespace is content.
    Markup,
}

impl Layout {
    /// As grammars name it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Braces => "braces",
            Self::Lisp => "lisp",
            Self::Indented => "indented",
            Self::Lines => "lines",
            Self::Spaces => "spaces",
            Self::Markup => "markup",
        }
    }
}

impl Definition {
    /// A definition that says no more than a name and the grammar.
    pub(super) fn named(name: &str, file: &GrammarFile) -> Self {
        Self {
            name: name.to_owned(),
            extensions: file.extension.iter().cloned().collect(),
            grammar: file.path.clone(),
            start: file.start.clone(),
            line_comments: Vec::new(),
            block_comments: Vec::new(),
            layout: None,
        }
    }

    /// The definitions of a folder, by the names of their files. A folder that is not there has none.
    pub fn all(folder: &Path) -> Vec<Result<Self, OwnGrammarError>> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Result<Self, OwnGrammarError> {
        let text = fs::read_to_string(path).map_err(|error| OwnGrammarError::Read { path: path.into(), error })?;
        let mut definition: Self = toml::from_str(&text)
            .map_err(|error| OwnGrammarError::Definition { path: path.into(), error: Box::new(error) })?;
        definition.grammar = path.parent().unwrap_or(Path::new("")).join(&definition.grammar);
        Ok(definition)
    }

    /// Whether a file is in the language, by its name.
    pub fn is_of(&self, path: &Path) -> bool {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| self.extensions.iter().any(|extension| extension == end))
    }

    /// The language, with its grammar read.
    pub fn language(&self) -> Result<Arc<OwnLanguage>, OwnGrammarError> {
        let file = GrammarFile { extension: None, path: self.grammar.clone(), start: self.start.clone() };
        file.language_by(self)
    }
}
