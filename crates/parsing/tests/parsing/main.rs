//! Grammars of our own, random grammars against a plain recognizer, and damaged grammars.

#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod damaged;
mod languages;
mod random;

use whittle_parsing::{Description, NodeId, NodeKind, ParseTree, Problem, RunTimeGrammar, from_antlr};

fn read(text: &str) -> Result<Description, Problem> {
    from_antlr("Test.g4", text, &|_| None)
}

fn compile(text: &str) -> RunTimeGrammar {
    RunTimeGrammar::new(&read(text).unwrap(), None).unwrap()
}

/// The tree of a text in one line: rules as `name(children)`, tokens as their texts, errors as `ERROR(…)`.
fn shown(grammar: &RunTimeGrammar, text: &str) -> String {
    let tree = grammar.parse(text.as_bytes()).unwrap();
    let mut line = String::new();
    show(grammar, &tree, tree.root(), text, &mut line);
    line
}

fn show(grammar: &RunTimeGrammar, tree: &ParseTree, node: NodeId, text: &str, line: &mut String) {
    let children = tree.children(node);
    match tree.kind(node) {
        NodeKind::Token(_) => line.push_str(&text[tree.span(node)]),
        NodeKind::Error if children.is_empty() => line.push_str(&format!("ERROR({})", &text[tree.span(node)])),
        kind => {
            line.push_str(&grammar.label(kind).0);
            line.push('(');
            for (index, &child) in children.iter().enumerate() {
                if index > 0 {
                    line.push(' ');
                }
                show(grammar, tree, child, text, line);
            }
            line.push(')');
        }
    }
}

/// One of some characters.
fn pick(random: &mut fastrand::Rng, from: &str) -> char {
    let chars: Vec<char> = from.chars().collect();
    chars[random.usize(..chars.len())]
}

/// The texts of all leaves, one after the other.
fn leaves(tree: &ParseTree, text: &str) -> String {
    let mut open = vec![tree.root()];
    let mut found = String::new();
    while let Some(node) = open.pop() {
        match tree.children(node) {
            [] => found.push_str(&text[tree.span(node)]),
            children => open.extend(children.iter().rev()),
        }
    }
    found
}
