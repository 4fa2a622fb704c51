//! Proposers that know nothing of what they propose. Passes over lists, trees, tokens and traces are built from them.
//!
//! | file | what it proposes |
//! |---|---|
//! | `chain.rs` | [`Chain`]: many small stages as one proposer |
//! | `first_of.rs` | [`FirstOf`]: values in order, until one works |
//! | `halves.rs` | [`Halves`]: many changes together; a set that fails is halved |
//! | `limited.rs` | [`Limited`]: what another proposer does, up to a number |

mod chain;
mod first_of;
mod halves;
mod limited;

pub use chain::{Chain, Stages};
pub use first_of::FirstOf;
pub use halves::Halves;
pub use limited::Limited;
