//! A set of small numbers as bits.

/// A set of small numbers, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Whether `number` is in the set.
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether no number is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether every number of the other set is in this one.
    pub fn includes(&self, other: &Self) -> bool {
        let mine = |index: usize| self.words.get(index).copied().unwrap_or(0);
        other.words.iter().enumerate().all(|(index, &word)| word & !mine(index) == 0)
    }

    /// The numbers, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(index, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index * 64 + bit))
    }

    /// Adds a number. Returns whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        if self.words.len() <= number / 64 {
            self.words.resize(number / 64 + 1, 0);
        }
        let word = &mut self.words[number / 64];
        let new = *word >> (number % 64) & 1 == 0;
        *word |= 1 << (number % 64);
        new
    }

    /// Adds all numbers of another set. Returns whether one of them is new.
    pub fn extend(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = false;
        for (mine, &theirs) in self.words.iter_mut().zip(&other.words) {
            new |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }
}
