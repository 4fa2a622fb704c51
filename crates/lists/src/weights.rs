//! [`Weights`]: how many elements a list has and how heavy each one is, such as its number of bytes or tokens.

use std::ops::Range;
use std::sync::Arc;

/// The weights of the elements of a list, kept as prefix sums: cheap to clone, and the weight of any run of elements
/// is one subtraction. Equal weights need no storage.
///
/// An element weighs at least one, so that no algorithm overlooks it.
///
/// ```
/// use whittle_lists::Weights;
/// let weights = Weights::new(&[5, 0, 7]);
/// assert_eq!((weights.len(), weights.of(1), weights.sum(1..3)), (3, 1, 8));
/// ```
#[derive(Clone, Debug)]
pub struct Weights(Sums);

#[derive(Clone, Debug)]
enum Sums {
    Uniform(u32),
    /// One more entry than there are elements; the first is zero.
    Each(Arc<Vec<u32>>),
}

impl Weights {
    /// `len` elements of weight one.
    ///
    /// # Panics
    /// If `len` exceeds `u32::MAX`.
    pub fn uniform(len: usize) -> Self {
        Self(Sums::Uniform(u32::try_from(len).expect("a list has at most u32::MAX elements")))
    }

    /// One element for each weight. Only proportions matter: if the sum exceeds `u32::MAX`, all are halved until it
    /// does not.
    ///
    /// # Panics
    /// If there are more than `u32::MAX` elements.
    pub fn new(weights: &[u32]) -> Self {
        assert!(u32::try_from(weights.len()).is_ok(), "a list has at most u32::MAX elements");
        let scaled = |halvings: u32| weights.iter().map(move |weight| (weight >> halvings).max(1));
        let fits = |halvings: &u32| scaled(*halvings).map(u64::from).sum::<u64>() <= u64::from(u32::MAX);
        // Halved 31 times, each weighs one, and there are few enough of them.
        let halvings = (0..31).find(fits).unwrap_or(31);
        let mut sums = Vec::with_capacity(weights.len() + 1);
        sums.push(0);
        sums.extend(scaled(halvings).scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        }));
        Self(Sums::Each(Arc::new(sums)))
    }

    /// Weights by prefix sums: from zero, strictly ascending, one more than there are elements.
    pub(crate) fn from_prefix_sums(sums: Vec<u32>) -> Self {
        debug_assert!(sums.first() == Some(&0) && sums.is_sorted_by(|a, b| a < b));
        Self(Sums::Each(Arc::new(sums)))
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match &self.0 {
            Sums::Uniform(len) => *len as usize,
            Sums::Each(sums) => sums.len() - 1,
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all elements are known to weigh the same.
    pub(crate) fn are_uniform(&self) -> bool {
        matches!(self.0, Sums::Uniform(_))
    }

    /// The weight of one element.
    pub fn of(&self, element: usize) -> u32 {
        self.before(element + 1) - self.before(element)
    }

    /// The weight of a run of elements.
    pub fn sum(&self, elements: Range<usize>) -> u32 {
        self.before(elements.end) - self.before(elements.start)
    }

    /// The first element with at least this weight before it.
    pub(crate) fn first_at(&self, weight: u32) -> usize {
        match &self.0 {
            Sums::Uniform(_) => weight as usize,
            Sums::Each(sums) => sums.partition_point(|&sum| sum < weight),
        }
    }

    /// The weight of all elements before this one.
    pub(crate) fn before(&self, element: usize) -> u32 {
        match &self.0 {
            Sums::Uniform(_) => element as u32,
            Sums::Each(sums) => sums[element],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_weights_are_one_each() {
        let weights = Weights::uniform(7);
        assert_eq!((weights.len(), weights.of(3), weights.sum(2..7)), (7, 1, 5));
        assert!(Weights::uniform(0).is_empty());
    }

    #[test]
    fn a_list_without_elements_has_no_weight() {
        assert!(Weights::new(&[]).is_empty());
    }

    #[test]
    fn weights_beyond_the_range_keep_their_proportions() {
        let weights = Weights::new(&[u32::MAX, u32::MAX / 2, 0]);
        assert_eq!(weights.of(0) / weights.of(1), 2);
        assert_eq!(weights.of(2), 1);
    }
}
