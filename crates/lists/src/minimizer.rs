//! [`Minimizer`]: the contract of every list minimizer.

use whittle_search::Proposer;

use crate::Subset;

/// A state machine that makes a list small by proposing subsets of it.
///
/// - Every proposal is a proper, non-empty subset of [`current`](Self::current). An accepted proposal becomes current.
///   At the start the whole list is current.
/// - The empty list is never proposed: where it makes sense, the caller tries it first.
/// - A proposal may come twice. Remembering verdicts by content is the business of the caller, who sees more
///   repetitions than one minimizer can.
/// - Where one-minimality is promised, no single element can be removed from the last current list; this holds for
///   every property, monotone or not. `ddmin`, `onemin`, `wddmin` and everything followed by a sweep promise it.
pub trait Minimizer: Proposer<Proposal = Subset> {
    /// What is kept so far.
    fn current(&self) -> &Subset;
}
