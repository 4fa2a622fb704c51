//! [`Edits`]: changes of a tree, as data; the tree itself stays as it is.

use std::ops::Range;

use crate::NodeId;

/// A change of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Deletes an element of a list or an optional, with the separator or whatever else the rule ties to it.
    Delete,
    /// Deletes the node and nothing else: its separator stays, even if the syntax needs the node.
    Drop,
    /// Replaces the node by one of its descendants. A list that takes the place of another list's element is spliced.
    Hoist(NodeId),
    /// Replaces the node by a copy of a node from elsewhere. Edits within the copied node have no effect on the copy,
    /// except copies of unedited nodes.
    Copy(NodeId),
    /// Replaces an element of a list by the elements of all lists in it that suit its place: the bodies of a statement.
    Dissolve,
    /// Replaces the node by the smallest sentence that its place accepts.
    Smallest,
    /// Replaces the node by the number zero, which is a value in nearly every language. The parser says where it fits.
    Zero,
}

/// A set of changes. An edit inside a deleted node, or outside of a hoisted one, has no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// In ascending order of nodes.
    edits: Vec<(NodeId, Edit)>,
}

impl Edits {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a change; an earlier one of the same node is replaced.
    pub fn insert(&mut self, node: NodeId, edit: Edit) {
        match self.edits.binary_search_by_key(&node, |entry| entry.0) {
            Ok(index) => self.edits[index].1 = edit,
            Err(index) => self.edits.insert(index, (node, edit)),
        }
    }

    /// The change of a node.
    pub fn get(&self, node: NodeId) -> Option<Edit> {
        self.edits.binary_search_by_key(&node, |entry| entry.0).ok().map(|index| self.edits[index].1)
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// All changes in text order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (NodeId, Edit)> + '_ {
        self.edits.iter().copied()
    }

    /// The first node that changes, from `node` on.
    pub(crate) fn first_from(&self, node: NodeId) -> Option<NodeId> {
        self.edits.get(self.edits.partition_point(|entry| entry.0 < node)).map(|entry| entry.0)
    }

    /// Whether one of these nodes changes.
    pub(crate) fn any_in(&self, nodes: Range<NodeId>) -> bool {
        self.within(nodes).next().is_some()
    }

    /// The changes of these nodes.
    pub(crate) fn within(&self, nodes: Range<NodeId>) -> impl Iterator<Item = (NodeId, Edit)> + '_ {
        let first = self.edits.partition_point(|entry| entry.0 < nodes.start);
        self.edits[first..].iter().copied().take_while(move |entry| entry.0 < nodes.end)
    }
}

impl FromIterator<(NodeId, Edit)> for Edits {
    fn from_iter<I: IntoIterator<Item = (NodeId, Edit)>>(edits: I) -> Self {
        let mut edits: Vec<_> = edits.into_iter().collect();
        // Of several edits of one node the last one counts, as it does with `insert`.
        edits.reverse();
        edits.sort_by_key(|entry| entry.0);
        edits.dedup_by_key(|entry| entry.0);
        Self { edits }
    }
}
