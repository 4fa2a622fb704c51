//! [`Node`]: what a tree has in memory for each node: 20 bytes, since a text of one-letter tokens has two nodes for a byte.
//!
//! Three numbers have two meanings each. A draft links its nodes by them, and becomes the tree in place.

use whittle_grammars::{PartId, SymbolId};

use crate::tree::Kind;

pub(crate) const NONE: u32 = u32::MAX;
const NO_SYMBOL: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The number of the node above; in a draft, of the next one below the same node.
    pub(crate) link: u32,
    /// Where the text of a token begins. Of other nodes, how many nodes the sub-tree has; in a draft, the first one below.
    pub(crate) extent: u32,
    /// Where the text of a token ends. Other nodes have the end of the token before them.
    pub(crate) end: u32,
    slot: u32,
    symbol: u16,
    kind: u8,
}

/// The first two bits of a packed kind; two more are its flags.
const LIST: u8 = 0;
const OPTIONAL: u8 = 1;
const RULE: u8 = 2;
const TOKEN: u8 = 3;

impl Node {
    /// A node without links.
    pub(crate) fn new(kind: Kind, symbol: Option<SymbolId>, slot: Option<PartId>) -> Self {
        let slot = slot.map_or(NONE, |slot| slot.0);
        let symbol = symbol.map_or(NO_SYMBOL, |symbol| symbol.0);
        Self { link: NONE, extent: NONE, end: 0, slot, symbol, kind: packed(kind) }
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        let [first, second] = [4, 8].map(|flag| self.kind & flag != 0);
        match self.kind & 3 {
            LIST => Kind::List { separated: first, at_least_one: second },
            OPTIONAL => Kind::Optional,
            RULE => Kind::Rule,
            _ => Kind::Token { immediate: first, silent: second },
        }
    }

    pub(crate) fn set_kind(&mut self, kind: Kind) {
        self.kind = packed(kind);
    }

    #[inline]
    pub(crate) fn is_token(&self) -> bool {
        self.kind & 3 == TOKEN
    }

    #[inline]
    pub(crate) fn symbol(&self) -> Option<SymbolId> {
        (self.symbol != NO_SYMBOL).then_some(SymbolId(self.symbol))
    }

    pub(crate) fn set_symbol(&mut self, symbol: SymbolId) {
        self.symbol = symbol.0;
    }

    #[inline]
    pub(crate) fn slot(&self) -> Option<PartId> {
        (self.slot != NONE).then_some(PartId(self.slot))
    }

    pub(crate) fn set_slot(&mut self, slot: PartId) {
        self.slot = slot.0;
    }

    /// The same node below another one, behind a token that ends at `before`, and so many bytes further on.
    #[inline]
    pub(crate) fn moved(self, link: u32, before: u32, bytes: u32) -> Self {
        if !self.is_token() {
            return Self { link, end: before, ..self };
        }
        Self { link, extent: self.extent.wrapping_add(bytes), end: self.end.wrapping_add(bytes), ..self }
    }

    /// How many nodes the sub-tree has, this one included; not in a draft.
    #[inline]
    pub(crate) fn size(&self) -> u32 {
        if self.is_token() { 1 } else { self.extent }
    }

    /// Where a token's text begins. Other nodes have none.
    #[inline]
    pub(crate) fn start(&self) -> u32 {
        if self.is_token() { self.extent } else { self.end }
    }
}

fn packed(kind: Kind) -> u8 {
    let flags = |first: bool, second: bool| u8::from(first) << 2 | u8::from(second) << 3;
    match kind {
        Kind::List { separated, at_least_one } => LIST | flags(separated, at_least_one),
        Kind::Optional => OPTIONAL,
        Kind::Rule => RULE,
        Kind::Token { immediate, silent } => TOKEN | flags(immediate, silent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_unpacked_as_it_was() {
        let flags = [(false, false), (false, true), (true, false), (true, true)];
        let lists = flags.map(|(separated, at_least_one)| Kind::List { separated, at_least_one });
        let tokens = flags.map(|(immediate, silent)| Kind::Token { immediate, silent });
        for kind in lists.into_iter().chain(tokens).chain([Kind::Optional, Kind::Rule]) {
            assert_eq!(Node::new(kind, None, None).kind(), kind);
        }
    }

    #[test]
    fn a_node_takes_20_bytes() {
        assert_eq!(size_of::<Node>(), 20);
    }
}
