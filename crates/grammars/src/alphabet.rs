//! [`Alphabet`]: which characters people like to read, and the shortlex order of texts that follows from it.
//!
//! Letters come before digits, since `aa` reads better than `a0`; within a number, that is from its first digit or a
//! `#` to the end of the word, digits come first, so that `0x1f` is smaller than `0xaf`. The search orders candidates
//! in the same way (`size.rs` there), so what comes earlier here is smaller there.

use std::cmp::Ordering;

/// An order of characters. Those that it does not mention come after the others, blanks and controls last of all.
///
/// ```
/// use whittle_grammars::Alphabet;
/// let readable = Alphabet::default();
/// assert!(readable.compare("z", "aa").is_lt() && readable.compare("aa", "a0").is_lt());
/// assert!(readable.compare("0x1f", "0xaf").is_lt());
/// assert!(Alphabet::new("zyx").compare("z", "a").is_lt());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    first: Vec<char>,
}

impl Default for Alphabet {
    /// Letters, capital letters, digits, the underscore.
    fn default() -> Self {
        Self { first: ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']).collect() }
    }
}

impl Alphabet {
    /// These characters, then the others of the readable alphabet.
    pub fn new(first: &str) -> Self {
        let others = Self::default().first;
        let mut order: Vec<char> = Vec::new();
        for c in first.chars().chain(others) {
            if !order.contains(&c) {
                order.push(c);
            }
        }
        Self { first: order }
    }

    /// Shortlex: the shorter text first, of equally long ones the one whose first other character comes first.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        a.chars().count().cmp(&b.chars().count()).then_with(|| self.ranks(a).cmp(self.ranks(b)))
    }

    /// The characters of some ranges, in order. Where there are printable ones of ASCII, only those and blanks.
    pub(crate) fn chars_in(&self, ranges: &[(char, char)], place: Place) -> Vec<char> {
        let has = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c));
        let mut chars: Vec<char> = (' '..='~').chain(['\t', '\n']).filter(has).collect();
        if chars.is_empty() {
            chars.extend(ranges.iter().map(|range| range.0).min_by_key(|&c| self.rank(c, place)));
        }
        chars.sort_by_key(|&c| self.rank(c, place));
        chars
    }

    fn ranks(&self, text: &str) -> impl Iterator<Item = Rank> {
        text.chars().scan(Place::default(), |place, c| {
            let rank = self.rank(c, *place);
            *place = place.after(c);
            Some(rank)
        })
    }

    fn rank(&self, c: char, place: Place) -> Rank {
        if place.is_number && c.is_ascii_digit() {
            return (0, 0, c);
        }
        if let Some(at) = self.first.iter().position(|&first| first == c) {
            return (1, at, c);
        }
        let class = match c {
            '\u{21}'..='\u{7e}' => 2,
            ' ' | '\t' | '\n' => 3,
            '\u{80}'.. => 4,
            _ => 5,
        };
        (class, 0, c)
    }
}

type Rank = (u8, usize, char);

/// What stands before a character, as far as that changes which characters are liked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    is_number: bool,
    in_word: bool,
}

impl Place {
    /// The place after one more character.
    pub(crate) fn after(self, c: char) -> Self {
        let in_word = c.is_ascii_alphanumeric() || c == '_';
        let begins_number = if in_word { !self.in_word && c.is_ascii_digit() } else { c == '#' };
        Self { is_number: begins_number || (in_word && self.is_number), in_word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_first_in_numbers_and_last_in_names() {
        let ascending =
            ["a", "z", "A", "0", "_", "+", " ", "aa", "a0", "00", "0a", "#0", "#a", "0x1f", "0xaf", "#xff0"];
        for pair in ascending.windows(2) {
            assert!(Alphabet::default().compare(pair[0], pair[1]).is_lt(), "{pair:?}");
        }
    }

    #[test]
    fn characters_beyond_ascii_are_offered_only_where_there_are_no_others() {
        let chars = |ranges| Alphabet::default().chars_in(ranges, Place::default());
        assert_eq!(chars(&[('0', '1'), ('b', 'c'), ('à', 'ÿ')]), ['b', 'c', '0', '1']);
        assert_eq!(chars(&[('à', 'ÿ')]), ['à']);
    }
}
