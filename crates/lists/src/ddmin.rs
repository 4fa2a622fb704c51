//! `ddmin`: cut the list into parts, try each part alone and the list without each part, then cut finer.
//!
//! Zeller and Hildebrandt's algorithm with Kiss's split factor ν (Algorithm 3 of "Generalizing the Split Factor of the
//! Minimizing Delta Debugging Algorithm", 2020): the list starts in ν parts, and the number of parts (the granularity)
//! is multiplied by ν when a whole round has failed. The details, down to the number of tests, are those of Picire,
//! that paper's own tool. The paper does not say how to choose ν; [`SplitFactor::AUTO`] does it by itself.
//!
//! Promise: one-minimal. Cost: at most n² + (ν + 1)/(ν − 1)·n tests, at best log_ν n; O(n) per success and per
//! change of granularity, one pass over the runs per proposal otherwise.

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use crate::rounds::{Partition, Rounds};
use crate::{Complements, Order, Subset};

/// By what the granularity is multiplied when nothing could be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitFactor(Factor);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Factor {
    Always(usize),
    Auto,
}

/// A split factor below two, or neither a number nor `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a split factor is a whole number of at least 2, or {AUTO}")]
pub struct SplitFactorError;

/// The name of [`SplitFactor::AUTO`].
const AUTO: &str = "auto";
/// From a round with fewer parts `auto` concludes nothing: in a short list a few needed elements are in every part.
/// With eight, some results were larger (`docs/decisions/0001-ddmin-is-the-default.md`).
const AUTO_MIN_PARTS: usize = 16;
/// If parts have more elements on average, `auto` expects that some of their halves can be deleted. With 16, some
/// results were larger (same place).
const AUTO_MAX_PART_ELEMENTS: usize = 8;

impl SplitFactor {
    /// Two, until a round of many short parts has failed altogether: then what is needed is everywhere, halves of the
    /// parts would fail as well, and single elements come next.
    pub const AUTO: Self = Self(Factor::Auto);

    /// A split factor, if it is at least two.
    pub fn new(factor: usize) -> Result<Self, SplitFactorError> {
        if factor < 2 { Err(SplitFactorError) } else { Ok(Self(Factor::Always(factor))) }
    }

    /// The next granularity for a list of `len` elements after a round with `parts` parts; `all_failed`: no part could
    /// be deleted.
    fn refine(self, parts: usize, len: usize, all_failed: bool) -> usize {
        let finer = match self.0 {
            Factor::Always(factor) => parts.saturating_mul(factor),
            Factor::Auto if all_failed && parts >= AUTO_MIN_PARTS && len <= parts * AUTO_MAX_PART_ELEMENTS => len,
            Factor::Auto => 2 * parts,
        };
        finer.min(len)
    }
}

impl Default for SplitFactor {
    fn default() -> Self {
        Self(Factor::Always(2))
    }
}

impl FromStr for SplitFactor {
    type Err = SplitFactorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == AUTO { Ok(Self::AUTO) } else { text.parse().map_err(|_| SplitFactorError).and_then(Self::new) }
    }
}

/// How a list is cut into parts of almost equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Split {
    /// Each part takes its share of what is left, rounded down: the longer parts come last.
    #[default]
    Zeller,
    /// The boundaries are at equal distances, rounded down: longer and shorter parts mix.
    Balanced,
}

impl Split {
    /// The boundaries of `parts` parts of a list of `len` elements, its two ends included.
    fn bounds(self, len: usize, parts: usize) -> Vec<u32> {
        let mut bounds = Vec::with_capacity(parts + 1);
        bounds.push(0);
        let mut start = 0;
        for part in 0..parts {
            start = match self {
                Self::Zeller => start + (len - start) / (parts - part),
                Self::Balanced => (len as u64 * (part as u64 + 1) / parts as u64) as usize,
            };
            bounds.push(start as u32);
        }
        bounds
    }
}

