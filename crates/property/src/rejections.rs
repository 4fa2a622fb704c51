//! [`Rejections`]: what tests did that were not interesting, for those who watch a run.
//!
//! Nothing is kept until somebody watches. Workers take notes as their tests end, so the order is theirs, and tests that
//! ran ahead are among them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::conditions::Observation;

/// How many rejected tests are remembered with their output.
const LAST: usize = 10;

/// How much of an output is remembered, in bytes: about a screen.
const SHOWN: usize = 4 << 10;

/// How many different reasons are counted: similarities, for one, differ from test to test.
const MOST_REASONS: usize = 20;

/// What is counted where there are too many reasons.
const OTHER_REASONS: &str = "other reasons";

/// The tests that were not interesting. Clones share one record; any thread may look.
#[derive(Clone, Debug, Default)]
pub struct Rejections(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    is_watched: AtomicBool,
    record: Mutex<Record>,
}

#[derive(Debug, Default)]
struct Record {
    reasons: Vec<(String, u64)>,
    last: VecDeque<Rejection>,
}

/// A test that was not interesting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Which condition was not met.
    pub reason: String,
    /// The beginning of what the command printed to standard error and to standard output.
    pub output: String,
}

impl Rejections {
    /// Keeps what rejected tests do and print from now on.
    pub fn watch(&self) {
        self.0.is_watched.store(true, Ordering::Relaxed);
    }

    /// Whether [`watch`](Self::watch) was called.
    pub(crate) fn are_watched(&self) -> bool {
        self.0.is_watched.load(Ordering::Relaxed)
    }

    /// The reasons and how often each was met, the most frequent first.
    pub fn reasons(&self) -> Vec<(String, u64)> {
        let mut reasons = self.with(|record| record.reasons.clone());
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }

    /// The last rejected tests, the newest first.
    pub fn last(&self) -> Vec<Rejection> {
        self.with(|record| record.last.iter().rev().cloned().collect())
    }

    /// Takes note of a test that was rejected for `reason`.
    pub(crate) fn add(&self, reason: impl FnOnce() -> String, observation: &Observation) {
        if !self.are_watched() {
            return;
        }
        let (reason, output) = (reason(), shown(observation));
        self.with(|record| {
            record.count(&reason);
            if record.last.len() == LAST {
                record.last.pop_front();
            }
            record.last.push_back(Rejection { reason, output });
        });
    }

    fn with<T>(&self, read: impl FnOnce(&mut Record) -> T) -> T {
        read(&mut self.0.record.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Record {
    fn count(&mut self, reason: &str) {
        let is_known = self.reasons.iter().any(|(known, _)| known == reason);
        let reason = if is_known || self.reasons.len() < MOST_REASONS { reason } else { OTHER_REASONS };
        match self.reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((reason.to_owned(), 1)),
        }
    }
}

/// Errors come first: they say most.
fn shown(observation: &Observation) -> String {
    let head = |text: &[u8]| String::from_utf8_lossy(&text[..text.len().min(SHOWN)]).into_owned();
    let parts = [head(&observation.stderr), head(&observation.stdout)];
    parts
        .map(|part| part.trim_end().to_owned())
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::Ending;

    fn printing(text: &str) -> Observation {
        Observation { ending: Ending::Exited(1), stdout: b"out\n".to_vec(), stderr: text.as_bytes().to_vec() }
    }

    #[test]
    fn reasons_are_counted_and_the_newest_output_comes_first() {
        let rejections = Rejections::default();
        rejections.add(|| unreachable!("nobody watches"), &printing(""));
        rejections.watch();
        for number in 0..LAST + 2 {
            let reason = if number == 0 { "rare" } else { "frequent" };
            rejections.add(|| reason.to_owned(), &printing(&format!("error {number}\n")));
        }
        assert_eq!(rejections.reasons(), [("frequent".to_owned(), LAST as u64 + 1), ("rare".to_owned(), 1)]);
        let last = rejections.last();
        assert_eq!((last.len(), last[0].output.as_str()), (LAST, "error 11\nout"));
    }

    #[test]
    fn too_many_reasons_are_one() {
        let rejections = Rejections::default();
        rejections.watch();
        for number in 0..MOST_REASONS + 5 {
            rejections.add(|| format!("similarity {number}"), &printing(""));
        }
        assert_eq!(rejections.reasons()[0], (OTHER_REASONS.to_owned(), 5));
        assert_eq!(rejections.reasons().len(), MOST_REASONS + 1);
    }
}
