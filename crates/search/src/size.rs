//! How candidates are ordered. A candidate replaces the best only if it comes before it in a total order, so no
//! sequence of accepted candidates is a cycle. There are two orders ([`SizeOrder`]).
//!
//! By units: units first (tokens, or bytes where there is no grammar), then non-whitespace bytes, then the cost of a
//! generator's trace, then the non-whitespace text in the order of a readable alphabet, then the whitespace. A candidate
//! with more parse errors must also have fewer non-whitespace bytes: a quote in another place must not make half a file
//! "one token". That only narrows the order.
//!
//! By text: the same without units and errors. Whatever is left of a text after a deletion comes before the text,
//! however it parses.
//!
//! Less whitespace comes first. With a [`LayoutMeasure`], the candidate that is closer to its canonical layout does
//! (`docs/decisions/0010-canonical-layout.md`).

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::{Alphabet, Candidate};

/// The countable part of the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Tokens, or bytes where there is no grammar.
    pub units: u64,
    /// Bytes that are not whitespace.
    pub solid: u64,
    /// Places that the grammar does not allow; none where there is no grammar.
    pub errors: u64,
}

impl Size {
    /// The size of a candidate without a grammar: its units are bytes.
    pub fn in_bytes(candidate: &Candidate) -> Self {
        Self { units: candidate.byte_count(), solid: count_solid(candidate), errors: 0 }
    }
}

/// Which of two candidates comes first. In both orders, two candidates are equal only if their files are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeOrder {
    /// The one with fewer units. A deletion after which the parser finds more tokens is refused.
    #[default]
    Units,
    /// The one with fewer non-whitespace bytes. Every deletion of text is smaller, as published algorithms assume.
    Text,
}

/// Counts what a candidate consists of.
pub type Measure = Arc<dyn Fn(&Candidate) -> Size + Send + Sync>;

/// How far the whitespace of a candidate is from its canonical layout; 0 for exactly one text of the same tokens. Asked
/// only of candidates that differ in nothing else.
#[derive(Clone)]
pub struct LayoutMeasure(Arc<dyn Fn(&Candidate) -> u64 + Send + Sync>);

impl LayoutMeasure {
    /// Measures with a function.
    pub fn new(distance: impl Fn(&Candidate) -> u64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(distance))
    }
}

impl fmt::Debug for LayoutMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LayoutMeasure")
    }
}

/// A candidate whose size is known.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The files.
    pub candidate: Candidate,
    /// Their size.
    pub size: Size,
    /// The order of characters that compares texts of the same size.
    pub alphabet: Alphabet,
    /// What is compared first.
    pub order: SizeOrder,
    /// How whitespace is compared; by its amount if there is no layout.
    pub layout: Option<LayoutMeasure>,
}

impl Measured {
    /// A candidate measured in bytes.
    pub fn in_bytes(candidate: Candidate) -> Self {
        let (alphabet, order) = (Alphabet::default(), SizeOrder::default());
        Self { size: Size::in_bytes(&candidate), alphabet, order, layout: None, candidate }
    }

    /// Whether this comes strictly before `other` in the order. Both have the same order, alphabet and layout.
    pub fn is_smaller_than(&self, other: &Self) -> bool {
        let (own, others) = (self.size, other.size);
        let (a, b) = (&self.candidate, &other.candidate);
        // A search compares its input with itself, and the layout of a large one takes long.
        if a == b {
            return false;
        }
        let units = match self.order {
            SizeOrder::Units if own.errors > others.errors && own.solid >= others.solid => return false,
            SizeOrder::Units => own.units.cmp(&others.units),
            SizeOrder::Text => Ordering::Equal,
        };
        units
            .then_with(|| (own.solid, a.cost()).cmp(&(others.solid, b.cost())))
            .then_with(|| compare_texts(a, b, &self.alphabet))
            .then_with(|| self.layout.as_ref().map_or(Ordering::Equal, |LayoutMeasure(far)| far(a).cmp(&far(b))))
            .then_with(|| compare_whitespace(a, b))
            .is_lt()
    }
}

/// How many bytes of a candidate are not whitespace.
pub fn count_solid(candidate: &Candidate) -> u64 {
    candidate.files().iter().map(|file| solid_bytes(file.bytes()).count() as u64).sum()
}

fn compare_texts(a: &Candidate, b: &Candidate, alphabet: &Alphabet) -> Ordering {
    let paths = |c: &Candidate| c.files().iter().map(|file| file.path().to_owned()).collect::<Vec<_>>();
    let solid = |c| Candidate::files(c).iter().flat_map(|file| alphabet.solid_ranks(file.bytes()));
    paths(a).cmp(&paths(b)).then_with(|| solid(a).cmp(solid(b)))
}

/// Less whitespace is better, wherever it is.
fn compare_whitespace(a: &Candidate, b: &Candidate) -> Ordering {
    let bytes = |c| Candidate::files(c).iter().map(|file| file.bytes());
    a.byte_count().cmp(&b.byte_count()).then_with(|| bytes(a).cmp(bytes(b)))
}

