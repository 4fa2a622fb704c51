//! [`Rendered`]: a text that edits leave of another, and which parts of it are copies.

use std::ops::Range;

/// A text that edits leave of another.
pub(crate) struct Rendered {
    pub(crate) text: Vec<u8>,
    pub(crate) copies: Copies,
}

/// The parts that a text shares with another, in the order of both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Copies(Vec<Copy>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Copy {
    /// Where it is in the other text.
    from: Range<usize>,
    /// Where it is in this one.
    to: usize,
}

/// A part of a text that another part takes the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// In the other text.
    pub(crate) from: Range<usize>,
    /// In this one.
    pub(crate) to: Range<usize>,
}

impl Copies {
    /// A range of the other text is also at `to`. What is not in the order of both texts counts as new.
    pub(crate) fn add(&mut self, from: Range<usize>, to: usize) {
        match self.0.last_mut() {
            Some(last) if last.from.end == from.start && last.to + last.from.len() == to => last.from.end = from.end,
            Some(last) if from.start < last.from.end => {}
            _ => self.0.push(Copy { from, to }),
        }
    }

    /// Ranges of the other text, each with the place where it is in this one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Range<usize>, usize)> + '_ {
        self.0.iter().map(|copy| (copy.from.clone(), copy.to))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many bytes they have together.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|copy| copy.from.len()).sum()
    }

    /// What lies between the copies, in text order. The texts have these lengths.
    pub(crate) fn changes(&self, from_len: usize, to_len: usize) -> Vec<Change> {
        let (mut from, mut to) = (0, 0);
        let mut changes = Vec::with_capacity(self.0.len() + 1);
        let end = Copy { from: from_len..from_len, to: to_len };
        for copy in self.0.iter().chain([&end]) {
            if from < copy.from.start || to < copy.to {
                changes.push(Change { from: from..copy.from.start, to: to..copy.to });
            }
            (from, to) = (copy.from.end, copy.to + copy.from.len());
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_what_lies_between_copies() {
        let mut copies = Copies::default();
        // "abcdefgh" becomes "bc-fXh": "bc" and "f" and "h" are copies; a second "b" would be out of order.
        for (from, to) in [(1..2, 0), (2..3, 1), (5..6, 3), (1..2, 4), (7..8, 5)] {
            copies.add(from, to);
        }
        assert_eq!((copies.len(), copies.bytes()), (3, 4));
        let change = |from: Range<usize>, to: Range<usize>| Change { from, to };
        assert_eq!(copies.changes(8, 6), [change(0..1, 0..0), change(3..5, 2..3), change(6..7, 4..5)]);
        assert_eq!(Copies::default().changes(2, 0), [change(0..2, 0..0)]);
    }
}
