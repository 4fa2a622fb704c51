//! The reducers over normal-form trees, each on top of any list minimizer.
//!
//! | file | what it holds |
//! |---|---|
//! | `algorithm.rs` | [`TreeAlgorithm`]: which reducer, to its fixpoint or not, with which minimizer; its name |
//! | `hdd.rs`, `hddr.rs` | hierarchical delta debugging, by levels and by nodes |
//! | `perses.rs`, `replacements.rs` | syntax-guided reduction |
//! | `gallop.rs` | replacements far below a node, by binary search |
//! | `loose.rs` | parts that can be deleted although the parser then misses a token |
//! | `memory.rs` | edits that failed, for passes that run again |
//! | `texts.rs` | free text: comments, which are whitespace to a tree, and long tokens |
//! | `workpiece.rs` | the file and the tree that a pass works on |
//! | `sets.rs` | sets of edits, tried in order |
//! | `needs.rs` | which list elements need which others |
//! | `reachable.rs`, `reach.rs` | what some declarations reach by names, at all depths |
//! | `declarations.rs`, `heads.rs`, `token_stream.rs` | the declarations of a text, and what they declare and mention |

mod algorithm;
mod declarations;
mod gallop;
mod hdd;
mod hddr;
mod heads;
mod loose;
mod memory;
mod needs;
mod perses;
mod queue;
mod reach;
mod reachable;
mod replacements;
mod sets;
#[cfg(test)]
pub(crate) mod testing;
mod texts;
mod token_stream;
mod workpiece;

pub use algorithm::{TreeAlgorithm, TreeFile, TreeReducer, UnknownTreeAlgorithm};
pub(crate) use hdd::with_tokens;
pub(crate) use loose::{OldErrors, loose_parts};
pub(crate) use memory::Key;
pub use memory::Memory;
pub(crate) use sets::{best_of, take_sets, take_sets_of};
pub(crate) use texts::{Part, texts};
pub(crate) use workpiece::{EditList, EditSet, Stage, Workpiece};
pub use workpiece::{ListListener, ListOutcome, SyntaxCheck, TreeOptions, Workshop};
