//! [`Backtrack`]: the backtracking search over the nodes of a level (algorithm 5), as a [`Proposer`].
//!
//! Each node has candidates for its place, and the *configuration* says which of them is chosen. Every candidate
//! smaller than the current choice is tried, node after node, and is kept if that is interesting; otherwise the search
//! returns to the configuration before. This is repeated until nothing has improved since the same node was last tried:
//! a gain at a later node may allow more at an earlier one. The result is the final configuration. (The published
//! listing returns the tree that was tested last, which need not be interesting.)

use std::sync::Arc;

use whittle_search::Proposer;

use crate::{Edit, NodeId};

/// A node, and its candidates.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The place, and the size of the node that is there at the start.
    pub(super) place: NodeId,
    pub(super) size: u32,
    /// The nodes that may replace it, with their sizes.
    pub(super) candidates: Vec<(NodeId, u32)>,
}

/// The state of the search.
#[derive(Clone, Debug)]
pub(super) struct Backtrack {
    choices: Arc<Vec<Choice>>,
    /// Which candidate is chosen for each place; `None`: the node that was there at the start.
    configuration: Vec<Option<usize>>,
    node: usize,
    candidate: usize,
    /// How many nodes are left until all have been tried since the last improvement.
    nodes_left: usize,
    is_over: bool,
}

impl Backtrack {
    pub(super) fn new(choices: Vec<Choice>) -> Self {
        let mut new = Self {
            configuration: vec![None; choices.len()],
            node: 0,
            candidate: 0,
            nodes_left: choices.len().saturating_sub(1),
            is_over: choices.is_empty(),
            choices: Arc::new(choices),
        };
        new.settle();
        new
    }

    /// The chosen candidates: places and nodes.
    pub(super) fn configuration(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let chosen = self.choices.iter().zip(&self.configuration);
        chosen.filter_map(|(choice, chosen)| Some((choice.place, choice.candidates[(*chosen)?].0)))
    }

    /// Moves on to the next candidate that is smaller than the current choice for its place.
    fn settle(&mut self) {
        while !self.is_over {
            let choice = &self.choices[self.node];
            let current = self.configuration[self.node].map_or(choice.size, |chosen| choice.candidates[chosen].1);
            match choice.candidates.get(self.candidate) {
                Some(candidate) if candidate.1 < current => return,
                Some(_) => self.candidate += 1,
                None if self.nodes_left == 0 => self.is_over = true,
                None => {
                    (self.node, self.candidate) = ((self.node + 1) % self.choices.len(), 0);
                    self.nodes_left -= 1;
                }
            }
        }
    }
}

impl Proposer for Backtrack {
    type Proposal = Vec<(NodeId, Edit)>;

    fn propose(&self) -> Option<Self::Proposal> {
        let choice = self.choices.get(self.node).filter(|_| !self.is_over)?;
        let tried = (choice.place, choice.candidates[self.candidate].0);
        let hoist = |(place, node)| (place, Edit::Hoist(node));
        // Of two edits of one place the last counts.
        Some(self.configuration().chain([tried]).map(hoist).collect())
    }

    fn observe(&mut self, interesting: bool) {
        if interesting {
            self.configuration[self.node] = Some(self.candidate);
            self.nodes_left = self.choices.len() - 1;
        }
        self.candidate += 1;
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::super::labeled::Labeled;
    use super::super::labeled::testing::{FIGURE_1, labeled};
    use super::super::substitute_by_child::substitutes;
    use super::*;

    /// The choices that substitution by a child gives for some nodes.
    fn choices(tree: &Labeled, nodes: &[NodeId]) -> Vec<Choice> {
        let candidates = |node| substitutes(tree, node).into_iter().map(|child| (child, tree.size(child))).collect();
        nodes.iter().map(|&place| Choice { place, size: tree.size(place), candidates: candidates(place) }).collect()
    }

    /// Places and nodes.
    type Pairs = Vec<(u32, u32)>;

    /// Runs the search; returns the tested configurations and the final one.
    fn run(mut search: Backtrack, is_interesting: impl Fn(&[(NodeId, NodeId)]) -> bool) -> (Vec<Pairs>, Pairs) {
        let numbers = |pairs: &[(NodeId, NodeId)]| pairs.iter().map(|pair| (pair.0.0, pair.1.0)).collect::<Vec<_>>();
        let mut tested = Vec::new();
        while let Some(edits) = search.propose() {
            let edits: crate::Edits = edits.into_iter().collect();
            let pairs: Vec<(NodeId, NodeId)> = edits
                .iter()
                .filter_map(|(place, edit)| if let Edit::Hoist(node) = edit { Some((place, node)) } else { None })
                .collect();
            tested.push(numbers(&pairs));
            search.observe(is_interesting(&pairs));
        }
        let end: Vec<(NodeId, NodeId)> = search.configuration().collect();
        (tested, numbers(&end))
    }

    #[test]
    fn of_the_candidates_for_the_running_example_the_third_is_never_tested() {
        let tree = labeled(FIGURE_1);
        let [test, cons, _] = tree.level(1)[..] else { panic!("three children") };
        let search = Backtrack::new(choices(&tree, &[NodeId(0)]));
        let (tested, end) = run(search, |pairs| pairs == [(NodeId(0), cons)]);
        assert_eq!(tested, [[(0, test.0)], [(0, cons.0)]]);
        assert_eq!(end, [(0, cons.0)]);
    }

    #[test]
    fn a_chained_assignment_needs_the_second_iteration() {
        // a = b = 0; if (a) crash(b);
        let tree = labeled("Program(Assign(a Assign(b 0)) If(a Call(crash b)))");
        let [assign, condition] = tree.level(1)[..] else { panic!("two statements") };
        let [inner, call] = [assign, condition].map(|node| tree.children(node).nth(1).unwrap());
        // The call must stay, b must be set, and a must be set as long as it is asked for.
        let is_interesting = |pairs: &[(NodeId, NodeId)]| {
            let stands = |place: NodeId| pairs.iter().find(|pair| pair.0 == place).map(|pair| pair.1);
            matches!((stands(assign), stands(condition)), (None, None))
                || stands(condition) == Some(call) && stands(assign).is_none_or(|node| node == inner)
        };
        let (tested, end) = run(Backtrack::new(choices(&tree, &[assign, condition])), is_interesting);
        assert_eq!(end, [(assign.0, inner.0), (condition.0, call.0)]);
        let both = [(assign.0, inner.0), (condition.0, call.0)];
        let alone = [(assign.0, inner.0)];
        let position = |wanted: &[(u32, u32)]| tested.iter().position(|pairs| pairs == wanted).unwrap();
        let without_condition = position(&[(condition.0, call.0)]);
        assert!(position(&alone) < without_condition && without_condition < position(&both), "{tested:?}");
    }

    #[test]
    fn what_is_returned_is_the_final_configuration_and_not_what_was_tested_last() {
        let tree = labeled("A(B(b) C)");
        let larger = tree.children(NodeId(0)).next().unwrap();
        let (tested, end) = run(Backtrack::new(choices(&tree, &[NodeId(0)])), |pairs| pairs == [(NodeId(0), larger)]);
        assert_eq!(tested.last(), Some(&vec![(0, 3)]));
        assert_eq!(end, [(0, larger.0)]);
    }

    #[test]
    fn nothing_is_proposed_where_nothing_is_smaller() {
        assert_eq!(Backtrack::new(Vec::new()).propose(), None);
        let equal = Choice { place: NodeId(0), size: 1, candidates: vec![(NodeId(1), 1)] };
        assert_eq!(Backtrack::new(vec![equal]).propose(), None);
    }
}
