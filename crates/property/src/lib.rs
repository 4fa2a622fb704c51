//! The property: the user's command, run on each candidate in a scratch folder with limits, and judged.
//!
//! This is the one room that starts and kills processes. Whoever uses it must let its program become a helper: call
//! [`serve`] at the start of `main` when the arguments of [`HelperProgram`] are given, and end when it returns.
//!
//! Unix only. On Linux nothing that a test starts outlives it; elsewhere that holds for its process group.

mod captured;
mod command;
pub mod conditions;
mod constants;
mod crew;
mod descendants;
mod errand;
mod guardian;
mod helper;
mod protocol;
mod scratch;
mod survey;

pub use command::{CommandProperty, CommandTest, Criteria, DEFAULT_OUTPUT_LIMIT, Invocation, Observed};
pub use constants::{Constants, ConstantsError};
pub use crew::{Crew, CrewSetup, HelperProgram};
pub use errand::Errand;
pub use helper::serve;
pub use survey::{FIRST_RUN_LIMIT, Objection, Survey, at_once};
