//! [`Alphabet`]: the order of characters in which texts are compared when they are equally long.
//!
//! The search uses it to choose between candidates of the same size, and token reducers use it to enumerate shorter and
//! plainer texts. Both must agree, or a token reducer would propose texts that the search rejects as not smaller.
//!
//! Letters come before digits, because `aa` reads better than `a0`. Inside a number digits come first, so that `0x1f`
//! is smaller than `0xaf`. A number starts with a digit or a `#` and extends to the end of the word.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use thiserror::Error;

/// How many characters ASCII has.
const ASCII: usize = 128;
/// The place of all characters beyond ASCII: after whatever can be seen, before control characters.
const BEYOND_ASCII: u8 = ASCII as u8;

/// An order of characters: the given ones first, then a to z, A to Z, 0 to 9, `_`, the rest of printable ASCII,
/// whitespace, characters beyond ASCII, and control characters.
///
/// ```
/// use whittle_search::Alphabet;
/// let readable = Alphabet::default();
/// assert!(readable.compare("z", "aa").is_lt() && readable.compare("aa", "a0").is_lt());
/// assert!(readable.compare("0x1f", "0xaf").is_lt());
/// assert!(Alphabet::starting_with("zyx").compare("z", "a").is_lt());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Alphabet {
    /// Shared, because every measured candidate has one.
    places: Arc<Places>,
}

/// The place of each ASCII character.
#[derive(PartialEq, Eq)]
struct Places {
    elsewhere: [u8; ASCII],
    in_numbers: [u8; ASCII],
}

impl Default for Alphabet {
    fn default() -> Self {
        static READABLE: LazyLock<Alphabet> = LazyLock::new(|| Alphabet::starting_with(""));
        READABLE.clone()
    }
}

impl fmt::Debug for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut chars: Vec<char> = ('!'..='~').collect();
        chars.sort_by_key(|&c| self.rank(c, Context::default()));
        f.debug_tuple("Alphabet").field(&chars.iter().collect::<String>()).finish()
    }
}

impl Alphabet {
    /// These ASCII characters first, then the others in the default order. Characters beyond ASCII are ignored.
    pub fn starting_with(first: &str) -> Self {
        let readable = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['_']);
        let visible = ('!'..='~').chain(['\t', '\n', ' ']);
        let elsewhere = places(first.chars().filter(char::is_ascii).chain(readable).chain(visible));
        let mut in_numbers = elsewhere;
        ('0'..='9').for_each(|digit| in_numbers[digit as usize] = 0);
        Self { places: Arc::new(Places { elsewhere, in_numbers }) }
    }

    /// Printable ASCII in its own order, in numbers and elsewhere, then the rest: the order of T-Rec's paper.
    pub fn ascii() -> Self {
        let elsewhere = places(' '..='~');
        Self { places: Arc::new(Places { elsewhere, in_numbers: elsewhere }) }
    }

    /// Compares in shortlex order: the shorter text first; of equally long texts, the one whose first differing
    /// character comes first.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        let length = |text: &str| text.chars().count();
        length(a).cmp(&length(b)).then_with(|| self.ranks(a.chars()).cmp(self.ranks(b.chars())))
    }

    /// The rank of a character after what precedes it. Characters with lower ranks come first.
    pub fn rank(&self, c: char, context: Context) -> Rank {
        let places = if context.in_number { &self.places.in_numbers } else { &self.places.elsewhere };
        Rank(places.get(c as usize).copied().unwrap_or(BEYOND_ASCII), c)
    }

    /// The ranks of the bytes that are not whitespace.
    pub(crate) fn solid_ranks(&self, bytes: &[u8]) -> impl Iterator<Item = Rank> {
        // Bytes beyond ASCII keep their order as Latin-1 characters, and UTF-8 keeps that of its characters.
        let ranks = self.ranks(bytes.iter().map(|&byte| char::from(byte)));
        ranks.filter(|rank| !rank.1.is_ascii_whitespace())
    }

    fn ranks(&self, chars: impl Iterator<Item = char>) -> impl Iterator<Item = Rank> {
        chars.scan(Context::default(), |context, c| {
            let rank = self.rank(c, *context);
            *context = context.after(c);
            Some(rank)
        })
    }
}

/// The places of ASCII characters: the given ones first, the others after whatever is beyond ASCII.
fn places(first: impl Iterator<Item = char>) -> [u8; ASCII] {
    let mut places = [None; ASCII];
    let mut next = 1..;
    for c in first {
        places[c as usize] = places[c as usize].or_else(|| next.next());
    }
    let mut next = BEYOND_ASCII + 1..;
    for c in '\0'..='\x7f' {
        places[c as usize] = places[c as usize].or_else(|| next.next());
    }
    places.map(Option::unwrap_or_default)
}

