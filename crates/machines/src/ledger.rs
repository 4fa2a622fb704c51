//! [`Ledger`]: which verdicts rest on the word of which worker. When a worker turns out to give other verdicts than this machine,
//! all of its verdicts are withdrawn, but for those that this machine gave too.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use whittle_search::Fingerprint;

/// Who said what.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The worker that gave the verdict on each content.
    said: HashMap<Fingerprint, Arc<str>>,
    /// What was withdrawn, and is not taken yet.
    withdrawn: Vec<Fingerprint>,
}

impl Ledger {
    /// A worker gave a verdict.
    pub(crate) fn note(&mut self, content: Fingerprint, worker: &Arc<str>) {
        self.said.insert(content, Arc::clone(worker));
    }

    /// This machine gave the same verdict.
    pub(crate) fn vouch(&mut self, content: Fingerprint) {
        self.said.remove(&content);
    }

    /// Who vouches for the verdict on a content, if it is not this machine.
    pub(crate) fn source(&self, content: Fingerprint) -> Option<&Arc<str>> {
        self.said.get(&content)
    }

    /// The workers on whose word verdicts rest.
    pub(crate) fn sources(&self) -> HashSet<Arc<str>> {
        self.said.values().cloned().collect()
    }

    /// Withdraws the verdicts of a worker, and says how many those are.
    pub(crate) fn withdraw(&mut self, worker: &str) -> usize {
        let before = self.withdrawn.len();
        let of_others = |content: &Fingerprint, source: &mut Arc<str>| {
            let stays = **source != *worker;
            if !stays {
                self.withdrawn.push(*content);
            }
            stays
        };
        self.said.retain(of_others);
        self.withdrawn.len() - before
    }

    /// What was withdrawn since the last time.
    pub(crate) fn take_withdrawn(&mut self) -> Vec<Fingerprint> {
        std::mem::take(&mut self.withdrawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_of_one_worker_are_withdrawn_but_for_those_that_were_given_here_too() {
        let mut ledger = Ledger::default();
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        for (content, worker) in [(1, &a), (2, &a), (3, &b), (4, &a)] {
            ledger.note(Fingerprint(content), worker);
        }
        // It was lost with its first worker, and another one tested it.
        ledger.note(Fingerprint(4), &b);
        ledger.vouch(Fingerprint(2));
        assert_eq!(ledger.source(Fingerprint(2)), None);
        assert_eq!(ledger.sources().len(), 2);
        assert_eq!(ledger.withdraw("a"), 1);
        assert_eq!(ledger.sources(), HashSet::from([Arc::clone(&b)]));
        assert_eq!(ledger.take_withdrawn(), [Fingerprint(1)]);
        assert!(ledger.take_withdrawn().is_empty());
        assert_eq!(ledger.source(Fingerprint(3)), Some(&b));
    }
}
