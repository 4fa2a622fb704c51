//! `wprobdd`: leave out the elements that maximise the expected weight removed.
//!
//! Algorithm 2 of Zhou et al., "WDD: Weighted Delta Debugging" (2024).
//!
//! Promise: none without a sweep. Cost: see [`Probabilistic`].

use crate::{Probabilistic, ProbabilityOptions, Weights};

/// `wprobdd` over the elements that have a weight, without the sweep.
pub fn wprobdd(weights: &Weights, options: ProbabilityOptions) -> Probabilistic {
    Probabilistic::new(weights, options)
}
