//! Inlining, beyond the paper: an element of a list goes, and a part of it takes the place of a name that it brings.
//!
//! `let b = 0; f(b)` becomes `f(0)`, `typedef char t; t a;` becomes `char a;`. Neither of the two steps is possible alone:
//! without the declaration the name means nothing, and putting the value in its place makes nothing smaller. What has
//! more tokens in the end, or does not parse as well as before, is not tested, nor are others than those that would save
//! most.

use std::collections::{BTreeMap, BTreeSet};

use whittle_grammars::LabelId;
use whittle_search::{Search, Stop};

use super::names::label;
use crate::reduce::{EditSet, Workpiece, best_of, take_sets_of};
use crate::{Edit, Kind, NodeId, Tree, Workshop};

/// How many tokens an element may have: what is larger is no declaration of a name for one of its parts.
const SMALL: u32 = 64;

/// How many ways are tried in all. Where nearly everything is an element with names, as in Lisps, they are hundreds.
const MOST: usize = 40;

/// How many parts of an element are tried in the place of a name.
const FEW: usize = 4;

/// One pass over all elements of lists.
pub(crate) fn inlining(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    take_sets_of(search, workshop, sets)
}

fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let mut sets: Vec<(u32, EditSet)> = Vec::new();
    for list in tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. })) {
        // Names of the same text elsewhere, as canonical ones often are, mean something else.
        let uses = uses(tree, tree.parent(list).unwrap_or(list));
        for element in tree.elements(list).filter(|&element| piece.tokens(element) <= SMALL) {
            let names: BTreeSet<&[u8]> = tree.tokens(element).map(|token| tree.token_text(token)).collect();
            for (name, places) in names.into_iter().filter_map(|name| Some((name, uses.get(name)?))) {
                let is_outside = |use_: &Use| !tree.is_within(use_.0, element);
                for places in kinds(places.iter().copied().filter(is_outside)) {
                    sets.extend(inlined(piece, element, name, &places));
                }
            }
        }
    }
    best_of(sets, MOST)
}

/// A place of a name, and what stands there: the name of a type, say, or of a value.
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

/// The ways to let an element go for parts of it in the places of a name, and how many tokens each saves.
fn inlined(piece: &Workpiece<'_>, element: NodeId, name: &[u8], places: &[NodeId]) -> Vec<(u32, EditSet)> {
    let tree = piece.tree();
    let Some(&first) = places.first() else { return Vec::new() };
    let is_same = |token: NodeId| tree.token_text(token) == name && label(tree, token) == label(tree, first);
    let has_name = |part: NodeId| tree.tokens(part).any(is_same);
    let mut parts: Vec<NodeId> = tree.descendants(element).filter(|&part| piece.tokens(part) > 0).collect();
    parts.retain(|&part| tree.can_copy(part, first) && !has_name(part));
    parts.sort_by_key(|&part| piece.tokens(part));
    parts.dedup_by_key(|part| tree.tokens(*part).map(|token| tree.token_text(token)).collect::<Vec<_>>());
    let ways = parts.into_iter().take(FEW).filter_map(|part| {
        let more = (piece.tokens(part) - 1).checked_mul(places.len() as u32)?;
        let gain = piece.tokens(element).checked_sub(more).filter(|&gain| gain > 0)?;
        let copies = places.iter().map(|&place| (place, Edit::Copy(part)));
        Some((gain, std::iter::once((element, Edit::Delete)).chain(copies).collect()))
    });
    ways.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax, tests_of};

    #[test]
    fn a_value_takes_the_place_of_its_name() {
        let workshop = Workshop { syntax: Some(syntax("javascript")), ..Workshop::default() };
        // The name must be declared, and something must be called with a number.
        let is_program =
            |text: &str| (!text.contains('b') || text.contains("let b")) && text.contains("f(") && text.contains("0");
        let end = ends_with("let b = 0; f(b, b);", is_program, |search| inlining(search, &workshop));
        assert_eq!(end.trim(), "f(0, 0);");
    }

    #[test]
    fn a_type_takes_the_place_of_its_other_name() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let is_program = |text: &str| {
            (!text.contains('t') || text.contains("typedef char t")) && text.contains("char") && text.contains("a;")
        };
        let end = ends_with("typedef char t; t a;", is_program, |search| inlining(search, &workshop));
        assert_eq!(end.trim(), "char a;");
    }

    #[test]
    fn a_name_of_the_same_text_elsewhere_stays() {
        let workshop = Workshop { syntax: Some(syntax("rust")), ..Workshop::default() };
        let is_program = |text: &str| {
            let declared = text.contains("let b = 0;") || !text.contains(" b }");
            declared && text.contains("fn f<b>(a: b)") && text.contains(" }")
        };
        let text = "fn f<b>(a: b) -> u8 { let b = 0; a; b }";
        let end = ends_with(text, is_program, |search| inlining(search, &workshop));
        assert_eq!(end, "fn f<b>(a: b) -> u8 { a; 0 }");
    }

    #[test]
    fn a_value_of_the_same_name_as_a_type_stays() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let is_program = |text: &str| (text.contains("typedef") || text.contains("int b;")) && text.contains("f(a)");
        let text = "typedef int a; a b; c() { f(a); }";
        assert_eq!(ends_with(text, is_program, |search| inlining(search, &workshop)).trim(), "int b; c() { f(a); }");
    }

    #[test]
    fn what_would_be_larger_is_not_tested() {
        let workshop = Workshop { syntax: Some(syntax("javascript")), ..Workshop::default() };
        let text = "let b = 1 + 2 + 3; f(b, b, b, b);";
        let is_text = |asked: &str| asked.contains("let b");
        let asked = tests_of(text, is_text, |search| inlining(search, &workshop));
        assert!(!asked.is_empty() && asked.iter().all(|asked| !asked.contains("f(1 + 2")), "{asked:?}");
    }
}
