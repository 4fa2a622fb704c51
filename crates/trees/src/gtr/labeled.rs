//! [`Labeled`]: labeled ordered trees (Herfert, Patra and Pradel, definition 3.1).
//!
//! A node's label is its grammar symbol, or the text of a token that has none. An edge's label is the field's name, or
//! else what the place expects. Lists, optionals and groups are nodes too, but have no label. The *parts* of a node are
//! its children in the sense of the paper: nodes without a label are skipped, and a list is one edge repeated. Nodes
//! are numbered as in the tree that they come from.

use std::rc::Rc;

use crate::{Edit, Edits, NodeId};

/// A label of a node or an edge. The same name is the same allocation within one [`Labeler`](super::Labeler).
pub type Name = Rc<str>;

/// A labeled ordered tree.
#[derive(Clone, Debug, Default)]
pub struct Labeled {
    pub(super) nodes: Vec<Item>,
    /// Whether all text is in tokens that are nodes, as it is unless a tree is abstract.
    pub(super) is_concrete: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) label: Option<Name>,
    pub(super) edge: Option<Name>,
    pub(super) parent: Option<NodeId>,
    pub(super) size: u32,
    pub(super) is_list: bool,
    pub(super) role: Role,
}

/// What a node is to the list around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Single,
    Element,
    Separator,
}

/// What is in a place of a tree after edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The place: edits there are edits of this node.
    pub place: NodeId,
    /// The node that is there: the place itself, or a node that was hoisted to it.
    pub node: NodeId,
}

impl Standing {
    /// A node in its own place.
    pub fn own(node: NodeId) -> Self {
        Self { place: node, node }
    }

    /// What is in a place after edits, if anything is left there.
    pub fn after(edits: &Edits, place: NodeId) -> Option<Self> {
        match edits.get(place) {
            None | Some(Edit::Smallest | Edit::Zero | Edit::Dissolve) => Some(Self::own(place)),
            Some(Edit::Hoist(node) | Edit::Copy(node)) => Some(Self { place, node }),
            Some(Edit::Drop | Edit::Delete) => None,
        }
    }
}

