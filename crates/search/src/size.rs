//! How candidates are ordered. A candidate replaces the best only if it comes before it in a total order, so no
//! sequence of accepted candidates is a cycle. There are two orders ([`SizeOrder`]).
//!
//! By units: units first (tokens, or bytes where there is no grammar), then non-whitespace bytes, then files, then the
//! cost of a generator's trace, then shorter paths, then the non-whitespace text in the order of a readable alphabet, then
//! the whitespace. A file counts as a few units more, so that joining two files pays. A candidate
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

use crate::{Alphabet, Candidate, File};

/// How many units a file is worth beside those in it: a join of two files may cost some brackets or a name, as in
/// `mod a { … }` for `mod a;`, and should still win.
const FILE_UNITS: u64 = 4;

/// The countable part of the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Tokens, or bytes where there is no grammar.
    pub units: u64,
    /// Bytes that are not whitespace.
    pub solid: u64,
    /// Places that the grammar does not allow; none where there is no grammar.
    pub errors: u64,
    /// Files, links and empty folders.
    pub files: u64,
}

impl Size {
    /// The size of a candidate without a grammar: its units are bytes.
    pub fn in_bytes(candidate: &Candidate) -> Self {
        Self { units: candidate.byte_count(), ..Self::uncounted(candidate) }
    }

    /// All of it but units and errors.
    pub fn uncounted(candidate: &Candidate) -> Self {
        Self { units: 0, solid: count_solid(candidate), errors: 0, files: candidate.files().len() as u64 }
    }

    fn worth(&self) -> u64 {
        self.units + FILE_UNITS * self.files
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

/// How far the whitespace of a file is from its canonical layout; 0 for exactly one text of the same tokens. Asked only
/// of files that differ in nothing else.
#[derive(Clone)]
pub struct LayoutMeasure(Arc<dyn Fn(&File) -> u64 + Send + Sync>);

impl LayoutMeasure {
    /// Measures with a function.
    pub fn new(distance: impl Fn(&File) -> u64 + Send + Sync + 'static) -> Self {
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

    /// The same without what was found out about its files, to be kept for long.
    #[must_use]
    pub fn bare(&self) -> Self {
        Self { candidate: self.candidate.bare(), ..self.clone() }
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
            SizeOrder::Units => own.worth().cmp(&others.worth()).then(own.units.cmp(&others.units)),
            SizeOrder::Text => Ordering::Equal,
        };
        units
            .then_with(|| (own.solid, own.files, a.cost()).cmp(&(others.solid, others.files, b.cost())))
            .then_with(|| compare_names(a, b))
            .then_with(|| compare_texts(a, b, &self.alphabet))
            .then_with(|| self.layout.as_ref().map_or(Ordering::Equal, |layout| compare_layouts(a, b, layout)))
            .then_with(|| compare_whitespace(a, b))
            .is_lt()
    }
}

/// How many bytes of a candidate are not whitespace.
pub fn count_solid(candidate: &Candidate) -> u64 {
    candidate.files().iter().map(File::solid).sum()
}

/// Shorter paths come first, then those that are first in the alphabet. Candidates with the same names have the same
/// files but for their bytes.
fn compare_names(a: &Candidate, b: &Candidate) -> Ordering {
    let names = |c| Candidate::files(c).iter().map(|file| (file.path(), file.kind()));
    let length = |c| names(c).map(|(path, _)| path.as_os_str().len()).sum::<usize>();
    length(a).cmp(&length(b)).then_with(|| names(a).cmp(names(b)))
}

/// The files of two candidates of the same names whose bytes differ. In a project they are few.
fn differing<'a>(a: &'a Candidate, b: &'a Candidate) -> impl Iterator<Item = (&'a File, &'a File)> {
    a.files().iter().zip(b.files()).filter(|(a, b)| !a.has_bytes_of(b))
}

fn compare_texts(a: &Candidate, b: &Candidate, alphabet: &Alphabet) -> Ordering {
    let compare = |(a, b): (&File, &File)| alphabet.solid_ranks(a.bytes()).cmp(alphabet.solid_ranks(b.bytes()));
    differing(a, b).map(compare).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn compare_layouts(a: &Candidate, b: &Candidate, LayoutMeasure(far): &LayoutMeasure) -> Ordering {
    let (ours, theirs) = differing(a, b).fold((0, 0), |(ours, theirs), (a, b)| (ours + far(a), theirs + far(b)));
    ours.cmp(&theirs)
}

/// Less whitespace is better, wherever it is.
fn compare_whitespace(a: &Candidate, b: &Candidate) -> Ordering {
    let bytes = differing(a, b).map(|(a, b)| a.bytes().cmp(b.bytes())).find(|order| order.is_ne());
    a.byte_count().cmp(&b.byte_count()).then(bytes.unwrap_or(Ordering::Equal))
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
            Measured { size: Size { units, errors, ..Size::uncounted(&candidate) }, ..Measured::in_bytes(candidate) }
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
            let size = Size { units, errors, ..Size::uncounted(&candidate) };
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
            Measured { size: Size { units: 1, solid: 1, errors: 0, files: 1 }, ..Measured::in_bytes(candidate) }
        };
        assert!(sized("\na").is_smaller_than(&sized("\n\na")));
        assert!(!sized("\n\na").is_smaller_than(&sized("\na")));
    }

    #[test]
    fn with_a_layout_only_whitespace_is_ordered_differently() {
        let layout = LayoutMeasure::new(|file| u64::from(file.bytes() != b"a\n  b\n"));
        let of_size = |text: &str| {
            let candidate = Candidate::single("f", text.as_bytes().to_vec());
            let size = Size { units: 2, ..Size::uncounted(&candidate) };
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
    fn a_file_is_worth_a_few_units_and_an_empty_one_still_counts() {
        let of = |files: &[(&str, &str)], order| {
            let candidate = Candidate::from_files(files.iter().map(|&(path, text)| (path, text.into())));
            Measured { order, ..Measured::in_bytes(candidate) }
        };
        for order in [SizeOrder::Units, SizeOrder::Text] {
            let of = |files: &[(&str, &str)]| of(files, order);
            assert!(of(&[("a", "x")]).is_smaller_than(&of(&[("a", "x"), ("b", "")])));
            assert!(of(&[]).is_smaller_than(&of(&[("a", "")])));
            assert!(of(&[("b", "x")]).is_smaller_than(&of(&[("aa", "x")])), "shorter paths come first");
            assert!(of(&[("a", "xy"), ("b", "z")]).is_smaller_than(&of(&[("a", "xz"), ("b", "a")])));
        }
        let joined = of(&[("a", "m{x}")], SizeOrder::Units);
        assert!(joined.is_smaller_than(&of(&[("a", "m;"), ("b", "x")], SizeOrder::Units)));
    }

    #[test]
    fn equal_counts_are_ordered_by_the_place_of_whitespace() {
        assert!(measured(" a").is_smaller_than(&measured("a ")));
        assert!(!measured("a ").is_smaller_than(&measured(" a")));
    }
}
