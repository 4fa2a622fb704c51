//! [`Limited`]: another proposer, up to a number of proposals.

use crate::Proposer;

/// Proposes what another proposer does, but not more than a number of times.
#[derive(Clone, Debug)]
pub struct Limited<P> {
    inner: P,
    left: u64,
}

impl<P> Limited<P> {
    /// At most `proposals` proposals of `inner`.
    pub fn new(inner: P, proposals: u64) -> Self {
        Self { inner, left: proposals }
    }

    /// How many proposals are left.
    pub fn left(&self) -> u64 {
        self.left
    }
}

impl<P: Proposer> Proposer for Limited<P> {
    type Proposal = P::Proposal;

    fn propose(&self) -> Option<P::Proposal> {
        if self.left == 0 { None } else { self.inner.propose() }
    }

    fn is_done(&self) -> bool {
        self.left == 0 || self.inner.is_done()
    }

    fn observe(&mut self, interesting: bool) {
        self.left = self.left.saturating_sub(1);
        self.inner.observe(interesting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FirstOf;

    #[test]
    fn nothing_is_proposed_beyond_the_limit() {
        let mut limited = Limited::new(FirstOf::new(vec!['a', 'b', 'c']), 2);
        for expected in ['a', 'b'] {
            assert_eq!(limited.propose(), Some(expected));
            limited.observe(false);
        }
        assert_eq!((limited.propose(), limited.is_done(), limited.left()), (None, true, 0));
        let mut ended = Limited::new(FirstOf::new(vec!['a']), 9);
        ended.observe(false);
        assert_eq!((ended.propose(), ended.is_done(), ended.left()), (None, true, 8));
    }
}