impl Labeled {
    /// All nodes, each before what is below it.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// How many nodes there are below a node, itself included.
    pub fn size(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].size
    }

    /// How many edges lead from the root to the farthest leaf.
    pub fn depth(&self) -> usize {
        self.distances().into_iter().max().unwrap_or(0)
    }

    /// The nodes that are so many edges away from the root.
    pub fn level(&self, distance: usize) -> Vec<NodeId> {
        let distances = self.distances().into_iter().enumerate();
        distances.filter(|entry| entry.1 == distance).map(|(index, _)| NodeId(index as u32)).collect()
    }

    /// The label of a node; lists, optionals and groups have none.
    pub fn label(&self, node: NodeId) -> Option<&Name> {
        self.nodes[node.index()].label.as_ref()
    }

    /// The label of the edge to a node, where its place is known.
    pub fn edge(&self, node: NodeId) -> Option<&Name> {
        self.nodes[node.index()].edge.as_ref()
    }

    /// The nodes directly below.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = node.0 + self.size(node);
        let existing = move |id: u32| (id < end).then_some(NodeId(id));
        std::iter::successors(existing(node.0 + 1), move |&child| existing(child.0 + self.size(child)))
    }

    /// Whether nodes have labels at all: without a grammar, they have none.
    pub fn has_labels(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.label.is_some())
    }

    /// Whether a node is a list.
    pub fn is_list(&self, node: NodeId) -> bool {
        self.nodes[node.index()].is_list
    }

    /// Whether a node has a single child, and so the same text.
    pub fn is_wrapper(&self, node: NodeId) -> bool {
        let mut children = self.children(node);
        self.is_concrete && children.next().is_some() && children.next().is_none()
    }

    /// Whether the rule of a node says which place each child has.
    pub fn is_understood(&self, node: NodeId) -> bool {
        self.children(node).all(|child| self.label(child).is_some() || self.edge(child).is_some())
    }

    /// Whether a node is an element of a list, or the whole text, which may be anything.
    pub fn is_element(&self, node: NodeId) -> bool {
        let item = &self.nodes[node.index()];
        item.role == Role::Element || item.parent.is_none()
    }

    /// Whether a node is a separator.
    pub fn is_separator(&self, node: NodeId) -> bool {
        self.nodes[node.index()].role == Role::Separator
    }

    /// The labeled nodes directly below a node after edits, reached through nodes without a label.
    pub fn parts(&self, node: NodeId, edits: &Edits) -> Vec<Standing> {
        let mut parts = Vec::new();
        let below = |node: NodeId| {
            let left = self.children(node).filter_map(|child| Standing::after(edits, child));
            let mut children: Vec<Standing> = left.collect();
            children.reverse();
            children
        };
        let mut left = below(node);
        while let Some(standing) = left.pop() {
            match self.label(standing.node) {
                Some(_) => parts.push(standing),
                None => left.extend(below(standing.node)),
            }
        }
        parts
    }

    /// The node itself, or its parts if it has no label.
    pub fn labeled(&self, standing: Standing, edits: &Edits) -> Vec<Standing> {
        if self.label(standing.node).is_some() { vec![standing] } else { self.parts(standing.node, edits) }
    }

    fn distances(&self) -> Vec<usize> {
        let mut distances: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for item in &self.nodes {
            distances.push(item.parent.map_or(0, |parent| distances[parent.index()] + 1));
        }
        distances
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A tree from a notation: `IfStmt(test:UnaryExpr(operator:! argument:Identifier(name:c)))`.
    pub(crate) fn labeled(notation: &str) -> Labeled {
        let mut tree = Labeled::default();
        let mut open: Vec<NodeId> = Vec::new();
        let mut last = None;
        for word in notation.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
            match word {
                "(" => open.extend(last),
                ")" => drop(open.pop()),
                _ => {
                    let (edge, label) = word.split_once(':').map_or((None, word), |(edge, label)| (Some(edge), label));
                    let (label, edge) = (Some(label.into()), edge.map(Name::from));
                    last = Some(NodeId(tree.nodes.len() as u32));
                    open.iter().for_each(|above| tree.nodes[above.index()].size += 1);
                    let parent = open.last().copied();
                    tree.nodes.push(Item { label, edge, parent, size: 1, is_list: false, role: Role::Single });
                }
            }
        }
        tree
    }

    /// The running example, figure 1 of the paper.
    pub(crate) const FIGURE_1: &str = "IfStmt(
        test:UnaryExpr(operator:! argument:Identifier(name:c))
        cons:BlockStmt(body:VarDecls(declarations:VarDecl(id:Identifier(name:a) init:Literal(value:5))))
        alt:BlockStmt(body:ExprStmt(expression:CallExpr(callee:Identifier(name:isNaN) arguments:Literal(value:2)))))";
}

#[cfg(test)]
mod tests {
    use super::super::labeler::Labeler;
    use super::testing::{FIGURE_1, labeled};
    use super::*;
    use crate::reduce::testing::syntax;

    #[test]
    fn the_running_example_has_size_19_and_depth_5() {
        let tree = labeled(FIGURE_1);
        let root = NodeId(0);
        assert_eq!((tree.size(root), tree.depth()), (19, 5));
        assert_eq!(tree.level(0), [root]);
        assert_eq!(tree.level(1), tree.children(root).collect::<Vec<_>>());
        assert_eq!(tree.level(1).iter().map(|&node| tree.size(node)).collect::<Vec<_>>(), [4, 7, 7]);
        assert_eq!(tree.edge(tree.level(1)[0]).map(|edge| &**edge), Some("test"));
    }

    #[test]
    fn parts_are_what_is_left_below_through_nodes_without_a_label() {
        let source = syntax("javascript").tree("f(1, x);");
        let tree = Labeler::default().label(&source);
        let find = |label: &str| source.nodes().find(|&node| tree.label(node).is_some_and(|name| **name == *label));
        let (arguments, number) = (find("arguments").unwrap(), find("number").unwrap());
        let labels = |edits: &Edits| {
            let parts = tree.parts(arguments, edits);
            parts.iter().map(|part| tree.label(part.node).unwrap().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(labels(&Edits::new()), ["'('", "number", "','", "identifier", "')'"]);
        assert_eq!(labels(&Edits::from_iter([(number, Edit::Drop)])), ["'('", "','", "identifier", "')'"]);
        assert!(tree.is_element(number) && tree.is_separator(tree.parts(arguments, &Edits::new())[2].node));
    }
}
