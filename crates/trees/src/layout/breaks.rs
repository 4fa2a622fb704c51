//! Which atoms begin a line, whatever the width.

use std::collections::HashSet;

use super::atoms::{Atom, is_line_comment};
use super::style::{Lines, Style};
use crate::tree::Kind;
use crate::{NodeId, Tree};

/// Brackets in pairs: for each atom, the number of the other one.
pub(crate) type Pairs = Vec<Option<usize>>;

/// How many unclosed brackets may be inside of others. More are found only in texts that parse badly. Not measured.
const MAX_UNCLOSED: usize = 64;

/// Finds brackets that belong together. Those in literals and those without a partner are no brackets.
pub(crate) fn pairs(tree: &Tree, atoms: &[Atom]) -> Pairs {
    let mut pairs = vec![None; atoms.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        let Some(token) = atom.token.filter(|&token| tree.symbol(token).is_none()) else { continue };
        match *tree.token_text(token) {
            // Double brackets are closed by double brackets.
            [.., b'(', b'('] | [.., b'[', b'['] | [.., b'{', b'{'] => {}
            [.., b'('] => open.push((index, b')')),
            [.., b'['] => open.push((index, b']')),
            [.., b'{'] => open.push((index, b'}')),
            [b'<'] if is_bracket(tree, token) => open.push((index, b'>')),
            [b'>'] if open.last().is_some_and(|&(at, close)| close == b'>' && same_rule(tree, &atoms[at], token)) => {
                if let Some((partner, _)) = open.pop() {
                    (pairs[partner], pairs[index]) = (Some(index), Some(partner));
                }
            }
            [close @ (b')' | b']' | b'}')] => {
                let mut inner = open.iter().enumerate().rev().take(MAX_UNCLOSED);
                if let Some((at, _)) = inner.find(|(_, (_, partner))| *partner == close) {
                    let partner = open[at].0;
                    open.truncate(at);
                    (pairs[partner], pairs[index]) = (Some(index), Some(partner));
                }
            }
            _ => {}
        }
    }
    pairs
}

/// Whether a token begins its rule, which another such bracket ends.
fn is_bracket(tree: &Tree, token: NodeId) -> bool {
    let Some(rule) = tree.rules_above(token).next() else { return false };
    let last = (token.0..tree.end(rule).0).rev().map(NodeId).find(|&node| tree.is_token(node));
    tree.first_token(rule) == Some(token) && last.is_some_and(|last| tree.token_text(last) == b">")
}

fn same_rule(tree: &Tree, atom: &Atom, token: NodeId) -> bool {
    atom.token.is_some_and(|other| tree.rules_above(other).next() == tree.rules_above(token).next())
}

/// For each atom, whether it begins a line.
pub(crate) fn breaks(tree: &Tree, style: Style, atoms: &[Atom], pairs: &Pairs) -> Vec<bool> {
    let text = |index: usize| &tree.text()[atoms[index].range.clone()];
    let elements = match style.lines {
        Lines::Words => word_blocks(tree),
        _ if style.keeps_lines() => suites(tree),
        _ => elements(tree, style),
    };
    let mut breaks = vec![false; atoms.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, atom) in atoms.iter().enumerate().skip(1) {
        match pairs[index - 1] {
            Some(partner) if partner > index - 1 => open.push(index - 1),
            Some(_) => drop(open.pop()),
            None => {}
        }
        let around = open.last().map(|&open| text(open));
        let is_kept = style.keeps_lines()
            && atom.begins_line
            && (style.lines == Lines::Markup
                || around.is_none_or(|open| open.ends_with(b"{") && style.lines == Lines::Kept));
        let before = &atoms[index - 1];
        breaks[index] = !atom.is_bound
            && (is_kept
                || atom.follows_line_token
                || (before.is_comment && is_line_comment(text(index - 1)))
                || (atom.is_comment && !style.keeps_lines() && is_line_comment(text(index)))
                || atom.token.is_some_and(|token| is_directive(tree, token))
                || (atom.token.is_some_and(|token| elements.contains(&token))
                    && !continues(text(index - 1), text(index)))
                || (style.lines == Lines::Braces && ends_statement(tree, before, around)));
    }
    // Comments before what begins a line are lines of their own.
    for index in (1..atoms.len()).rev() {
        if atoms[index - 1].is_comment && breaks[index] && index > 1 && !style.keeps_lines() {
            breaks[index - 1] = true;
        }
    }
    breaks
}

/// Whether no statement ends between two tokens, even if the parser found one there after an error.
fn continues(before: &[u8], after: &[u8]) -> bool {
    after == b";" || before.ends_with(b"=") || before == b"," || (before == b")" && after == b"{")
}

/// Rules whose semicolons do not end a statement, by a part of their names.
const HEADERS: [&str; 5] = ["for_", "if_", "switch", "while", "clause"];

