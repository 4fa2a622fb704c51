//! Loose parts: what goes although the parser then misses a token, which it makes up.
//!
//! Languages allow more than their grammars for tree-sitter do: a function in C may do without a type, a statement at the
//! end of a file without its semicolon. This is for the end, when nothing can go that keeps to the syntax.

use std::cmp::Reverse;

use whittle_search::{Search, Stop};

use super::sets::take_sets;
use super::workpiece::{Strictness, Workpiece, Workshop};
use crate::{Edit, Kind, NodeId};

/// Drops parts of rules, the largest first, as long as the parser has to make up no more than one token more.
pub(crate) fn loose_parts(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    let mut piece = workshop.take_guarded(search, Strictness::Loose);
    if !piece.is_guarded() {
        return Ok(());
    }
    let sets = parts(&piece).into_iter().map(|part| vec![(part, Edit::Drop)]).collect();
    take_sets(search, &mut piece, sets)
}

fn parts(piece: &Workpiece<'_>) -> Vec<NodeId> {
    let tree = piece.tree();
    let is_part = |node: &NodeId| tree.parent(*node).is_some_and(|parent| tree.kind(parent) == Kind::Rule);
    let mut parts: Vec<NodeId> = tree.nodes().filter(is_part).filter(|&node| piece.tokens(node) > 0).collect();
    parts.sort_by_key(|&node| Reverse(piece.tokens(node)));
    parts
}
