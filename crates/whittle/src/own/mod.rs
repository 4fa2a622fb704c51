//! Languages of the user: grammars that are read at run time.
//!
//! | file | what it holds |
//! |---|---|
//! | `definitions.rs` | languages that are known by the endings of their files |
//! | `grammar_file.rs` | reads a grammar, with the files beside it that it needs |
//! | `library.rs` | a parser of tree-sitter in a shared library |

mod definitions;
mod grammar_file;
mod library;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use whittle_grammars::GrammarError;
use whittle_languages::Language;
use whittle_trees::Syntax;

use crate::syntaxes::syntax;

pub use definitions::{Definition, Layout};
pub use grammar_file::{GrammarFile, OwnGrammarError};

/// A language that is not built in.
#[derive(Clone, Debug)]
pub struct OwnLanguage {
    /// What it is called.
    pub name: String,
    /// The endings of its files, without the dot.
    pub extensions: Vec<String>,
    /// Its parser and its grammar.
    pub syntax: Syntax,
}

impl OwnLanguage {
    /// Whether a file is in the language, by its name.
    pub fn is_of(&self, path: &Path) -> bool {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| self.extensions.iter().any(|extension| extension == end))
    }
}

/// A language: a built-in one, or one of the user.
#[derive(Clone, Debug)]
pub enum AnyLanguage {
    /// A built-in one.
    BuiltIn(&'static Language),
    /// One whose grammar was read at run time.
    Own(Arc<OwnLanguage>),
}

impl AnyLanguage {
    /// The name that it is chosen by.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(language) => language.name,
            Self::Own(language) => &language.name,
        }
    }

    /// The name as people write it.
    pub fn title(&self) -> &str {
        match self {
            Self::BuiltIn(language) => language.title,
            Self::Own(language) => &language.name,
        }
    }

    /// Whether a file is in the language, by its name.
    pub fn is_of(&self, path: &Path) -> bool {
        match self {
            Self::BuiltIn(language) => Language::detect(path, &[]) == Some(language),
            Self::Own(language) => language.is_of(path),
        }
    }

    /// Whether files of the language are known by their names at all.
    pub fn has_endings(&self) -> bool {
        matches!(self, Self::BuiltIn(_)) || matches!(self, Self::Own(language) if !language.extensions.is_empty())
    }

    /// The parser and the grammar.
    pub fn syntax(&self) -> Result<Syntax, GrammarError> {
        match self {
            Self::BuiltIn(language) => syntax(language),
            Self::Own(language) => Ok(language.syntax.clone()),
        }
    }
}

impl fmt::Display for AnyLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl PartialEq for AnyLanguage {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
