//! A tree that is being built: nodes in any order, linked; finished, they stand in text order.

use std::sync::Arc;

use whittle_grammars::{Grammar, PartId, SymbolId};

use crate::node::{NONE, Node};
use crate::tree::{Kind, Shape, Tree};

/// A node of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DraftId(u32);

impl DraftId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Default)]
pub(crate) struct Draft {
    nodes: Vec<Node>,
}

impl Draft {
    pub(crate) fn add(&mut self, kind: Kind, symbol: Option<SymbolId>, slot: Option<PartId>) -> DraftId {
        if self.nodes.len() == self.nodes.capacity() {
            // Not twice as much: it is most of the memory that a tree takes.
            self.nodes.reserve_exact(16 + self.nodes.len() / 4);
        }
        self.nodes.push(Node::new(kind, symbol, slot));
        DraftId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn add_token(&mut self, start: usize, end: usize, silent: bool) -> DraftId {
        let id = self.add(Kind::Token { immediate: false, silent }, None, None);
        self.set_text(id, start, end);
        id
    }

    pub(crate) fn add_with(&mut self, kind: Kind, slot: Option<PartId>, children: &[DraftId]) -> DraftId {
        let id = self.add(kind, None, slot);
        self.set_children(id, children);
        id
    }

    /// Says where the text of a token is.
    pub(crate) fn set_text(&mut self, token: DraftId, start: usize, end: usize) {
        let node = &mut self.nodes[token.index()];
        (node.extent, node.end) = (start as u32, end as u32);
    }

    /// Says what is below a node, which is no token.
    pub(crate) fn set_children(&mut self, id: DraftId, children: &[DraftId]) {
        self.nodes[id.index()].extent = children.first().map_or(NONE, |child| child.0);
        for pair in children.windows(2) {
            self.nodes[pair[0].index()].link = pair[1].0;
        }
        if let Some(last) = children.last() {
            self.nodes[last.index()].link = NONE;
        }
    }

    /// Says what a single child's place expects. Lists and optionals know their own part.
    pub(crate) fn set_slot(&mut self, id: DraftId, slot: PartId) {
        let node = &mut self.nodes[id.index()];
        if matches!(node.kind(), Kind::Rule | Kind::Token { .. }) {
            node.set_slot(slot);
        }
    }

    pub(crate) fn kind(&self, id: DraftId) -> Kind {
        self.nodes[id.index()].kind()
    }

    pub(crate) fn set_kind(&mut self, id: DraftId, kind: Kind) {
        self.nodes[id.index()].set_kind(kind);
    }

    pub(crate) fn symbol(&self, id: DraftId) -> Option<SymbolId> {
        self.nodes[id.index()].symbol()
    }

    pub(crate) fn slot(&self, id: DraftId) -> Option<PartId> {
        self.nodes[id.index()].slot()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes that there are now, parents before their children.
    pub(crate) fn ids(&self) -> impl Iterator<Item = DraftId> + use<> {
        (0..self.nodes.len() as u32).map(DraftId)
    }

    pub(crate) fn set_symbol(&mut self, id: DraftId, symbol: SymbolId) {
        self.nodes[id.index()].set_symbol(symbol);
    }

    pub(crate) fn children(&self, id: DraftId) -> impl Iterator<Item = DraftId> + '_ {
        let existing = |id: u32| (id != NONE).then_some(DraftId(id));
        let next = move |id: &DraftId| existing(self.nodes[id.index()].link);
        std::iter::successors(existing(self.first_below(id.0)), next)
    }

    fn first_below(&self, id: u32) -> u32 {
        let node = &self.nodes[id as usize];
        if node.is_token() { NONE } else { node.extent }
    }

    /// Puts the nodes below `root` in text order.
    pub(crate) fn finish(mut self, text: Vec<u8>, root: DraftId, grammar: Option<Arc<Grammar>>, shape: Shape) -> Tree {
        let (mut places, count) = self.link_upwards(root);
        // Nodes that are not part of the tree go to the end.
        let unused = places.iter_mut().filter(|place| **place == NONE);
        unused.zip(count..).for_each(|(place, end)| *place = end);
        for at in 0..places.len() {
            while places[at] as usize != at {
                let to = places[at] as usize;
                self.nodes.swap(at, to);
                places.swap(at, to);
            }
        }
        self.nodes.truncate(count as usize);
        self.nodes.shrink_to_fit();
        Tree::of_nodes(text, self.nodes, grammar, shape)
    }

    /// Gives the nodes below `root` the numbers that they have in text order, and links each to the one above it. Returns
    /// the numbers ([`NONE`]: not below it), and how many there are.
    fn link_upwards(&mut self, root: DraftId) -> (Vec<u32>, u32) {
        let mut places = vec![NONE; self.nodes.len()];
        let (mut count, mut end) = (0, 0);
        // Nodes whose sub-trees are not complete, each with its next sibling.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut current = root.0;
        self.nodes[root.index()].link = NONE;
        loop {
            if current == NONE {
                let Some((id, next)) = open.pop() else { return (places, count) };
                self.nodes[id as usize].extent = count - places[id as usize];
                current = next;
                continue;
            }
            let first = self.first_below(current);
            let above = open.last().map_or(NONE, |&(id, _)| places[id as usize]);
            places[current as usize] = count;
            count += 1;
            let node = &mut self.nodes[current as usize];
            let next = std::mem::replace(&mut node.link, above);
            if node.is_token() {
                end = node.end;
                current = next;
            } else {
                node.end = end;
                open.push((current, next));
                current = first;
            }
        }
    }
}
