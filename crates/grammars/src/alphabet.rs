//! [`Alphabet`]: which characters people like to read, and the shortlex order of texts that follows from it.
//!
//! Letters come before digits, since `aa` reads better than `a0`; within a number, that is from its first digit or a
//! `#` to the end of the word, digits come first, so that `0x1f` is smaller than `0xaf`. The search orders candidates
//! in the same way (`letters.rs` there), so what comes earlier here is smaller there.

use std::cmp::Ordering;
use std::str::FromStr;

use thiserror::Error;

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

    /// All characters that it mentions, in order.
    pub fn chars(&self) -> impl Iterator<Item = char> {
        self.first.iter().copied()
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

/// Why a word says no order of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoAlphabet {
    /// It is empty.
    #[error("no character is given; write those that come first, as in xyz or p-t")]
    Empty,
    /// Names do not consist of such characters.
    #[error("'{0}' cannot come first; letters from a to z and from A to Z, digits and _ can")]
    Foreign(char),
    /// The ends of a range do not belong together.
    #[error("{0}-{1} is not a range; a range goes up, within a-z, A-Z or 0-9")]
    NoRange(char, char),
}

impl FromStr for Alphabet {
    type Err = NoAlphabet;

    /// The characters that come first, one by one or in ranges: `xyz`, `p-t`, `_A-Z`.
    fn from_str(word: &str) -> Result<Self, NoAlphabet> {
        let chars: Vec<char> = word.chars().collect();
        let mut first = String::new();
        let mut rest = &chars[..];
        while let [from, after @ ..] = rest {
            let (to, after) = match after {
                ['-', to, after @ ..] => (to, after),
                _ => (from, after),
            };
            first.extend(range(*from, *to)?);
            rest = after;
        }
        if first.is_empty() { Err(NoAlphabet::Empty) } else { Ok(Self::new(&first)) }
    }
}

/// The characters from one to another of the same class.
fn range(from: char, to: char) -> Result<impl Iterator<Item = char>, NoAlphabet> {
    let class = |c: char| match c {
        'a'..='z' => Ok('a'),
        'A'..='Z' => Ok('A'),
        '0'..='9' => Ok('0'),
        '_' => Ok('_'),
        _ => Err(NoAlphabet::Foreign(c)),
    };
    if class(from)? == class(to)? && from <= to { Ok(from..=to) } else { Err(NoAlphabet::NoRange(from, to)) }
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
    fn a_word_says_which_characters_come_first() {
        let begins_with = |word: &str| -> String { word.parse::<Alphabet>().unwrap().chars().take(4).collect() };
        assert_eq!(begins_with("xyz"), "xyza");
        assert_eq!(begins_with("s-u"), "stua");
        assert_eq!(begins_with("_7-8x_"), "_78x");
        assert_eq!("".parse::<Alphabet>(), Err(NoAlphabet::Empty));
        assert_eq!("a b".parse::<Alphabet>(), Err(NoAlphabet::Foreign(' ')));
        assert_eq!("a-".parse::<Alphabet>(), Err(NoAlphabet::Foreign('-')));
        assert_eq!("a-Z".parse::<Alphabet>(), Err(NoAlphabet::NoRange('a', 'Z')));
        assert_eq!("z-a".parse::<Alphabet>(), Err(NoAlphabet::NoRange('z', 'a')));
    }

    #[test]
    fn characters_beyond_ascii_are_offered_only_where_there_are_no_others() {
        let chars = |ranges| Alphabet::default().chars_in(ranges, Place::default());
        assert_eq!(chars(&[('0', '1'), ('b', 'c'), ('à', 'ÿ')]), ['b', 'c', '0', '1']);
        assert_eq!(chars(&[('à', 'ÿ')]), ['à']);
    }
}
