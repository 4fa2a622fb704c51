//! [`ParseTree`]: the tree of a text, in an arena.

use crate::vocabulary::TokenType;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// A token of this type.
    Token(TokenType),
    /// The syntax rule of this number.
    Rule(u16),
    /// What did not parse.
    Error,
}

/// A node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: NodeKind,
    first: u32,
    count: u32,
    start: u32,
    end: u32,
}

/// The tree of a text. Hidden tokens are not in it.
#[derive(Clone, Debug, Default)]
pub struct ParseTree {
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    root: u32,
    /// How often something was skipped, or was not there.
    errors: u64,
    /// How many decisions several alternatives would have fit.
    ambiguities: u64,
}

impl ParseTree {
    /// The node of the whole text.
    pub fn root(&self) -> NodeId {
        NodeId(self.root)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node, which never is the case for a text that was parsed.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a node is.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node.0 as usize].kind
    }

    /// Where the text of a node begins and ends.
    pub fn span(&self, node: NodeId) -> std::ops::Range<usize> {
        let node = &self.nodes[node.0 as usize];
        node.start as usize..node.end as usize
    }

    /// The children of a node.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let node = &self.nodes[node.0 as usize];
        &self.children[node.first as usize..(node.first + node.count) as usize]
    }

    /// How many places of the text the grammar does not allow.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Where the text does not follow the grammar, in the order of the text.
    pub fn error_places(&self) -> Vec<usize> {
        let errors = self.nodes.iter().filter(|node| node.kind == NodeKind::Error);
        let mut places: Vec<_> = errors.map(|node| node.start as usize).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// How many decisions were settled by the order of the alternatives, because several of them fit the text.
    pub fn ambiguities(&self) -> u64 {
        self.ambiguities
    }

    pub(crate) fn count_error(&mut self) {
        self.errors += 1;
    }

    pub(crate) fn count_ambiguity(&mut self) {
        self.ambiguities += 1;
    }

    pub(crate) fn add_leaf(&mut self, kind: NodeKind, start: u32, end: u32) -> NodeId {
        self.nodes.push(Node { kind, first: 0, count: 0, start, end });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// A node with children. Without any it is empty, at `place`.
    pub(crate) fn add(&mut self, kind: NodeKind, children: &[NodeId], place: u32) -> NodeId {
        let span = |id: &NodeId| self.nodes[id.0 as usize];
        let start = children.first().map_or(place, |child| span(child).start);
        let end = children.last().map_or(place, |child| span(child).end);
        let first = self.children.len() as u32;
        self.children.extend(children);
        self.nodes.push(Node { kind, first, count: children.len() as u32, start, end });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = root.0;
    }

    /// The node covers a whole text, whitespace at its ends aside.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.children.shrink_to_fit();
    }
}
