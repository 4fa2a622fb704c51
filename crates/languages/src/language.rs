//! [`Language`]: one row of the table.

use std::fmt;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use tree_sitter_language::LanguageFn;

use crate::detect;
use crate::table::LANGUAGES;

/// A language with its parser and its grammar. Languages are equal if their names are.
pub struct Language {
    /// The name, as in `--language NAME`; also the Cargo feature.
    pub name: &'static str,
    /// The name as people write it.
    pub title: &'static str,
    /// Other names that `--language` takes.
    pub aliases: &'static [&'static str],
    /// File name extensions without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Interpreters in a `#!` line, without their version.
    pub interpreters: &'static [&'static str],
    /// How only files of this language start. A space matches any whitespace, and case does not matter.
    pub signs: &'static [&'static str],
    /// Where parser and grammar come from.
    pub source: Source,
    pub(crate) parser: LanguageFn,
    pub(crate) grammar: &'static [u8],
}

/// The crate of a parser, and the file that the parser was generated from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// The crate.
    pub package: &'static str,
    /// The path of `grammar.json` in the crate; a crate with several dialects has several.
    pub grammar: &'static str,
}

impl Language {
    /// Every language that is compiled in, in the order of names.
    #[must_use]
    pub fn all() -> &'static [Language] {
        LANGUAGES
    }

    /// The language of that name or alias, in any case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Language> {
        let is_it = |other: &&str| name.eq_ignore_ascii_case(other);
        LANGUAGES.iter().find(|language| is_it(&language.name) || language.aliases.iter().any(is_it))
    }

    /// The language of a file, by its name, then its extension, then its `#!` line, then how it starts.
    /// It does not guess: `None` if none of these is certain.
    #[must_use]
    pub fn detect(path: &Path, content: &[u8]) -> Option<&'static Language> {
        detect::detect(LANGUAGES, path, content)
    }

    /// The parser.
    #[must_use]
    pub fn tree_sitter(&self) -> tree_sitter::Language {
        self.parser.into()
    }

    /// The `grammar.json` that the parser was generated from, without whitespace. Decompressed at each call.
    #[must_use]
    pub fn grammar_json(&self) -> String {
        let mut json = String::new();
        GzDecoder::new(self.grammar)
            .read_to_string(&mut json)
            .expect("compiled in, and the tests read the grammar of every language");
        json
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Language").field(&self.name).finish()
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Language {}
