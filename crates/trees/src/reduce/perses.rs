//! Perses (Sun et al., ICSE 2018): reduction that keeps to the syntax, the node with most tokens first.
//!
//! A list loses elements by a minimizer, an optional goes, a rule is replaced by a descendant that its place accepts;
//! an element of a list also by the elements of a list nested in it. Then come the children. To its fixpoint, no list
//! element, no optional and no replacement is left that could go.
//!
//! Whatever is tried in vain on a large text is tried again on the small one, so a pass in haste comes first: it halves
//! lists from their ends and tries only the outermost replacements, until that finds nothing more. The careful pass
//! after it then works on a small tree, and makes the promise. `perses-classic` is careful from the beginning.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use whittle_lists::{Algorithm, BisectOptions};
use whittle_search::{Search, Stop};

use super::replacements::{outermost_replacements, replacements};
use super::workpiece::{Workpiece, Workshop};
use crate::{Edit, Kind, NodeId};

/// How a pass goes about its work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// How elements of lists are chosen.
    pub(crate) lists: Algorithm,
    /// Whether only the outermost replacements are tried.
    pub(crate) outermost: bool,
    /// Whether a part may become the smallest sentence of what its place expects, which is not in Perses.
    pub(crate) smallest: bool,
}

impl Manner {
    /// All that can be tried is tried.
    pub(crate) fn careful(lists: Algorithm, smallest: bool) -> Self {
        Self { lists, outermost: false, smallest }
    }

    /// Only what is likely to work is tried.
    pub(crate) fn hasty(smallest: bool) -> Self {
        Self { lists: Algorithm::Bisect(BisectOptions::default()), outermost: true, smallest }
    }
}

/// One pass over all nodes of the best candidate.
pub(crate) fn perses(search: &mut Search, workshop: &Workshop, manner: Manner) -> Result<(), Stop> {
    let piece = workshop.take_guarded(search);
    let root = piece.tree().root();
    let mut pass = Pass { piece, queue: Queue::default(), manner };
    pass.enqueue(root, root);
    while let Some((node, place)) = pass.queue.pop() {
        pass.reduce(search, node, place)?;
    }
    Ok(())
}

struct Pass<'a> {
    piece: Workpiece<'a>,
    queue: Queue,
    manner: Manner,
}

/// Nodes that wait, each with the place where it stands, which is another one if it was hoisted: most tokens first,
/// then in the order of the text.
#[derive(Default)]
struct Queue(BinaryHeap<(u32, Reverse<NodeId>, NodeId)>);

impl Queue {
    fn pop(&mut self) -> Option<(NodeId, NodeId)> {
        self.0.pop().map(|(_, Reverse(node), place)| (node, place))
    }
}

impl Pass<'_> {
    fn enqueue(&mut self, node: NodeId, place: NodeId) {
        let tokens = self.piece.tokens(node);
        if tokens > 0 {
            self.queue.0.push((tokens, Reverse(node), place));
        }
    }

    fn enqueue_children(&mut self, node: NodeId) {
        let children: Vec<NodeId> = self.piece.tree().children(node).collect();
        children.into_iter().for_each(|child| self.enqueue(child, child));
    }

    fn reduce(&mut self, search: &mut Search, node: NodeId, place: NodeId) -> Result<(), Stop> {
        match self.piece.tree().kind(node) {
            Kind::List { at_least_one, .. } => self.reduce_list(search, node, at_least_one),
            Kind::Optional => {
                if !self.piece.attempt(search, node, Edit::Delete)? {
                    self.enqueue_children(node);
                }
                Ok(())
            }
            Kind::Rule => self.reduce_rule(search, node, place),
            Kind::Token { .. } => Ok(()),
        }
    }

    fn reduce_list(&mut self, search: &mut Search, list: NodeId, at_least_one: bool) -> Result<(), Stop> {
        let elements: Vec<NodeId> = self.piece.tree().elements(list).collect();
        let may_be_empty = !at_least_one || self.manner.smallest;
        let left = self.piece.minimize(search, elements, Edit::Delete, may_be_empty, self.manner.lists)?;
        left.into_iter().for_each(|element| self.enqueue(element, element));
        Ok(())
    }

    fn reduce_rule(&mut self, search: &mut Search, node: NodeId, place: NodeId) -> Result<(), Stop> {
        let find = if self.manner.outermost { outermost_replacements } else { replacements };
        let hoists = find(&self.piece, node, place).into_iter().map(|inner| (place, Edit::Hoist(inner)));
        let smallest = self.manner.smallest.then_some((place, Edit::Smallest));
        match self.piece.first_of(search, smallest.into_iter().chain(hoists).collect())? {
            Some((_, Edit::Hoist(inner))) => self.enqueue(inner, place),
            Some(_) => {}
            None => self.enqueue_children(node),
        }
        Ok(())
    }
}
