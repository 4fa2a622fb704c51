//! The proposals that are being tested ahead of sequential order: a tree over the outcomes of their tests.
//!
//! The root is the proposal whose verdict is settled next. Below each proposal are those that a sequential run would
//! make after its failure and after its success. Its report decides which of the two remain; the others are cancelled.

mod leaf;

use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, OnceLock};

use crate::examine::{Bar, Draft, Judgement, Report};
use crate::odds::Context;
use crate::workers::JobId;

use crate::{Cancel, Measured, Proposer};
pub(crate) use leaf::Leaf;

/// A test that is needed with a lower probability is not worth its electricity, be there a free worker or not. Compared with 1%,
/// this makes 256 workers 7% faster, for 36% more speculative tests, and 64 workers 1%, for 5% more (`docs/decisions/0016`).
pub(crate) const MIN_CHANCE: f64 = 0.002;

/// Proposals whose verdicts sequential order has not reached yet, each with the state `P` of its proposer.
pub(crate) struct Window<P> {
    root: Option<JobId>,
    nodes: BTreeMap<JobId, Node<P>>,
    /// How many verdicts were settled.
    settled: u64,
}

/// A proposal that is being tested.
pub(crate) struct Node<P> {
    /// The proposer before it learns the verdict.
    state: P,
    pub(crate) cancel: Cancel,
    /// The candidate, once its test begins.
    pub(crate) draft: Arc<OnceLock<Arc<Draft>>>,
    /// What it must be smaller than.
    pub(crate) bar: Bar,
    pub(crate) context: Context,
    /// How likely it is to succeed.
    pub(crate) odds: f64,
    /// How many proposals of this run come before it.
    pub(crate) position: u64,
    /// What comes before it.
    after: Option<(JobId, bool)>,
    report: Option<Report>,
    after_failure: Next,
    after_success: Next,
}

/// What is accepted after a success.
#[derive(Clone)]
pub(crate) enum Winner {
    Known(Arc<Measured>),
    /// It is accepted if its test says so.
    Assumed(Arc<Draft>),
}

/// What comes after one of the outcomes.
#[derive(Clone, Copy)]
enum Next {
    Unknown,
    Nothing,
    Tested(JobId),
}

impl<P> Default for Window<P> {
    fn default() -> Self {
        Self { root: None, nodes: BTreeMap::new(), settled: 0 }
    }
}

impl<P> Node<P> {
    pub(crate) fn new(state: P, bar: Bar, context: Context, position: u64) -> Self {
        let (cancel, draft) = (Cancel::new(), Arc::default());
        let (after_failure, after_success) = (Next::Unknown, Next::Unknown);
        Self {
            state,
            cancel,
            draft,
            bar,
            context,
            odds: 0.0,
            position,
            after: None,
            report: None,
            after_failure,
            after_success,
        }
    }

    /// What the next one must be smaller than after an outcome.
    fn bar_after(&self, success: bool) -> Bar {
        match (&self.bar, self.winner()) {
            (Bar::Best(_) | Bar::Draft(_), Some(Winner::Known(winner))) if success => Bar::Best(winner),
            (Bar::Best(_) | Bar::Draft(_), Some(Winner::Assumed(draft))) if success => Bar::Draft(draft),
            (bar, _) => bar.clone(),
        }
    }

    /// What it proposes.
    pub(crate) fn propose(&self) -> Option<P::Proposal>
    where
        P: Proposer,
    {
        self.state.propose()
    }

    /// Whether it costs a test, as far as is known.
    pub(crate) fn is_test(&self) -> bool {
        self.report.as_ref().is_none_or(|report| matches!(report, Report::Judged(_)))
    }

    /// What is accepted if it succeeds.
    pub(crate) fn winner(&self) -> Option<Winner> {
        match &self.report {
            Some(Report::Judged(Judgement { winner, .. })) => winner.clone().map(Winner::Known),
            _ => self.draft.get().cloned().map(Winner::Assumed),
        }
    }

    fn leaf(&self, job: JobId, success: bool, chance: f64) -> Leaf {
        let is_ready = !success || self.report.is_some() || self.draft.get().is_some();
        Leaf { chance, after: Some((job, success)), is_ready, is_end: false }
    }

    fn next_after(&mut self, success: bool) -> &mut Next {
        if success { &mut self.after_success } else { &mut self.after_failure }
    }

    /// The probability of an outcome.
    pub(crate) fn chance(&self, success: bool) -> f64 {
        match &self.report {
            Some(report) => f64::from(report.is_success() == success),
            None if success => self.odds,
            None => 1.0 - self.odds,
        }
    }
}

impl<P> Window<P> {
    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    pub(crate) fn settled(&self) -> u64 {
        self.settled
    }