/// Whether a line ends behind a token.
fn ends_statement(tree: &Tree, atom: &Atom, around: Option<&[u8]>) -> bool {
    let Some(token) = atom.token else { return false };
    let is_header = || tree.rule_name(token).is_some_and(|name| HEADERS.iter().any(|part| name.contains(part)));
    match tree.token_text(token) {
        b";" => around.is_none_or(|open| open.ends_with(b"{")) && !is_header(),
        b"#else" | b"#endif" | b"<?php" => true,
        _ => false,
    }
}

/// Whether a token begins a directive of a preprocessor.
fn is_directive(tree: &Tree, token: NodeId) -> bool {
    tree.token_text(token).starts_with(b"#") && tree.rule_name(token).is_some_and(|name| name.starts_with("preproc"))
}

/// The first tokens of the elements of lists that are written one below the other: those of the whole text, those that
/// braces enclose, and those of statements.
fn elements(tree: &Tree, style: Style) -> HashSet<NodeId> {
    let is_list = |&node: &NodeId| matches!(tree.kind(node), Kind::List { separated: false, .. });
    let is_block = |&node: &NodeId| matches!(tree.kind(node), Kind::Rule) && tree.name(node) == Some("statement_list");
    let mut found: HashSet<NodeId> = HashSet::new();
    if style.lines == Lines::Braces {
        found.extend(tree.nodes().filter(is_block).filter_map(|block| tree.first_token(block)));
    }
    for list in tree.nodes().filter(is_list) {
        let is_outermost = tree.rules_above(list).all(|rule| rule == tree.root());
        let is_braced = style.lines == Lines::Braces && is_braced(tree, list);
        if is_outermost || is_braced || (style.lines == Lines::Braces && has_statements(tree, list)) {
            // What the parser could not make sense of is a list of single tokens.
            let is_statement = |&element: &NodeId| !(is_outermost && tree.is_token(element));
            found.extend(tree.elements(list).filter(is_statement).filter_map(|element| tree.first_token(element)));
        }
        if is_braced {
            // What follows the statements of a block, as its value does.
            let siblings = tree.parent(list).into_iter().flat_map(|parent| tree.children(parent));
            let rest = siblings.filter(|&node| node > list && !tree.is_token(node));
            found.extend(rest.filter_map(|node| tree.first_token(node)));
        }
    }
    found.retain(|&token| !CLAUSES.contains(&tree.token_text(token)));
    found
}

/// Words that continue a statement behind a block.
const CLAUSES: [&[u8]; 5] = [b"else", b"elseif", b"elif", b"catch", b"finally"];

/// Whether a list is the first in the braces of its rule.
fn is_braced(tree: &Tree, list: NodeId) -> bool {
    let before = (0..list.0).rev().map(NodeId).find(|&node| tree.is_token(node));
    let is_own = |token: &NodeId| tree.rules_above(*token).next() == tree.rules_above(list).next();
    before.filter(is_own).is_some_and(|before| tree.token_text(before) == b"{")
}

/// Whether some element ends as a statement does.
fn has_statements(tree: &Tree, list: NodeId) -> bool {
    tree.children(list).any(|element| {
        let last = (element.0..tree.end(element).0).rev().map(NodeId).find(|&node| tree.is_token(node));
        last.is_some_and(|last| matches!(tree.token_text(last), b";" | b"}"))
    })
}

/// The first tokens of statements, and the words behind blocks, where words enclose blocks.
fn word_blocks(tree: &Tree) -> HashSet<NodeId> {
    let is_block = |rule: NodeId| rule == tree.root() || matches!(tree.name(rule), Some("block" | "_block"));
    let is_rule = |&node: &NodeId| tree.kind(node) == Kind::Rule;
    let is_statement = |&node: &NodeId| tree.rules_above(node).find(|&above| above != node).is_some_and(is_block);
    let rules = || tree.nodes().filter(is_rule);
    let statements = rules().filter(is_statement).filter_map(|statement| tree.first_token(statement));
    let behind = |block: NodeId| (tree.end(block).0..tree.len() as u32).map(NodeId).find(|&node| tree.is_token(node));
    statements.chain(rules().filter(|&rule| is_block(rule)).filter_map(behind)).collect()
}

/// The first tokens of blocks where indentation is syntax: a block is on lines of its own.
fn suites(tree: &Tree) -> HashSet<NodeId> {
    let is_block = |&node: &NodeId| matches!(tree.name(node), Some("block" | "_simple_statements"));
    let has_blocks = tree.grammar().is_some_and(|grammar| grammar.has_indentation());
    tree.nodes().filter(|node| has_blocks && is_block(node)).filter_map(|block| tree.first_token(block)).collect()
}
