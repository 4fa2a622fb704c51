//! What a search reports to listeners: terminal, log, JSON lines, report.

use std::time::Duration;

use serde::Serialize;

use crate::{Candidate, Measured, Size, Verdict};

/// Something that happened, in sequential order: the order does not depend on the number of workers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// Something that the user may want to know.
    Notice {
        /// What.
        text: String,
    },
    /// A pass starts.
    PassBegun {
        /// Its name, such as `lines`.
        pass: String,
    },
    /// A test was counted.
    Tested {
        /// What the property said.
        verdict: Verdict,
        /// How large the candidate is, in bytes.
        candidate: u64,
        /// How long the property ran, in seconds; 0 if a run ahead had tested the same content before, or the
        /// verdict came from the journal.
        seconds: f64,
    },
    /// A smaller interesting candidate was found.
    Improved,
    /// A pass is over, or was stopped.
    PassEnded {
        /// Its name.
        pass: String,
        /// The tests it counted. Written as `pass_tests`: beside it in a line of JSON are the `tests` of the whole search.
        #[serde(rename = "pass_tests")]
        tests: u64,
        /// The size it started from.
        from: Size,
    },
    /// Verdicts were withdrawn. The search begins again with the input, and knows all other verdicts.
    StartedOver {
        /// How many verdicts.
        withdrawn: u64,
    },
    /// Nothing more will happen.
    Finished {
        /// Why.
        reason: String,
    },
}

/// The state of the search when an event happens.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// The time since the search began.
    pub elapsed: Duration,
    /// The best candidate so far.
    pub best: &'a Measured,
    /// The counts so far.
    pub tally: Tally,
    /// How many workers are testing.
    pub busy: usize,
    /// What was tested: for [`Event::Tested`] with [`Verdict::Other`] alone.
    pub tested: Option<&'a Candidate>,
}

/// What was counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Tests that a sequential run would have made too: the same for any number of workers.
    pub tests: u64,
    /// Counted tests whose verdict came from the journal: nothing ran for them.
    pub replayed: u64,
    /// Runs of the property that ended, wanted or not.
    pub runs: u64,
    /// Runs that tested the best once more, and were awaited.
    pub confirmations: u64,
    /// Proposals whose content had been tested before.
    pub cached: u64,
    /// Proposals that were not smaller than the best, and so were not tested.
    pub refused: u64,
    /// Counted tests that did not end in time.
    pub timed_out: u64,
    /// Counted tests of candidates that a cheap check rejected.
    pub invalid: u64,
    /// Counted tests that failed with another signature than the input's.
    pub other: u64,
    /// The time spent in the property, summed over all workers.
    #[serde(serialize_with = "as_seconds", rename = "property_seconds")]
    pub property_time: Duration,
}

impl Tally {
    /// Runs that a sequential run would not have made (yet): neither for a counted test nor to confirm the best.
    /// Runs that were cancelled are among them.
    pub fn speculative(&self) -> u64 {
        self.runs.saturating_sub(self.confirmations + self.tests - self.replayed)
    }

    pub(crate) fn count_test(&mut self, verdict: Verdict, replayed: bool) {
        self.tests += 1;
        self.replayed += u64::from(replayed);
        match verdict {
            Verdict::TimedOut => self.timed_out += 1,
            Verdict::Invalid => self.invalid += 1,
            Verdict::Other => self.other += 1,
            Verdict::Interesting | Verdict::Uninteresting => {}
        }
    }
}

/// Is notified of every event. Called on the thread that searches: be quick.
pub trait Listener {
    /// `event` happened at `moment`.
    fn notify(&mut self, event: &Event, moment: &Moment<'_>);
}

fn as_seconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}
