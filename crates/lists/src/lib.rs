//! Minimizers of lists: pure state machines that propose subsets and learn which were interesting.
//!
//! | algorithm | file | paper | one-minimal |
//! |---|---|---|---|
//! | `ddmin` | `ddmin.rs` | Zeller and Hildebrandt 2002; split factor: Kiss 2020, Algorithm 3 | yes |
//! | `onemin` | `onemin.rs` | Kiss 2020, Algorithm 2 | yes |
//! | `wddmin` | `wddmin.rs` | Zhou et al. 2024 (WDD), Algorithm 1 | yes |
//! | `probdd` | `probdd.rs` | Wang et al. 2021 | with a sweep |
//! | `wprobdd` | `wprobdd.rs` | Zhou et al. 2024 (WDD), Algorithm 2 | with a sweep |
//! | `cdd` | `cdd.rs` | Zhang et al. 2024 | with a sweep |
//! | `bisect` | `bisect.rs` | halving from the end | with a sweep |
//!
//! [`Algorithm`] chooses one of them and its options, [`Weights`] says how many elements there are and how heavy they
//! are, and [`Units`] cuts a file into elements and puts a subset of them together again:
//!
//! ```
//! use std::sync::Arc;
//! use whittle_lists::{Algorithm, Minimizer, Unit, Units};
//! use whittle_search::Proposer;
//!
//! let text = Arc::new(b"int a;\nint b;\nint bug;\nint c;\n".to_vec());
//! let lines = Units::cut(text, Unit::Line)?;
//! let mut minimizer = Algorithm::default().minimizer(&lines.weights());
//! while let Some(subset) = minimizer.propose() {
//!     let candidate = lines.render(&subset);
//!     minimizer.observe(String::from_utf8_lossy(&candidate).contains("bug"));
//! }
//! assert_eq!(lines.render(minimizer.current()), b"int bug;\n");
//! # Ok::<(), whittle_lists::TooLong>(())
//! ```

mod algorithm;
mod beliefs;
mod bisect;
mod cdd;
mod coarse;
mod ddmin;
mod empty_first;
mod minimizer;
mod onemin;
mod order;
mod probability;
mod probdd;
mod rounds;
mod stage;
mod subset;
mod swept;
mod units;
mod wddmin;
mod weights;
mod wprobdd;

pub use algorithm::{Algorithm, AnyMinimizer, UnknownAlgorithm};
pub use bisect::{Bisect, BisectOptions};
pub use cdd::{Cdd, CddOptions};
pub use coarse::CoarseFirst;
pub use ddmin::{Ddmin, DdminOptions, EvenParts, Split, SplitFactor, SplitFactorError};
pub use empty_first::EmptyFirst;
pub use minimizer::Minimizer;
pub use onemin::Onemin;
pub use order::{AfterSuccess, Complements, Order};
pub use probability::{Probabilistic, ProbabilityOptions};
pub use probdd::probdd;
pub use rounds::{Partition, Rounds};
pub use stage::{Completion, Proposed, Stage};
pub use subset::Subset;
pub use swept::Swept;
pub use units::{TooLong, Unit, Units, UnknownUnit};
pub use wddmin::{Wddmin, WddminOptions, WeightedParts};
pub use weights::Weights;
pub use wprobdd::wprobdd;
