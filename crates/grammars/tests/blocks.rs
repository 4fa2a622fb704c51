//! Facts about grammars in which an external scanner delimits blocks by indentation.

use whittle_grammars::{Grammar, Part, PartId};

const TINY: &str = r#"{ "name": "tiny", "rules": {
    "text": { "type": "CHOICE", "members": [
        { "type": "SEQ", "members": [
            { "type": "SYMBOL", "name": "_indent" },
            { "type": "REPEAT", "content": { "type": "SYMBOL", "name": "word" } },
            { "type": "SYMBOL", "name": "_dedent" } ] },
        { "type": "SEQ", "members": [
            { "type": "SYMBOL", "name": "_start" },
            { "type": "CHOICE", "members": [{ "type": "SYMBOL", "name": "word" }, { "type": "BLANK" }] },
            { "type": "SYMBOL", "name": "_layout_end" } ] },
        { "type": "SEQ", "members": [
            { "type": "SYMBOL", "name": "number" },
            { "type": "REPEAT", "content": { "type": "SYMBOL", "name": "word" } },
            { "type": "SYMBOL", "name": "_newline" } ] }
    ] },
    "word": { "type": "PATTERN", "value": "[a-z]+" },
    "number": { "type": "PATTERN", "value": "[0-9]+" }
}, "externals": [
    { "type": "SYMBOL", "name": "_indent" }, { "type": "SYMBOL", "name": "_dedent" },
    { "type": "SYMBOL", "name": "_start" }, { "type": "SYMBOL", "name": "_layout_end" },
    { "type": "SYMBOL", "name": "_newline" }
] }"#;

/// The grammar, and the parts of its three kinds of text: an indented block, another block, and a line.
fn texts() -> (Grammar, Vec<Vec<PartId>>, Vec<PartId>) {
    let grammar = Grammar::from_tree_sitter(TINY).expect("it is a grammar");
    let text = grammar.rule_part(grammar.start()).expect("the start has a rule");
    let Part::Choice(members) = grammar.part(text).clone() else { panic!("the text is a choice") };
    let sequence = |&member: &PartId| match grammar.part(member) {
        Part::Seq(parts) => parts.clone(),
        other => panic!("{other:?} is no sequence"),
    };
    let sequences = members.iter().map(sequence).collect();
    (grammar, sequences, members)
}

#[test]
fn a_block_that_indentation_delimits_is_not_empty() {
    let (grammar, texts, _) = texts();
    let at_least_one = |part: PartId| matches!(grammar.part(part), Part::Repeat { at_least_one: true, .. });
    assert!(at_least_one(texts[0][1]), "it precedes the token that ends a block");
    assert!(!at_least_one(texts[2][1]), "any other token of the scanner says nothing of what is before it");
    assert!(grammar.must_stay(texts[1][1]));
}

#[test]
fn only_a_line_or_a_block_that_needs_no_line_of_its_own_gives_way_to_what_it_holds() {
    let (grammar, _, texts) = texts();
    let fits = |part: PartId, symbol: &str| grammar.fits(part, grammar.symbol(symbol).expect("it is a rule"));
    assert!(!fits(texts[0], "word"), "a block starts on a line of its own");
    assert!(fits(texts[1], "word"));
    assert!(fits(texts[2], "number"));
}
