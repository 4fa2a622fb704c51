//! `wddmin`: `ddmin` that cuts the list into parts of equal weight.
//!
//! Algorithm 1 of Zhou et al., "WDD: Weighted Delta Debugging" (2024). A heavy element is unlikely to go, so it should
//! not be tried again and again in the company of light ones: each part is cut where the weight before the cut is
//! nearest to half, and a part of one element leaves the list of parts once it has been tried.
//!
//! Promise: none by itself, since single elements leave early; [`Algorithm`](crate::Algorithm) always follows it by
//! the one-minimal sweep that ends Algorithm 1. Cost: O(n²) tests; O(n) per success and round, one pass over the runs
//! per proposal otherwise.

use std::ops::Range;
use std::sync::Arc;

use crate::rounds::{Partition, Rounds};
use crate::{Complements, Order, Subset, Weights};

/// The options of [`Wddmin`]; its sweep takes the order of the complements too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WddminOptions {
    /// In which order the parts are tested alone; `None`: they are not.
    pub subsets: Option<Order>,
    /// How the complements are tested.
    pub complements: Complements,
}

/// Weighted delta debugging, up to the point where every remaining element has been alone in a part.
pub type Wddmin = Rounds<WeightedParts>;

impl Wddmin {
    /// Starts with all elements that have a weight.
    pub fn new(weights: Weights, options: WddminOptions) -> Self {
        let WddminOptions { subsets, complements } = options;
        Self::start(Subset::full(weights.len()), WeightedParts::new(weights), subsets, complements)
    }
}

/// Parts of almost equal weight.
#[derive(Clone, Debug)]
pub struct WeightedParts {
    weights: Weights,
    /// The parts still to be cut, in list order. Parts only ever shrink or go as a whole, so each is one run of the
    /// original list, and needs no renumbering when others go.
    parts: Arc<Vec<Range<u32>>>,
}

impl WeightedParts {
    fn new(weights: Weights) -> Self {
        let whole = 0..weights.len() as u32;
        let parts = if whole.is_empty() { Vec::new() } else { vec![whole] };
        Self { weights, parts: Arc::new(parts) }
    }

    /// Where the weight before the cut is nearest to half of the part's; the earlier place if two are equally near.
    fn middle(&self, part: &Range<u32>) -> u32 {
        let before = |element: u32| self.weights.before(element as usize);
        let doubled = u64::from(before(part.start)) + u64::from(before(part.end));
        let distance = |element: u32| (2 * u64::from(before(element))).abs_diff(doubled);
        let (mut low, mut high) = (part.start + 1, part.end - 1);
        while low < high {
            let probe = low + (high - low) / 2;
            if 2 * u64::from(before(probe)) < doubled {
                low = probe + 1;
            } else {
                high = probe;
            }
        }
        if low > part.start + 1 && distance(low - 1) <= distance(low) { low - 1 } else { low }
    }
}

impl Partition for WeightedParts {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn positions(&self, part: usize, current: &Subset) -> Range<usize> {
        let elements = &self.parts[part];
        let start = current.position(elements.start as usize).expect("a part lies within the current list");
        start..start + elements.len()
    }

    fn keep_only(&mut self, part: usize) {
        self.parts = Arc::new(vec![self.parts[part].clone()]);
    }

    fn leave_out(&mut self, part: usize) {
        Arc::make_mut(&mut self.parts).remove(part);
    }

    fn refine(&mut self, offset: f64) -> Option<f64> {
        if self.parts.is_empty() {
            return None;
        }
        let halves = |part: &Range<u32>| {
            let middle = self.middle(part);
            [part.start..middle, middle..part.end]
        };
        let (before, behind) = self.parts.split_at(self.parts.len().min(offset as usize));
        let long = |part: &&Range<u32>| part.len() > 1;
        let mut parts: Vec<_> = before.iter().filter(long).flat_map(halves).collect();
        let offset = parts.len() as f64;
        parts.extend(behind.iter().filter(long).flat_map(halves));
        self.parts = Arc::new(parts);
        Some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(weights: &[u32]) -> u32 {
        WeightedParts::new(Weights::new(weights)).middle(&(0..weights.len() as u32))
    }

    #[test]
    fn a_part_is_cut_where_the_weight_before_is_nearest_to_half() {
        assert_eq!(cut(&[5, 8, 7, 7, 8, 16, 25, 6]), 5);
        assert_eq!(cut(&[5, 8, 7]), 2);
        assert_eq!(cut(&[16, 25, 6]), 1);
        assert_eq!(cut(&[1, 1, 1]), 1, "the earlier cut on a tie");
        assert_eq!(cut(&[1, 1, 9]), 2, "both sides keep an element");
        assert_eq!(cut(&[9, 1, 1]), 1);
        assert_eq!(cut(&[0, 0, 0, 0]), 2, "weightless elements count as equal");
    }
}
