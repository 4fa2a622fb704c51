//! [`ParserTree`]: the tree that a parser made of a text, whichever parser it was, and how to walk it.
//!
//! There are two kinds of parsers: those that tree-sitter generated, and those of grammars that are read at run time. The
//! tree of the latter shows every token and has no fields; hidden tokens, which are whitespace and comments, are not in it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use whittle_parsing::{NodeId, NodeKind, ParseTree, RunTimeGrammar};

/// The tree that a parser made of a text.
#[derive(Clone, Debug)]
pub enum ParserTree {
    /// By a parser that tree-sitter generated.
    TreeSitter(tree_sitter::Tree),
    /// By a grammar that was read at run time.
    RunTime(RunTimeTree),
}

impl From<tree_sitter::Tree> for ParserTree {
    fn from(tree: tree_sitter::Tree) -> Self {
        Self::TreeSitter(tree)
    }
}

/// A tree by a grammar that was read at run time.
#[derive(Clone, Debug)]
pub struct RunTimeTree {
    kinds: Arc<Kinds>,
    tree: Arc<ParseTree>,
}

/// The kinds of nodes that a grammar which was read at run time has, by number.
pub(crate) struct Kinds {
    /// Each with its name, and whether that is a name rather than a text.
    labels: Vec<(String, bool)>,
    tokens: u16,
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kinds").field(&self.labels.len()).finish()
    }
}

impl Kinds {
    pub(crate) fn of(grammar: &RunTimeGrammar) -> Self {
        let tokens = grammar.vocabulary().types().map(NodeKind::Token);
        let rules = (0..grammar.description().syntax.len() as u16).map(NodeKind::Rule);
        let labels = tokens.chain(rules).map(|kind| grammar.label(kind)).collect();
        Self { labels, tokens: grammar.vocabulary().len() as u16 }
    }

    /// The number of a kind.
    fn id(&self, kind: NodeKind) -> u16 {
        match kind {
            NodeKind::Token(token) => token.0,
            NodeKind::Rule(rule) => self.tokens + rule,
            NodeKind::Error => u16::MAX,
        }
    }

    pub(crate) fn labels(&self) -> &[(String, bool)] {
        &self.labels
    }
}

impl RunTimeTree {
    pub(crate) fn new(kinds: &Arc<Kinds>, tree: ParseTree) -> Self {
        Self { kinds: Arc::clone(kinds), tree: Arc::new(tree) }
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    pub(crate) fn errors(&self) -> u64 {
        self.tree.errors()
    }
}

impl ParserTree {
    /// The node of the whole text.
    pub(crate) fn root_node(&self) -> Node<'_> {
        match self {
            Self::TreeSitter(tree) => Node::TreeSitter(tree.root_node()),
            Self::RunTime(tree) => Node::RunTime(tree, tree.tree.root()),
        }
    }

    /// A cursor at the root.
    pub(crate) fn walk(&self) -> Cursor<'_> {
        match self {
            Self::TreeSitter(tree) => Cursor::TreeSitter(tree.walk()),
            Self::RunTime(tree) => Cursor::RunTime { tree, top: tree.tree.root(), path: Vec::new() },
        }
    }
}

