//! The reducers over normal-form trees, each on top of any list minimizer.
//!
//! | file | what it holds |
//! |---|---|
//! | `algorithm.rs` | [`TreeAlgorithm`]: which reducer, to its fixpoint or not, with which minimizer; its name |
//! | `hdd.rs`, `hddr.rs` | hierarchical delta debugging, by levels and by nodes |
//! | `perses.rs`, `replacements.rs` | syntax-guided reduction |
//! | `loose.rs` | what goes although the parser then misses a token |
//! | `memory.rs` | what was tried in vain, for passes that have another turn |
//! | `comments.rs` | comments, which trees see as blanks |
//! | `workpiece.rs` | the tree that a pass works on: edits so far, and how more of them are tried |
//! | `sets.rs` | the common way to try sets of edits |

mod algorithm;
mod comments;
mod hdd;
mod hddr;
mod loose;
mod memory;
mod needs;
mod perses;
mod replacements;
mod sets;
#[cfg(test)]
pub(crate) mod testing;
mod workpiece;

pub use algorithm::{TreeAlgorithm, TreeReducer, UnknownTreeAlgorithm};
pub(crate) use hdd::with_tokens;
pub use memory::Memory;
pub(crate) use sets::{best_of, take_sets, take_sets_of};
pub(crate) use workpiece::{EditList, EditSet, Stage, Workpiece};
pub use workpiece::{ListListener, ListOutcome, SyntaxCheck, TreeOptions, Workshop};
