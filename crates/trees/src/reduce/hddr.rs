//! Recursive hierarchical delta debugging (Kiss, Hodován and Gyimóthy): a list minimizer chooses among the children of
//! one node at a time, depth-first or breadth-first.
//!
//! As in [`hdd`](super::hdd), the grammar is not used. A node's children are one list however many other nodes their
//! level has, so lists are short, and nodes that depend on each other are more often in the same one.
//!
//! Promise: as `hdd`, at the fixpoint no single node can be deleted. Cost: that of the minimizer for each node.

use std::collections::VecDeque;

use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};

use super::hdd::with_tokens;
use super::workpiece::{EditList, TreeOptions, Workshop};
use crate::Edit;

/// Which node comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first child of the node that was just minimized.
    DepthFirst,
    /// The one that has waited longest.
    BreadthFirst,
}

/// One pass over all nodes of the best candidate.
pub(crate) fn hddr(
    search: &mut Search,
    workshop: &Workshop,
    options: &TreeOptions,
    order: Order,
    algorithm: Algorithm,
) -> Result<(), Stop> {
    let mut piece = workshop.take(search).with_listener(options);
    let root = with_tokens(&piece, [piece.tree().root()]);
    let mut waiting = VecDeque::from(piece.minimize(search, EditList::of(root, Edit::Drop), algorithm)?);
    while let Some(node) = waiting.pop_front() {
        let children = with_tokens(&piece, piece.tree().children(node));
        if children.is_empty() {
            continue;
        }
        let left = piece.minimize(search, EditList::of(children, Edit::Drop), algorithm)?;
        match order {
            Order::DepthFirst => left.into_iter().rev().for_each(|child| waiting.push_front(child)),
            Order::BreadthFirst => waiting.extend(left),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use whittle_lists::Complements;

    /// What is tested in a text of which nothing can go.
    fn tests_in(order: Order) -> Vec<String> {
        let onemin = Algorithm::Onemin(Complements::default());
        let input = "(a b)(c)";
        tests_of(
            input,
            move |text| text == input,
            |search| hddr(search, &Workshop::default(), &TreeOptions::default(), order, onemin),
        )
    }

    /// Everything, and each of the two groups; what is last in a list goes first.
    const GROUPS: [&str; 3] = ["", "(a b)", "(c)"];
    /// The three parts of the first group, and those of the second.
    const FIRST: [&str; 3] = ["(a b(c)", "()(c)", "a b)(c)"];
    const SECOND: [&str; 3] = ["(a b)(c", "(a b)()", "(a b)c)"];
    /// What is in the first group. In the second there is one word, and its text is that of the list around it.
    const INNER: [&str; 2] = ["(a)(c)", "(b)(c)"];

    #[test]
    fn depth_first_ends_with_a_node_before_its_sibling_begins() {
        assert_eq!(tests_in(Order::DepthFirst), [&GROUPS[..], &FIRST, &INNER, &SECOND].concat());
    }

    #[test]
    fn breadth_first_ends_with_a_level_before_the_next_begins() {
        assert_eq!(tests_in(Order::BreadthFirst), [&GROUPS[..], &FIRST, &SECOND, &INNER].concat());
    }
}
