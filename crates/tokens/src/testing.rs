//! What the tests share: searches whose tests are on record, and syntaxes.

use std::sync::Arc;

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_search::{Candidate, File, LayoutMeasure, Recorder, Search, Setup, Size, Stop};
use whittle_trees::{Syntax, Workshop};

/// A search that has tested its input, measured in bytes, and who knows what it tests.
pub(crate) fn recorded(
    input: &str,
    is_interesting: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (Search, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::new(is_interesting));
    let candidate = Candidate::single("input", input.as_bytes().to_vec());
    (Setup::default().start(recorder.clone(), candidate).unwrap(), recorder)
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
        Size { units: count.tokens, errors: count.errors, ..Size::uncounted(candidate) }
    };
    let recorder = Arc::new(Recorder::new(is_interesting));
    let candidate = Candidate::single("input", input.as_bytes().to_vec());
    let laid_out = workshop.syntax.clone().unwrap();
    let distance = move |file: &File| laid_out.tree(file.bytes()).misplaced_whitespace().len() as u64;
    let layout = Some(LayoutMeasure::new(distance));
    let setup = Setup { measure: Arc::new(measure), layout, ..Setup::default() };
    let mut search = setup.start(recorder.clone(), candidate).unwrap();
    pass(&mut search, &workshop).unwrap();
    let end = String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).unwrap();
    (end, recorder.asked().split_off(1))
}

/// The syntax of a built-in language.
pub(crate) fn syntax(language: &str) -> Syntax {
    let language = Language::by_name(language).unwrap();
    Syntax::new(language.tree_sitter(), Grammar::from_tree_sitter(&language.grammar_json()).unwrap())
}
