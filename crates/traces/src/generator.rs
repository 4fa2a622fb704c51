//! The seam to the outside: a [`Generator`] is run with a [`Script`] and gives an input and the trace of how it was made.

use std::collections::HashMap;
use std::sync::Arc;

use crate::trace::{NodeId, Site, Trace, Value};

/// What a generator is to do again.
#[derive(Clone, Debug)]
pub struct Script {
    /// The steps to follow.
    pub trace: Arc<Trace>,
    /// What to do where the steps cannot be followed.
    pub misfit: Misfit,
    /// What to draw where nothing is known, by site.
    pub defaults: Arc<HashMap<Site, Value>>,
}

/// What a replay does where it cannot follow its script: a step that is not in it, a step of it that does not come, or a
/// draw that cannot come out as it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misfit {
    /// It ends, and says where.
    Halt,
    /// It draws the nearest value or the default, and follows the script again from the next step that fits.
    Realign,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The input that was made.
    pub input: Vec<u8>,
    /// How it was made this time.
    pub trace: Arc<Trace>,
    /// How many draws did not come out as the script said.
    pub misaligned: u64,
}

/// Why a run made no input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoInput {
    /// The script could not be followed at this node of it.
    #[error("the trace cannot be followed")]
    Halted(NodeId),
    /// It drew more often than it may.
    #[error("the generator draws more often than it may")]
    OverBudget,
    /// It failed, ran too long or printed too much.
    #[error("{0}")]
    Failed(String),
}

/// Makes inputs by random choices that it can be told. What it does depends on the script alone.
pub trait Generator: Send + Sync {
    /// Follows a script.
    fn run(&self, script: &Script) -> Result<Generated, NoInput>;
}

impl<F: Fn(&Script) -> Result<Generated, NoInput> + Send + Sync> Generator for F {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        self(script)
    }
}
