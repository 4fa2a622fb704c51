//! What the tests share: searches whose tests are on record, and syntaxes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_search::{Cancel, Candidate, Property, Search, Setup, Size, Stop, TestError, Tested, Verdict, count_solid};
use whittle_trees::{Syntax, Workshop};

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

/// What was asked.
pub(crate) trait Asked {
    /// What was tested after the input.
    fn asked(&self) -> Vec<String>;
}

impl<F> Asked for Recorder<F> {
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap()[1..].to_vec()
    }
}

/// A search that has tested its input, measured in bytes, and who knows what it tests.
pub(crate) fn recorded(
    input: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (Search, Arc<dyn Asked>) {
    let recorder = Arc::new(Recorder { is_interesting, asked: Mutex::default() });
    let candidate = Candidate::single("input", input.as_bytes().to_vec());
    (Setup::default().start(Arc::clone(&recorder) as _, candidate).unwrap(), recorder)
}

/// What `pass` makes of a text, and what it tests for that.
pub(crate) fn ends_with(
    language: &str,
    input: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
    pass: impl FnOnce(&mut Search, &Workshop) -> Result<(), Stop>,
) -> (String, Vec<String>) {
    let workshop = Workshop { syntax: Some(syntax(language)), ..Workshop::default() };
    let counted = workshop.syntax.clone().unwrap();
    let measure = move |candidate: &Candidate| {
        let count = counted.count(candidate.files()[0].bytes()).unwrap();
        Size { units: count.tokens, solid: count_solid(candidate), errors: count.errors }
    };
    let recorder = Arc::new(Recorder { is_interesting, asked: Mutex::default() });
    let candidate = Candidate::single("input", input.as_bytes().to_vec());
    let setup = Setup { measure: Arc::new(measure), ..Setup::default() };
    let mut search = setup.start(Arc::clone(&recorder) as _, candidate).unwrap();
    pass(&mut search, &workshop).unwrap();
    let end = String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).unwrap();
    (end, recorder.asked())
}

/// The syntax of a built-in language.
pub(crate) fn syntax(language: &str) -> Syntax {
    let language = Language::by_name(language).unwrap();
    Syntax::new(language.tree_sitter(), Grammar::from_tree_sitter(&language.grammar_json()).unwrap())
}
