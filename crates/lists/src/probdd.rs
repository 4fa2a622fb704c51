//! `probdd`: leave out the elements that are least probably needed, as many as maximise the expected number removed.
//!
//! Wang et al., "Probabilistic Delta Debugging" (2021), as described in section II-B of "WDD: Weighted Delta Debugging"
//! (2024). It is `wprobdd` with equal weights, and that is how it is built; ties go to the earlier element.
//!
//! Promise: none without a sweep. Cost: see [`Probabilistic`].

use crate::{Probabilistic, ProbabilityOptions, Weights};

/// `probdd` over `len` elements, without the sweep.
pub fn probdd(len: usize, options: ProbabilityOptions) -> Probabilistic {
    Probabilistic::new(&Weights::uniform(len), options)
}
