//! Hierarchical delta debugging (Misherghi and Su): a list minimizer chooses among the nodes of one level of the tree
//! after the other, from the root down.
//!
//! Punctuation is part of a level like everything else, nothing is replaced, and the grammar is not used, so candidates
//! may have syntax errors. Repeated to its fixpoint (`hdd*`), the result is 1-tree-minimal: no
//! single node of its tree can be deleted.

use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};

use super::workpiece::{EditList, TreeOptions, Workpiece, Workshop};
use crate::{Edit, NodeId};

/// One pass over all levels of the best candidate.
pub(crate) fn hdd(
    search: &mut Search,
    workshop: &Workshop,
    options: &TreeOptions,
    algorithm: Algorithm,
) -> Result<(), Stop> {
    let mut piece = workshop.take(search).with_listener(options);
    let mut level = with_tokens(&piece, [piece.tree().root()]);
    while !level.is_empty() {
        let left = piece.minimize(search, EditList::of(level, Edit::Drop), algorithm)?;
        level = with_tokens(&piece, left.into_iter().flat_map(|node| piece.tree().children(node)));
    }
    Ok(())
}

/// The nodes among these that have a text: without the others, nothing would change.
pub(crate) fn with_tokens(piece: &Workpiece<'_>, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    nodes.into_iter().filter(|&node| piece.tokens(node) > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use whittle_lists::Complements;

    #[test]
    fn the_nodes_of_a_level_are_one_list_whatever_node_they_belong_to() {
        let onemin = Algorithm::Onemin(Complements::default());
        let input = "(a)(b)";
        let tests = tests_of(
            input,
            move |text| text == input,
            |search| hdd(search, &Workshop::default(), &TreeOptions::default(), onemin),
        );
        // Everything, each group, each part of any group, and what is in both of them; the last of a list goes first.
        let parts = ["(a)(b", "(a)()", "(a)b)", "(a(b)", "()(b)", "a)(b)"];
        assert_eq!(tests, [&["", "(a)", "(b)"][..], &parts, &["()()"]].concat());
    }
}
