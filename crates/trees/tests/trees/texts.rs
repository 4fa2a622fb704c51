//! Nodes by their texts, and what edits of them leave.

use crate::parse;
use whittle_trees::{Edit, Kind, NodeId, Tree};

/// The largest node whose text, from its first token to its last, is this.
pub(crate) fn find_outer(tree: &Tree, text: &str) -> NodeId {
    let matches = |&node: &NodeId| covered(tree, node) == text.as_bytes();
    tree.nodes().find(matches).unwrap_or_else(|| panic!("no node {text:?} in\n{tree}"))
}

/// The text of a node from its first token to its last.
pub(crate) fn covered(tree: &Tree, node: NodeId) -> Vec<u8> {
    let mut text = Vec::new();
    for inner in std::iter::once(node).chain(tree.descendants(node)) {
        if matches!(tree.kind(inner), Kind::Token { .. }) {
            if !text.is_empty() {
                text.extend_from_slice(tree.whitespace(inner));
            }
            text.extend_from_slice(tree.token_text(inner));
        }
    }
    text
}

/// The element, the optional or the separated item with this text.
fn find_deletable(tree: &Tree, text: &str) -> NodeId {
    let is_deletable = |node: NodeId| {
        let above = tree.parent(node).map(|parent| tree.kind(parent));
        matches!(tree.kind(node), Kind::Optional) || matches!(above, Some(Kind::List { .. }))
    };
    let found = tree.nodes().find(|&node| is_deletable(node) && covered(tree, node) == text.as_bytes());
    found.unwrap_or_else(|| panic!("nothing to delete with the text {text:?} in\n{tree}"))
}

/// What is left of a text without the elements and optionals that have these texts.
pub(crate) fn without(language: &str, text: &str, deleted: &[&str]) -> String {
    let tree = parse(language, text);
    let edits: Vec<_> = deleted.iter().map(|text| (find_deletable(&tree, text), Edit::Delete)).collect();
    after(&tree, &edits)
}

/// What is left of a text when what has the text `inner` takes the place of what has the text `outer`.
pub(crate) fn hoisted(language: &str, text: &str, outer: &str, inner: &str) -> String {
    let tree = parse(language, text);
    let (outer, inner) = find_pair(&tree, outer, inner, |outer, inner| tree.can_hoist(inner, outer));
    after(&tree, &[(outer, Edit::Hoist(inner))])
}

/// The first two nodes with these texts that go together.
pub(crate) fn find_pair(
    tree: &Tree,
    outer: &str,
    inner: &str,
    fits: impl Fn(NodeId, NodeId) -> bool,
) -> (NodeId, NodeId) {
    let all = |text: &str| tree.nodes().filter(|&node| covered(tree, node) == text.as_bytes()).collect::<Vec<_>>();
    let inners = all(inner);
    let mut pairs = all(outer).into_iter().flat_map(|outer| inners.iter().map(move |&inner| (outer, inner)));
    let fitting = pairs.find(|&(outer, inner)| fits(outer, inner));
    fitting.unwrap_or_else(|| panic!("{inner:?} does not fit {outer:?} in\n{tree}"))
}

/// What these edits leave.
pub(crate) fn after(tree: &Tree, edits: &[(NodeId, Edit)]) -> String {
    String::from_utf8(tree.unparse(&edits.iter().copied().collect())).expect("it was text")
}
