//! [`Units`]: a file cut into the elements of a list, and put together again.
//!
//! For every unit, the elements put together are the file, byte for byte: whitespace, line ends, NUL bytes and bytes
//! that are not UTF-8 belong to some element. Cutting takes two passes (the first counts, so that the table has its
//! exact size) and four bytes per element; where every element is one byte, there is no table.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use crate::{Subset, Weights};

/// What the elements of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A line with its end, `\n` or `\r\n`. A lone `\r` ends no line.
    Line,
    /// A word, a line end or a single other character, each with the whitespace behind it.
    ///
    /// Letters, digits, underscores and everything beyond ASCII make words. Whitespace belongs to what is before it, so
    /// that leaving a word out leaves no gap, and leaving a line end out takes the next line's indentation along.
    Word,
    /// A Unicode scalar value; a byte that is not UTF-8 is one of its own.
    Char,
    /// A byte.
    Byte,
}

impl Unit {
    const ALL: [Self; 4] = [Self::Line, Self::Word, Self::Char, Self::Byte];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Word => "word",
            Self::Char => "char",
            Self::Byte => "byte",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Unit {
    type Err = UnknownUnit;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|unit| unit.name() == name);
        named.ok_or_else(|| UnknownUnit { name: name.to_owned() })
    }
}

/// A name that no unit has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown unit '{name}'; known are {}", Unit::ALL.map(Unit::name).join(", "))]
pub struct UnknownUnit {
    name: String,
}

/// A file too long to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{bytes} bytes are too many: files of up to {} bytes can be cut into elements", u32::MAX)]
pub struct TooLong {
    bytes: usize,
}

/// A file and where it is cut. Cloning is cheap.
///
/// ```
/// use std::sync::Arc;
/// use whittle_lists::{Subset, Unit, Units};
/// let words = Units::cut(Arc::new(b"let  x = 1;\n".to_vec()), Unit::Word)?;
/// assert_eq!(words.len(), 6);
/// assert_eq!(words.render(&Subset::from_elements([1, 2, 3, 5])), b"x = 1\n");
/// # Ok::<(), whittle_lists::TooLong>(())
/// ```
#[derive(Clone, Debug)]
pub struct Units {
    bytes: Arc<Vec<u8>>,
    /// An element weighs its number of bytes, so the prefix sums of the weights are the places of the cuts.
    weights: Weights,
}

impl Units {
    /// Cuts a file into elements.
    pub fn cut(bytes: Arc<Vec<u8>>, unit: Unit) -> Result<Self, TooLong> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(TooLong { bytes: bytes.len() });
        }
        let weights = match unit {
            Unit::Line => cut_by(&bytes, line_len),
            Unit::Word => cut_by(&bytes, word_len),
            Unit::Char if !bytes.is_ascii() => cut_by(&bytes, char_len),
            Unit::Char | Unit::Byte => Weights::uniform(bytes.len()),
        };
        Ok(Self { bytes, weights })
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no element, since the file is empty.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The weights of the elements: their numbers of bytes.
    pub fn weights(&self) -> Weights {
        self.weights.clone()
    }

    /// The bytes of the elements of a subset, in order.
    pub fn render(&self, subset: &Subset) -> Vec<u8> {
        let pieces = || {
            subset.runs().map(|run| {
                let (start, end) = (self.weights.before(run.start), self.weights.before(run.end));
                &self.bytes[start as usize..end as usize]
            })
        };
        let mut rendered = Vec::with_capacity(pieces().map(<[u8]>::len).sum());
        pieces().for_each(|piece| rendered.extend_from_slice(piece));
        rendered
    }
}

/// Cuts as long as there are bytes, by a function that tells the length of the first element of what is left.
fn cut_by(bytes: &[u8], first_len: fn(&[u8]) -> usize) -> Weights {
    let cuts = || {
        std::iter::successors(Some(0), move |&start| {
            let rest = &bytes[start..];
            (!rest.is_empty()).then(|| start + first_len(rest))
        })
    };
    let mut sums = Vec::with_capacity(cuts().count());
    sums.extend(cuts().map(|cut| cut as u32));
    Weights::from_prefix_sums(sums)
}

fn line_len(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1)
}

fn word_len(rest: &[u8]) -> usize {
    let text = match rest {
        [b'\r', b'\n', ..] => 2,
        [first, ..] if is_in_word(*first) => run_len(rest, is_in_word),
        // Whitespace comes first only at the start of a file.
        [first, ..] if is_blank(*first) => 0,
        _ => 1,
    };
    text + run_len(&rest[text..], is_blank)
}

