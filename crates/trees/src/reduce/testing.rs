//! What the tests of several reducers share: searches whose tests are on record, and syntaxes.

use std::sync::Arc;

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_search::{Candidate, Recorder, Search, Setup, Stop};

use crate::Syntax;

/// What is tested after `input` itself when `pass` reduces it.
pub(crate) fn tests_of(
    input: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
    pass: impl FnOnce(&mut Search) -> Result<(), Stop>,
) -> Vec<String> {
    run(input, is_interesting, pass).1
}

/// What `pass` makes of `input`.
pub(crate) fn ends_with(
    input: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
    pass: impl FnOnce(&mut Search) -> Result<(), Stop>,
) -> String {
    run(input, is_interesting, pass).0
}

fn run(
    input: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
    pass: impl FnOnce(&mut Search) -> Result<(), Stop>,
) -> (String, Vec<String>) {
    let recorder = Arc::new(Recorder::new(is_interesting));
    let candidate = Candidate::single("input", input.as_bytes().to_vec());
    let mut search = Setup::default().start(recorder.clone(), candidate).unwrap();
    pass(&mut search).unwrap();
    let end = String::from_utf8_lossy(search.best().candidate.files()[0].bytes()).into_owned();
    (end, recorder.asked().split_off(1))
}

/// A search that has tested its input.
pub(crate) fn search_at(input: &str) -> Search {
    let recorder = Recorder::new(|_| true);
    Setup::default().start(Arc::new(recorder), Candidate::single("input", input.as_bytes().to_vec())).unwrap()
}

/// The syntax of a built-in language.
pub(crate) fn syntax(language: &str) -> Syntax {
    let language = Language::by_name(language).unwrap();
    Syntax::new(language.tree_sitter(), Grammar::from_tree_sitter(&language.grammar_json()).unwrap())
}