/// The rank of a character in an [`Alphabet`]: its place, and the character itself where a place has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(u8, char);

/// What precedes a character, as far as that decides its rank: whether a word or a number has started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    in_number: bool,
    in_word: bool,
}

impl Context {
    /// The context after one more character.
    #[must_use]
    pub fn after(self, c: char) -> Self {
        let in_word = c.is_ascii_alphanumeric() || c == '_';
        let starts_number = if in_word { !self.in_word && c.is_ascii_digit() } else { c == '#' };
        Self { in_number: starts_number || (in_word && self.in_number), in_word }
    }
}

/// Why a text does not describe an alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AlphabetError {
    /// It is empty.
    #[error("no characters given; list the ones that come first, as in xyz or p-t")]
    Empty,
    /// Names do not contain this character in most languages.
    #[error("'{0}' cannot come first; only a to z, A to Z, 0 to 9 and _ can")]
    NotAllowed(char),
    /// The range goes down, or mixes kinds of characters.
    #[error("{0}-{1} is not a range; a range goes up, within a-z, A-Z or 0-9")]
    NotARange(char, char),
}

impl FromStr for Alphabet {
    type Err = AlphabetError;

    /// Reads the characters that come first, one by one or in ranges: `xyz`, `p-t`, `_A-Z`.
    fn from_str(text: &str) -> Result<Self, AlphabetError> {
        let chars: Vec<char> = text.chars().collect();
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
        if first.is_empty() { Err(AlphabetError::Empty) } else { Ok(Self::starting_with(&first)) }
    }
}

/// The characters from one to another of the same kind.
fn range(from: char, to: char) -> Result<impl Iterator<Item = char>, AlphabetError> {
    let kind = |c: char| match c {
        'a'..='z' => Ok('a'),
        'A'..='Z' => Ok('A'),
        '0'..='9' => Ok('0'),
        '_' => Ok('_'),
        _ => Err(AlphabetError::NotAllowed(c)),
    };
    if kind(from)? == kind(to)? && from <= to { Ok(from..=to) } else { Err(AlphabetError::NotARange(from, to)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_first_in_numbers_and_last_in_names() {
        let ascending = [
            "a", "z", "A", "0", "_", "+", "\t", " ", "é", "世", "\r", "aa", "a0", "00", "0a", "#0", "#a", "0x1f",
            "0xaf", "#xff0",
        ];
        for pair in ascending.windows(2) {
            assert!(Alphabet::default().compare(pair[0], pair[1]).is_lt(), "{pair:?}");
        }
    }

    #[test]
    fn ascii_is_an_order_too() {
        let ascending =
            [" ", "!", "0", "9", "A", "Z", "_", "a", "z", "~", "é", "\t", "#!", "#0", "0!", "00", "0a", "A0"];
        for pair in ascending.windows(2) {
            assert!(Alphabet::ascii().compare(pair[0], pair[1]).is_lt(), "{pair:?}");
        }
    }

    #[test]
    fn bytes_are_ordered_as_their_characters_are_but_for_whitespace() {
        let alphabet = Alphabet::starting_with("zA1");
        let texts = ["z1", "A1", "1z", "az", "+a", "é+", "éa", "世a", "\0a"];
        for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
            let in_bytes = alphabet.solid_ranks(a.as_bytes()).cmp(alphabet.solid_ranks(b.as_bytes()));
            assert_eq!(in_bytes, alphabet.compare(a, b), "{a:?} and {b:?}");
        }
        assert!(alphabet.solid_ranks(b" a\tb").eq(alphabet.solid_ranks(b"a b\n")));
    }

    #[test]
    fn a_text_lists_the_characters_that_come_first() {
        let starts_with = |text: &str| format!("{:?}", text.parse::<Alphabet>().unwrap())[10..14].to_owned();
        assert_eq!(starts_with("xyz"), "xyza");
        assert_eq!(starts_with("s-u"), "stua");
        assert_eq!(starts_with("_7-8x_"), "_78x");
        assert_eq!("".parse::<Alphabet>(), Err(AlphabetError::Empty));
        assert_eq!("a b".parse::<Alphabet>(), Err(AlphabetError::NotAllowed(' ')));
        assert_eq!("a-".parse::<Alphabet>(), Err(AlphabetError::NotAllowed('-')));
        assert_eq!("a-Z".parse::<Alphabet>(), Err(AlphabetError::NotARange('a', 'Z')));
        assert_eq!("z-a".parse::<Alphabet>(), Err(AlphabetError::NotARange('z', 'a')));
    }
}
