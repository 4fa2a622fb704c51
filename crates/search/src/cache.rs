//! Verdicts by content: no content is tested twice, not even at the same time.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Fingerprint, Verdict};

/// The verdicts so far. Shared by all workers.
///
/// A verdict that a run ahead or the journal found is *known* at once but *counted* only when sequential order reaches
/// it, so that the number of counted tests does not depend on the number of workers.
#[derive(Default)]
pub(crate) struct Cache {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    known: HashMap<Fingerprint, Known>,
    running: HashSet<Fingerprint>,
}

/// A verdict in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) verdict: Verdict,
    pub(crate) counted: bool,
    /// It comes from the journal of an earlier run.
    pub(crate) replayed: bool,
    /// It was known when the search started, or started over.
    pub(crate) remembered: bool,
}

/// The answer to a worker that wants to test a candidate.
pub(crate) enum Claim<'a> {
    /// No need: this is the verdict.
    Known(Verdict),
    /// Test it, and give the verdict to the ticket.
    Granted(Ticket<'a>),
}

/// The right to test one content. Dropping it without a verdict lets the next in line test.
pub(crate) struct Ticket<'a> {
    cache: &'a Cache,
    fingerprint: Fingerprint,
}

impl Cache {
    /// A cache that knows the verdicts of an earlier run, none of them counted.
    pub(crate) fn replaying(verdicts: Vec<(Fingerprint, Verdict)>) -> Self {
        let known = verdicts
            .into_iter()
            .map(|(fingerprint, verdict)| {
                (fingerprint, Known { verdict, counted: false, replayed: true, remembered: true })
            })
            .collect();
        Self { state: Mutex::new(State { known, running: HashSet::new() }), ended: Condvar::new() }
    }

    pub(crate) fn lookup(&self, fingerprint: Fingerprint) -> Option<Known> {
        self.lock().known.get(&fingerprint).copied()
    }

    /// Whether sequential order has reached this content before.
    pub(crate) fn is_counted(&self, fingerprint: Fingerprint) -> bool {
        self.lookup(fingerprint).is_some_and(|known| known.counted)
    }

    /// Marks a known verdict as counted, and gives it if it was not before.
    pub(crate) fn count(&self, fingerprint: Fingerprint) -> Option<Known> {
        let mut state = self.lock();
        let known = state.known.get_mut(&fingerprint).filter(|known| !known.counted)?;
        known.counted = true;
        Some(*known)
    }

    /// Forgets some verdicts, and that the others were counted. Gives the number of those that are left.
    pub(crate) fn start_over(&self, withdrawn: &[Fingerprint]) -> u64 {
        let mut state = self.lock();
        for fingerprint in withdrawn {
            state.known.remove(fingerprint);
        }
        for known in state.known.values_mut() {
            (known.counted, known.remembered) = (false, true);
        }
        state.known.len() as u64
    }

    /// Waits while another worker tests the same content, then gives its verdict, or a ticket if there is none.
    pub(crate) fn claim(&self, fingerprint: Fingerprint) -> Claim<'_> {
        let mut state = self.lock();
        loop {
            if let Some(known) = state.known.get(&fingerprint) {
                return Claim::Known(known.verdict);
            }
            if state.running.insert(fingerprint) {
                return Claim::Granted(Ticket { cache: self, fingerprint });
            }
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket<'_> {
    pub(crate) fn publish(self, verdict: Verdict) {
        self.cache
            .lock()
            .known
            .insert(self.fingerprint, Known { verdict, counted: false, replayed: false, remembered: false });
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.cache.lock().running.remove(&self.fingerprint);
        self.cache.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: Fingerprint = Fingerprint(7);

    #[test]
    fn a_verdict_counts_once() {
        let cache = Cache::default();
        assert_eq!(cache.count(CONTENT), None);
        let Claim::Granted(ticket) = cache.claim(CONTENT) else { panic!("nothing is known yet") };
        ticket.publish(Verdict::Interesting);
        assert!(!cache.is_counted(CONTENT));
        let counted = Known { verdict: Verdict::Interesting, counted: true, replayed: false, remembered: false };
        assert_eq!(cache.count(CONTENT), Some(counted));
        assert_eq!(cache.count(CONTENT), None);
        assert!(cache.is_counted(CONTENT));
    }

    #[test]
    fn a_replayed_verdict_is_known_but_not_counted() {
        let cache = Cache::replaying(vec![(CONTENT, Verdict::Other)]);
        assert!(matches!(cache.claim(CONTENT), Claim::Known(Verdict::Other)));
        assert!(!cache.is_counted(CONTENT));
        let counted = Known { verdict: Verdict::Other, counted: true, replayed: true, remembered: true };
        assert_eq!(cache.count(CONTENT), Some(counted));
    }

    #[test]
    fn after_starting_over_verdicts_are_known_but_not_counted_and_withdrawn_ones_are_gone() {
        let (cache, other) = (Cache::replaying(vec![(CONTENT, Verdict::Other)]), Fingerprint(8));
        let Claim::Granted(ticket) = cache.claim(other) else { panic!("nothing is known yet") };
        ticket.publish(Verdict::Interesting);
        assert!(cache.count(CONTENT).is_some() && cache.count(other).is_some());
        assert_eq!(cache.start_over(&[CONTENT, Fingerprint(9)]), 1);
        assert!(cache.lookup(CONTENT).is_none() && !cache.is_counted(other));
        assert!(cache.count(other).is_some_and(|known| known.remembered && !known.replayed));
    }

    #[test]
    fn who_asks_for_what_is_being_tested_waits_for_its_verdict() {
        let cache = Cache::default();
        let Claim::Granted(ticket) = cache.claim(CONTENT) else { panic!("nothing is known yet") };
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| matches!(cache.claim(CONTENT), Claim::Known(Verdict::TimedOut)));
            std::thread::sleep(std::time::Duration::from_millis(20));
            ticket.publish(Verdict::TimedOut);
            assert!(waiting.join().unwrap());
        });
    }

    #[test]
    fn a_test_without_a_verdict_leaves_the_content_to_the_next() {
        let cache = Cache::default();
        drop(cache.claim(CONTENT));
        assert!(matches!(cache.claim(CONTENT), Claim::Granted(_)));
    }
}
