//! Parallel lists: elements at the same position of lists that belong together are deleted at once.
//!
//! `INSERT INTO t (a, b) VALUES (1, 2), (3, 4)` loses a column with its values, `a, b = 1, 2` a variable with its value, and
//! `define-funs-rec` of SMT-LIB a function with its body. Lists belong together if they are of one length and one kind, and
//! in one phrase: no other list is between them and it. If all elements of a list have such a list, these are rows and
//! belong together, too. Most tokens come first.
//!
//! Promise: no position of such lists can be deleted in all of them without a new syntax error.
//! Cost: one test for each position of each group of lists, if it parses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::reduce::{EditSet, Workpiece};
use crate::{Edit, Kind, NodeId, Tree};

/// Deletions of elements at the same position, most tokens first.
pub(super) fn sets(piece: &Workpiece<'_>) -> Vec<EditSet> {
    let tree = piece.tree();
    let mut seen: HashSet<Vec<NodeId>> = HashSet::new();
    let mut sets: Vec<EditSet> = Vec::new();
    for phrase in tree.nodes().filter(|&node| !is_list(tree, node) && !tree.is_token(node)) {
        for lists in groups(tree, phrase) {
            if seen.insert(lists.clone()) {
                let columns: Vec<Vec<NodeId>> = lists.iter().map(|&list| tree.elements(list).collect()).collect();
                let at = |place: usize| columns.iter().map(|column| (column[place], Edit::Delete)).collect();
                sets.extend((0..columns[0].len()).rev().map(at));
            }
        }
    }
    sets.sort_by_key(|set| Reverse(set.iter().map(|&(node, _)| piece.tokens(node)).sum::<u32>()));
    sets
}

/// The lists of a phrase that belong together.
fn groups(tree: &Tree, phrase: NodeId) -> Vec<Vec<NodeId>> {
    let mut lists = outermost_lists(tree, phrase);
    lists.extend(lists.clone().into_iter().flat_map(|list| rows(tree, list)));
    let mut alike: BTreeMap<(usize, bool), Vec<NodeId>> = BTreeMap::new();
    for list in lists {
        alike.entry((tree.elements(list).count(), is_separated(tree, list))).or_default().push(list);
    }
    alike.into_values().filter(|lists| lists.len() > 1).collect()
}

/// The lists of at least two elements below a node that are in no other such list.
fn outermost_lists(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let mut lists = Vec::new();
    let mut waiting: Vec<NodeId> = tree.children(node).collect();
    while let Some(inner) = waiting.pop() {
        if is_list(tree, inner) && tree.elements(inner).nth(1).is_some() {
            lists.push(inner);
        } else {
            waiting.extend(tree.children(inner));
        }
    }
    lists.sort();
    lists
}

/// The lists in the elements of a list, if each has one and all are of one length. Statements are no rows.
fn rows(tree: &Tree, list: NodeId) -> Vec<NodeId> {
    if !is_separated(tree, list) {
        return Vec::new();
    }
    let inner: Option<Vec<NodeId>> = tree
        .elements(list)
        .map(|element| match outermost_lists(tree, element)[..] {
            [only] => Some(only),
            _ => None,
        })
        .collect();
    let length = |&list: &NodeId| tree.elements(list).count();
    inner.filter(|rows| rows.windows(2).all(|pair| length(&pair[0]) == length(&pair[1]))).unwrap_or_default()
}

fn is_list(tree: &Tree, node: NodeId) -> bool {
    matches!(tree.kind(node), Kind::List { .. })
}

fn is_separated(tree: &Tree, list: NodeId) -> bool {
    matches!(tree.kind(list), Kind::List { separated: true, .. })
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{ends_with, syntax, tests_of};
    use crate::{TreePass, Workshop};

    fn end(language: &str, text: &str, is_interesting: fn(&str) -> bool) -> String {
        let workshop = Workshop { syntax: Some(syntax(language)), ..Workshop::default() };
        ends_with(text, is_interesting, |search| {
            search.fixpoint(|search| TreePass::Parallel.run(search, &workshop, None))
        })
    }

    #[test]
    fn a_function_goes_with_its_body() {
        let text = "(define-funs-rec ((f () Int) (g ((x Int)) Bool)) (7 (g (+ x 1))))";
        let is_interesting = |text: &str| {
            let functions = text.matches("() Int").count() + text.matches("(x Int)").count();
            let bodies = text.matches('7').count() + text.matches("(g (+").count();
            functions == bodies && text.contains("(x Int)") && text.contains("(g (+")
        };
        assert_eq!(end("smtlib", text, is_interesting), "(define-funs-rec ((g ((x Int)) Bool)) ((g (+ x 1))))");
    }

    #[test]
    fn a_variable_goes_with_its_value() {
        let is_interesting = |text: &str| {
            text.split_once('=').is_some_and(|(a, b)| a.matches(',').count() == b.matches(',').count())
                && text.contains('c')
                && text.contains('3')
        };
        // In Python's grammar, the first two are no list.
        assert_eq!(end("python", "a, b, c, d = 1, 2, 3, 4\n", is_interesting), "a, c = 1, 3\n");
    }

    #[test]
    fn a_column_goes_with_the_values_in_all_rows() {
        let text = "INSERT INTO t (a, b, c) VALUES (1, 2, 3), (4, 5, 6);";
        let is_interesting = |text: &str| {
            let lists = text.split('(').skip(1).filter_map(|list| Some(list.split_once(')')?.0.split(',').count()));
            let counts: Vec<usize> = lists.collect();
            counts.len() == 3
                && counts.iter().all(|&count| count == counts[0])
                && text.contains('b')
                && text.contains('5')
        };
        assert_eq!(end("sql", text, is_interesting), "INSERT INTO t (b) VALUES (2), (5);");
    }

    #[test]
    fn lists_of_other_lengths_and_statements_are_left_alone() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        let text = "int f(int a, int b) { g(1, 2, 3); h(1); }";
        let asked =
            tests_of(text, move |asked| asked == text, |search| TreePass::Parallel.run(search, &workshop, None));
        assert_eq!(asked, Vec::<String>::new());
    }
}
