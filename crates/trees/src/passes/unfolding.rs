//! Unfolding: a declaration is deleted, and the phrase that uses it is replaced by a part of it.
//!
//! `void f(int a) { g(a); }` with `f(1);` becomes `{ g(1); }`, and `struct s { int a; };` with `struct s b;` becomes
//! `struct s { int a; } b;`. The name must have one use outside of its declaration. Arguments in brackets behind that use
//! replace the parameters. Edits that save most come first.
//!
//! Promise: none, because the number of tests is limited. Cost: up to 20 tests.

use std::cmp::Reverse;

use super::names::{Meanings, Name, lists_after, names};
use crate::reduce::{EditSet, Workpiece, best_of};
use crate::{Edit, Kind, NodeId, Tree};

/// How many edits are tried in a run, to bound its cost. Not measured.
const MAX_EDITS: usize = 20;

/// How many nodes above a name are tried as the phrase that uses it. Not measured.
const PHRASES_TRIED: usize = 4;

/// How many parts of a declaration are tried in the place of a phrase. Not measured.
const PARTS_TRIED: usize = 2;

/// Declarations moved to their only use, those that save most first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let meanings = Meanings::of(piece);
    let names = names(tree, &meanings);
    let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let mut sets: Vec<(u32, EditSet)> = Vec::new();
    for element in lists.flat_map(|list| tree.elements(list)) {
        for name in names.iter().filter(|name| name.is_within(tree, element)) {
            let use_ = single_use(tree, &names, element, name);
            sets.extend(use_.into_iter().flat_map(|use_| unfolded(piece, element, name.token, use_)));
        }
    }
    best_of(sets, MAX_EDITS)
}

/// The use of a name outside of the element that declares it, if there is exactly one.
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

/// The edits that delete an element and replace its use by a part of it, and how many tokens each saves.
fn unfolded(piece: &Workpiece<'_>, element: NodeId, name: NodeId, use_: NodeId) -> Vec<(u32, EditSet)> {
    let tree = piece.tree();
    let phrases = std::iter::successors(tree.parent(use_), |&node| tree.parent(node));
    let phrases = phrases.take_while(|&phrase| !tree.is_within(element, phrase));
    let mut sets = Vec::new();
    for phrase in
        phrases.filter(|&phrase| tree.slot(phrase).is_some() && tree.symbol(phrase).is_some()).take(PHRASES_TRIED)
    {
        let mut parts: Vec<NodeId> = tree.descendants(element).filter(|&part| tree.can_copy(part, phrase)).collect();
        parts.retain(|&part| piece.tokens(part) > 1);
        parts.sort_by_key(|&part| Reverse(piece.tokens(part)));
        for part in parts.into_iter().take(PARTS_TRIED) {
            let Some(gain) = (piece.tokens(element) + piece.tokens(phrase)).checked_sub(piece.tokens(part)) else {
                continue;
            };
            let mut set = vec![(element, Edit::Delete), (phrase, Edit::Copy(part))];
            set.extend(arguments(tree, part, name, use_));
            sets.push((gain, set));
        }
    }
    sets
}

/// The edits that replace parameters in `part` by the arguments of the use.
fn arguments(tree: &Tree, part: NodeId, name: NodeId, use_: NodeId) -> EditSet {
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
    use crate::reduce::testing::{syntax, tests_of};
    use crate::{TreePass, Workshop};

    fn asked(language: &str, text: &'static str) -> Vec<String> {
        let workshop = Workshop { syntax: Some(syntax(language)), ..Workshop::default() };
        tests_of(text, move |asked| asked == text, |search| TreePass::Unfolding.run(search, &workshop, None))
    }

    #[test]
    fn a_call_is_replaced_by_the_body() {
        let asked = asked("c", "void f(int a, int b) { g(b, a); } int main() { f(1 + 2, c); }");
        assert!(asked.iter().any(|asked| asked.trim() == "int main() { { g(c, 1 + 2); } }"), "{asked:?}");
        assert!(asked.iter().any(|asked| asked.trim() == "int main() { g(c, 1 + 2); }"), "{asked:?}");
    }

    #[test]
    fn a_reference_is_replaced_by_the_definition() {
        let asked = asked("c", "struct s { int a; }; int f() { struct s b; }");
        assert!(asked.iter().any(|asked| asked.trim() == "int f() { struct s { int a; } b; }"), "{asked:?}");
    }

    #[test]
    fn what_is_used_twice_stays() {
        assert_eq!(asked("c", "struct s { int a; }; struct s b; struct s c;"), Vec::<String>::new());
    }
}
