//! [`CharSet`]: sets of characters, as ascending ranges of code points that neither overlap nor touch.

use regex_syntax::hir::{Class, HirKind};

/// A set of characters. Surrogates may be in it; no text has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
}

/// The last code point.
const LAST: u32 = char::MAX as u32;

impl CharSet {
    /// All characters.
    pub fn all() -> Self {
        Self { ranges: vec![(0, LAST)] }
    }

    /// The characters of some ranges, both ends included. A range whose end is before its start is empty.
    pub fn new(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut sorted: Vec<_> = ranges.into_iter().filter(|(from, to)| from <= to).collect();
        sorted.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::with_capacity(sorted.len());
        for (from, to) in sorted {
            match ranges.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => ranges.push((from, to)),
            }
        }
        Self { ranges }
    }

    /// A set of one character.
    pub fn of(c: char) -> Self {
        Self { ranges: vec![(c as u32, c as u32)] }
    }

    /// The characters with a Unicode property, as `L`, `Lu`, `Alphabetic` or `Script=Greek`; `None` if there is no such
    /// property.
    pub fn property(name: &str) -> Option<Self> {
        let hir = regex_syntax::parse(&format!("\\p{{{name}}}")).ok()?;
        match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => {
                Some(Self::new(class.iter().map(|range| (range.start() as u32, range.end() as u32))))
            }
            HirKind::Literal(literal) => Some(Self::of(std::str::from_utf8(&literal.0).ok()?.chars().next()?)),
            _ => None,
        }
    }

    /// The ranges, in ascending order.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether there is no character in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether a character is in it.
    pub fn contains(&self, c: u32) -> bool {
        let behind = self.ranges.partition_point(|&(from, _)| from <= c);
        behind > 0 && c <= self.ranges[behind - 1].1
    }

    /// The characters of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The characters that are not in it.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(from, to) in &self.ranges {
            if from > next {
                ranges.push((next, from - 1));
            }
            next = to.saturating_add(1);
        }
        if next <= LAST {
            ranges.push((next, LAST));
        }
        Self { ranges }
    }

    /// The characters of this set that are not in another.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.complement().union(other).complement()
    }

    /// The set with each letter in upper and in lower case. Only letters whose other case is one letter count, as in ANTLR.
    #[must_use]
    pub fn in_any_case(&self) -> Self {
        // Beyond this there are few letters with a case, and classes of a million characters would take long.
        const LAST_WITH_CASE: u32 = 0x1_0FFF;
        let mut both = self.ranges.clone();
        for &(from, to) in &self.ranges {
            for c in (from..=to.min(LAST_WITH_CASE)).filter_map(char::from_u32) {
                let single =
                    |mut cased: Box<dyn Iterator<Item = char>>| cased.next().filter(|_| cased.next().is_none());
                let cases = [single(Box::new(c.to_lowercase())), single(Box::new(c.to_uppercase()))];
                both.extend(cases.into_iter().flatten().filter(|&other| other != c).map(|c| (c as u32, c as u32)));
            }
        }
        Self::new(both)
    }

    /// The set as a class of a regular expression; `None` if no text has one of its characters.
    pub fn to_pattern(&self) -> Option<String> {
        let mut pattern = String::new();
        for &(from, to) in &self.ranges {
            // Surrogates are no characters.
            for (from, to) in [(from, to.min(0xD7FF)), (from.max(0xE000), to)] {
                if from <= to {
                    pattern.push_str(&format!("\\u{{{from:X}}}-\\u{{{to:X}}}"));
                }
            }
        }
        (!pattern.is_empty()).then(|| format!("[{pattern}]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(char, char)]) -> CharSet {
        CharSet::new(ranges.iter().map(|&(from, to)| (from as u32, to as u32)))
    }

    #[test]
    fn ranges_are_joined_and_sorted() {
        assert_eq!(set(&[('d', 'f'), ('a', 'c'), ('x', 'y'), ('e', 'e')]), set(&[('a', 'f'), ('x', 'y')]));
        assert!(set(&[('b', 'a')]).is_empty());
    }

    #[test]
    fn set_operations_agree_with_membership() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let mut some = || CharSet::new((0..random.u32(0..4)).map(|_| (random.u32(0..40), random.u32(0..40))));
            let (a, b) = (some(), some());
            for c in 0..45 {
                assert_eq!(a.union(&b).contains(c), a.contains(c) || b.contains(c));
                assert_eq!(a.complement().contains(c), !a.contains(c));
                assert_eq!(a.without(&b).contains(c), a.contains(c) && !b.contains(c));
            }
        }
    }

    #[test]
    fn properties_and_cases_are_those_of_unicode() {
        assert!(CharSet::property("Lu").is_some_and(|upper| upper.contains('Ä' as u32) && !upper.contains('ä' as u32)));
        assert!(CharSet::property("NoSuchThing").is_none());
        assert_eq!(set(&[('a', 'b'), ('0', '0')]).in_any_case(), set(&[('0', '0'), ('A', 'B'), ('a', 'b')]));
        assert_eq!(set(&[('a', 'b')]).to_pattern().as_deref(), Some("[\\u{61}-\\u{62}]"));
        assert_eq!(CharSet::new([(0xD800, 0xDFFF)]).to_pattern(), None);
    }
}
