//! How similar two texts are, 0 to 1: the share of their words that a longest common subsequence keeps.
//!
//! A word is a run of letters, digits and underscores (bytes that are not ASCII are letters); what stands between words
//! is not compared. Line and column numbers, counters and addresses change at every step of a reduction, so any two
//! runs of digits are equal, also inside words, and so are any two hexadecimal numbers `0x…`: `a.c:12:5` equals
//! `a.c:7:33`, and `func_1` equals `func_24`. With n and m words of which k are common in order, the similarity is
//! 2k / (n + m), the ratio of `diff`-like tools. Two texts without words are similar (1) if they are equal, otherwise
//! not at all (0).
//!
//! Cost: of each text the first and the last 32 KiB count (compilers print the crash at the end), so there are at most
//! 2¹⁵ words on a side. The subsequence's length is computed exactly, bit-parallel (Hyyrö 2004, "Bit-parallel
//! LCS-length computation revisited"), in nm/64 steps or fewer: at most 2²⁴, and some thousand for the usual output.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How much of each end of a text counts.
const END: usize = 32 * 1024;

/// How similar two texts are: 0 (no word in common) to 1 (no word changed).
///
/// ```
/// use whittle_property::conditions::Similarity;
///
/// let before = b"bug.c:212:7: internal compiler error: in expand_expr, at expr.cc:9861";
/// let after = b"bug.c:3:1: internal compiler error: in expand_expr, at expr.cc:9861";
/// assert_eq!(Similarity::between(before, after).value(), 1.0);
/// assert_eq!("0.8".parse::<Similarity>()?.value(), 0.8);
/// # Ok::<(), whittle_property::conditions::SimilarityError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Similarity(f64);

impl Similarity {
    /// The threshold that is used unless another is given.
    pub const DEFAULT_THRESHOLD: Self = Self(0.8);

    /// How similar `a` and `b` are.
    pub fn between(a: &[u8], b: &[u8]) -> Self {
        Words::new(a).similarity(b)
    }

    /// The similarity as a number, 0 to 1.
    pub const fn value(self) -> f64 {
        self.0
    }
}

impl FromStr for Similarity {
    type Err = SimilarityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().parse() {
            Ok(value) if (0.0..=1.0).contains(&value) => Ok(Self(value)),
            _ => Err(SimilarityError(text.to_owned())),
        }
    }
}

/// With two decimals, or with more if it has more.
impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = format!("{:.2}", self.0);
        if short.parse() == Ok(self.0) { f.write_str(&short) } else { write!(f, "{}", self.0) }
    }
}

/// A text that is not a similarity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a similarity: write a number from 0 to 1, such as 0.8")]
pub struct SimilarityError(String);

/// The words of one text, made ready to be compared with many others.
#[derive(Clone, Debug)]
pub(super) struct Words {
    text: Vec<u8>,
    len: usize,
    /// For each word the positions at which it stands: the blocks of 64 positions that have any, with a bit for each.
    places: HashMap<Vec<u8>, Vec<(usize, u64)>>,
}

impl Words {
    pub(super) fn new(text: &[u8]) -> Self {
        let words = words(text);
        let mut places: HashMap<Vec<u8>, Vec<(usize, u64)>> = HashMap::new();
        for (position, word) in words.iter().enumerate() {
            let (block, bit) = (position / 64, 1 << (position % 64));
            let blocks = places.entry(word.clone()).or_default();
            match blocks.last_mut() {
                Some((last, bits)) if *last == block => *bits |= bit,
                _ => blocks.push((block, bit)),
            }
        }
        Self { text: text.to_vec(), len: words.len(), places }
    }

    /// All of the text, also what does not count.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    pub(super) fn similarity(&self, other: &[u8]) -> Similarity {
        let others = words(other);
        let total = self.len + others.len();
        if total == 0 {
            return Similarity(if self.text == other { 1.0 } else { 0.0 });
        }
        Similarity((2 * self.common(&others)) as f64 / total as f64)
    }

    /// The length of a longest common subsequence. In row `i` of the textbook's table, bit `j` is 0 where the length
    /// grows from column `j` to column `j + 1`; each word of `others` makes the next row in one addition.
    fn common(&self, others: &[Vec<u8>]) -> usize {
        let mut row = vec![u64::MAX; self.len.div_ceil(64)];
        for blocks in others.iter().filter_map(|word| self.places.get(word)) {
            let mut carry = false;
            let mut next = 0;
            for &(block, places) in blocks {
                carry = carry && ripple(&mut row[next..block]);
                carry = advance(&mut row[block], places, carry);
                next = block + 1;
            }
            if carry {
                ripple(&mut row[next..]);
            }
        }
        row.iter().map(|block| block.count_zeros() as usize).sum()
    }
}

/// Carries through blocks in which the word does not stand, until one absorbs the carry.
fn ripple(blocks: &mut [u64]) -> bool {
    blocks.iter_mut().all(|block| advance(block, 0, true))
}

fn advance(block: &mut u64, places: u64, carry: bool) -> bool {
    let matches = *block & places;
    let (sum, over) = block.overflowing_add(matches);
    let (sum, over_by_carry) = sum.overflowing_add(carry.into());
    *block = sum | (*block & !matches);
    over || over_by_carry
}

/// The words of the parts of `text` that count, with digits made equal.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let (head, tail) = if text.len() > 2 * END { (&text[..END], &text[text.len() - END..]) } else { (text, &[][..]) };
    [head, tail]
        .into_iter()
        .flat_map(|part| part.split(|byte| !is_letter_or_digit(*byte)))
        .filter(|word| !word.is_empty())
        .map(without_digits)
        .collect()
}

fn is_letter_or_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn without_digits(word: &[u8]) -> Vec<u8> {
    if word.strip_prefix(b"0x").is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
        return vec![b'0'];
    }
    let mut equal: Vec<u8> = word.iter().map(|&byte| if byte.is_ascii_digit() { b'0' } else { byte }).collect();
    equal.dedup_by(|a, b| *a == b'0' && *b == b'0');
    equal
}

#[cfg(test)]
mod tests;
