//! Whether a result keeps its reducer's promise: everything that could still go is tried, by brute force.

use whittle::lists::{Subset, Unit, Units};
use whittle::search::Measured;
use whittle::trees::{Edit, Edits, Kind, NodeId, Tree};

use crate::problem::Problem;
use crate::reducer::{Promise, units};

/// An interesting text that is smaller, and that the reducer should have found by its promise.
pub(crate) fn smaller_neighbour(problem: &Problem, best: &Measured, promise: Promise) -> Option<Vec<u8>> {
    let text = best.candidate.files()[0].bytes();
    let tree = problem.tree(text);
    let after = |(node, edit): (NodeId, Edit)| tree.unparse(&Edits::from_iter([(node, edit)]));
    let errors = problem.errors(text);
    let is_smaller = |text: &Vec<u8>| is_smaller(problem, best, text);
    match promise {
        Promise::Nothing => None,
        Promise::NoNode => tree.nodes().map(|node| after((node, Edit::Drop))).find(is_smaller),
        Promise::NoTransformation => {
            let drops = tree.nodes().map(|node| (node, Edit::Drop));
            drops.chain(substitutions(&tree)).map(after).find(is_smaller)
        }
        Promise::NoElement { checked } => {
            let is_allowed = |text: &Vec<u8>| !checked || problem.errors(text) <= errors;
            guided_edits(&tree).map(after).find(|text| is_smaller(text) && is_allowed(text))
        }
        Promise::NoUnit => {
            units(problem.input_text()).into_iter().flat_map(|unit| without_one(best, unit)).find(is_smaller)
        }
    }
}

fn is_smaller(problem: &Problem, best: &Measured, text: &[u8]) -> bool {
    let candidate = best.candidate.with_bytes(0, text.to_vec());
    problem.is_interesting(&candidate) && problem.measured_as(best, candidate).is_smaller_than(best)
}

/// The edits that put a child in the place of its parent. What only holds others together is no parent.
fn substitutions(tree: &Tree) -> impl Iterator<Item = (NodeId, Edit)> + '_ {
    let is_parent =
        |&node: &NodeId| tree.kind(node) == Kind::Rule && (tree.symbol(node).is_some() || tree.grammar().is_none());
    let of = |node: NodeId| tree.children(node).map(move |child| (node, Edit::Hoist(child)));
    tree.nodes().filter(is_parent).flat_map(of)
}

/// The edits that keep to the syntax, as far as the grammar knows.
fn guided_edits(tree: &Tree) -> impl Iterator<Item = (NodeId, Edit)> + '_ {
    tree.nodes().flat_map(|node| match tree.kind(node) {
        Kind::List { at_least_one, .. } => {
            let elements: Vec<NodeId> = tree.elements(node).collect();
            let must_stay = at_least_one && elements.len() == 1;
            elements.into_iter().filter(|_| !must_stay).map(|element| (element, Edit::Delete)).collect()
        }
        Kind::Optional => vec![(node, Edit::Delete)],
        Kind::Rule => {
            let hoistable = tree.descendants(node).filter(|&inner| tree.can_hoist(inner, node));
            hoistable.map(|inner| (node, Edit::Hoist(inner))).collect()
        }
        Kind::Token { .. } => Vec::new(),
    })
}

/// The texts that lack one unit.
fn without_one(best: &Measured, unit: Unit) -> impl Iterator<Item = Vec<u8>> {
    let units = Units::cut(best.candidate.files()[0].shared_bytes(), unit).expect("problems are short");
    let len = units.len();
    (0..len).map(move |one| units.render(&Subset::from_elements((0..len).filter(|&other| other != one))))
}