/// A node of a parser's tree.
#[derive(Clone, Copy)]
pub(crate) enum Node<'t> {
    TreeSitter(tree_sitter::Node<'t>),
    RunTime(&'t RunTimeTree, NodeId),
}

impl<'t> Node<'t> {
    pub(crate) fn byte_range(&self) -> Range<usize> {
        match self {
            Self::TreeSitter(node) => node.byte_range(),
            Self::RunTime(tree, node) => tree.tree.span(*node),
        }
    }

    pub(crate) fn start_byte(&self) -> usize {
        self.byte_range().start
    }

    pub(crate) fn end_byte(&self) -> usize {
        self.byte_range().end
    }

    pub(crate) fn child_count(&self) -> usize {
        match self {
            Self::TreeSitter(node) => node.child_count() as usize,
            Self::RunTime(tree, node) => tree.tree.children(*node).len(),
        }
    }

    /// Whether it is what the parser skipped.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Self::TreeSitter(node) => node.is_error(),
            Self::RunTime(tree, node) => tree.tree.kind(*node) == NodeKind::Error,
        }
    }

    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::TreeSitter(node) if node.is_missing())
    }

    pub(crate) fn is_extra(&self) -> bool {
        matches!(self, Self::TreeSitter(node) if node.is_extra())
    }

    /// Whether there may be an error in it.
    pub(crate) fn has_error(&self) -> bool {
        match self {
            Self::TreeSitter(node) => node.has_error(),
            Self::RunTime(tree, _) => tree.errors() > 0,
        }
    }

    /// The number of its kind, aliases applied.
    pub(crate) fn kind_id(&self) -> u16 {
        match self {
            Self::TreeSitter(node) => node.kind_id(),
            Self::RunTime(tree, node) => tree.kinds.id(tree.tree.kind(*node)),
        }
    }

    /// The number of its kind before aliasing.
    pub(crate) fn grammar_id(&self) -> u16 {
        match self {
            Self::TreeSitter(node) => node.grammar_id(),
            Self::RunTime(..) => self.kind_id(),
        }
    }

    fn label(&self) -> Option<&'t (String, bool)> {
        match self {
            Self::TreeSitter(_) => None,
            Self::RunTime(tree, _) => tree.kinds.labels.get(usize::from(self.kind_id())),
        }
    }

    pub(crate) fn kind(&self) -> &'t str {
        match self {
            Self::TreeSitter(node) => node.kind(),
            Self::RunTime(..) => self.label().map_or("ERROR", |label| label.0.as_str()),
        }
    }

    /// Its kind before aliasing.
    pub(crate) fn grammar_name(&self) -> &'t str {
        match self {
            Self::TreeSitter(node) => node.grammar_name(),
            Self::RunTime(..) => self.kind(),
        }
    }

    pub(crate) fn is_named(&self) -> bool {
        match self {
            Self::TreeSitter(node) => node.is_named(),
            Self::RunTime(..) => self.label().is_none_or(|label| label.1),
        }
    }
}

/// A place in a parser's tree.
pub(crate) enum Cursor<'t> {
    TreeSitter(tree_sitter::TreeCursor<'t>),
    RunTime {
        tree: &'t RunTimeTree,
        /// The node that the walk cannot leave.
        top: NodeId,
        /// The nodes between that and the current one, each with the number of the child that is next.
        path: Vec<(NodeId, usize)>,
    },
}

impl<'t> Cursor<'t> {
    pub(crate) fn node(&self) -> Node<'t> {
        match self {
            Self::TreeSitter(cursor) => Node::TreeSitter(cursor.node()),
            Self::RunTime { tree, top, path } => {
                let node = path.last().map_or(*top, |&(parent, child)| tree.tree.children(parent)[child]);
                Node::RunTime(tree, node)
            }
        }
    }

    pub(crate) fn goto_first_child(&mut self) -> bool {
        if let Self::TreeSitter(cursor) = self {
            return cursor.goto_first_child();
        }
        let Node::RunTime(tree, node) = self.node() else { return false };
        let Self::RunTime { path, .. } = self else { return false };
        let has_children = !tree.tree.children(node).is_empty();
        if has_children {
            path.push((node, 0));
        }
        has_children
    }

    pub(crate) fn goto_next_sibling(&mut self) -> bool {
        match self {
            Self::TreeSitter(cursor) => cursor.goto_next_sibling(),
            Self::RunTime { tree, path, .. } => match path.last_mut() {
                Some((parent, child)) if *child + 1 < tree.tree.children(*parent).len() => {
                    *child += 1;
                    true
                }
                _ => false,
            },
        }
    }

    pub(crate) fn goto_parent(&mut self) -> bool {
        match self {
            Self::TreeSitter(cursor) => cursor.goto_parent(),
            Self::RunTime { path, .. } => path.pop().is_some(),
        }
    }

    /// Begins anew at a node of the same tree.
    pub(crate) fn reset(&mut self, node: Node<'t>) {
        match (self, node) {
            (Self::TreeSitter(cursor), Node::TreeSitter(node)) => cursor.reset(node),
            (Self::RunTime { top, path, .. }, Node::RunTime(_, node)) => {
                *top = node;
                path.clear();
            }
            // A walk never changes its tree.
            _ => {}
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        match self {
            Self::TreeSitter(cursor) => cursor.depth(),
            Self::RunTime { path, .. } => path.len() as u32,
        }
    }

    /// The number of the current node's role in its parent.
    pub(crate) fn field_id(&self) -> Option<u16> {
        match self {
            Self::TreeSitter(cursor) => cursor.field_id().map(std::num::NonZero::get),
            Self::RunTime { .. } => None,
        }
    }

    pub(crate) fn field_name(&self) -> Option<&'t str> {
        match self {
            Self::TreeSitter(cursor) => cursor.field_name(),
            Self::RunTime { .. } => None,
        }
    }
}