fn solid_bytes(bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
    bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> Measured {
        Measured::in_bytes(Candidate::single("f", text.as_bytes().to_vec()))
    }

    #[test]
    fn the_order_is_bytes_then_solid_bytes_then_readable_text_then_whitespace() {
        let ascending =
            ["", " ", "a", "b", "z", "A", "0", "_", "+", "a ", " b", "aa", "a0", "00", "0a", "#0", "#a", "aaa"];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(measured(a).is_smaller_than(&measured(b)), i < j, "{a:?} < {b:?}");
            }
        }
    }

    #[test]
    fn other_characters_may_come_first_but_in_numbers_digits_do() {
        let in_alphabet = |text: &str| Measured { alphabet: Alphabet::starting_with("zb"), ..measured(text) };
        let ascending = ["z", "b", "a", "c", "y", "A", "0", "_", "+", "zz", "az", "00", "0b", "#0", "#z"];
        let mut sorted = ascending.map(in_alphabet);
        sorted.sort_by(|a, b| if a.is_smaller_than(b) { Ordering::Less } else { Ordering::Greater });
        assert_eq!(sorted.map(|one| one.candidate), ascending.map(|text| in_alphabet(text).candidate));
    }

    #[test]
    fn more_errors_are_forgiven_only_for_fewer_solid_bytes() {
        let sized = |text: &str, units, errors| {
            let candidate = Candidate::single("f", text.as_bytes().to_vec());
            Measured { size: Size { units, solid: count_solid(&candidate), errors }, ..Measured::in_bytes(candidate) }
        };
        let best = sized("f(\"a\")", 4, 0);
        assert!(sized("f(\"a)", 3, 1).is_smaller_than(&best));
        assert!(!sized("f(\"a)\"", 3, 1).is_smaller_than(&best));
        assert!(sized("f(\"a)\"", 3, 0).is_smaller_than(&best));
        assert!(!sized("f(a)", 5, 1).is_smaller_than(&best));
    }

    #[test]
    fn by_text_a_deletion_is_smaller_whatever_the_parser_makes_of_it() {
        let sized = |text: &str, units, errors| {
            let candidate = Candidate::single("f", text.as_bytes().to_vec());
            let size = Size { units, solid: count_solid(&candidate), errors };
            Measured { size, order: SizeOrder::Text, ..Measured::in_bytes(candidate) }
        };
        let best = sized("/* a */ b", 1, 0);
        assert!(sized("/* a b", 4, 1).is_smaller_than(&best));
        assert!(sized("/*a */ b", 2, 1).is_smaller_than(&best), "only whitespace is gone");
        assert!(!sized("/* a */ c", 0, 0).is_smaller_than(&best));
        assert!(!best.is_smaller_than(&best));
    }

    #[test]
    fn whitespace_that_is_no_unit_still_counts() {
        let sized = |text: &str| {
            let candidate = Candidate::single("f", text.as_bytes().to_vec());
            Measured { size: Size { units: 1, solid: 1, errors: 0 }, ..Measured::in_bytes(candidate) }
        };
        assert!(sized("\na").is_smaller_than(&sized("\n\na")));
        assert!(!sized("\n\na").is_smaller_than(&sized("\na")));
    }

    #[test]
    fn with_a_layout_only_whitespace_is_ordered_differently() {
        let layout = LayoutMeasure::new(|candidate| u64::from(candidate.files()[0].bytes() != b"a\n  b\n"));
        let of_size = |text: &str| {
            let candidate = Candidate::single("f", text.as_bytes().to_vec());
            let size = Size { units: 2, solid: count_solid(&candidate), errors: 0 };
            Measured { size, layout: Some(layout.clone()), ..Measured::in_bytes(candidate) }
        };
        let ascending = ["a b", "a", "a\n  b\n", "ab", "b\na", "a\n  bb\n"].map(of_size);
        assert!(ascending[2].is_smaller_than(&ascending[3]) && !ascending[3].is_smaller_than(&ascending[2]));
        assert!(ascending[1].is_smaller_than(&ascending[2]), "fewer bytes that are not whitespace come first");
        assert!(ascending[2].is_smaller_than(&ascending[0]), "the layout before less whitespace");
        assert!(ascending[0].is_smaller_than(&ascending[4]) && ascending[4].is_smaller_than(&ascending[5]));
    }

    #[test]
    fn of_one_size_the_cheaper_is_the_smaller() {
        let at_cost = |text: &str, cost| Measured::in_bytes(Candidate::single("f", text.into()).at_cost(cost));
        assert!(at_cost("b", 1).is_smaller_than(&at_cost("a", 2)));
        assert!(at_cost("a", 1).is_smaller_than(&at_cost("a", 2)));
        assert!(at_cost("a", 2).is_smaller_than(&at_cost("aa", 1)));
        assert_eq!(at_cost("a", 1).candidate.fingerprint(), at_cost("a", 2).candidate.fingerprint());
    }

    #[test]
    fn equal_counts_are_ordered_by_the_place_of_whitespace() {
        assert!(measured(" a").is_smaller_than(&measured("a ")));
        assert!(!measured("a ").is_smaller_than(&measured(" a")));
    }
}