    /// How many unsettled proposals come before a leaf.
    pub(crate) fn ahead(&self, leaf: &Leaf) -> u64 {
        leaf.after.map_or(0, |(job, _)| self.nodes[&job].position + 1 - self.settled)
    }

    /// What is next after an outcome of a proposal.
    pub(crate) fn next(&self, (job, success): (JobId, bool)) -> Node<P>
    where
        P: Proposer,
    {
        let node = &self.nodes[&job];
        let mut state = node.state.clone();
        state.observe(success);
        let context = if node.is_test() { node.context.after(success) } else { node.context };
        Node::new(state, node.bar_after(success), context, node.position + 1)
    }

    /// The places where more could be tested, and that are likely enough to be needed; the likeliest is the greatest.
    pub(crate) fn leaves(&self, assumes_success: bool) -> BinaryHeap<Leaf> {
        let mut leaves = BinaryHeap::new();
        let mut todo = Vec::from_iter(self.root.map(|root| (root, 1.0)));
        if todo.is_empty() {
            leaves.push(Leaf::ROOT);
        }
        while let Some((job, chance)) = todo.pop() {
            let node = &self.nodes[&job];
            for (success, next) in [(false, node.after_failure), (true, node.after_success)] {
                let chance = chance * node.chance(success);
                match next {
                    _ if chance < MIN_CHANCE || (success && node.report.is_none() && !assumes_success) => {}
                    Next::Nothing => leaves.push(Leaf { is_end: true, ..node.leaf(job, success, chance) }),
                    Next::Unknown => leaves.push(node.leaf(job, success, chance)),
                    Next::Tested(next) => todo.push((next, chance)),
                }
            }
        }
        leaves
    }

    /// The proposer has nothing to propose there.
    pub(crate) fn close(&mut self, leaf: Leaf) -> Option<Leaf> {
        self.set_next(&leaf, Next::Nothing);
        leaf.after.map(|_| Leaf { is_end: true, ..leaf })
    }

    /// The proposals up to this one, with their outcomes.
    pub(crate) fn path_to(&self, last: (JobId, bool)) -> Vec<(&Node<P>, bool)> {
        let before = |&(job, _): &(JobId, bool)| self.nodes[&job].after.filter(|_| Some(job) != self.root);
        let mut path: Vec<_> = std::iter::successors(Some(last), before).collect();
        path.reverse();
        path.into_iter().map(|(job, success)| (&self.nodes[&job], success)).collect()
    }

    /// Adds a proposal, and gives the places after it.
    pub(crate) fn add(&mut self, leaf: &Leaf, job: JobId, mut node: Node<P>) -> [Leaf; 2] {
        node.after = leaf.after;
        let leaves = [false, true].map(|success| node.leaf(job, success, leaf.chance * node.chance(success)));
        self.nodes.insert(job, node);
        self.set_next(leaf, Next::Tested(job));
        leaves
    }

    fn set_next(&mut self, leaf: &Leaf, next: Next) {
        match (leaf.after, next) {
            (Some((job, success)), next) => {
                self.nodes.get_mut(&job).into_iter().for_each(|node| *node.next_after(success) = next);
            }
            (None, Next::Tested(root)) => self.root = Some(root),
            (None, _) => {}
        }
    }

    /// Records a report, and cancels what rests on the other outcome. Reports of jobs that were cancelled earlier are
    /// ignored.
    pub(crate) fn record(&mut self, job: JobId, report: Report) {
        let Some(node) = self.nodes.get_mut(&job) else { return };
        let other = std::mem::replace(node.next_after(!report.is_success()), Next::Nothing);
        node.report = Some(report);
        self.cancel_from(other);
    }

    /// The oldest proposal with its report, once it is there.
    pub(crate) fn pop_ready(&mut self) -> Option<(Context, Report)> {
        let root = self.root?;
        self.nodes[&root].report.as_ref()?;
        let mut node = self.nodes.remove(&root)?;
        let report = node.report.take()?;
        self.root = match *node.next_after(report.is_success()) {
            Next::Tested(next) => Some(next),
            Next::Unknown | Next::Nothing => None,
        };
        self.settled += 1;
        Some((node.context, report))
    }

    fn cancel_from(&mut self, next: Next) {
        let mut todo = vec![next];
        while let Some(next) = todo.pop() {
            if let Next::Tested(job) = next
                && let Some(node) = self.nodes.remove(&job)
            {
                node.cancel.cancel();
                todo.extend([node.after_failure, node.after_success]);
            }
        }
    }
}

impl<P> Drop for Window<P> {
    fn drop(&mut self) {
        self.nodes.values().for_each(|node| node.cancel.cancel());
    }
}
