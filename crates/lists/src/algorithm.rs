//! [`Algorithm`]: which minimizer, with which options; and [`AnyMinimizer`], the one it makes.
//!
//! Adding an algorithm: its own file, a variant in both enums here, and a name in the table.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use whittle_search::Proposer;

use crate::coarse::{CoarseFirst, LONG_LIST_ELEMENTS};
use crate::{
    Bisect, BisectOptions, Cdd, CddOptions, Complements, Ddmin, DdminOptions, Minimizer, Onemin, Probabilistic,
    ProbabilityOptions, Subset, Swept, Wddmin, WddminOptions, Weights, probdd, wprobdd,
};

/// A list minimizer and its options.
///
/// ```
/// use whittle_lists::{Algorithm, DdminOptions, SplitFactor};
/// let wide = Algorithm::Ddmin(DdminOptions { split_factor: SplitFactor::new(8).unwrap(), ..Default::default() });
/// assert_eq!(wide.to_string(), "ddmin");
/// assert_eq!("wprobdd".parse(), Ok(Algorithm::Wprobdd(Default::default())));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Minimizing delta debugging with a split factor.
    Ddmin(DdminOptions),
    /// One element at a time.
    Onemin(Complements),
    /// Delta debugging with parts of equal weight, and a one-minimal sweep.
    Wddmin(WddminOptions),
    /// Probabilistic delta debugging.
    Probdd(ProbabilityOptions),
    /// Probabilistic delta debugging by weight.
    Wprobdd(ProbabilityOptions),
    /// Counter-based delta debugging.
    Cdd(CddOptions),
    /// Halving from the end.
    Bisect(BisectOptions),
}

/// A name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown list algorithm '{name}'; known are {}", known_names())]
pub struct UnknownAlgorithm {
    name: String,
}

impl Algorithm {
    /// Every algorithm with its default options.
    pub fn all() -> [Self; 7] {
        [
            Self::Ddmin(DdminOptions::default()),
            Self::Onemin(Complements::default()),
            Self::Wddmin(WddminOptions::default()),
            Self::Probdd(ProbabilityOptions::default()),
            Self::Wprobdd(ProbabilityOptions::default()),
            Self::Cdd(CddOptions::default()),
            Self::Bisect(BisectOptions::default()),
        ]
    }

    /// The name by which users choose it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ddmin(_) => "ddmin",
            Self::Onemin(_) => "onemin",
            Self::Wddmin(_) => "wddmin",
            Self::Probdd(_) => "probdd",
            Self::Wprobdd(_) => "wprobdd",
            Self::Cdd(_) => "cdd",
            Self::Bisect(_) => "bisect",
        }
    }

    /// The same, with a one-minimal sweep at the end where it makes no such promise by itself.
    #[must_use]
    pub fn swept(self) -> Self {
        let sweep = Some(Complements::default());
        match self {
            Self::Probdd(options) => Self::Probdd(ProbabilityOptions { sweep, ..options }),
            Self::Wprobdd(options) => Self::Wprobdd(ProbabilityOptions { sweep, ..options }),
            Self::Cdd(options) => Self::Cdd(CddOptions { sweep, ..options }),
            Self::Bisect(options) => Self::Bisect(BisectOptions { sweep, ..options }),
            minimal => minimal,
        }
    }

    /// Whether the result is one-minimal for every property.
    pub fn promises_one_minimality(&self) -> bool {
        match self {
            Self::Ddmin(_) | Self::Onemin(_) | Self::Wddmin(_) => true,
            Self::Probdd(options) | Self::Wprobdd(options) => options.sweep.is_some(),
            Self::Cdd(options) => options.sweep.is_some(),
            Self::Bisect(options) => options.sweep.is_some(),
        }
    }

    /// A minimizer for a list whose elements have these weights, at its first proposal.
    pub fn minimizer(&self, weights: &Weights) -> AnyMinimizer {
        let all = || Subset::full(weights.len());
        match *self {
            Self::Ddmin(options) => AnyMinimizer::Ddmin(Ddmin::new(all(), options)),
            Self::Onemin(complements) => AnyMinimizer::Onemin(Onemin::new(all(), complements)),
            Self::Wddmin(options) => {
                AnyMinimizer::Wddmin(Swept::new(Wddmin::new(weights.clone(), options), Some(options.complements)))
            }
            Self::Probdd(options) => {
                AnyMinimizer::Probabilistic(Swept::new(probdd(weights.len(), options), options.sweep))
            }
            Self::Wprobdd(options) => AnyMinimizer::Probabilistic(Swept::new(wprobdd(weights, options), options.sweep)),
            Self::Cdd(options) => AnyMinimizer::Cdd(Swept::new(Cdd::new(all(), options), options.sweep)),
            Self::Bisect(options) => {
                AnyMinimizer::Bisect(Swept::new(Bisect::new(weights.clone(), options.leaps), options.sweep))
            }
        }
    }
}

