//! Perses (Sun et al.) as it was published: the node with most tokens first. A list is minimized, an optional is deleted,
//! a rule is replaced by the smallest of the nodes below it that its place accepts.

use std::collections::VecDeque;

use whittle_trees::{Kind, NodeId, Tree, TreeOptions};

use super::{Asked, BRACKETS, Left, STATEMENTS, TERMS, assert_same, token_count, with_tokens};

/// How far below a node replacements are looked for, in levels of the parser's tree, and how many are considered.
const LEVELS: usize = 5;
const REPLACEMENTS: usize = 100;

fn perses(asked: &mut Asked, tree: &Tree) -> String {
    let mut left = Left { knows_lists: true, ..Left::default() };
    // Nodes with their places.
    let mut waiting = vec![(tree.root(), tree.root())];
    loop {
        waiting.retain(|&(node, _)| token_count(tree, node) > 0);
        waiting.sort_by_key(|&(node, _)| (std::cmp::Reverse(token_count(tree, node)), node));
        if waiting.is_empty() {
            return left.text(tree);
        }
        let (node, place) = waiting.remove(0);
        let next: Vec<NodeId> = match tree.kind(node) {
            Kind::Token { .. } => Vec::new(),
            Kind::List { at_least_one, .. } => {
                let elements: Vec<NodeId> = tree.elements(node).collect();
                let gone = |kept: &[usize]| {
                    let goes = |index: &usize| !kept.contains(index);
                    (0..elements.len()).filter(goes).map(|index| elements[index]).collect::<Vec<_>>()
                };
                let kept = asked.minimize(elements.len(), !at_least_one, |kept| left.without(gone(kept)).text(tree));
                left = left.without(gone(&kept));
                kept.into_iter().map(|index| elements[index]).collect()
            }
            Kind::Optional => {
                let without = left.without([node]);
                if asked.test(&without.text(tree)) {
                    left = without;
                    Vec::new()
                } else {
                    tree.children(node).collect()
                }
            }
            Kind::Rule => {
                let mut replacements = replacements(tree, node, place).into_iter();
                match replacements.find(|&inner| asked.test(&left.with(place, inner).text(tree))) {
                    Some(inner) => {
                        left = left.with(place, inner);
                        waiting.push((inner, place));
                        Vec::new()
                    }
                    None => tree.children(node).collect(),
                }
            }
        };
        waiting.extend(with_tokens(tree, next).into_iter().map(|node| (node, node)));
    }
}

/// Found breadth-first; the smallest first.
fn replacements(tree: &Tree, node: NodeId, place: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut waiting: VecDeque<(NodeId, usize)> = tree.children(node).map(|child| (child, 1)).collect();
    while let Some((inner, level)) = waiting.pop_front() {
        if level <= LEVELS {
            if token_count(tree, inner) < token_count(tree, node) && tree.can_hoist(inner, place) {
                found.push(inner);
            }
            // Lists, optionals and groups are not in the parser's tree.
            let below = level + usize::from(tree.symbol(inner).is_some());
            waiting.extend(tree.children(inner).map(|child| (child, below)));
        }
    }
    found.truncate(REPLACEMENTS);
    found.sort_by_key(|&inner| token_count(tree, inner));
    found
}

#[test]
fn perses_makes_the_tests_of_its_paper() {
    for texts in [BRACKETS, TERMS, STATEMENTS] {
        assert_same("perses-classic+ddmin", texts, &TreeOptions::default(), perses);
    }
}
