//! What the user asks of one run of a command, as plain data and pure functions: nothing here starts a process.
//!
//! | what | type | file |
//! |---|---|---|
//! | the command itself | [`CommandLine`] | `command_line.rs`, `split.rs` |
//! | its exit status | [`ExitSet`] | `exit_set.rs` |
//! | the signal that ends it | [`SignalName`] | `signal_name.rs` |
//! | what it prints | [`Pattern`] | `pattern.rs` |
//! | how similar that is to a recorded output | [`Likeness`], [`Similarity`] | `likeness.rs`, `similarity.rs` |
//! | which bug it shows | [`Signature`] | `signature.rs`, `stack.rs` |
//!
//! A runner makes an [`Observation`] of a run, and [`Conditions::judge`] says whether it is interesting or which
//! condition is not met:
//!
//! ```
//! use whittle_property::conditions::{Conditions, Ending, Observation};
//!
//! let conditions = Conditions { exits: Some("1,128..=255".parse()?), ..Conditions::default() };
//! let run = Observation { ending: Ending::Exited(0), stdout: Vec::new(), stderr: Vec::new() };
//! assert_eq!(conditions.judge(&run).unwrap_err().to_string(), "exit status 0, expected one of 1, 128 to 255");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command_line;
mod exit_set;
mod judge;
mod likeness;
mod observation;
mod pattern;
mod signal_name;
mod signature;
mod similarity;
mod split;
mod stack;
mod unmet;

pub use command_line::{CommandLine, CommandLineError};
pub use exit_set::{ExitSet, ExitSetError};
pub use judge::Conditions;
pub use likeness::Likeness;
pub use observation::{Ending, Observation, Stream};
pub use pattern::{Pattern, PatternError};
pub use signal_name::{SignalName, UnknownSignal};
pub use signature::Signature;
pub use similarity::{Similarity, SimilarityError};
pub use unmet::{Endings, Unmet};