/// The options of [`Ddmin`]. By default no subset is tested: where they succeed, complements succeed soon too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DdminOptions {
    /// The split factor ν.
    pub split_factor: SplitFactor,
    /// How the list is cut.
    pub split: Split,
    /// In which order the parts are tested alone; `None`: they are not.
    pub subsets: Option<Order>,
    /// How the complements are tested.
    pub complements: Complements,
}

/// The minimizing delta debugging algorithm.
pub type Ddmin = Rounds<EvenParts>;

impl Ddmin {
    /// Starts with the given elements.
    pub fn new(start: Subset, options: DdminOptions) -> Self {
        let DdminOptions { split_factor, split, subsets, complements } = options;
        let bounds = Arc::new(vec![0, start.len() as u32]);
        Self::start(start, EvenParts { split_factor, split, bounds, all_failed: false }, subsets, complements)
    }
}

/// Parts of almost equal length, until some are left out.
#[derive(Clone, Debug)]
pub struct EvenParts {
    split_factor: SplitFactor,
    split: Split,
    /// Boundaries of the parts as positions in the current list, its two ends included.
    bounds: Arc<Vec<u32>>,
    /// Whether the list is as long as when it was last cut.
    all_failed: bool,
}

impl EvenParts {
    fn range(&self, part: usize) -> Range<usize> {
        self.bounds[part] as usize..self.bounds[part + 1] as usize
    }
}

impl Partition for EvenParts {
    fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    fn positions(&self, part: usize, _current: &Subset) -> Range<usize> {
        self.range(part)
    }

    fn keep_only(&mut self, part: usize) {
        self.bounds = Arc::new(vec![0, self.range(part).len() as u32]);
        self.all_failed = false;
    }

    fn leave_out(&mut self, part: usize) {
        let removed = self.range(part).len() as u32;
        let bounds = Arc::make_mut(&mut self.bounds);
        bounds.remove(part + 1);
        bounds[part + 1..].iter_mut().for_each(|bound| *bound -= removed);
        self.all_failed = false;
    }

    fn refine(&mut self, offset: f64) -> Option<f64> {
        let (old, len) = (self.count(), self.bounds[self.count()] as usize);
        let new = self.split_factor.refine(old, len, self.all_failed);
        if old >= new {
            return None;
        }
        self.all_failed = true;
        self.bounds = Arc::new(self.split.bounds(len, new));
        // Kept as a fraction: it may be scaled again before it is rounded down on use. A single part is what a
        // success has left of a round, and its offset stays as it is (so does Picire's).
        Some(if old == 1 { offset } else { offset * new as f64 / old as f64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_splits_cover_the_list_with_parts_of_almost_equal_length() {
        assert_eq!(Split::Zeller.bounds(11, 4), [0, 2, 5, 8, 11]);
        assert_eq!(Split::Balanced.bounds(10, 4), [0, 2, 5, 7, 10]);
        for len in 1..60 {
            for parts in 1..=len {
                for split in [Split::Zeller, Split::Balanced] {
                    let bounds = split.bounds(len, parts);
                    assert_eq!((bounds[0], bounds[parts] as usize), (0, len));
                    let short = (len / parts) as u32;
                    assert!(bounds.windows(2).all(|pair| (short..=short + 1).contains(&(pair[1] - pair[0]))));
                }
            }
        }
    }

    #[test]
    fn a_split_factor_is_at_least_two() {
        assert_eq!("1".parse::<SplitFactor>(), Err(SplitFactorError));
        assert_eq!("two".parse::<SplitFactor>(), Err(SplitFactorError));
        assert_eq!("3".parse(), SplitFactor::new(3));
        assert_eq!("auto".parse(), Ok(SplitFactor::AUTO));
    }

    #[test]
    fn auto_doubles_until_many_short_parts_have_failed_altogether() {
        let auto = |parts, len, all_failed| SplitFactor::AUTO.refine(parts, len, all_failed);
        assert_eq!(auto(16, 128, true), 128);
        assert_eq!(auto(16, 128, false), 32, "some parts went");
        assert_eq!(auto(16, 129, true), 32, "the parts are long");
        assert_eq!(auto(15, 60, true), 30, "the parts are few");
        assert_eq!(auto(16, 20, false), 20, "no more parts than elements");
    }
}
