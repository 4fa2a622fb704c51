//! [`GrammarFile`]: a grammar in a file, with the files in the same folder that it imports or takes its tokens from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use whittle_parsing::{Description, Problem, RunTimeGrammar, from_antlr, from_ebnf};
use whittle_trees::Syntax;

use super::definitions::{Definition, Layout};
use super::{OwnLanguage, library};

/// Why a grammar cannot be used.
#[derive(Debug, Error)]
pub enum OwnGrammarError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The description of a parser in a shared library is not there.
    #[error("there is no grammar.json beside {}, nor in the folder src beside it; `tree-sitter generate` writes it", .0.display())]
    NoDescription(PathBuf),
    /// The notation is not known.
    #[error("{} is not in a known notation: its name should end with .g4, .ebnf or .so", .0.display())]
    Notation(PathBuf),
    /// A shared library is not a parser that can be used.
    #[error("{} cannot be used as a parser: {reason}", path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The definition of a language is wrong.
    #[error("{}: {error}", path.display())]
    Definition {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Box<toml::de::Error>,
    },
    /// Something in the grammar is wrong.
    #[error("{0}")]
    Grammar(#[from] Problem),
}

/// A grammar in a file, and the rule of a whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarFile {
    /// The ending of the files that it is for, without the dot; `None`: any.
    pub extension: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// The rule of a whole text, unless it is the first that no other rule uses.
    pub start: Option<String>,
}

impl GrammarFile {
    /// Reads `[EXTENSION=]FILE[:START]`. A file that is there with the whole text as its name is that file.
    ///
    /// ```
    /// use whittle::own::GrammarFile;
    /// let file = GrammarFile::parse("recipe=grammars/Recipe.g4:book");
    /// assert_eq!((file.extension.as_deref(), file.start.as_deref()), (Some("recipe"), Some("book")));
    /// assert_eq!(file.path.to_str(), Some("grammars/Recipe.g4"));
    /// ```
    pub fn parse(text: &str) -> Self {
        if Path::new(text).exists() {
            return Self { extension: None, path: text.into(), start: None };
        }
        let is_made_of = |word: &str, signs: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || signs.contains(c))
        };
        let (extension, text) = match text.split_once('=') {
            Some((extension, rest)) if is_made_of(extension, "_-+.") => {
                (Some(extension.trim_start_matches('.').to_owned()), rest)
            }
            _ => (None, text),
        };
        let (path, start) = match text.rsplit_once(':') {
            Some((path, start)) if is_made_of(start, "_") && !Path::new(text).exists() => {
                (path, Some(start.to_owned()))
            }
            _ => (text, None),
        };
        Self { extension, path: path.into(), start }
    }

    /// Whether it is a parser of tree-sitter rather than a grammar in a notation.
    pub fn is_library(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "so")
    }

    /// The grammar as its files say it.
    pub fn describe(&self) -> Result<Description, OwnGrammarError> {
        let read = |path: &Path| {
            let bytes = fs::read(path)?;
            Ok::<_, io::Error>(String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = read(&self.path).map_err(|error| OwnGrammarError::Read { path: self.path.clone(), error })?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let sibling = |name: &str| read(&folder.join(name)).ok();
        match self.path.extension().and_then(|extension| extension.to_str()) {
            Some("g4") => Ok(from_antlr(&name, &text, &sibling)?),
            Some("ebnf") => Ok(from_ebnf(&name, &text)?),
            _ => Err(OwnGrammarError::Notation(self.path.clone())),
        }
    }

    /// The language of the grammar.
    pub fn language(&self) -> Result<Arc<OwnLanguage>, OwnGrammarError> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.language_by(&Definition::named(&name, self))
    }

    /// The language of the grammar, with what a definition says about it.
    pub(super) fn language_by(&self, definition: &Definition) -> Result<Arc<OwnLanguage>, OwnGrammarError> {
        let Definition { name, extensions, line_comments, block_comments, layout, .. } = definition;
        let made = |syntax| Arc::new(OwnLanguage { name: name.clone(), extensions: extensions.clone(), syntax });
        let layout = layout.map(Layout::name);
        if self.is_library() {
            return library::load(&self.path, layout).map(made);
        }
        let mut description = self.describe()?;
        for start in line_comments {
            description.add_line_comment(start);
        }
        for (start, end) in block_comments {
            description.add_block_comment(start, end);
        }
        let grammar = RunTimeGrammar::new(&description, self.start.as_deref())?;
        Ok(made(Syntax::from_run_time(grammar, layout)?))
    }
}
