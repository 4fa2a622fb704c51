//! The property: the user's command, run on each candidate in a scratch folder with limits, and judged.
//!
//! This is the one room that starts and kills processes. Tests run in helper processes, which are the host program
//! started again; so the host calls [`init`] first thing in `main`. Without that call, starting a test is an error.
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
mod host;
mod protocol;
mod rejections;
mod repeated;
mod running;
mod scratch;
mod server;
mod serving;
mod standing;
mod survey;
mod test_command;
mod trust;

pub use command::{
    CommandProperty, CommandTest, Criteria, DEFAULT_OUTPUT_LIMIT, Invocation, Judged, Observed, ServerChecks, Target,
};
pub use constants::{Constants, ConstantsError};
pub use crew::{Crew, CrewError, CrewSetup, HelperProgram};
pub use errand::{Errand, consult, converse};
pub use helper::{init, init_as};
pub use host::{Host, arguments, this_program};
pub use protocol::ServerRules;
pub use rejections::{Rejection, Rejections};
pub use repeated::Repeated;
pub use running::Running;
pub use standing::lay;
pub use survey::{FIRST_RUN_LIMIT, Objection, Survey, at_once};
pub use test_command::{SentFile, TestCommand};
pub use trust::{Decision, Rates, Repeat, Runs, Trust, TrustError, confidence};
