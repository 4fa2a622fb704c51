//! The search: algorithms propose, [`Search`] tests and answers.
//!
//! An algorithm is a [`Proposer`]: pure, cloneable, free of threads and clocks. A [`Property`] says whether a
//! [`Candidate`] is interesting. Between them stands [`Search`], which tests ahead on all workers, remembers
//! verdicts (in a [`Journal`], too), keeps the best, counts tests, obeys limits and notifies listeners.
//!
//! ```
//! use std::sync::Arc;
//! use whittle_search::{Candidate, Closure, Setup};
//!
//! let has_x = Closure::on_bytes(|bytes| bytes.contains(&b'x'));
//! let mut search = Setup::default().start(Arc::new(has_x), Candidate::single("f", b"axb".to_vec()))?;
//! assert!(search.attempt(Candidate::single("f", b"x".to_vec()))?);
//! assert!(!search.attempt(Candidate::single("f", b"a".to_vec()))?);
//! assert_eq!(search.best().candidate.files()[0].bytes(), b"x");
//! assert_eq!(search.tally().tests, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabet;
mod cache;
mod candidate;
mod closure;
mod event;
mod examine;
mod journal;
mod lens;
mod odds;
mod property;
mod proposer;
mod proposers;
mod recorder;
mod search;
mod setup;
mod size;
mod stop;
mod window;
mod workers;

pub use alphabet::{Alphabet, AlphabetError, Context, Rank};
pub use candidate::{Candidate, File, Fingerprint, Kind};
pub use closure::Closure;
pub use event::{Event, Listener, Moment, Tally};
pub use journal::{Journal, Replay, ResumeError};
pub use lens::Lens;
pub use property::{Cancel, Property, TestError, Tested, Verdict};
pub use proposer::Proposer;
pub use proposers::{Chain, FirstOf, Halves, Limited, Stages};
pub use recorder::Recorder;
pub use search::Search;
pub use setup::{Setup, StartError};
pub use size::{LayoutMeasure, Measure, Measured, Size, SizeOrder, count_solid};
pub use stop::{Interrupter, Stop};
pub use workers::{Clock, Simulation};
