//! [`Subset`]: which elements of a list are kept.
//!
//! A subset is stored as sorted, disjoint, maximal runs of element indices. A list of a hundred million elements in one
//! run takes a few bytes, a clone shares the runs, and equal subsets have equal representations.
//!
//! Elements are numbered in the original list and never renumbered; a *position* is the rank of an element within the
//! subset. Cost: finding a position is a binary search, every new subset costs at most one pass over the runs.

use std::ops::Range;
use std::sync::Arc;

/// A set of elements of a list, in list order.
///
/// ```
/// use whittle_lists::Subset;
/// let all = Subset::full(10);
/// let rest = all.without(2..5);
/// assert_eq!(rest.elements().collect::<Vec<_>>(), [0, 1, 5, 6, 7, 8, 9]);
/// assert_eq!(rest.slice(1..3), Subset::from_elements([1, 5]));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Subset {
    // A `Vec` and not a slice: turning one into a shared slice would copy it.
    runs: Arc<Vec<Run>>,
    len: u32,
}

/// A run reaches as far as the difference between its position and the next run's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Run {
    element: u32,
    position: u32,
}

impl Subset {
    /// The whole list of `len` elements.
    ///
    /// # Panics
    /// If `len` exceeds `u32::MAX`.
    pub fn full(len: usize) -> Self {
        let mut runs = Runs::with_capacity(1);
        runs.push(0..index(len));
        runs.finish()
    }

    /// The subset of the given elements.
    ///
    /// # Panics
    /// If they are not in ascending order, or one is not below `u32::MAX`.
    pub fn from_elements(elements: impl IntoIterator<Item = usize>) -> Self {
        let mut runs = Runs::with_capacity(0);
        for element in elements {
            runs.push(index(element)..index(element + 1));
        }
        runs.finish()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements in ascending order.
    pub fn elements(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs().flatten()
    }

    /// The maximal runs of consecutive elements, in ascending order.
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.pieces(0..self.len).map(|run| run.start as usize..run.end as usize)
    }

    /// The position of an element, if it is in the subset.
    pub fn position(&self, element: usize) -> Option<usize> {
        let run = self.runs.partition_point(|run| run.element as usize <= element).checked_sub(1)?;
        let position = self.runs[run].position as usize + (element - self.runs[run].element as usize);
        (position < self.run_end(run) as usize).then_some(position)
    }

    /// Whether an element is in the subset.
    pub fn contains(&self, element: usize) -> bool {
        self.position(element).is_some()
    }

    /// The elements at these positions.
    ///
    /// # Panics
    /// If the range does not lie within the subset.
    pub fn slice(&self, positions: Range<usize>) -> Self {
        let positions = self.checked(positions);
        let first = self.runs.partition_point(|run| run.position < positions.start);
        let last = self.runs.partition_point(|run| run.position < positions.end);
        let mut runs = Runs::with_capacity(last - first + 1);
        runs.extend(self.pieces(positions));
        runs.finish()
    }

    /// Everything but the elements at these positions.
    ///
    /// # Panics
    /// If the range does not lie within the subset.
    pub fn without(&self, positions: Range<usize>) -> Self {
        let positions = self.checked(positions);
        let mut runs = Runs::with_capacity(self.runs.len() + 1);
        runs.extend(self.pieces(0..positions.start));
        runs.extend(self.pieces(positions.end..self.len));
        runs.finish()
    }

    /// Everything but the given elements, which must come in ascending order. Those not in the subset are ignored.
    pub fn without_elements(&self, elements: impl IntoIterator<Item = usize>) -> Self {
        let mut removed = elements.into_iter().peekable();
        let mut runs = Runs::with_capacity(self.runs.len() + removed.size_hint().0);
        for mut run in self.pieces(0..self.len) {
            while let Some(element) = removed.next_if(|&element| element < run.end as usize) {
                // Elements between two runs compare as if they stood right before the later one.
                let element = index(element);
                if element >= run.start {
                    runs.push(run.start..element);
                    run.start = element + 1;
                }
            }
            runs.push(run);
        }
        runs.finish()
    }

    /// The elements at some positions.
    ///
    /// # Panics
    /// If one does not lie within the subset.
    pub fn select(&self, positions: &Self) -> Self {
        let mut runs = Runs::with_capacity(positions.runs.len());
        for run in positions.runs() {
            runs.extend(self.pieces(self.checked(run)));
        }
        runs.finish()
    }

    /// The elements that are not in `other`, in ascending order.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let mut others = other.runs().peekable();
        self.runs().flat_map(move |run| {
            let mut parts = Vec::new();
            let mut start = run.start;
            while let Some(skipped) = others.peek().filter(|skipped| skipped.start < run.end).cloned() {
                if start < skipped.start {
                    parts.push(start..skipped.start);
                }
                start = start.max(skipped.end);
                if skipped.end > run.end {
                    break;
                }
                others.next();
            }
            if start < run.end {
                parts.push(start..run.end);
            }
            parts.into_iter().flatten()
        })
    }

    /// The runs of elements at these positions, the first and the last cut to size.
    fn pieces(&self, positions: Range<u32>) -> impl Iterator<Item = Range<u32>> + '_ {
        let first = self.runs.partition_point(|run| run.position <= positions.start).saturating_sub(1);
        (first..self.runs.len()).map_while(move |number| {
            let run = self.runs[number];
            let from = run.position.max(positions.start);
            let to = self.run_end(number).min(positions.end);
            (from < to).then(|| run.element + (from - run.position)..run.element + (to - run.position))
        })
    }

    /// The position behind the last element of a run.
    fn run_end(&self, number: usize) -> u32 {
        self.runs.get(number + 1).map_or(self.len, |next| next.position)
    }

    fn checked(&self, positions: Range<usize>) -> Range<u32> {
        assert!(
            positions.start <= positions.end && positions.end <= self.len(),
            "positions {positions:?} in a subset of {} elements",
            self.len
        );
        index(positions.start)..index(positions.end)
    }
}

