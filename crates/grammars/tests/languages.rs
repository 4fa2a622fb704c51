//! The grammars of real languages, and what is computed from them.

use whittle_grammars::{Grammar, Part};
use whittle_languages::Language;

fn grammar(name: &str) -> Grammar {
    let language = Language::by_name(name).expect("the language is compiled in");
    Grammar::from_tree_sitter(&language.grammar_json()).expect("a shipped grammar is sound")
}

fn smallest(grammar: &Grammar, symbol: &str) -> Option<String> {
    let symbol = grammar.symbol(symbol).expect("it is a rule");
    grammar.smallest_sentence(symbol).map(|sentence| sentence.texts().join(" "))
}

#[test]
fn every_language_that_is_compiled_in_can_be_read() {
    for language in Language::all() {
        let grammar = Grammar::from_tree_sitter(&language.grammar_json());
        let grammar = grammar.unwrap_or_else(|error| panic!("{}: {error}", language.name));
        assert!(!grammar.describe(grammar.start()).hidden, "{}", language.name);
        assert!(grammar.rule_part(grammar.start()).is_some(), "{}", language.name);
    }
}

#[test]
fn the_smallest_sentences_are_what_one_would_write() {
    for (language, symbol, sentence) in [
        ("c", "statement", ";"),
        ("c", "expression", "0"),
        ("c", "compound_statement", "{ }"),
        ("c", "preproc_include", "#include <> \n"),
        ("python", "_statement", "pass"),
        ("python", "block", "pass"),
        ("javascript", "statement", ";"),
        ("json", "_value", "0"),
        ("json", "pair", "\" \" : 0"),
        ("rust", "_expression", "0"),
        ("smtlib", "assert", "( assert 0 )"),
    ] {
        assert_eq!(smallest(&grammar(language), symbol).as_deref(), Some(sentence), "{language}: {symbol}");
    }
}

#[test]
fn a_token_that_only_a_scanner_knows_has_no_sentence() {
    assert_eq!(smallest(&grammar("rust"), "string_content"), None);
}

#[test]
fn a_symbol_fits_where_rules_of_one_symbol_lead_to_it() {
    let c = grammar("c");
    let part = |name: &str| c.rule_part(c.symbol(name).expect("it is a rule")).expect("it has a rule");
    let fits = |place: &str, symbol: &str| c.fits(part(place), c.symbol(symbol).expect("it is a symbol"));
    assert!(fits("expression", "identifier"));
    assert!(fits("expression", "binary_expression"));
    assert!(fits("statement", "compound_statement"));
    assert!(!fits("expression", "compound_statement"));
    assert!(!fits("statement", "identifier"), "a semicolon is needed");
}

#[test]
fn lists_know_their_separators() {
    for (language, symbol, separator) in
        [("c", "parameter_list", ","), ("json", "array", ","), ("python", "list", ","), ("rust", "parameters", ",")]
    {
        let grammar = grammar(language);
        let mut left = vec![grammar.rule_part(grammar.symbol(symbol).expect("it is a rule")).expect("it has a rule")];
        let mut found = Vec::new();
        while let Some(part) = left.pop() {
            match grammar.part(part) {
                Part::Seq(members) | Part::Choice(members) => left.extend(members),
                Part::Optional(content) => left.push(*content),
                Part::Call(symbol, _) => left.extend(grammar.rule_part(*symbol)),
                Part::Separated { separator, .. } => found.push(*separator),
                _ => {}
            }
        }
        let is_separator =
            |part| matches!(grammar.part(part), Part::Child { label, .. } if grammar.label_name(*label) == separator);
        assert!(found.into_iter().any(is_separator), "{language}: {symbol}");
    }
}

#[test]
fn a_broken_grammar_is_refused_with_a_reason() {
    for (json, reason) in [
        ("{", "not a grammar"),
        (r#"{ "name": "x", "rules": {} }"#, "no rules"),
        (
            r#"{ "name": "x", "rules": { "a": { "type": "PATTERN", "value": "(" } } }"#,
            "rule 'a': cannot parse the pattern /(/",
        ),
    ] {
        let error = Grammar::from_tree_sitter(json).expect_err("it is broken").to_string();
        assert!(error.contains(reason), "{error}");
    }
}
