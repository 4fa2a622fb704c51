//! [`Minimizer`]: the contract of every list minimizer.

use whittle_search::Proposer;

use crate::Subset;

/// A state machine that makes a list small by proposing subsets of it.
///
/// - Every proposal is a proper, non-empty subset of [`current`](Self::current). An accepted proposal becomes current.
///   At the start the whole list is current.
/// - The empty list is never proposed: [`EmptyFirst`](crate::EmptyFirst) tries it first.
/// - A proposal may come twice. The caller caches verdicts by content, because it sees more repetitions than one minimizer.
/// - Where one-minimality is promised, no single element can be removed from the last current list; this holds for
///   every property, monotone or not. `ddmin`, `onemin`, `wddmin` and everything followed by a sweep promise it.
pub trait Minimizer: Proposer<Proposal = Subset> {
    /// What is kept so far.
    fn current(&self) -> &Subset;
}
