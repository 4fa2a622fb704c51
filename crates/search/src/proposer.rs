//! The shape of every algorithm: it proposes candidates in an order and learns which were interesting.

/// A cloneable state machine that proposes edits one at a time.
///
/// [`Search`](crate::Search) runs ahead of the verdicts by telling clones that proposals failed or succeeded, so both
/// methods must depend on nothing but the state: no clock, no random source, no input or output.
pub trait Proposer: Clone {
    /// What is proposed, such as a subset of a list. It is turned into a candidate on a worker.
    type Proposal: Send + 'static;

    /// The proposal that waits for a verdict, or `None` when there is nothing left to try.
    /// Asking twice gives the same answer.
    fn propose(&self) -> Option<Self::Proposal>;

    /// Whether there is nothing left to try. Often cheaper than asking for a proposal.
    fn is_done(&self) -> bool {
        self.propose().is_none()
    }

    /// Learns whether the waiting proposal was interesting (and was accepted), and moves on to the next.
    fn observe(&mut self, interesting: bool);
}
