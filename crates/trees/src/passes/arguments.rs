//! Arguments: a parameter is deleted together with its arguments, in all brackets behind the same name.
//!
//! `f(int a, int b)` and `f(1, 2)` become `f(int a)` and `f(1)`; type parameters work the same way. Names that are known to
//! mean different declarations are not the same. Most tokens come first.
//!
//! Promise: no position in the brackets behind a name can be deleted everywhere without a new syntax error.
//! Cost: one test for each position behind each name, if it parses.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::names::{Meanings, lists_after};
use crate::reduce::{EditSet, Workpiece};
use crate::{Edit, NodeId};

/// A name, and the kind of brackets behind it.
type Brackets<'a> = (&'a [u8], &'a [u8]);

/// Deletions of parameters with their arguments, most tokens first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let meanings = Meanings::of(piece);
    // Of the brackets behind a name only the first of each kind count: not every use has type arguments.
    let mut alike: BTreeMap<Brackets<'_>, Vec<(NodeId, Vec<NodeId>)>> = BTreeMap::new();
    for name in tree.tokens(tree.root()).filter(|&token| tree.is_name(token)) {
        let lists: BTreeMap<&[u8], NodeId> =
            lists_after(tree, name).into_iter().rev().map(|(open, list)| (tree.token_text(open), list)).collect();
        for (bracket, list) in lists {
            alike.entry((tree.token_text(name), bracket)).or_default().push((name, tree.elements(list).collect()));
        }
    }
    let mut sets: Vec<EditSet> = Vec::new();
    for lists in alike.values().flat_map(|lists| meanings.groups(lists, |(name, _)| vec![*name])) {
        let longest = lists.iter().map(|(_, list)| list.len()).max().unwrap_or_default();
        let at = |place: usize| lists.iter().filter_map(|(_, list)| Some((*list.get(place)?, Edit::Delete))).collect();
        sets.extend((0..longest).rev().map(at).filter(|set: &EditSet| set.len() > 1));
    }
    sets.sort_by_key(|set| Reverse(set.iter().map(|&(node, _)| piece.tokens(node)).sum::<u32>()));
    sets
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{ends_with, syntax, tests_of};
    use crate::{TreePass, Workshop};

    fn end(language: &str, text: &str, is_interesting: fn(&str) -> bool) -> String {
        let workshop = Workshop { syntax: Some(syntax(language)), ..Workshop::default() };
        ends_with(text, is_interesting, |search| TreePass::Arguments.run(search, &workshop, None))
    }

    /// How many elements there are in the first and in the last pair of brackets.
    fn counts(text: &str) -> Option<(usize, usize)> {
        let count = |text: &str| Some(text.split_once(')')?.0.matches(',').count() + 1);
        Some((count(text.split_once('(')?.1)?, count(text.rsplit_once('(')?.1)?))
    }

    #[test]
    fn a_parameter_goes_with_its_arguments() {
        let is_balanced = |text: &str| counts(text).is_some_and(|(a, b)| a == b) && text.contains("int b");
        let text = "int f(int a, int b, char *c) { return b; } int g() { return f(1, 2, 3); }";
        assert_eq!(end("c", text, is_balanced), "int f(int b) { return b; } int g() { return f(2); }");
    }

    #[test]
    fn what_is_behind_a_name_with_another_meaning_stays() {
        let text = "int f(int a, int b) { return b; } int g(int (*f)(int, int)) { return f(1, 2); } int h() { return f(3, 4); }";
        let needs_two = |text: &str| text.contains("f(1, 2)") && counts(text).is_some_and(|(a, b)| a == b);
        let expected = "int f() { return b; } int g(int (*f)(int, int)) { return f(1, 2); } int h() { return f(); }";
        assert_eq!(end("c", text, needs_two), expected);
    }

    #[test]
    fn lists_begin_where_the_brackets_do() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let text = "int a = f(g(1)), b = f(g(2));";
        let asked =
            tests_of(text, move |asked| asked == text, |search| TreePass::Arguments.run(search, &workshop, None));
        assert_eq!(asked, ["int a = f(), b = f();", "int a = f(g()), b = f(g());"]);
    }
}
