//! The one door to the outside world: algorithms propose, [`Search`] answers.

mod candidate;
mod property;
mod proposer;

pub use candidate::{Candidate, File, Fingerprint};
pub use property::{Cancel, Property, TestError, Tested, Verdict};
pub use proposer::Proposer;
