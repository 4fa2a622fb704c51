//! Odd texts in every language of the build: whatever parsers do with them, the text is all there.

use whittle_languages::Language;
use whittle_trees::{Edits, Fault, Syntax};

#[path = "../../../whittle/tests/library/odd_texts.rs"]
mod odd;

/// How long a shape is. All of them in all default languages take five seconds of processor time in a debug build.
const BYTES: usize = 1000;

#[test]
fn odd_texts_are_restored_in_every_language_and_no_parser_fails() {
    for language in Language::all() {
        let grammar = whittle_grammars::Grammar::clone(&crate::grammar(language));
        let syntax = Syntax::new(language.tree_sitter(), grammar);
        for (shape, make) in odd::SHAPES {
            let text = make(BYTES);
            assert_eq!(syntax.tree(text.as_slice()).unparse(&Edits::new()), text, "{language}: {shape}");
            assert!(syntax.faults().is_empty(), "{language}: {shape}: {:?}", syntax.faults());
        }
    }
}

#[test]
fn a_stack_that_the_scanner_for_yaml_has_no_room_for_is_a_crash_of_the_parser() {
    let language = Language::by_name("yaml").expect("it is compiled in");
    let syntax = Syntax::new(language.tree_sitter(), whittle_grammars::Grammar::clone(&crate::grammar(language)));
    for (levels, is_parsed) in [(200, true), (300, false), (200, true)] {
        let text: String = (0..levels).map(|level| " ".repeat(level) + "a:\n").collect();
        let tree = syntax.tree(text.as_str());
        assert_eq!(tree.grammar().is_some(), is_parsed, "{levels} levels");
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes());
    }
    assert_eq!(syntax.faults().into_iter().collect::<Vec<_>>(), [Fault::Crashed(6)]);
}

#[test]
fn stray_ends_of_comments_are_too_much_work() {
    let language = Language::by_name("c").expect("it is compiled in");
    let syntax = Syntax::new(language.tree_sitter(), whittle_grammars::Grammar::clone(&crate::grammar(language)));
    let stray = |count: usize| syntax.tree("*/ ".repeat(count)).grammar().is_some();
    assert!(stray(300) && !stray(3_000));
    assert!(syntax.faults().is_empty(), "{:?}", syntax.faults());
}
