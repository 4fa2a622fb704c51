//! Deep nesting and long lists: no recursion on the depth, nothing quadratic.

use crate::parse;
use whittle_trees::{Edit, Edits, Kind, Limits, Tree};

#[test]
fn nesting_of_ten_thousand_levels_needs_no_stack() {
    let depth = 10_000;
    let brackets = "[".repeat(depth) + &"]".repeat(depth);
    let terms = "(not ".repeat(depth) + "x" + &")".repeat(depth);
    for (language, text) in [
        ("json", brackets.clone()),
        ("javascript", format!("x = {brackets};")),
        ("smtlib", format!("(assert {terms})")),
        ("", brackets),
    ] {
        let tree = if language.is_empty() { Tree::generic(text.clone()) } else { parse(language, text.clone()) };
        assert!(tree.len() > depth, "{language}");
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes(), "{language}");
        assert!(tree.to_string().lines().count() > depth, "{language}");
    }
}

#[test]
fn a_list_of_a_hundred_thousand_statements_is_one_list() {
    let count = 100_000;
    for (language, statement) in [("c", "a;\n"), ("python", "a\n"), ("javascript", "a;\n"), ("smtlib", "(exit)\n")] {
        let tree = parse(language, statement.repeat(count));
        let list = tree.children(tree.root()).next().expect("the root has a list");
        assert!(matches!(tree.kind(list), Kind::List { .. }), "{language}");
        assert_eq!(tree.elements(list).count(), count, "{language}");
        assert_eq!(tree.shape().recovered, tree.shape().rules, "{language}");
        let half: Edits = tree.elements(list).step_by(2).map(|element| (element, Edit::Delete)).collect();
        let left = tree.unparse(&half);
        assert!((statement.len() * count / 2..).take(2).any(|len| len == left.len()), "{language}");
    }
}

#[test]
fn what_is_too_much_for_the_parser_gets_a_generic_tree() {
    let language = whittle_languages::Language::by_name("c").expect("it is compiled in");
    let grammar = crate::grammar(language);
    let text = "int a;\n".repeat(30_000);
    let too_long = Limits { bytes: 1000, ..Limits::default() };
    let too_hard = Limits { operations_per_byte: 0, ..Limits::default() };
    for (limits, is_parsed) in [(Limits::default(), true), (too_long, false), (too_hard, false)] {
        let tree = Tree::parse_within(text.clone(), &language.tree_sitter(), &grammar, limits);
        assert_eq!(tree.grammar().is_some(), is_parsed, "{limits:?}");
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes());
    }
}

#[test]
fn tokens_are_the_leaves_of_the_parse_without_comments() {
    for (language, text, tokens) in [
        ("c", "int a; // one\n/* two */ char *s = \"b\\n\";\n", 12),
        ("json", "{\"a\": [1, true]} // c", 11),
        ("python", "# c\nx = 'a' # d\n", 5),
        ("c", "int ) a;", 4),
    ] {
        let tree = parse(language, text);
        let mut parser = tree_sitter::Parser::new();
        let found = whittle_languages::Language::by_name(language).expect("it is compiled in");
        parser.set_language(&found.tree_sitter()).expect("the parser fits the core");
        let parsed = parser.parse(text, None).expect("nothing cancels");
        assert_eq!(whittle_trees::count_tokens(&parsed), tokens, "{language}: {text}\n{tree}");
        assert_eq!(tree.token_count(tree.root()), tokens, "{language}: {text}");
    }
}
