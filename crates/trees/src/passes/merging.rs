//! Merging: a declaration is deleted, and its name is replaced by another name or by zero.
//!
//! `f(int a, int b) { return a + b; }` becomes `f(int b) { return b + b; }`, `int a; f(a);` becomes `f(0);`, and two types,
//! fields or functions become one. Neither step works alone: without its declaration the name means nothing, and
//! another name in its place makes nothing smaller. The declarations with most tokens come first.
//!
//! Promise: none, because the number of tests is limited. Cost: up to 20 tests.

use super::names::{Meanings, Name, names};
use crate::reduce::{EditSet, Workpiece, best_of};
use crate::{Edit, Kind, NodeId, Tree};

/// How many tokens a declaration may have: larger ones do more than to declare a name. Not measured.
const MAX_DECLARATION_TOKENS: u32 = 16;

/// How many edits are tried in a run, to bound its cost. Not measured.
const MAX_EDITS: usize = 20;

/// How many other names are tried for one: those that other elements have in its place, then the nearest. Not measured.
const NAMES_TRIED: usize = 2;

/// Declarations merged with others, largest first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let meanings = Meanings::of(piece);
    let names = names(tree, &meanings);
    let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let elements =
        lists.flat_map(|list| tree.elements(list)).filter(|&element| piece.tokens(element) <= MAX_DECLARATION_TOKENS);
    let mut sets: Vec<(u32, EditSet)> = Vec::new();
    for element in elements {
        for name in names.iter().filter(|name| name.is_within(tree, element)) {
            let ways = merged(tree, element, name, &names);
            sets.extend(ways.into_iter().map(|set| (piece.tokens(element), set)));
        }
    }
    best_of(sets, MAX_EDITS)
}

/// The edits that delete an element and replace a name that it declares: it has the name first, and no other element of
/// its list has it in the same place.
fn merged(tree: &Tree, element: NodeId, name: &Name<'_>, names: &[Name<'_>]) -> Vec<EditSet> {
    let alike = alike(tree, element, name.token);
    let is_alike = |other: &Name<'_>| alike.binary_search(&other.token).is_ok();
    let Some((scope, uses)) = uses(tree, element, name, names) else { return Vec::new() };
    if uses.first() != Some(&name.token) || names.iter().any(|other| other.is(name) && is_alike(other)) {
        return Vec::new();
    }
    let places: Vec<NodeId> = uses.into_iter().filter(|&place| !tree.is_within(place, element)).collect();
    let can_copy = |other: &Name<'_>| places.first().is_some_and(|&place| tree.can_copy(other.token, place));
    let is_near = |other: &&Name<'_>| other.is_within(tree, scope) && !other.is_within(tree, element);
    let mut others: Vec<&Name<'_>> = names.iter().filter(is_near).filter(|other| !other.is(name)).collect();
    others.sort_by_cached_key(|other| (!is_alike(other), other.token.index().abs_diff(element.index())));
    let mut chosen: Vec<&Name<'_>> = Vec::new();
    for other in others {
        if chosen.len() < NAMES_TRIED && can_copy(other) && !chosen.iter().any(|known| known.is(other)) {
            chosen.push(other);
        }
    }
    let others = chosen.into_iter().map(|other| Edit::Copy(other.token)).chain([Edit::Zero]);
    let replaced = |by: Edit| places.iter().map(move |&place| (place, by));
    others.map(|by| std::iter::once((element, Edit::Delete)).chain(replaced(by)).collect()).collect()
}

/// The nodes of other elements of a list in the place of a name of one of them, in text order.
fn alike(tree: &Tree, element: NodeId, name: NodeId) -> Vec<NodeId> {
    let siblings = tree.parent(element).into_iter().flat_map(|list| tree.elements(list));
    let others = siblings.filter(|&sibling| sibling != element && tree.symbol(sibling) == tree.symbol(element));
    let place =
        |sibling: NodeId| Some(NodeId(sibling.0 + (name.0 - element.0))).filter(|&at| tree.is_within(at, sibling));
    others.filter_map(place).collect()
}

/// The smallest node around an element in which the name is also used outside of the element, and all its places there.
/// Names with the same text further away mean something else; canonical names often occur in several scopes.
fn uses(tree: &Tree, element: NodeId, name: &Name<'_>, names: &[Name<'_>]) -> Option<(NodeId, Vec<NodeId>)> {
    let same: Vec<NodeId> = names.iter().filter(|other| other.is(name)).map(|other| other.token).collect();
    let within = |node: NodeId| same.iter().copied().filter(|&other| tree.is_within(other, node)).collect::<Vec<_>>();
    let inside = within(element).len();
    let above = std::iter::successors(tree.parent(element), |&node| tree.parent(node));
    above.map(|scope| (scope, within(scope))).find(|(_, uses)| uses.len() > inside)
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{ends_with, syntax, tests_of};
    use crate::{TreePass, Workshop};

    #[test]
    fn a_parameter_is_replaced_by_another_one() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        // Names must be declared, and there must be a sum.
        let is_program = |text: &str| {
            let has = |name: &str| text.contains(&format!("int {name}")) || !text.contains(&format!("+ {name}"));
            has("a") && has("b") && text.contains("f(int") && text.contains(" + ")
        };
        let text = "int f(int a, int b) { return a + b; }";
        assert_eq!(
            ends_with(text, is_program, |search| TreePass::Merging.run(search, &workshop, None)),
            "int f(int b) { return b + b; }"
        );
    }

    #[test]
    fn a_variable_is_replaced_by_zero() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let is_program = |text: &str| (text.contains("f(0)") || text.contains("int a; f(a)")) && text.contains("g()");
        let end =
            ends_with("g() { int a; f(a); }", is_program, |search| TreePass::Merging.run(search, &workshop, None));
        assert_eq!(end, "g() { f(0); }");
    }

    #[test]
    fn a_name_in_an_inner_scope_that_means_something_else_stays() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let text = "int a; f() { g(a); { int a; h(a); } }";
        let asked = tests_of(text, move |asked| asked == text, |search| TreePass::Merging.run(search, &workshop, None));
        assert!(asked.contains(&"f() { g(0); { int a; h(a); } }".to_owned()), "{asked:?}");
    }

    #[test]
    fn a_name_that_is_declared_elsewhere_stays() {
        let workshop = Workshop { syntax: Some(syntax("javascript")), ..Workshop::default() };
        let text = "let a; let b; f(a, b);";
        let asked = tests_of(text, move |asked| asked == text, |search| TreePass::Merging.run(search, &workshop, None));
        assert!(asked.contains(&"let a; f(a, a);".to_owned()), "{asked:?}");
        assert!(asked.iter().all(|asked| asked.contains("f(")), "{asked:?}");
    }
}