impl Algorithm {
    /// A minimizer that tries large parts of a long list first ([`CoarseFirst`]), if the algorithm does not do so by
    /// itself. That is not how the probabilistic ones were published.
    pub fn coarse_first(&self, weights: &Weights) -> AnyMinimizer {
        let is_fine = matches!(self, Self::Probdd(_) | Self::Wprobdd(_) | Self::Cdd(_));
        if is_fine && weights.len() >= LONG_LIST_ELEMENTS {
            return AnyMinimizer::Coarse(Box::new(CoarseFirst::new(weights.clone(), Some(*self))));
        }
        self.minimizer(weights)
    }
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Ddmin(DdminOptions::default())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::all().into_iter().find(|algorithm| algorithm.name() == name);
        named.ok_or_else(|| UnknownAlgorithm { name: name.to_owned() })
    }
}

fn known_names() -> String {
    Algorithm::all().map(|algorithm| algorithm.name()).join(", ")
}

/// A minimizer of any algorithm.
#[derive(Clone, Debug)]
pub enum AnyMinimizer {
    /// See [`Algorithm::Ddmin`].
    Ddmin(Ddmin),
    /// See [`Algorithm::Onemin`].
    Onemin(Onemin),
    /// See [`Algorithm::Wddmin`].
    Wddmin(Swept<Wddmin>),
    /// See [`Algorithm::Probdd`] and [`Algorithm::Wprobdd`].
    Probabilistic(Swept<Probabilistic>),
    /// See [`Algorithm::Cdd`].
    Cdd(Swept<Cdd>),
    /// See [`Algorithm::Bisect`].
    Bisect(Swept<Bisect>),
    /// See [`Algorithm::coarse_first`].
    Coarse(Box<CoarseFirst>),
}

impl AnyMinimizer {
    /// Tries only large parts of a list ([`CoarseFirst`]).
    pub fn large_parts(weights: Weights) -> Self {
        Self::Coarse(Box::new(CoarseFirst::new(weights, None)))
    }
}

impl Proposer for AnyMinimizer {
    type Proposal = Subset;

    fn propose(&self) -> Option<Subset> {
        match self {
            Self::Ddmin(inner) => inner.propose(),
            Self::Onemin(inner) => inner.propose(),
            Self::Wddmin(inner) => inner.propose(),
            Self::Probabilistic(inner) => inner.propose(),
            Self::Cdd(inner) => inner.propose(),
            Self::Bisect(inner) => inner.propose(),
            Self::Coarse(inner) => inner.propose(),
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Self::Ddmin(inner) => inner.is_done(),
            Self::Onemin(inner) => inner.is_done(),
            Self::Wddmin(inner) => inner.is_done(),
            Self::Probabilistic(inner) => inner.is_done(),
            Self::Cdd(inner) => inner.is_done(),
            Self::Bisect(inner) => inner.is_done(),
            Self::Coarse(inner) => inner.is_done(),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match self {
            Self::Ddmin(inner) => inner.observe(interesting),
            Self::Onemin(inner) => inner.observe(interesting),
            Self::Wddmin(inner) => inner.observe(interesting),
            Self::Probabilistic(inner) => inner.observe(interesting),
            Self::Cdd(inner) => inner.observe(interesting),
            Self::Bisect(inner) => inner.observe(interesting),
            Self::Coarse(inner) => inner.observe(interesting),
        }
    }
}

impl Minimizer for AnyMinimizer {
    fn current(&self) -> &Subset {
        match self {
            Self::Ddmin(inner) => inner.current(),
            Self::Onemin(inner) => inner.current(),
            Self::Wddmin(inner) => inner.current(),
            Self::Probabilistic(inner) => inner.current(),
            Self::Cdd(inner) => inner.current(),
            Self::Bisect(inner) => inner.current(),
            Self::Coarse(inner) => inner.current(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_algorithm() {
        for algorithm in Algorithm::all() {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_by_the_known_ones() {
        let error = "ddmax".parse::<Algorithm>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown list algorithm 'ddmax'; known are ddmin, onemin, wddmin, probdd, wprobdd, cdd, bisect"
        );
    }
}