fn char_len(rest: &[u8]) -> usize {
    let len = match rest[0] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    };
    let is_char = rest.get(..len).is_some_and(|bytes| std::str::from_utf8(bytes).is_ok());
    if is_char { len } else { 1 }
}

fn run_len(bytes: &[u8], belongs: fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !belongs(byte)).unwrap_or(bytes.len())
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &[u8], unit: Unit) -> Vec<Vec<u8>> {
        let units = Units::cut(Arc::new(text.to_vec()), unit).unwrap();
        (0..units.len()).map(|element| units.render(&Subset::from_elements([element]))).collect()
    }

    fn assert_cut(text: &[u8], unit: Unit, expected: &[&[u8]]) {
        assert_eq!(cut(text, unit), expected, "{unit}s of {:?}", text.escape_ascii().to_string());
    }

    #[test]
    fn lines_keep_their_ends() {
        assert_cut(b"a\nb\r\n\nc", Unit::Line, &[b"a\n", b"b\r\n", b"\n", b"c"]);
        assert_cut(b"a\rb\n", Unit::Line, &[b"a\rb\n"]);
        assert_cut(b"\0\n\xff\n", Unit::Line, &[b"\0\n", b"\xff\n"]);
    }

    #[test]
    fn whitespace_belongs_to_the_word_before_it() {
        assert_cut(b"int  x=1; \n\ty\r\n", Unit::Word, &[b"int  ", b"x", b"=", b"1", b"; ", b"\n\t", b"y", b"\r\n"]);
        assert_cut(b"  a b", Unit::Word, &[b"  ", b"a ", b"b"]);
        assert_cut("na\u{ef}ve\0\r!".as_bytes(), Unit::Word, &["na\u{ef}ve".as_bytes(), b"\0", b"\r", b"!"]);
        assert_cut(b"\n\n", Unit::Word, &[b"\n", b"\n"]);
    }

    #[test]
    fn characters_are_scalar_values_or_single_invalid_bytes() {
        assert_cut(b"ab", Unit::Char, &[b"a", b"b"]);
        assert_cut(
            "\u{e9}\u{20ac}\u{1f600}x".as_bytes(),
            Unit::Char,
            &["\u{e9}".as_bytes(), "\u{20ac}".as_bytes(), "\u{1f600}".as_bytes(), b"x"],
        );
        assert_cut(b"\xe2\x82a\xff\xc0\x80", Unit::Char, &[b"\xe2", b"\x82", b"a", b"\xff", b"\xc0", b"\x80"]);
        assert_cut(b"a\xe2", Unit::Char, &[b"a", b"\xe2"]);
    }

    #[test]
    fn bytes_are_bytes() {
        assert_cut("\u{e9}\0".as_bytes(), Unit::Byte, &[b"\xc3", b"\xa9", b"\0"]);
    }

    #[test]
    fn an_empty_file_has_no_elements() {
        for unit in Unit::ALL {
            let units = Units::cut(Arc::default(), unit).unwrap();
            assert!(units.is_empty());
            assert!(units.render(&Subset::full(0)).is_empty());
        }
    }

    #[test]
    fn elements_put_together_are_the_file_and_weigh_their_bytes() {
        let alphabet =
            [&b"a"[..], b"_9", b" ", b"\t", b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xe2\x82", b"\xc3\xa9", b";"];
        for seed in 0..300 {
            println!("seed {seed}");
            let mut random = fastrand::Rng::with_seed(seed);
            let text: Vec<u8> =
                (0..random.usize(0..60)).flat_map(|_| alphabet[random.usize(0..alphabet.len())]).copied().collect();
            for unit in Unit::ALL {
                let units = Units::cut(Arc::new(text.clone()), unit).unwrap();
                let elements = cut(&text, unit);
                assert_eq!(elements.concat(), text);
                assert_eq!(units.render(&Subset::full(units.len())), text);
                let weights = units.weights();
                assert!(elements.iter().enumerate().all(|(number, bytes)| weights.of(number) as usize == bytes.len()));
            }
        }
    }

    #[test]
    fn a_rendering_has_no_spare_capacity() {
        let units = Units::cut(Arc::new(b"one\ntwo\nthree\n".to_vec()), Unit::Line).unwrap();
        let rendered = units.render(&Subset::from_elements([0, 2]));
        assert_eq!((&rendered[..], rendered.capacity()), (&b"one\nthree\n"[..], 10));
    }

    #[test]
    fn every_unit_is_known_by_its_name() {
        for unit in Unit::ALL {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
        let error = "page".parse::<Unit>().unwrap_err();
        assert_eq!(error.to_string(), "unknown unit 'page'; known are line, word, char, byte");
    }
}
