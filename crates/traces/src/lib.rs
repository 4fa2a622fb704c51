//! Reduces an input through the generator that made it, so that every candidate is an input that the generator can
//! make.
//!
//! A [`Generator`] runs with a [`Script`], which is the trace of an earlier run with some edits, and returns an input
//! and a new [`Trace`]. [`Shrink`] is the default reducer; [`GReduce`] has the six settings of the paper that
//! introduced this (Ren et al.: *Validity-Preserving Delta Debugging via Generator Trace Reduction*, 2024). Both use
//! [`Search`](whittle_search::Search): generators run on its workers, and the result does not depend on their number.
//!
//! Everything here is pure except the generator, which may be a closure that asks a [`Player`] for its draws:
//!
//! ```
//! use std::sync::Arc;
//! use whittle_traces::{Generated, Generator, NoInput, Player, Script};
//!
//! fn word(player: &mut Player<'_>) -> Result<Vec<u8>, NoInput> {
//!     let mut word = Vec::new();
//!     let length = player.draw("length", 19)?;
//!     player.times("letters", length, |player, _| {
//!         word.push(b'a' + player.draw("letter", 25)? as u8);
//!         Ok(())
//!     })?;
//!     Ok(word)
//! }
//!
//! let generator: Arc<dyn Generator> = Arc::new(|script: &Script| -> Result<Generated, NoInput> {
//!     let mut player = Player::following(script, 1000);
//!     let word = word(&mut player)?;
//!     player.finish(word)
//! });
//! let mut draws = [3, 0, 1, 2].into_iter();
//! let mut player = Player::recording(|_| draws.next().unwrap_or(0));
//! let word = word(&mut player)?;
//! let made = player.finish(word)?;
//! assert_eq!((&made.input[..], made.trace.len()), (&b"abc"[..], 8));
//! # let _ = generator;
//! # Ok::<(), NoInput>(())
//! ```

mod edits;
mod generator;
mod greduce;
mod learn;
mod parts;
mod passes;
mod player;
pub mod records;
mod runs;
mod session;
mod trace;

pub use edits::Edits;
pub use generator::{Generated, Generator, Misfit, NoInput, Script};
pub use greduce::{GReduce, Order};
pub use parts::{Count, Decision, Facts, Link, Part, Parts, condition_draws};
pub use passes::Shrink;
pub use player::Player;
pub use runs::{Alignment, Outcome, RunTally, Runs};
pub use session::Session;
pub use trace::{Draw, DrawKind, ELSE, Kind, Node, NodeId, Site, THEN, Trace, TraceBuilder, Value};
