//! [`Beliefs`]: the undecided elements of a list, those with the largest expected gain first.
//!
//! A priority queue whose clones are cheap, since a search that runs ahead keeps many. Beliefs are kept in shared,
//! sorted batches, each with a cursor. Elements that were never tried form the first batch, which stores at most their
//! order; those whose test failed come back as new batches, and neighbours of similar size are merged, so that there
//! are O(log n) of them. Taking an element or putting it back moves a cursor; merging costs O(log n) per element on
//! average.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use crate::Weights;

/// What is believed about an undecided element. The greatest is the one to leave out first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Belief {
    /// The probability that the element is needed.
    pub(crate) probability: f64,
    pub(crate) weight: u32,
    pub(crate) element: u32,
}

impl Belief {
    fn gain(&self) -> f64 {
        f64::from(self.weight) * (1.0 - self.probability)
    }
}

impl Ord for Belief {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain().total_cmp(&other.gain()).then_with(|| other.element.cmp(&self.element))
    }
}

impl PartialOrd for Belief {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Belief {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Belief {}

/// A priority queue of beliefs.
#[derive(Clone, Debug)]
pub(crate) struct Beliefs {
    untried: Untried,
    batches: Vec<Batch>,
}

/// From which batch a belief was taken.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Untried,
    Batch(usize),
}

impl Beliefs {
    /// All elements with the same probability.
    pub(crate) fn new(weights: &Weights, probability: f64) -> Self {
        Self { untried: Untried::new(weights.clone(), probability), batches: Vec::new() }
    }

    /// Takes the greatest belief.
    pub(crate) fn take(&mut self) -> Option<(Belief, Source)> {
        let heads = self.batches.iter().enumerate().map(|(number, batch)| (batch.head(), Source::Batch(number)));
        let all = std::iter::once((self.untried.head(), Source::Untried)).chain(heads);
        let (belief, source) = all.filter_map(|(head, source)| Some((head?, source))).max_by_key(|&(head, _)| head)?;
        *self.cursor(source) += 1;
        Some((belief, source))
    }

    /// Puts back what was taken last from a batch. No beliefs may have been added since.
    pub(crate) fn put_back(&mut self, source: Source) {
        *self.cursor(source) -= 1;
    }

    /// Adds beliefs in any order.
    pub(crate) fn add(&mut self, mut beliefs: Vec<Belief>) {
        if beliefs.is_empty() {
            return;
        }
        beliefs.sort_unstable_by_key(|&belief| Reverse(belief));
        self.batches.retain(|batch| !batch.rest().is_empty());
        while let Some(last) = self.batches.pop_if(|last| last.rest().len() <= 2 * beliefs.len()) {
            beliefs = merge(last.rest(), &beliefs);
        }
        self.batches.push(Batch { beliefs: Arc::new(beliefs), next: 0 });
    }

    /// What is believed about an element, if it is in the queue. Takes O(n).
    pub(crate) fn find(&self, element: usize) -> Option<Belief> {
        let untried = (self.untried.next..self.untried.weights.len()).map(|rank| self.untried.at(rank));
        let tried = self.batches.iter().flat_map(|batch| batch.rest().iter().copied());
        untried.chain(tried).find(|belief| belief.element as usize == element)
    }

    fn cursor(&mut self, source: Source) -> &mut usize {
        match source {
            Source::Untried => &mut self.untried.next,
            Source::Batch(number) => &mut self.batches[number].next,
        }
    }
}

/// The elements that were never tried: all have the same probability, so the heavier come first.
#[derive(Clone, Debug)]
struct Untried {
    weights: Weights,
    probability: f64,
    /// `None`: all weigh the same, and their order is that of the list.
    order: Option<Arc<Vec<u32>>>,
    next: usize,
}

impl Untried {
    fn new(weights: Weights, probability: f64) -> Self {
        let order = (!weights.are_uniform()).then(|| {
            let mut order: Vec<u32> = (0..weights.len() as u32).collect();
            order.sort_by_key(|&element| Reverse(weights.of(element as usize)));
            Arc::new(order)
        });
        Self { weights, probability, order, next: 0 }
    }

    fn at(&self, rank: usize) -> Belief {
        let element = self.order.as_ref().map_or(rank as u32, |order| order[rank]);
        Belief { probability: self.probability, weight: self.weights.of(element as usize), element }
    }

    fn head(&self) -> Option<Belief> {
        (self.next < self.weights.len()).then(|| self.at(self.next))
    }
}

/// Beliefs in descending order, of which the first `next` are taken.
#[derive(Clone, Debug)]
struct Batch {
    beliefs: Arc<Vec<Belief>>,
    next: usize,
}

impl Batch {
    fn rest(&self) -> &[Belief] {
        &self.beliefs[self.next..]
    }

    fn head(&self) -> Option<Belief> {
        self.rest().first().copied()
    }
}

/// Merges two descending lists into one.
fn merge<'a>(mut left: &'a [Belief], mut right: &'a [Belief]) -> Vec<Belief> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    while let (Some(first), Some(second)) = (left.first(), right.first()) {
        let from = if first > second { &mut left } else { &mut right };
        merged.extend(from.split_off_first());
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beliefs_come_out_in_the_order_of_a_sorted_list() {
        for seed in 0..200 {
            println!("seed {seed}");
            let mut random = fastrand::Rng::with_seed(seed);
            let weights: Vec<u32> = (0..random.usize(1..50)).map(|_| random.u32(1..5)).collect();
            let weights = if random.bool() { Weights::new(&weights) } else { Weights::uniform(weights.len()) };
            let mut beliefs = Beliefs::new(&weights, 0.2);
            let mut sorted: Vec<Belief> = std::iter::from_fn(|| beliefs.take().map(|(belief, _)| belief)).collect();
            assert!(sorted.is_sorted_by(|first, second| first > second) && sorted.len() == weights.len());

            let mut beliefs = Beliefs::new(&weights, 0.2);
            for _ in 0..100 {
                let wanted = random.usize(0..=sorted.len());
                let (taken, kept) = (wanted, random.usize(0..=wanted));
                let mut prefix: Vec<(Belief, Source)> = (0..taken).map(|_| beliefs.take().unwrap()).collect();
                assert!(prefix.iter().map(|(belief, _)| belief).eq(&sorted[..taken]));
                prefix.drain(kept..).rev().for_each(|(_, source)| beliefs.put_back(source));
                let mut changed: Vec<Belief> = prefix.into_iter().map(|(belief, _)| belief).collect();
                changed.iter_mut().for_each(|belief| belief.probability = random.f64());
                sorted.splice(..kept, changed.iter().copied());
                sorted.sort_by_key(|&belief| Reverse(belief));
                beliefs.add(changed);
            }
            assert!(beliefs.batches.len() < 10, "{} batches", beliefs.batches.len());
        }
    }
}
