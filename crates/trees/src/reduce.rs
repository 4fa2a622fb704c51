//! The reducers over normal-form trees, each on top of any list minimizer.
//!
//! | file | what it holds |
//! |---|---|
//! | `algorithm.rs` | [`TreeAlgorithm`]: which reducer, to its fixpoint or not, with which minimizer; its name |
//! | `hdd.rs`, `hddr.rs` | hierarchical delta debugging, by levels and by nodes |
//! | `perses.rs`, `replacements.rs` | syntax-guided reduction |
//! | `comments.rs` | comments, which trees see as blanks |
//! | `workpiece.rs` | the tree that a pass works on: edits so far, and how more of them are tried |
//! | `stage.rs` | what a pass tries at one place: sets of edits, or a list |
//! | `alternatives.rs` | several edits of which the first that works is taken |

mod algorithm;
mod alternatives;
mod comments;
mod hdd;
mod hddr;
mod loose;
mod needs;
mod perses;
mod replacements;
mod stage;
#[cfg(test)]
pub(crate) mod testing;
mod workpiece;

pub use algorithm::{TreeAlgorithm, TreeReducer, UnknownTreeAlgorithm};
pub use alternatives::Alternatives;
pub(crate) use hdd::with_tokens;
pub(crate) use stage::{EditSet, Stage};
pub use workpiece::{ListListener, ListOutcome, Workshop};
pub(crate) use workpiece::{Strictness, Workpiece};
