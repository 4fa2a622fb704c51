//! Derivations in a tiny grammar, spelled with brackets.

use super::*;

const TINY: &str = r#"{ "name": "tiny", "rules": {
    "text": { "type": "REPEAT", "content": { "type": "SYMBOL", "name": "_item" } },
    "_item": { "type": "CHOICE", "members": [
        { "type": "SYMBOL", "name": "call" }, { "type": "SYMBOL", "name": "pair" }, { "type": "SYMBOL", "name": "_many" }
    ] },
    "_many": { "type": "CHOICE", "members": [
        { "type": "SEQ", "members": [{ "type": "SYMBOL", "name": "_many" }, { "type": "STRING", "value": "&" },
            { "type": "SYMBOL", "name": "word" }] },
        { "type": "SYMBOL", "name": "word" }
    ] },
    "call": { "type": "SEQ", "members": [
        { "type": "SYMBOL", "name": "word" }, { "type": "STRING", "value": "(" },
        { "type": "CHOICE", "members": [ { "type": "SEQ", "members": [
            { "type": "SYMBOL", "name": "word" },
            { "type": "REPEAT", "content": { "type": "SEQ", "members": [
                { "type": "STRING", "value": "," }, { "type": "SYMBOL", "name": "word" }] } },
            { "type": "CHOICE", "members": [{ "type": "STRING", "value": "," }, { "type": "BLANK" }] }
        ] }, { "type": "BLANK" } ] },
        { "type": "STRING", "value": ")" }
    ] },
    "pair": { "type": "SEQ", "members": [
        { "type": "CHOICE", "members": [
            { "type": "FIELD", "name": "key", "content": { "type": "SYMBOL", "name": "word" } }, { "type": "BLANK" } ] },
        { "type": "CHOICE", "members": [
            { "type": "FIELD", "name": "value", "content": { "type": "SYMBOL", "name": "word" } }, { "type": "BLANK" } ] },
        { "type": "STRING", "value": ";" }
    ] },
    "words": { "type": "SEQ", "members": [
        { "type": "SYMBOL", "name": "word" },
        { "type": "REPEAT", "content": { "type": "SEQ", "members": [
            { "type": "CHOICE", "members": [{ "type": "STRING", "value": "," }, { "type": "BLANK" }] },
            { "type": "SYMBOL", "name": "word" }] } },
        { "type": "SYMBOL", "name": "_end" }
    ] },
    "_end": { "type": "STRING", "value": "." },
    "word": { "type": "PATTERN", "value": "[a-z]+" }
} }"#;

/// Children by their labels; a named one may have a field, as in `key:word`.
fn children(grammar: &Grammar, labels: &str) -> Vec<Child> {
    let child = |text: &str| {
        let (field, name) = text.split_once(':').map_or((None, text), |(field, name)| (grammar.field(field), name));
        let label = grammar.label(name, true).or_else(|| grammar.label(name, false)).unwrap();
        Child { name: label, label, field }
    };
    labels.split_whitespace().map(child).collect()
}

/// Lists as `[]`, optionals as `()`, other parts as `<>`, children by their names.
fn derive(symbol: &str, labels: &str) -> Option<String> {
    let grammar = Grammar::from_tree_sitter(TINY).unwrap();
    let children = children(&grammar, labels);
    let mut matcher = Matcher::new(&grammar, |_| true);
    let events = matcher.derive(grammar.symbol(symbol).unwrap(), &children)?;
    let (mut open, mut shown) = (Vec::new(), String::new());
    for event in events {
        match event {
            Event::Open(part) => {
                let (before, after) = match grammar.part(part) {
                    Part::Repeat { .. } | Part::Separated { .. } => ('[', ']'),
                    Part::Optional(_) => ('(', ')'),
                    _ => ('<', '>'),
                };
                shown.push(before);
                open.push(after);
            }
            Event::Close => shown.extend(open.pop()),
            Event::Child(part) => match grammar.part(part) {
                Part::Child { label, field, .. } => {
                    shown += &field.map(|field| format!("{}:", grammar.field_name(field))).unwrap_or_default();
                    shown += grammar.label_name(*label);
                }
                other => panic!("{other:?} is no child"),
            },
            Event::Silent(_) => shown.push('_'),
        }
    }
    assert!(open.is_empty());
    Some(shown)
}

