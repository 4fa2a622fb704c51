//! The interface to generators: a [`Generator`] runs with a [`Script`] and returns an input and the trace that made it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::trace::{NodeId, Site, Trace, Value};

/// What a generator should replay.
#[derive(Clone, Debug)]
pub struct Script {
    /// The steps to follow.
    pub trace: Arc<Trace>,
    /// What to do where the steps do not match.
    pub misfit: Misfit,
    /// What to draw where no step matches, by site.
    pub defaults: Arc<HashMap<Site, Value>>,
}

/// What a replay does where it does not match its script: an additional step, a missing step, or a draw that cannot
/// have the given value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misfit {
    /// It ends, and reports where.
    Halt,
    /// It draws the nearest value or the default, and continues at the next step that matches.
    Realign,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The generated input.
    pub input: Vec<u8>,
    /// The trace of this run.
    pub trace: Arc<Trace>,
    /// How many draws have another value than in the script.
    pub misaligned: u64,
}

/// Why a run generated no input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoInput {
    /// The run did not match the script at this node.
    #[error("the run does not match the trace")]
    Halted(NodeId),
    /// It exceeded the limit of draws.
    #[error("the generator exceeds the limit of draws")]
    OverBudget,
    /// It failed, took too long or printed too much.
    #[error("{0}")]
    Failed(String),
}

/// Generates inputs from random choices that a script can determine. The result depends only on the script.
pub trait Generator: Send + Sync {
    /// Replays a script.
    fn run(&self, script: &Script) -> Result<Generated, NoInput>;
}

impl<F: Fn(&Script) -> Result<Generated, NoInput> + Send + Sync> Generator for F {
    fn run(&self, script: &Script) -> Result<Generated, NoInput> {
        self(script)
    }
}
