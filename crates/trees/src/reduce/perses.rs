//! Perses (Sun et al., ICSE 2018): reduction that keeps to the syntax, the node with most tokens first.
//!
//! A list loses elements by a minimizer, an optional goes, a rule is replaced by a descendant that its place accepts;
//! an element of a list also by the elements of a list nested in it. Then come the children. To its fixpoint, no list
//! element, no optional and no replacement is left that could go.
//!
//! That is `perses-classic`. `perses` goes further in two ways. Whatever is tried in vain on a large text is tried again
//! on the small one, so passes in haste come first, as long as they take away half: they halve lists from their ends,
//! try only the largest replacements, and end when only small parts are left. And grammars have rules whose parts are
//! optional only in other rules (a `typedef` is not a declaration with one more word), so the careful passes after them
//! also drop one or two parts of a rule, where parsing says that what is left is still fine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use whittle_lists::{Algorithm, BisectOptions};
use whittle_search::{Search, Stop};

use super::replacements::{largest_replacements, replacements};
use super::workpiece::{Strictness, Workpiece, Workshop};
use crate::{Edit, Kind, NodeId};

/// How a pass goes about its work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// How elements of lists are chosen.
    pub(crate) lists: Algorithm,
    /// Whether only the largest replacements are tried, and small parts are left alone.
    pub(crate) hasty: bool,
    /// Whether parts of a rule are dropped that the rule itself needs.
    pub(crate) parts: bool,
    /// Whether a part may become the smallest sentence of what its place expects, which is not in Perses.
    pub(crate) smallest: bool,
}

impl Manner {
    /// As it was published.
    pub(crate) fn classic(lists: Algorithm) -> Self {
        Self { lists, hasty: false, parts: false, smallest: false }
    }

    /// All that can be tried is tried.
    pub(crate) fn careful(lists: Algorithm, smallest: bool) -> Self {
        Self { lists, hasty: false, parts: true, smallest }
    }

    /// Only what is likely to work is tried.
    pub(crate) fn hasty(smallest: bool) -> Self {
        let lists = Algorithm::Bisect(BisectOptions::default());
        Self { lists, hasty: true, parts: false, smallest }
    }
}

/// One pass over all nodes of the best candidate.
pub(crate) fn perses(search: &mut Search, workshop: &Workshop, manner: Manner) -> Result<(), Stop> {
    let piece = workshop.take_guarded(search, Strictness::Strict);
    let root = piece.tree().root();
    let mut pass = Pass { piece, queue: Queue::default(), manner };
    pass.enqueue(root, root);
    while let Some((node, place)) = pass.queue.pop() {
        // The rest of the queue is no larger.
        if manner.hasty && u64::from(pass.piece.tokens(node)) < search.best().size.units / SMALL {
            break;
        }
        pass.reduce(search, node, place)?;
    }
    Ok(())
}

/// In haste, parts below this fraction of the whole are not looked at.
const SMALL: u64 = 16;

/// In haste, this many elements of a list are worth to be chosen by what they need.
const MANY: usize = 8;

/// Rules with more children than this are left as they are: pairs would be too many.
const MOST_PARTS: usize = 8;

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
        self.children(node).into_iter().for_each(|child| self.enqueue(child, child));
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
        let left = if self.manner.hasty && elements.len() >= MANY {
            let lists = Algorithm::Bisect(BisectOptions { leaps: true, ..BisectOptions::default() });
            self.piece.minimize_with_needs(search, elements, may_be_empty, lists)?
        } else {
            self.piece.minimize(search, elements, Edit::Delete, may_be_empty, self.manner.lists)?
        };
        left.into_iter().for_each(|element| self.enqueue(element, element));
        Ok(())
    }

    fn reduce_rule(&mut self, search: &mut Search, node: NodeId, place: NodeId) -> Result<(), Stop> {
        let find = if self.manner.hasty { largest_replacements } else { replacements };
        let hoists = find(&self.piece, node, place).into_iter().map(|inner| (place, Edit::Hoist(inner)));
        // Where nothing is known to be expected, nothing would be written.
        let has_slot = self.piece.tree().slot(place).is_some();
        let smallest = (self.manner.smallest && has_slot).then_some((place, Edit::Smallest));
        match self.piece.first_of(search, smallest.into_iter().chain(hoists).collect())? {
            Some((_, Edit::Hoist(inner))) => self.enqueue(inner, place),
            Some(_) => {}
            None => {
                let left = if self.manner.parts { self.reduce_parts(search, node)? } else { self.children(node) };
                left.into_iter().for_each(|child| self.enqueue(child, child));
            }
        }
        Ok(())
    }

    /// Drops one or two children of a rule as long as that works and keeps to the syntax; gives what is left.
    fn reduce_parts(&mut self, search: &mut Search, node: NodeId) -> Result<Vec<NodeId>, Stop> {
        let mut left = self.children(node);
        while self.piece.is_guarded() && (2..=MOST_PARTS).contains(&left.len()) {
            match self.piece.drop_first_of(search, self.few_of(&left))? {
                Some(dropped) => left.retain(|child| !dropped.contains(child)),
                None => break,
            }
        }
        Ok(left)
    }

    /// Each of these nodes alone, then pairs of those that cannot go alone because of the syntax.
    fn few_of(&self, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
        let (free, bound): (Vec<NodeId>, Vec<NodeId>) =
            nodes.iter().partition(|&&node| self.piece.is_allowed(node, Edit::Drop));
        let pairs = bound.iter().enumerate().flat_map(|(i, &a)| bound[i + 1..].iter().map(move |&b| vec![a, b]));
        free.into_iter().map(|node| vec![node]).chain(pairs).collect()
    }

    /// The children that have a text.
    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.piece.tree().children(node).filter(|&child| self.piece.tokens(child) > 0).collect()
    }
}
