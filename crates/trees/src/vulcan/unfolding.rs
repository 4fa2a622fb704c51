//! Unfolding, beyond the paper: an element of a list goes, and a part of it takes the place of the phrase that uses it.
//!
//! `void f(int a) { g(a); }` with `f(1);` becomes `{ g(1); }`, and `struct s { int a; };` with `struct s b;` becomes
//! `struct s { int a; } b;`. That is done where a name is used once outside of the element that brings it. What stands in
//! brackets behind the name there takes the place of what stands in those of the element. What does not parse as well as
//! before is not tested, nor are others than those that would save most.

use std::cmp::Reverse;

use whittle_search::{Search, Stop};

use super::names::{Name, lists_after, names};
use crate::reduce::{EditSet, Workpiece, best_of, take_sets_of};
use crate::{Edit, Kind, NodeId, Tree, Workshop};

/// How many ways are tried in all.
const MOST: usize = 20;

/// How many nodes above a name are phrases that use it.
const LEVELS: usize = 4;

/// How many parts of an element are tried in the place of a phrase.
const FEW: usize = 2;

/// One pass over all elements of lists.
pub(crate) fn unfolding(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    take_sets_of(search, workshop, sets)
}

fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let names = names(tree);
    let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let mut sets: Vec<(u32, EditSet)> = Vec::new();
    for element in lists.flat_map(|list| tree.elements(list)) {
        for name in names.iter().filter(|name| name.is_within(tree, element)) {
            let use_ = single_use(tree, &names, element, name);
            sets.extend(use_.into_iter().flat_map(|use_| unfolded(piece, element, name.token, use_)));
        }
    }
    best_of(sets, MOST)
}

/// Where a name stands outside of the element that is the first to have it, if that is one place.
fn single_use(tree: &Tree, names: &[Name<'_>], element: NodeId, name: &Name<'_>) -> Option<NodeId> {
    let list = tree.parent(element)?;
    let scope = tree.parent(list).unwrap_or(list);
    let mut same = names.iter().filter(|other| other.is(name) && other.is_within(tree, scope));
    if same.next()?.token != name.token {
        return None;
    }
    let mut outside = same.filter(|other| !other.is_within(tree, element));
    outside.next().filter(|_| outside.next().is_none()).map(|other| other.token)
}

/// The ways to let an element go for a part of it in the place of what uses it, and how many tokens each saves.
fn unfolded(piece: &Workpiece<'_>, element: NodeId, name: NodeId, use_: NodeId) -> Vec<(u32, EditSet)> {
    let tree = piece.tree();
    let phrases = std::iter::successors(tree.parent(use_), |&node| tree.parent(node));
    let phrases = phrases.take_while(|&phrase| !tree.is_within(element, phrase));
    let mut sets = Vec::new();
    for phrase in phrases.filter(|&phrase| tree.slot(phrase).is_some() && tree.symbol(phrase).is_some()).take(LEVELS) {
        let mut parts: Vec<NodeId> = tree.descendants(element).filter(|&part| tree.can_copy(part, phrase)).collect();
        parts.retain(|&part| piece.tokens(part) > 1);
        parts.sort_by_key(|&part| Reverse(piece.tokens(part)));
        for part in parts.into_iter().take(FEW) {
            let Some(gain) = (piece.tokens(element) + piece.tokens(phrase)).checked_sub(piece.tokens(part)) else {
                continue;
            };
            let mut set = vec![(element, Edit::Delete), (phrase, Edit::Copy(part))];
            set.extend(given(tree, part, name, use_));
            sets.push((gain, set));
        }
    }
    sets
}

/// What is given in the brackets behind a name where it is used, in the places of what stands there where it is brought.
fn given(tree: &Tree, part: NodeId, name: NodeId, use_: NodeId) -> EditSet {
    let mut edits = EditSet::new();
    for ((_, theirs), (_, ours)) in lists_after(tree, use_).into_iter().zip(lists_after(tree, name)) {
        for (value, parameter) in tree.elements(theirs).zip(tree.elements(ours)) {
            let text = |token: NodeId| tree.token_text(token);
            let names: Vec<NodeId> = tree.tokens(parameter).filter(|&token| tree.is_name(token)).collect();
            let is_place =
                |&token: &NodeId| names.iter().any(|&name| text(name) == text(token)) && tree.can_copy(value, token);
            edits.extend(tree.tokens(part).filter(is_place).map(|token| (token, Edit::Copy(value))));
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{syntax, tests_of};

    fn asked(language: &str, text: &'static str) -> Vec<String> {
        let workshop = Workshop { syntax: Some(syntax(language)), ..Workshop::default() };
        tests_of(text, move |asked| asked == text, |search| unfolding(search, &workshop))
    }

    #[test]
    fn a_body_takes_the_place_of_its_call() {
        let asked = asked("c", "void f(int a, int b) { g(b, a); } int main() { f(1 + 2, c); }");
        assert!(asked.iter().any(|asked| asked.trim() == "int main() { { g(c, 1 + 2); } }"), "{asked:?}");
        assert!(asked.iter().any(|asked| asked.trim() == "int main() { g(c, 1 + 2); }"), "{asked:?}");
    }

    #[test]
    fn a_definition_takes_the_place_of_what_refers_to_it() {
        let asked = asked("c", "struct s { int a; }; int f() { struct s b; }");
        assert!(asked.iter().any(|asked| asked.trim() == "int f() { struct s { int a; } b; }"), "{asked:?}");
    }

    #[test]
    fn what_is_used_twice_stays() {
        assert_eq!(asked("c", "struct s { int a; }; struct s b; struct s c;"), Vec::<String>::new());
    }
}
