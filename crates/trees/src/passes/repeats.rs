//! Repeats: a text that occurs several times is deleted at all its places at once.
//!
//! `struct s a[1][1]` and `a[0][0].b` lose their indices only together, and a pointer loses its stars together with those
//! of its uses. A part is a node, or a pair of brackets with what is between them. All places of a text come first,
//! then the outermost ones alone, which is one of several indices. Names that are known to mean different declarations are
//! not the same text. Most tokens come first.
//!
//! Promise: no part that occurs more than once can be deleted everywhere without a new syntax error.
//! Cost: up to two tests for each text that occurs more than once.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::names::{Meanings, PAIRS};
use crate::reduce::{EditSet, Workpiece};
use crate::{Edit, Kind, NodeId, Tree};

/// A place of a text: the edits that delete it, and the node that it is a part of.
struct Place {
    edits: EditSet,
    whole: NodeId,
}

/// Deletions of texts that occur more than once, most tokens first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let mut places: BTreeMap<Vec<&[u8]>, Vec<Place>> = BTreeMap::new();
    for node in tree.nodes() {
        for place in parts(piece, node) {
            let tokens = place.edits.iter().flat_map(|&(part, _)| tree.tokens(part));
            places.entry(tokens.map(|token| tree.token_text(token)).collect()).or_default().push(place);
        }
    }
    places.retain(|_, places| places.len() > 1);
    let meanings = Meanings::of(piece);
    let names = |place: &Place| {
        let tokens = place.edits.iter().flat_map(|&(part, _)| tree.tokens(part));
        tokens.filter(|&token| tree.is_name(token)).collect()
    };
    let mut sets: Vec<EditSet> = Vec::new();
    for places in places.values().flat_map(|places| meanings.groups(places, names)).filter(|places| places.len() > 1) {
        let is_outer = |place: &&Place| !places.iter().any(|other| is_inside(tree, place.whole, other.whole));
        let outer: Vec<&Place> = places.iter().copied().filter(is_outer).collect();
        if (2..places.len()).contains(&outer.len()) {
            sets.push(edits(outer));
        }
        sets.push(edits(places));
    }
    sets.sort_by_key(|set| Reverse(set.iter().map(|&(node, _)| piece.tokens(node)).sum::<u32>()));
    sets
}

fn is_inside(tree: &Tree, inner: NodeId, outer: NodeId) -> bool {
    inner != outer && tree.is_within(inner, outer)
}

fn edits<'a>(places: impl IntoIterator<Item = &'a Place>) -> EditSet {
    places.into_iter().flat_map(|place| place.edits.iter().copied()).collect()
}

/// The children of a node, unless one is all of it, and the pairs of brackets among them with what is between.
fn parts(piece: &Workpiece<'_>, whole: NodeId) -> Vec<Place> {
    let tree = piece.tree();
    let children: Vec<NodeId> = tree.children(whole).filter(|&child| piece.tokens(child) > 0).collect();
    if children.len() < 2 {
        return Vec::new();
    }
    let is_list = matches!(tree.kind(whole), Kind::List { .. });
    let elements: Vec<NodeId> = if is_list { tree.elements(whole).collect() } else { children.clone() };
    let edit = if is_list { Edit::Delete } else { Edit::Drop };
    let single = elements.into_iter().filter(|&child| piece.tokens(child) > 0).map(|child| vec![(child, edit)]);
    let groups = brackets(tree, &children).into_iter().filter(|group| group.len() < children.len());
    let groups = groups.map(|group| group.iter().map(|&child| (child, Edit::Drop)).collect());
    single.chain(groups).map(|edits| Place { edits, whole }).collect()
}

/// The runs of neighbours from a bracket to the one that closes it.
fn brackets<'a>(tree: &Tree, children: &'a [NodeId]) -> Vec<&'a [NodeId]> {
    let is = |child: NodeId, text: &[u8]| tree.is_token(child) && tree.token_text(child) == text;
    let mut groups = Vec::new();
    for (start, &child) in children.iter().enumerate() {
        let closing = PAIRS.iter().find(|(open, _)| is(child, open)).map(|(_, closing)| closing);
        let end = closing.and_then(|closing| children[start..].iter().position(|&child| is(child, closing)));
        groups.extend(end.map(|end| &children[start..=start + end]));
    }
    groups
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{ends_with, syntax};
    use crate::{TreePass, Workshop};

    fn end(text: &str, is_interesting: fn(&str) -> bool) -> String {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        ends_with(text, is_interesting, |search| {
            search.fixpoint(|search| TreePass::Repeats.run(search, &workshop, None))
        })
    }

    /// How often a text occurs in the declaration, and behind it.
    fn counts(text: &str, part: &str) -> Option<(usize, usize)> {
        let (declaration, use_) = text.split_once(';')?;
        Some((declaration.matches(part).count(), use_.matches(part).count()))
    }

    #[test]
    fn indices_of_a_declaration_and_of_its_use_are_deleted_together() {
        let is_balanced = |text: &str| {
            counts(text, "[0]").is_some_and(|(a, b)| a == b) && text.contains("char a") && text.contains("b = a")
        };
        assert_eq!(end("char a[0][0][0]; int f() { b = a[0][0][0]; }", is_balanced), "char a; int f() { b = a; }");
    }

    #[test]
    fn a_name_with_another_meaning_is_another_text() {
        // Both indices of one function are deleted; the other one needs its own.
        let is_program = |text: &str| {
            let Some((f, g)) = text.split_once("int g") else { return false };
            g.matches("a[i]").count() == 2 && f.matches("[i]").count() != 1 && f.matches('a').count() == 2
        };
        let text = "int f(int i) { a[i] = 1; b = a[i]; } int g(int i) { a[i] = 2; b = a[i]; }";
        let expected = "int f(int i) { a = 1; b = a; } int g(int i) { a[i] = 2; b = a[i]; }";
        assert_eq!(end(text, is_program), expected);
    }

    #[test]
    fn one_of_several_is_deleted_where_the_others_must_stay() {
        let needs_one = |text: &str| {
            counts(text, "[0]").is_some_and(|(a, b)| a == b && a > 0)
                && text.contains("char a")
                && text.contains("b = a")
        };
        let text = "char a[0][0][0]; int f() { b = a[0][0][0]; }";
        assert_eq!(end(text, needs_one), "char a[0]; int f() { b = a[0]; }");
    }

    #[test]
    fn the_stars_of_a_pointer_are_deleted_with_those_of_its_use() {
        let is_balanced =
            |text: &str| counts(text, "*").is_some_and(|(a, b)| a == b) && text.contains('a') && text.contains("= 1");
        assert_eq!(end("char **a; int f() { **a = 1; }", is_balanced).matches('*').count(), 0);
    }
}
