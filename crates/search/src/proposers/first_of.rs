//! [`FirstOf`]: several values of which the first that works is taken.
//!
//! Cost: at most one test for each value.

use std::sync::Arc;

use crate::Proposer;

/// Proposes values in order until one of them is interesting.
#[derive(Clone, Debug)]
pub struct FirstOf<T> {
    values: Arc<Vec<T>>,
    next: usize,
    taken: Option<usize>,
}

impl<T> FirstOf<T> {
    /// Starts with the first of `values`.
    pub fn new(values: Vec<T>) -> Self {
        Self { values: Arc::new(values), next: 0, taken: None }
    }

    /// The value that was interesting.
    pub fn taken(&self) -> Option<&T> {
        self.taken.map(|position| &self.values[position])
    }

    /// The position of the value that was interesting.
    pub fn position(&self) -> Option<usize> {
        self.taken
    }

    /// The values that were not interesting.
    pub fn failed(&self) -> &[T] {
        &self.values[..self.taken.unwrap_or(self.next)]
    }
}

impl<T: Clone + Send + 'static> Proposer for FirstOf<T> {
    type Proposal = T;

    fn propose(&self) -> Option<T> {
        self.values.get(self.next).filter(|_| self.taken.is_none()).cloned()
    }

    fn is_done(&self) -> bool {
        self.taken.is_some() || self.next >= self.values.len()
    }

    fn observe(&mut self, interesting: bool) {
        if self.is_done() {
            return;
        }
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
    fn values_are_proposed_in_order_until_one_is_interesting() {
        let mut first = FirstOf::new(vec!['a', 'b', 'c']);
        assert_eq!((first.propose(), first.propose()), (Some('a'), Some('a')));
        first.observe(false);
        assert_eq!(first.propose(), Some('b'));
        first.observe(true);
        assert_eq!((first.propose(), first.taken(), first.position()), (None, Some(&'b'), Some(1)));
        assert_eq!(first.failed(), ['a']);
    }

    #[test]
    fn nothing_is_taken_where_nothing_is_interesting() {
        let mut first = FirstOf::new(vec!['a', 'b']);
        first.observe(false);
        first.observe(false);
        assert_eq!((first.propose(), first.taken(), first.failed()), (None, None, &['a', 'b'][..]));
        assert_eq!(FirstOf::<char>::new(Vec::new()).propose(), None);
    }
}
