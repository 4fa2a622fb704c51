//! A tree that is being built: nodes in any order, linked; finished, they stand in text order.

use std::sync::{Arc, OnceLock};

use whittle_grammars::{Grammar, PartId, SymbolId};

use crate::tree::{Inner, Kind, NO_SYMBOL, NONE, Node, Shape, Tree};

/// A node of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DraftId(u32);

impl DraftId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct DraftNode {
    kind: Kind,
    slot: u32,
    symbol: u16,
    start: u32,
    end: u32,
    first: u32,
    next: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Draft {
    nodes: Vec<DraftNode>,
}

impl Draft {
    pub(crate) fn add(&mut self, kind: Kind, symbol: Option<SymbolId>, slot: Option<PartId>) -> DraftId {
        self.nodes.push(DraftNode {
            kind,
            slot: slot.map_or(NONE, |slot| slot.0),
            symbol: symbol.map_or(NO_SYMBOL, |symbol| symbol.0),
            start: 0,
            end: 0,
            first: NONE,
            next: NONE,
        });
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

    pub(crate) fn set_text(&mut self, id: DraftId, start: usize, end: usize) {
        let node = &mut self.nodes[id.0 as usize];
        (node.start, node.end) = (start as u32, end as u32);
    }

    pub(crate) fn set_children(&mut self, id: DraftId, children: &[DraftId]) {
        self.nodes[id.0 as usize].first = children.first().map_or(NONE, |child| child.0);
        for pair in children.windows(2) {
            self.nodes[pair[0].0 as usize].next = pair[1].0;
        }
        if let Some(last) = children.last() {
            self.nodes[last.0 as usize].next = NONE;
        }
    }

    /// Says what a single child's place expects. Lists and optionals know their own part.
    pub(crate) fn set_slot(&mut self, id: DraftId, slot: PartId) {
        let node = &mut self.nodes[id.0 as usize];
        if matches!(node.kind, Kind::Rule | Kind::Token { .. }) {
            node.slot = slot.0;
        }
    }

    pub(crate) fn kind(&self, id: DraftId) -> Kind {
        self.nodes[id.0 as usize].kind
    }

    pub(crate) fn set_kind(&mut self, id: DraftId, kind: Kind) {
        self.nodes[id.0 as usize].kind = kind;
    }

    pub(crate) fn symbol(&self, id: DraftId) -> Option<SymbolId> {
        let symbol = self.nodes[id.0 as usize].symbol;
        (symbol != NO_SYMBOL).then_some(SymbolId(symbol))
    }

    pub(crate) fn slot(&self, id: DraftId) -> Option<PartId> {
        let slot = self.nodes[id.0 as usize].slot;
        (slot != NONE).then_some(PartId(slot))
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes that there are now, parents before their children.
    pub(crate) fn ids(&self) -> impl Iterator<Item = DraftId> + use<> {
        (0..self.nodes.len() as u32).map(DraftId)
    }

    pub(crate) fn set_symbol(&mut self, id: DraftId, symbol: Option<SymbolId>) {
        self.nodes[id.0 as usize].symbol = symbol.map_or(NO_SYMBOL, |symbol| symbol.0);
    }

    pub(crate) fn children(&self, id: DraftId) -> impl Iterator<Item = DraftId> + '_ {
        let existing = |id: u32| (id != NONE).then_some(DraftId(id));
        let next = move |id: &DraftId| existing(self.nodes[id.0 as usize].next);
        std::iter::successors(existing(self.nodes[id.0 as usize].first), next)
    }

    /// Puts the nodes below `root` in text order, and gives each token the text since the one before.
    pub(crate) fn finish(&self, text: Vec<u8>, root: DraftId, grammar: Option<Arc<Grammar>>, shape: Shape) -> Tree {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut from = 0;
        // Nodes whose sub-trees are not complete, each with the draft of its next sibling.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut current = root.0;
        loop {
            if current == NONE {
                let Some((id, next)) = open.pop() else { break };
                nodes[id as usize].size = nodes.len() as u32 - id;
                current = next;
                continue;
            }
            let draft = &self.nodes[current as usize];
            let parent = open.last().map_or(NONE, |entry| entry.0);
            let is_token = matches!(draft.kind, Kind::Token { .. });
            let (start, end) = if is_token { (draft.start, draft.end) } else { (from, from) };
            nodes.push(Node {
                parent,
                size: 1,
                slot: draft.slot,
                symbol: draft.symbol,
                kind: draft.kind,
                from,
                start,
                end,
            });
            from = end;
            let next = if current == root.0 { NONE } else { draft.next };
            if draft.first == NONE {
                current = next;
            } else {
                open.push((nodes.len() as u32 - 1, next));
                current = draft.first;
            }
        }
        Tree { inner: Arc::new(Inner { text, nodes, grammar, shape, comments: OnceLock::new() }) }
    }
}
