//! Recursive hierarchical delta debugging (Kiss, Hodován and Gyimóthy): a list minimizer chooses among the children of
//! one node at a time, depth-first or breadth-first.
//!
//! As in [`hdd`](super::hdd), nodes are deleted outright. A node's children stay together in one list however many
//! other nodes their level has, so lists are short, and what depends on each other is more often in the same one.

use std::collections::VecDeque;

use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};

use super::hdd::with_tokens;
use super::workpiece::Workshop;
use crate::Edit;

/// Which node comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first child of the node that was just minimized.
    DepthFirst,
    /// The one that has waited longest.
    BreadthFirst,
}

/// One pass over all nodes of the best candidate.
pub(crate) fn hddr(search: &mut Search, workshop: &Workshop, order: Order, algorithm: Algorithm) -> Result<(), Stop> {
    let mut piece = workshop.take(search);
    let root = with_tokens(&piece, [piece.tree().root()]);
    let mut waiting = VecDeque::from(piece.minimize(search, root, Edit::Drop, true, algorithm)?);
    while let Some(node) = waiting.pop_front() {
        let children = with_tokens(&piece, piece.tree().children(node));
        if children.is_empty() {
            continue;
        }
        let left = piece.minimize(search, children, Edit::Drop, true, algorithm)?;
        match order {
            Order::DepthFirst => left.into_iter().rev().for_each(|child| waiting.push_front(child)),
            Order::BreadthFirst => waiting.extend(left),
        }
    }
    Ok(())
}
