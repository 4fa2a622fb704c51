//! Normal-form trees of real languages: their shape, and what edits leave of a text.

mod allocations;
mod chains;
mod edits;
mod generic;
mod hostile;
mod models;
mod orders;
mod printed;
mod promises;
mod relex;
mod scale;
mod splices;
mod texts;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_trees::Tree;

/// The tree of a text in the language of that name.
fn parse(language: &str, text: impl Into<Vec<u8>>) -> Tree {
    let found = Language::by_name(language).expect("the language is compiled in");
    Tree::parse(text, &found.tree_sitter(), &grammar(found))
}

/// The grammar of a language, read once.
fn grammar(language: &Language) -> Arc<Grammar> {
    static GRAMMARS: OnceLock<Mutex<HashMap<&'static str, Arc<Grammar>>>> = OnceLock::new();
    let mut grammars = GRAMMARS.get_or_init(Mutex::default).lock().expect("no test panics while it reads a grammar");
    let read = || Arc::new(Grammar::from_tree_sitter(&language.grammar_json()).expect("a shipped grammar is sound"));
    Arc::clone(grammars.entry(language.name).or_insert_with(read))
}
