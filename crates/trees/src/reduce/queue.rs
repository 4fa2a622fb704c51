//! [`Queue`]: the nodes that a pass still has to visit, those with most tokens first, then in text order.
//!
//! A search that runs ahead keeps a clone for each of its proposals, so clones share what they have in common: sorted
//! batches, each with a cursor. A new batch takes in older ones of similar size, so there are O(log n) of them. Cost: a clone
//! and the next node take O(log n), a new node O(log n) on average.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::NodeId;

/// A node to visit and its place, which is another node if it was hoisted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Visit {
    tokens: u32,
    node: Reverse<NodeId>,
    place: NodeId,
}

impl Visit {
    pub(super) fn new(tokens: u32, node: NodeId, place: NodeId) -> Self {
        Self { tokens, node: Reverse(node), place }
    }
}

/// A priority queue of visits.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    batches: Vec<Batch>,
}

/// Visits in descending order, of which the first `next` are over. Never all of them.
#[derive(Clone, Debug)]
struct Batch {
    visits: Arc<Vec<Visit>>,
    next: usize,
}

impl Batch {
    fn rest(&self) -> &[Visit] {
        &self.visits[self.next..]
    }
}

impl Queue {
    /// The next node and its place.
    pub(super) fn pop(&mut self) -> Option<(NodeId, NodeId)> {
        let number = (0..self.batches.len()).max_by_key(|&number| self.batches[number].rest().first())?;
        let batch = &mut self.batches[number];
        let Visit { node: Reverse(node), place, .. } = batch.visits[batch.next];
        batch.next += 1;
        if batch.rest().is_empty() {
            self.batches.remove(number);
        }
        Some((node, place))
    }

    /// Adds visits in any order.
    pub(super) fn add(&mut self, mut visits: Vec<Visit>) {
        if visits.is_empty() {
            return;
        }
        while let Some(last) = self.batches.pop_if(|last| last.rest().len() <= 2 * visits.len()) {
            visits.extend_from_slice(last.rest());
        }
        visits.sort_by_key(|&visit| Reverse(visit));
        self.batches.push(Batch { visits: Arc::new(visits), next: 0 });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BinaryHeap;

    use super::*;

    #[test]
    fn visits_come_in_the_order_of_a_heap_and_clones_go_on_by_themselves() {
        for seed in 0..200 {
            println!("seed {seed}");
            let mut random = fastrand::Rng::with_seed(seed);
            let (mut queue, mut heap) = (Queue::default(), BinaryHeap::new());
            let mut old = (queue.clone(), heap.clone());
            for number in 0..300 {
                let mut visit = |_| Visit::new(random.u32(..9), NodeId(random.u32(..99)), NodeId(number));
                let visits: Vec<Visit> = (0..number % 5).map(&mut visit).collect();
                heap.extend(visits.iter().copied());
                queue.add(visits);
                for _ in 0..random.usize(..4) {
                    let expected = heap.pop().map(|visit: Visit| (visit.node.0, visit.place));
                    assert_eq!(queue.pop(), expected);
                }
                match random.u8(..20) {
                    0 => old = (queue.clone(), heap.clone()),
                    1 => (queue, heap) = old.clone(),
                    _ => {}
                }
            }
            assert!(queue.batches.len() < 12, "{} batches", queue.batches.len());
        }
    }
}
