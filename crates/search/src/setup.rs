//! What a search is started with.

use std::sync::Arc;
use std::time::Duration;

use crate::{
    Alphabet, Candidate, Fingerprint, Interrupter, Journal, LayoutMeasure, Listener, Measure, Property, Search,
    Simulation, Size, SizeOrder, Stop, Verdict,
};

/// How to search. The defaults are one worker, sizes in bytes, and no limits.
pub struct Setup {
    /// How many tests run at once.
    pub jobs: usize,
    /// Workers are simulated.
    pub simulation: Option<Simulation>,
    /// How many tests may be counted.
    pub max_tests: Option<u64>,
    /// How long the search may take.
    pub max_time: Option<Duration>,
    /// What size means.
    pub measure: Measure,
    /// The order of characters, which decides between candidates of the same size.
    pub alphabet: Alphabet,
    /// Which candidates are smaller than others.
    pub order: SizeOrder,
    /// How whitespace is compared; by its amount if there is no layout.
    pub layout: Option<LayoutMeasure>,
    /// Ends the search from outside.
    pub interrupter: Interrupter,
    /// Who is notified of events.
    pub listeners: Vec<Box<dyn Listener>>,
    /// Where verdicts are recorded.
    pub journal: Option<Arc<Journal>>,
    /// What an earlier run found out. These verdicts count as tests when sequential order reaches them, but nothing
    /// runs for them, not even for the input's.
    pub replay: Vec<(Fingerprint, Verdict)>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            jobs: 1,
            simulation: None,
            max_tests: None,
            max_time: None,
            measure: Arc::new(Size::in_bytes),
            alphabet: Alphabet::default(),
            order: SizeOrder::default(),
            layout: None,
            interrupter: Interrupter::default(),
            listeners: Vec::new(),
            journal: None,
            replay: Vec::new(),
        }
    }
}

/// Why a search could not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The input itself does not have the property.
    #[error("the input is not interesting")]
    NotInteresting(Verdict),
    /// It was stopped before that was known.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl Setup {
    /// Tests `input`, and makes it the first best.
    pub fn start(self, property: Arc<dyn Property>, input: Candidate) -> Result<Search, StartError> {
        Search::start(self, property, input)
    }
}
