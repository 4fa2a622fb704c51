//! What the tests of several reducers share: searches whose tests are on record, and syntaxes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_search::{Cancel, Candidate, Property, Search, Setup, Stop, TestError, Tested, Verdict};

use crate::Syntax;

/// A property that remembers what it was asked, in order.
struct Recorder<F> {
    is_interesting: F,
    asked: Mutex<Vec<String>>,
}

impl<F: Fn(&str) -> bool + Send + Sync> Property for Recorder<F> {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let text = String::from_utf8_lossy(candidate.files()[0].bytes()).into_owned();
        let verdict = if (self.is_interesting)(&text) { Verdict::Interesting } else { Verdict::Uninteresting };
        self.asked.lock().unwrap().push(text);
        Ok(Tested { verdict, elapsed: Duration::ZERO })
    }
}

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
    let recorder = Arc::new(Recorder { is_interesting, asked: Mutex::default() });
    let candidate = Candidate::single("input", input.as_bytes().to_vec());
    let mut search = Setup::default().start(Arc::clone(&recorder) as _, candidate).unwrap();
    pass(&mut search).unwrap();
    let asked = recorder.asked.lock().unwrap();
    let end = String::from_utf8_lossy(search.best().candidate.files()[0].bytes()).into_owned();
    (end, asked[1..].to_vec())
}

/// A search that has tested its input.
pub(crate) fn search_at(input: &str) -> Search {
    let recorder = Recorder { is_interesting: |_: &str| true, asked: Mutex::default() };
    Setup::default().start(Arc::new(recorder), Candidate::single("input", input.as_bytes().to_vec())).unwrap()
}

/// The syntax of a built-in language.
pub(crate) fn syntax(language: &str) -> Syntax {
    let language = Language::by_name(language).unwrap();
    Syntax::new(language.tree_sitter(), Grammar::from_tree_sitter(&language.grammar_json()).unwrap())
}
