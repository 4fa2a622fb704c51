//! Inlining: a declaration is deleted, and its name is replaced by a part of it.
//!
//! `let b = 0; f(b)` becomes `f(0)`, and `typedef char t; t a;` becomes `char a;`. Neither step works alone: without its
//! declaration the name means nothing, and the value in its place makes nothing smaller. Edits that add tokens are not
//! tried; those that save most come first.
//!
//! Promise: none, because the number of tests is limited. Cost: up to 40 tests.

use std::collections::BTreeMap;

use whittle_grammars::LabelId;

use super::names::{Meanings, label};
use crate::reduce::{EditSet, Workpiece, best_of};
use crate::{Edit, Kind, NodeId, Tree};

/// How many tokens a declaration may have: larger ones seldom name one of their parts. Not measured.
const MAX_DECLARATION_TOKENS: u32 = 64;

/// How many edits are tried in a run. In Lisps, where nearly everything is a list element with names, there are
/// hundreds. Not measured.
const MAX_EDITS: usize = 40;

/// How many parts of a declaration are tried in the place of its name. Not measured.
const PARTS_TRIED: usize = 4;

/// Declarations replaced by their parts, those that save most first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let meanings = Meanings::of(piece);
    let mut sets: Vec<(u32, EditSet)> = Vec::new();
    for list in tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. })) {
        // Names with the same text elsewhere mean something else; canonical names often occur in several scopes.
        let uses = uses(tree, tree.parent(list).unwrap_or(list));
        for element in tree.elements(list).filter(|&element| piece.tokens(element) <= MAX_DECLARATION_TOKENS) {
            let mut names: BTreeMap<&[u8], NodeId> = BTreeMap::new();
            for token in tree.tokens(element) {
                names.entry(tree.token_text(token)).or_insert(token);
            }
            for (name, own, places) in names.into_iter().filter_map(|(name, own)| Some((name, own, uses.get(name)?))) {
                let is_outside = |use_: &Use| !tree.is_within(use_.0, element) && meanings.may_be_same(own, use_.0);
                for places in kinds(places.iter().copied().filter(is_outside)) {
                    sets.extend(inlined(piece, element, name, &places));
                }
            }
        }
    }
    best_of(sets, MAX_EDITS)
}

/// A place of a name, and what it names there: a type, say, or a value.
type Use = (NodeId, Option<LabelId>);

/// Where names stand within a node.
fn uses(tree: &Tree, scope: NodeId) -> BTreeMap<&[u8], Vec<Use>> {
    let mut uses: BTreeMap<&[u8], Vec<Use>> = BTreeMap::new();
    for token in tree.tokens(scope).filter(|&token| tree.is_name(token)) {
        uses.entry(tree.token_text(token)).or_default().push((token, label(tree, token)));
    }
    uses
}

/// All places of a name; and where it is the name of a type and of a value, say, those of each kind.
fn kinds(uses: impl Iterator<Item = Use>) -> Vec<Vec<NodeId>> {
    let mut all = Vec::new();
    let mut kinds: BTreeMap<Option<LabelId>, Vec<NodeId>> = BTreeMap::new();
    for (place, label) in uses {
        all.push(place);
        kinds.entry(label).or_default().push(place);
    }
    let is_mixed = kinds.len() > 1;
    std::iter::once(all).chain(kinds.into_values().filter(|_| is_mixed)).collect()
}

/// The edits that delete an element and replace a name by parts of it, and how many tokens each saves.
fn inlined(piece: &Workpiece<'_>, element: NodeId, name: &[u8], places: &[NodeId]) -> Vec<(u32, EditSet)> {
    let tree = piece.tree();
    let Some(&first) = places.first() else { return Vec::new() };
    let is_same = |token: NodeId| tree.token_text(token) == name && label(tree, token) == label(tree, first);
    let has_name = |part: NodeId| tree.tokens(part).any(is_same);
    let mut parts: Vec<NodeId> = tree.descendants(element).filter(|&part| piece.tokens(part) > 0).collect();
    parts.retain(|&part| tree.can_copy(part, first) && !has_name(part));
    parts.sort_by_key(|&part| piece.tokens(part));
    parts.dedup_by_key(|part| tree.tokens(*part).map(|token| tree.token_text(token)).collect::<Vec<_>>());
    let ways = parts.into_iter().take(PARTS_TRIED).filter_map(|part| {
        let more = (piece.tokens(part) - 1).checked_mul(places.len() as u32)?;
        let gain = piece.tokens(element).checked_sub(more).filter(|&gain| gain > 0)?;
        let copies = places.iter().map(|&place| (place, Edit::Copy(part)));
        Some((gain, std::iter::once((element, Edit::Delete)).chain(copies).collect()))
    });
    ways.collect()
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{ends_with, syntax, tests_of};
    use crate::{TreePass, Workshop};

    #[test]
    fn a_name_is_replaced_by_its_value() {
        let workshop = Workshop { syntax: Some(syntax("javascript")), ..Workshop::default() };
        // The name must be declared, and something must be called with a number.
        let is_program =
            |text: &str| (!text.contains('b') || text.contains("let b")) && text.contains("f(") && text.contains("0");
        let end =
            ends_with("let b = 0; f(b, b);", is_program, |search| TreePass::Inlining.run(search, &workshop, None));
        assert_eq!(end.trim(), "f(0, 0);");
    }

    #[test]
    fn an_alias_is_replaced_by_its_type() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let is_program = |text: &str| {
            (!text.contains('t') || text.contains("typedef char t")) && text.contains("char") && text.contains("a;")
        };
        let end =
            ends_with("typedef char t; t a;", is_program, |search| TreePass::Inlining.run(search, &workshop, None));
        assert_eq!(end.trim(), "char a;");
    }

    #[test]
    fn a_name_with_the_same_text_elsewhere_stays() {
        let workshop = Workshop { syntax: Some(syntax("rust")), ..Workshop::default() };
        let is_program = |text: &str| {
            let declared = text.contains("let b = 0;") || !text.contains(" b }");
            declared && text.contains("fn f<b>(a: b)") && text.contains(" }")
        };
        let text = "fn f<b>(a: b) -> u8 { let b = 0; a; b }";
        let end = ends_with(text, is_program, |search| TreePass::Inlining.run(search, &workshop, None));
        assert_eq!(end, "fn f<b>(a: b) -> u8 { a; 0 }");
    }

    #[test]
    fn a_value_of_the_same_name_as_a_type_stays() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let is_program = |text: &str| (text.contains("typedef") || text.contains("int b;")) && text.contains("f(a)");
        let text = "typedef int a; a b; c() { f(a); }";
        assert_eq!(
            ends_with(text, is_program, |search| TreePass::Inlining.run(search, &workshop, None)).trim(),
            "int b; c() { f(a); }"
        );
    }

    #[test]
    fn what_would_be_larger_is_not_tested() {
        let workshop = Workshop { syntax: Some(syntax("javascript")), ..Workshop::default() };
        let text = "let b = 1 + 2 + 3; f(b, b, b, b);";
        let is_text = |asked: &str| asked.contains("let b");
        let asked = tests_of(text, is_text, |search| TreePass::Inlining.run(search, &workshop, None));
        assert!(!asked.is_empty() && asked.iter().all(|asked| !asked.contains("f(1 + 2")), "{asked:?}");
    }
}