#[test]
fn a_separated_list_alternates_elements_and_separators() {
    assert_eq!(derive("call", "word ( )").as_deref(), Some("word([])"));
    assert_eq!(derive("call", "word ( word )").as_deref(), Some("word([<word>])"));
    assert_eq!(derive("call", "word ( word , word )").as_deref(), Some("word([<word><,><word>])"));
    assert_eq!(derive("call", "word ( word , word , )").as_deref(), Some("word([<word><,><word><,>])"));
}

#[test]
fn a_separator_may_be_missing_between_some_elements() {
    assert_eq!(derive("words", "word , word word .").as_deref(), Some("[<word>((,))<word>(())<word>]<.>"));
}

#[test]
fn a_text_that_is_a_hidden_rule_of_its_own_may_leave_a_node_or_none() {
    assert_eq!(derive("words", "word .").as_deref(), Some("[<word>]<.>"));
    assert_eq!(derive("words", "word").as_deref(), Some("[<word>]<_>"));
}

#[test]
fn children_that_no_derivation_has_are_refused() {
    assert_eq!(derive("call", "word ( , )"), None);
    assert_eq!(derive("call", "word ( word"), None);
    assert_eq!(derive("call", "word ( word ) word"), None);
}

#[test]
fn fields_break_ties_and_are_ignored_where_they_do_not_fit() {
    assert_eq!(derive("pair", "key:word ;").as_deref(), Some("(key:word)();"));
    assert_eq!(derive("pair", "value:word ;").as_deref(), Some("()(value:word);"));
    assert_eq!(derive("pair", "word ;").as_deref(), Some("(key:word)();"));
}

#[test]
fn hidden_rules_are_seen_through_and_their_recursion_is_a_list() {
    assert_eq!(derive("text", "pair word & word & word").as_deref(), Some("[<pair><word[<&word><&word>]>]"));
}

#[test]
fn a_long_list_costs_no_more_per_child_than_a_short_one() {
    let labels = "word & ".repeat(50_000) + "word";
    assert!(derive("text", &labels).is_some());
    assert!(derive("text", &"pair ".repeat(100_000)).is_some());
}

#[test]
fn a_match_without_memory_ends_as_one_with_memory() {
    let grammar = Grammar::from_tree_sitter(TINY).unwrap();
    let mut matcher = Matcher::new(&grammar, |_| true);
    let labels = children(&grammar, "word ( ) , . & ; pair key:word");
    let (mut sequences, mut matched) = (vec![Vec::new()], 0);
    for _ in 0..=5 {
        for (symbol, sequence) in ["text", "call", "words", "pair"]
            .iter()
            .flat_map(|symbol| sequences.iter().map(move |sequence| (symbol, sequence)))
        {
            let entry = grammar.program.entry(grammar.symbol(symbol).unwrap()).unwrap();
            let with_memory = matches!(matcher.run(entry, sequence, true, true), Ending::Matched);
            let events = matcher.events.clone();
            match matcher.run(entry, sequence, true, false) {
                Ending::Matched => assert!(with_memory && matcher.events == events, "{symbol}: {sequence:?}"),
                Ending::Unmatched => assert!(!with_memory, "{symbol}: {sequence:?}"),
                Ending::Unfinished => panic!("{symbol}: {sequence:?} takes too many steps"),
            }
            matched += usize::from(with_memory);
        }
        let longer =
            |sequence: &Vec<Child>| labels.iter().map(|&label| [sequence.as_slice(), &[label]].concat()).collect();
        sequences = sequences.iter().flat_map::<Vec<_>, _>(longer).collect();
    }
    assert!(matched > 100, "only {matched} sequences were matched");
}

#[test]
fn frames_that_are_over_are_dropped_and_the_match_stays() {
    let grammar = Grammar::from_tree_sitter(TINY).unwrap();
    let mut matcher = Matcher::new(&grammar, |_| true);
    let children = children(&grammar, &"pair word & word ".repeat(5_000));
    let entry = grammar.program.entry(grammar.symbol("text").unwrap()).unwrap();
    assert!(matches!(matcher.run(entry, &children, true, true), Ending::Matched));
    let (events, frames) = (matcher.events.clone(), matcher.frames.len());
    assert!(matches!(matcher.run(entry, &children, true, false), Ending::Matched));
    assert_eq!(matcher.events, events);
    assert!(frames > MAX_FRAMES && matcher.frames.len() <= MAX_FRAMES, "{frames} and {}", matcher.frames.len());
}
