//! The substitute-by-child template (algorithm 2): a node is replaced by one of its children.
//!
//! In the trees of the paper a list is one edge repeated; here it is a node without a label. It can replace a node like
//! any other child, and if the node is no list element, so can each of its elements. (If it is one, the list is within
//! a list, and elements can be deleted from there.) Optionals and groups are looked into likewise, and so are nodes
//! with a single child, as Python's blocks: both have the same text, and a filter may let only one of them through.
//! Lists, optionals and groups, which the paper's trees do not have, are not substituted themselves: deletion of their
//! parts does as much.

use super::labeled::Labeled;
use super::template::{Change, Manner, Template};
use crate::NodeId;

pub(super) struct SubstituteByChild;

impl Template for SubstituteByChild {
    fn name(&self) -> &'static str {
        "substitute-by-child"
    }

    fn manner(&self) -> Manner {
        Manner::Many
    }

    fn candidates(&self, tree: &Labeled, node: NodeId) -> Vec<Change> {
        substitutes(tree, node).into_iter().map(Change::Substitute).collect()
    }
}

/// What counts as a child of a node.
pub(super) fn substitutes(tree: &Labeled, node: NodeId) -> Vec<NodeId> {
    let is_node = if tree.has_labels() { tree.label(node).is_some() } else { !tree.is_list(node) };
    let children = tree.children(node).filter(|_| is_node);
    children.flat_map(|child| with_parts(tree, child, tree.is_element(node))).collect()
}

/// A child, and what is in it if it has no label.
fn with_parts(tree: &Labeled, child: NodeId, lists_stay_whole: bool) -> Vec<NodeId> {
    let stays_whole = lists_stay_whole && tree.is_list(child);
    if !tree.has_labels() || stays_whole || tree.label(child).is_some() && !tree.is_wrapper(child) {
        return vec![child];
    }
    let inner = tree.children(child).filter(|&inner| !tree.is_separator(inner));
    let parts: Vec<NodeId> = inner.flat_map(|inner| with_parts(tree, inner, lists_stay_whole)).collect();
    // A filter would say the same of a node without a label and of all that is in it.
    let is_needless = tree.label(child).is_none() && parts.len() == 1;
    if is_needless { parts } else { [vec![child], parts].concat() }
}

#[cfg(test)]
mod tests {
    use super::super::labeled::testing::{FIGURE_1, labeled};
    use super::super::labeler::Labeler;
    use super::*;
    use crate::reduce::testing::syntax;

    #[test]
    fn the_candidates_for_the_running_example_have_sizes_4_7_and_7() {
        let tree = labeled(FIGURE_1);
        let sizes: Vec<u32> = substitutes(&tree, NodeId(0)).into_iter().map(|node| tree.size(node)).collect();
        assert_eq!(sizes, [4, 7, 7]);
    }

    /// The texts of the candidates for the first node of a label.
    fn candidates(text: &str, label: &str) -> Vec<String> {
        candidates_in("javascript", text, label)
    }

    fn candidates_in(language: &str, text: &str, label: &str) -> Vec<String> {
        let source = syntax(language).tree(text);
        let tree = Labeler::default().label(&source);
        let node = source.nodes().find(|&node| tree.label(node).is_some_and(|name| **name == *label)).unwrap();
        let text = |node| source.tokens(node).flat_map(|token| source.token_text(token).to_vec()).collect();
        substitutes(&tree, node).into_iter().map(|node| String::from_utf8(text(node)).unwrap()).collect()
    }

    #[test]
    fn a_list_takes_the_place_of_an_element_whole() {
        assert_eq!(candidates("{ a; b; }", "statement_block"), ["{", "a;b;", "}"]);
    }

    #[test]
    fn elsewhere_its_elements_are_candidates_too() {
        assert_eq!(candidates("x = [a, b];", "array"), ["[", "a,b", "a", "b", "]"]);
        assert_eq!(candidates("x = [a];", "array"), ["[", "a", "]"]);
    }

    #[test]
    fn what_is_all_that_a_child_holds_is_a_candidate_too() {
        let found = candidates_in("python", "if a:\n    b()\n    c()\n", "if_statement");
        assert_eq!(found, ["if", "a", ":", "b()c()", "b()c()"]);
    }
}
