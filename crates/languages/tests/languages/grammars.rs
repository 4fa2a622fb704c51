//! The grammars in `grammars/` are complete, and match the parsers.

#[path = "../../examples/refresh/shipped.rs"]
mod shipped;

use serde_json::Value;
use shipped::Shipped;
use whittle_languages::Language;

#[test]
fn every_grammar_is_json_with_a_name_and_rules() {
    for language in Language::all() {
        let grammar: Value = serde_json::from_str(&language.grammar_json()).unwrap();
        let parser = language.tree_sitter();
        let name = grammar["name"].as_str().unwrap();
        // Parsers generated before tree-sitter 0.25 do not know their name.
        assert_eq!(parser.name().unwrap_or(name), name);
        let rules = grammar["rules"].as_object().unwrap();
        assert!(rules.len() > 5, "{language:?}");
        let visible: Vec<_> = rules.keys().filter(|rule| !rule.starts_with('_')).collect();
        let known = visible.iter().filter(|rule| parser.id_for_node_kind(rule, true) != 0).count();
        // Symbols that the parser does not know are aliased wherever they are used.
        assert!(known * 3 > visible.len() * 2, "{language:?}: the parser knows {known} of {} rules", visible.len());
    }
}

#[test]
fn the_grammars_are_those_that_the_resolved_crates_ship() {
    let crates = Shipped::all().unwrap();
    let is_stale = |language: &&Language| {
        let json = crates[language.source.package].grammar(language).unwrap();
        json != language.grammar_json()
    };
    let stale: Vec<_> = Language::all().iter().filter(is_stale).collect();
    assert!(
        stale.is_empty(),
        "{stale:?}: run cargo run -p whittle-languages --features all-languages --example refresh"
    );
}
