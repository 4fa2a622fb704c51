//! [`Alternatives`]: several edits of which the first that works is taken.

use whittle_search::Proposer;

/// Proposes the numbers from zero on, until one of them is interesting.
#[derive(Clone, Copy, Debug)]
pub struct Alternatives {
    next: usize,
    len: usize,
    taken: Option<usize>,
}

impl Alternatives {
    /// So many alternatives.
    pub fn new(len: usize) -> Self {
        Self { next: 0, len, taken: None }
    }

    /// The one that was interesting.
    pub fn taken(&self) -> Option<usize> {
        self.taken
    }
}

impl Proposer for Alternatives {
    type Proposal = usize;

    fn propose(&self) -> Option<usize> {
        (self.taken.is_none() && self.next < self.len).then_some(self.next)
    }

    fn observe(&mut self, interesting: bool) {
        if interesting {
            self.taken = Some(self.next);
        }
        self.next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_proposed_in_order_until_one_is_interesting() {
        let mut alternatives = Alternatives::new(3);
        assert_eq!((alternatives.propose(), alternatives.propose()), (Some(0), Some(0)));
        alternatives.observe(false);
        assert_eq!(alternatives.propose(), Some(1));
        alternatives.observe(true);
        assert_eq!((alternatives.propose(), alternatives.taken()), (None, Some(1)));
    }

    #[test]
    fn nothing_is_taken_where_nothing_is_interesting() {
        let mut alternatives = Alternatives::new(2);
        alternatives.observe(false);
        alternatives.observe(false);
        assert_eq!((alternatives.propose(), alternatives.taken()), (None, None));
        assert_eq!(Alternatives::new(0).propose(), None);
    }
}
