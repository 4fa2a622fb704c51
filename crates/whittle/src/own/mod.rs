//! Languages of the user: grammars that are read at run time.
//!
//! | file | what it holds |
//! |---|---|
//! | `grammar_file.rs` | reads a grammar, with the files beside it that it needs |

mod grammar_file;

use std::fmt;
use std::sync::Arc;

use whittle_languages::Language;
use whittle_trees::Syntax;

pub use grammar_file::{GrammarFile, OwnGrammarError};

/// A language that is not built in.
#[derive(Clone, Debug)]
pub struct OwnLanguage {
    /// What it is called.
    pub name: String,
    /// Its parser and its grammar.
    pub syntax: Syntax,
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
