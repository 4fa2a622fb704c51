//! What the fuzz targets share.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_search::{Candidate, File};
use whittle_trees::{Edits, Syntax, Tree};

pub mod hostile;
mod long;
mod memory;
pub mod reports;

#[path = "../../crates/whittle/tests/library/odd_texts.rs"]
mod odd;

/// Every odd shape, of about so many bytes.
pub fn shapes(bytes: usize) -> impl Iterator<Item = Vec<u8>> {
    odd::SHAPES.iter().map(move |(_, make)| make(bytes))
}

/// The folder of this package.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The samples of a language.
pub fn samples(language: &Language) -> Vec<Vec<u8>> {
    let samples = folder().join("../crates/languages/samples");
    let path = |extension: &&str| -> PathBuf { samples.join(format!("{}.{extension}", language.name)) };
    language.extensions.iter().map(path).filter_map(|path| std::fs::read(path).ok()).collect()
}

/// The syntax of a language, made once.
pub fn syntax(language: &Language) -> &'static Syntax {
    static SYNTAXES: OnceLock<Vec<(&'static str, OnceLock<Syntax>)>> = OnceLock::new();
    let syntaxes =
        SYNTAXES.get_or_init(|| Language::all().iter().map(|language| (language.name, OnceLock::new())).collect());
    let (_, syntax) = syntaxes.iter().find(|(name, _)| *name == language.name).expect("every language is listed");
    syntax.get_or_init(|| {
        let grammar = Grammar::from_tree_sitter(&language.grammar_json()).expect("a shipped grammar is sound");
        Syntax::new(language.tree_sitter(), grammar)
    })
}

/// A file with this text, of which nothing is known.
pub fn file(text: &[u8]) -> File {
    Candidate::single("file", text.to_vec()).files()[0].clone()
}

/// The tree of a file as runs make it, that of a long text in pieces. It has all of the text.
pub fn restored(syntax: &Syntax, file: &File) -> Tree {
    let (tree, text) = (syntax.tree_of(file), file.bytes());
    assert!(tree.unparse(&Edits::new()) == text, "{}: the text is not restored", syntax.name());
    assert!(tree.token_count(tree.root()) <= text.len());
    tree
}
