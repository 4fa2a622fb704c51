//! Merging, beyond the paper: an element of a list goes, and another name takes the place of a name that it brings, or zero.
//!
//! `f(int a, int b) { return a + b; }` becomes `f(int b) { return b + b; }`, and two types, fields or functions become
//! one; `int a; f(a);` becomes `f(0);`. Neither of the two steps is possible alone: without its declaration the name means nothing, and another name in its
//! place makes nothing smaller. What does not parse as well as before is not tested, nor are others than those that would
//! save most.

use whittle_search::{Search, Stop};

use super::names::{Name, names};
use crate::reduce::{EditSet, Workpiece, best_of, take_sets_of};
use crate::{Edit, Kind, NodeId, Tree, Workshop};

/// How many tokens an element may have: what is larger does more than to bring a name.
const SMALL: u32 = 16;

/// How many ways are tried in all.
const MOST: usize = 20;

/// How many other names are tried in the place of one: those that other elements have in its place, then the nearest.
const FEW: usize = 2;

/// One pass over all elements of lists.
pub(crate) fn merging(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    take_sets_of(search, workshop, sets)
}

fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let names = names(tree);
    let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let elements = lists.flat_map(|list| tree.elements(list)).filter(|&element| piece.tokens(element) <= SMALL);
    let mut sets: Vec<(u32, EditSet)> = Vec::new();
    for element in elements {
        for name in names.iter().filter(|name| name.is_within(tree, element)) {
            let ways = merged(tree, element, name, &names);
            sets.extend(ways.into_iter().map(|set| (piece.tokens(element), set)));
        }
    }
    best_of(sets, MOST)
}

/// The ways to let an element go for other names in the places of one that it is the first to have, and the only one of
/// its list to have there.
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
        if chosen.len() < FEW && can_copy(other) && !chosen.iter().any(|known| known.is(other)) {
            chosen.push(other);
        }
    }
    let others = chosen.into_iter().map(|other| Edit::Copy(other.token)).chain([Edit::Zero]);
    let replaced = |by: Edit| places.iter().map(move |&place| (place, by));
    others.map(|by| std::iter::once((element, Edit::Delete)).chain(replaced(by)).collect()).collect()
}

/// What stands in other elements of a list where a name stands in one of them, in the order of the text.
fn alike(tree: &Tree, element: NodeId, name: NodeId) -> Vec<NodeId> {
    let siblings = tree.parent(element).into_iter().flat_map(|list| tree.elements(list));
    let others = siblings.filter(|&sibling| sibling != element && tree.symbol(sibling) == tree.symbol(element));
    let place =
        |sibling: NodeId| Some(NodeId(sibling.0 + (name.0 - element.0))).filter(|&at| tree.is_within(at, sibling));
    others.filter_map(place).collect()
}

/// The smallest node around an element in which a name stands outside of the element too, and all places of the name there.
/// Names of the same text further away, as canonical ones often are, mean something else.
fn uses(tree: &Tree, element: NodeId, name: &Name<'_>, names: &[Name<'_>]) -> Option<(NodeId, Vec<NodeId>)> {
    let same: Vec<NodeId> = names.iter().filter(|other| other.is(name)).map(|other| other.token).collect();
    let within = |node: NodeId| same.iter().copied().filter(|&other| tree.is_within(other, node)).collect::<Vec<_>>();
    let inside = within(element).len();
    let above = std::iter::successors(tree.parent(element), |&node| tree.parent(node));
    above.map(|scope| (scope, within(scope))).find(|(_, uses)| uses.len() > inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax, tests_of};

    #[test]
    fn a_parameter_goes_for_another_one() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        // Names must be declared, and there must be a sum.
        let is_program = |text: &str| {
            let has = |name: &str| text.contains(&format!("int {name}")) || !text.contains(&format!("+ {name}"));
            has("a") && has("b") && text.contains("f(int") && text.contains(" + ")
        };
        let text = "int f(int a, int b) { return a + b; }";
        assert_eq!(ends_with(text, is_program, |search| merging(search, &workshop)), "int f(int b) { return b + b; }");
    }

    #[test]
    fn a_variable_goes_for_zero() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let is_program = |text: &str| (text.contains("f(0)") || text.contains("int a; f(a)")) && text.contains("g()");
        let end = ends_with("g() { int a; f(a); }", is_program, |search| merging(search, &workshop));
        assert_eq!(end, "g() { f(0); }");
    }

    #[test]
    fn a_name_that_is_brought_elsewhere_stays() {
        let workshop = Workshop { syntax: Some(syntax("javascript")), ..Workshop::default() };
        let text = "let a; let b; f(a, b);";
        let asked = tests_of(text, move |asked| asked == text, |search| merging(search, &workshop));
        assert!(asked.contains(&"let a; f(a, a);".to_owned()), "{asked:?}");
        assert!(asked.iter().all(|asked| asked.contains("f(")), "{asked:?}");
    }
}
