//! [`Tree`]: the normal form of a text, as an arena in text order.
//!
//! Nodes are in pre-order, each with the number of nodes below it, so a sub-tree is a range of numbers, its first
//! child is the next number, and its tokens are in the order of the text. Every byte of the text belongs to one token,
//! as its text or as the whitespace and comments before it, except those after the last one. Cloning is cheap.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use whittle_grammars::{Grammar, PartId, SymbolId};

use crate::node::{NONE, Node};

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The place of the node in text order; the root's is 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any number of elements, each of which can be deleted.
    List {
        /// Whether elements and separators alternate.
        separated: bool,
        /// Whether one element must stay.
        at_least_one: bool,
    },
    /// Something that can be deleted.
    Optional,
    /// Slots, all of which are needed. A rule without a symbol is a group that fills one place of a list.
    Rule,
    /// A text, with the whitespace and comments before it.
    Token {
        /// Whether no whitespace may be before it.
        immediate: bool,
        /// Whether the parser's tree does not show it.
        silent: bool,
    },
}

/// How much of the text follows the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Nodes of the parser's tree that have children.
    pub rules: usize,
    /// Those among them whose children follow from the rule.
    pub recovered: usize,
    /// Those that hold a syntax error directly, and so cannot follow from their rule.
    pub erroneous: usize,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) text: Vec<u8>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) grammar: Option<Arc<Grammar>>,
    pub(crate) shape: Shape,
    /// Where comments are, once somebody asks.
    pub(crate) comments: OnceLock<Vec<Range<usize>>>,
}

/// The normal form of a text.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) inner: Arc<Inner>,
}

impl Tree {
    /// The tree of nodes that are in text order.
    pub(crate) fn of_nodes(text: Vec<u8>, nodes: Vec<Node>, grammar: Option<Arc<Grammar>>, shape: Shape) -> Self {
        Self { inner: Arc::new(Inner { text, nodes, grammar, shape, comments: OnceLock::new() }) }
    }

    /// The whole text.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The text that was parsed.
    pub fn text(&self) -> &[u8] {
        &self.inner.text
    }

    /// The grammar; generic trees have none.
    pub fn grammar(&self) -> Option<&Arc<Grammar>> {
        self.inner.grammar.as_ref()
    }

    /// How much of the text follows the grammar. That is not counted for files that were parsed in pieces.
    pub fn shape(&self) -> Shape {
        self.inner.shape
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.inner.nodes.len()
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// All nodes in text order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.inner.nodes.len() as u32).map(NodeId)
    }

    /// What a node is.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind()
    }

    /// The symbol of a rule or a token; lists, optionals, groups and anonymous tokens have none.
    pub fn symbol(&self, node: NodeId) -> Option<SymbolId> {
        self.node(node).symbol()
    }

    /// The part of the grammar that the node's place expects.
    pub fn slot(&self, node: NodeId) -> Option<PartId> {
        self.node(node).slot()
    }

    /// The node above.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.node(node).link;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The nodes directly below, separators included.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.end(node).0;
        let first = (node.0 + 1 < end).then_some(NodeId(node.0 + 1));
        std::iter::successors(first, move |&child| Some(self.end(child)).filter(|next| next.0 < end))
    }

    /// The elements of a list, without separators.
    pub fn elements(&self, list: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let step = if matches!(self.kind(list), Kind::List { separated: true, .. }) { 2 } else { 1 };
        self.children(list).step_by(step)
    }

    /// All nodes below, in text order.
    pub fn descendants(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        (node.0 + 1..self.end(node).0).map(NodeId)
    }

    /// Whether `inner` is below `outer`, or the same.
    pub fn is_within(&self, inner: NodeId, outer: NodeId) -> bool {
        outer <= inner && inner < self.end(outer)
    }

    /// The tokens of a sub-tree that the parser shows, in text order.
    pub fn tokens(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let shown = |&id: &NodeId| matches!(self.kind(id), Kind::Token { silent: false, .. });
        (node.0..self.end(node).0).map(NodeId).filter(shown)
    }

    /// How many tokens a sub-tree has.
    pub fn token_count(&self, node: NodeId) -> usize {
        self.tokens(node).count()
    }

    /// A token's text; empty for other nodes.
    pub fn token_text(&self, node: NodeId) -> &[u8] {
        &self.inner.text[self.token_range(node)]
    }

    /// Where a token's text is.
    pub fn token_range(&self, node: NodeId) -> Range<usize> {
        let node = self.node(node);
        node.start() as usize..node.end as usize
    }

    /// The whitespace and comments before a token; empty for other nodes.
    pub fn whitespace(&self, node: NodeId) -> &[u8] {
        &self.inner.text[self.gap(node)]
    }

    /// The ranges of whitespace and comments: before each token, and after the last one.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let tokens = self.nodes().filter(|&node| self.is_token(node));
        tokens.map(|token| self.gap(token)).chain(std::iter::once(self.tail()))
    }

    /// Where the whitespace and comments after the last token are.
    pub(crate) fn tail(&self) -> Range<usize> {
        self.inner.nodes.last().map_or(0, |last| last.end as usize)..self.text().len()
    }

    /// Where the whitespace and comments before a token are; empty for other nodes.
    pub(crate) fn gap(&self, node: NodeId) -> Range<usize> {
        let before = node.index().checked_sub(1).map_or(0, |before| self.inner.nodes[before].end);
        before as usize..self.node(node).start() as usize
    }

    #[inline]
    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.inner.nodes[node.0 as usize]
    }

    /// The first node after the sub-tree.
    #[inline]
    pub(crate) fn end(&self, node: NodeId) -> NodeId {
        NodeId(node.0 + self.node(node).size())
    }

    /// Whether a node is a token, shown or silent.
    #[inline]
    pub(crate) fn is_token(&self, node: NodeId) -> bool {
        self.node(node).is_token()
    }

    /// Where the text of a sub-tree's tokens begins and ends; empty if there are none.
    pub(crate) fn span(&self, node: NodeId) -> Range<usize> {
        let mut tokens = self.inner.nodes[node.index()..self.end(node).index()].iter().filter(|node| node.is_token());
        let first = tokens.next();
        let last = tokens.next_back().or(first);
        first.zip(last).map_or(0..0, |(first, last)| first.start() as usize..last.end as usize)
    }

    /// The first token of a sub-tree, silent ones included.
    pub(crate) fn first_token(&self, node: NodeId) -> Option<NodeId> {
        (node.0..self.end(node).0).map(NodeId).find(|&id| self.is_token(id))
    }
}