impl std::fmt::Debug for Subset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

/// Collects runs in ascending order and joins those that touch.
struct Runs {
    runs: Vec<Run>,
    len: u32,
    end: u32,
}

impl Runs {
    fn with_capacity(capacity: usize) -> Self {
        Self { runs: Vec::with_capacity(capacity), len: 0, end: 0 }
    }

    fn push(&mut self, elements: Range<u32>) {
        if elements.is_empty() {
            return;
        }
        assert!(elements.start >= self.end, "elements must come in ascending order");
        if elements.start > self.end || self.runs.is_empty() {
            self.runs.push(Run { element: elements.start, position: self.len });
        }
        self.len += elements.end - elements.start;
        self.end = elements.end;
    }

    fn extend(&mut self, pieces: impl Iterator<Item = Range<u32>>) {
        pieces.for_each(|piece| self.push(piece));
    }

    fn finish(self) -> Subset {
        Subset { runs: Arc::new(self.runs), len: self.len }
    }
}

/// Indices are kept in 32 bits: half the memory, and four thousand million elements are beyond any test budget.
fn index(value: usize) -> u32 {
    u32::try_from(value).expect("a list has at most u32::MAX elements")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_and_differences_are_those_of_sets() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let mut some = |of: &[usize]| -> Vec<usize> { of.iter().copied().filter(|_| random.bool()).collect() };
            let all: Vec<usize> = (0..20).collect();
            let (a, b) = (some(&all), some(&all));
            let positions = some(&all[..a.len()]);
            let subset = |elements: &[usize]| Subset::from_elements(elements.iter().copied());
            let difference: Vec<usize> = a.iter().copied().filter(|element| !b.contains(element)).collect();
            assert_eq!(subset(&a).difference(&subset(&b)).collect::<Vec<_>>(), difference, "{a:?} without {b:?}");
            let selected: Vec<usize> = positions.iter().map(|&position| a[position]).collect();
            assert_eq!(subset(&a).select(&subset(&positions)), subset(&selected), "{positions:?} of {a:?}");
        }
    }

    fn elements(subset: &Subset) -> Vec<usize> {
        subset.elements().collect()
    }

    #[test]
    fn a_full_subset_is_one_run_however_long() {
        let all = Subset::full(100_000_000);
        assert_eq!((all.runs().count(), all.runs().next()), (1, Some(0..100_000_000)));
        assert_eq!(all.without(5..99_999_999).elements().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 99_999_999]);
    }

    #[test]
    fn an_empty_subset_has_no_runs() {
        let empty = Subset::full(0);
        assert!(empty.is_empty());
        assert_eq!(empty.runs().count(), 0);
        assert_eq!(empty, Subset::full(3).without(0..3));
        assert_eq!(empty, Subset::full(3).slice(2..2));
        assert_eq!(empty.position(0), None);
    }

    #[test]
    fn equal_sets_are_equal_however_they_were_made() {
        let by_parts = Subset::full(9).without(3..4).without(3..5);
        assert_eq!(by_parts, Subset::from_elements([0, 1, 2, 6, 7, 8]));
        assert_eq!(Subset::from_elements(0..9), Subset::full(9));
        assert_eq!(by_parts.without(2..2), by_parts);
    }

    #[test]
    fn elements_to_remove_may_lie_outside() {
        let subset = Subset::from_elements([1, 2, 5, 6, 9]);
        assert_eq!(elements(&subset.without_elements([0, 2, 3, 5, 7, 12])), [1, 6, 9]);
        assert_eq!(subset.without_elements([]), subset);
    }

    #[test]
    #[should_panic(expected = "ascending")]
    fn descending_elements_are_refused() {
        Subset::from_elements([3, 2]);
    }

    #[test]
    #[should_panic(expected = "in a subset of 3 elements")]
    fn positions_beyond_the_end_are_refused() {
        Subset::full(3).slice(1..4);
    }

    #[test]
    fn every_operation_agrees_with_a_plain_vector() {
        for seed in 0..500 {
            println!("seed {seed}");
            let mut random = fastrand::Rng::with_seed(seed);
            let plain: Vec<usize> = (0..40).filter(|_| random.u8(0..10) < 7).collect();
            let subset = Subset::from_elements(plain.iter().copied());
            let start = random.usize(0..=plain.len());
            let end = random.usize(start..=plain.len());
            let removed: Vec<usize> = (0..40).filter(|_| random.bool()).collect();

            assert_eq!(elements(&subset), plain);
            assert_eq!(elements(&subset.slice(start..end)), plain[start..end]);
            assert_eq!(elements(&subset.without(start..end)), [&plain[..start], &plain[end..]].concat());
            let rest: Vec<usize> = plain.iter().copied().filter(|element| !removed.contains(element)).collect();
            assert_eq!(elements(&subset.without_elements(removed)), rest);
            for element in 0..41 {
                assert_eq!(subset.position(element), plain.iter().position(|&other| other == element));
            }
        }
    }
}
