//! The property: the user's command, run on each candidate in a scratch folder with limits.
//!
//! Unix only. This is the one room that starts and kills processes.

mod command;
mod process;
mod scratch;
mod watchdog;

pub use command::CommandProperty;
pub use scratch::ScratchRoot;
