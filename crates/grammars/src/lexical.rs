//! What tokens look like: literals, character classes, concatenation, alternation and repetition, in an arena.
//!
//! Regular expressions are parsed by `regex-syntax` into its high-level form, which resolves flags, escapes, negations
//! and Unicode classes. That form joins some parts (`a|b` becomes a class, `0x` one literal, `ab|ac` starts with a
//! common `a`). This changes the fragments of tokens a little, but not their texts. The literal syntax tree would keep
//! them as written, but would need a second interpreter of regular expressions.
//!
//! Anchors and word boundaries are dropped, because they match no text.

use regex_syntax::hir::{Class, Hir, HirKind};
use whittle_search::{Alphabet, Context};

/// A lexical rule in its [`LexicalRules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LexId(pub(crate) u32);

/// One lexical rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Lexical {
    /// This text.
    Literal(String),
    /// One character of these ranges, both ends included. They are in order and do not overlap.
    Class(Vec<(char, char)>),
    /// One after the other; the empty text if there are none.
    Concat(Vec<LexId>),
    /// One of these; no text at all if there are none.
    Alternation(Vec<LexId>),
    /// Repeated from `min` to `max` times; `None` means without limit.
    Repeat {
        /// What is repeated.
        content: LexId,
        /// How often at least.
        min: u32,
        /// How often at most.
        max: Option<u32>,
    },
}

/// The lexical rules of a grammar.
#[derive(Clone, Debug, Default)]
pub struct LexicalRules {
    rules: Vec<Lexical>,
}

impl LexicalRules {
    /// The rule of that number.
    pub fn get(&self, id: LexId) -> &Lexical {
        &self.rules[id.0 as usize]
    }

    pub(crate) fn add(&mut self, mut rule: Lexical) -> LexId {
        if let Lexical::Class(ranges) = &mut rule {
            put_in_order(ranges);
        }
        self.rules.push(rule);
        LexId(self.rules.len() as u32 - 1)
    }

    /// Parses a regular expression in the syntax of tree-sitter, which is JavaScript's.
    pub(crate) fn add_pattern(&mut self, pattern: &str, flags: &str) -> Result<LexId, Box<regex_syntax::Error>> {
        let read = |pattern: &str| {
            let mut parser = regex_syntax::ParserBuilder::new().case_insensitive(flags.contains('i')).build();
            parser.parse(pattern).map_err(Box::new)
        };
        let hir = read(pattern).or_else(|_| read(&with_escaped_braces(pattern)))?;
        Ok(self.add_hir(&hir))
    }

    fn add_hir(&mut self, hir: &Hir) -> LexId {
        let rule = match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Lexical::Concat(Vec::new()),
            HirKind::Literal(literal) => Lexical::Literal(String::from_utf8_lossy(&literal.0).into_owned()),
            HirKind::Class(Class::Unicode(class)) => {
                Lexical::Class(class.iter().map(|range| (range.start(), range.end())).collect())
            }
            HirKind::Class(Class::Bytes(class)) => {
                Lexical::Class(class.iter().map(|range| (range.start().into(), range.end().into())).collect())
            }
            HirKind::Repetition(repetition) => {
                let content = self.add_hir(&repetition.sub);
                Lexical::Repeat { content, min: repetition.min, max: repetition.max }
            }
            HirKind::Capture(capture) => return self.add_hir(&capture.sub),
            HirKind::Concat(parts) => Lexical::Concat(parts.iter().map(|part| self.add_hir(part)).collect()),
            HirKind::Alternation(parts) => Lexical::Alternation(parts.iter().map(|part| self.add_hir(part)).collect()),
        };
        self.add(rule)
    }

    /// Copies a rule from other rules.
    pub(crate) fn copy(&mut self, from: &Self, id: LexId) -> LexId {
        let mut copied = |part: &LexId| self.copy(from, *part);
        let rule = match from.get(id) {
            Lexical::Concat(parts) => Lexical::Concat(parts.iter().map(&mut copied).collect()),
            Lexical::Alternation(parts) => Lexical::Alternation(parts.iter().map(&mut copied).collect()),
            Lexical::Repeat { content, min, max } => Lexical::Repeat { content: copied(content), min: *min, max: *max },
            simple @ (Lexical::Literal(_) | Lexical::Class(_)) => simple.clone(),
        };
        self.add(rule)
    }

    /// The shortest text of a rule; of several, the first in the order of the default alphabet.
    ///
    /// `None` if the rule matches no text, as an empty class.
    pub fn smallest(&self, id: LexId) -> Option<String> {
        match self.get(id) {
            Lexical::Literal(text) => Some(text.clone()),
            Lexical::Class(ranges) if ranges.is_empty() => None,
            Lexical::Class(ranges) => {
                chars_in(&[ranges], &Alphabet::default(), Context::default()).first().map(ToString::to_string)
            }
            Lexical::Concat(parts) => parts.iter().map(|&part| self.smallest(part)).collect(),
            Lexical::Alternation(parts) => {
                parts.iter().filter_map(|&part| self.smallest(part)).min_by(|a, b| Alphabet::default().compare(a, b))
            }
            Lexical::Repeat { min: 0, .. } => Some(String::new()),
            Lexical::Repeat { content, min, .. } => self.smallest(*content).map(|text| text.repeat(*min as usize)),
        }
    }

    /// Whether a text of the rule can contain this character.
    pub fn has_char(&self, id: LexId, c: char) -> bool {
        match self.get(id) {
            Lexical::Literal(text) => text.contains(c),
            Lexical::Class(ranges) => has_char(ranges, c),
            Lexical::Concat(parts) | Lexical::Alternation(parts) => parts.iter().any(|&part| self.has_char(part, c)),
            Lexical::Repeat { content, .. } => self.has_char(*content, c),
        }
    }
}

/// Sorts ranges and merges those that overlap.
fn put_in_order(ranges: &mut Vec<(char, char)>) {
    ranges.sort_unstable();
    ranges.dedup_by(|later, earlier| {
        let overlaps = later.0 <= earlier.1;
        if overlaps {
            earlier.1 = earlier.1.max(later.1);
        }
        overlaps
    });
}

/// Whether a character is in one of the ranges of a class. A class of letters has hundreds.
pub(crate) fn has_char(class: &[(char, char)], c: char) -> bool {
    let at = class.partition_point(|&(_, to)| to < c);
    class.get(at).is_some_and(|&(from, _)| from <= c)
}

/// The characters of some classes, in order. Only printable ASCII and whitespace if there is any, otherwise one
/// character.
pub(crate) fn chars_in(classes: &[&[(char, char)]], alphabet: &Alphabet, context: Context) -> Vec<char> {
    let is_in = |c: &char| classes.iter().any(|class| has_char(class, *c));
    let mut chars: Vec<char> = (' '..='~').chain(['\t', '\n']).filter(is_in).collect();
    if chars.is_empty() {
        let first = classes.iter().copied().flatten().map(|range| range.0);
        chars.extend(first.min_by_key(|&c| alphabet.rank(c, context)));
    }
    chars.sort_by_key(|&c| alphabet.rank(c, context));
    chars
}

/// Escapes the braces that are literal in JavaScript: those that neither repeat nor belong to an escape.
fn with_escaped_braces(pattern: &str) -> String {
    let mut rewritten = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        let is_escape = ["\\", "\\p", "\\P", "\\u", "\\x"].iter().any(|escape| before.ends_with(escape));
        let inside = from[1..].split('}').next().unwrap_or_default();
        let is_count = inside.len() + 1 < from.len() && inside.starts_with(|c: char| c.is_ascii_digit());
        rewritten.push_str(before);
        rewritten.push_str(if is_escape || is_count { "{" } else { "\\{" });
        rest = &from[1..];
    }
    rewritten + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_text_of_a_pattern_is_shortest_then_most_readable() {
        for (pattern, smallest) in [
            ("[a-zA-Z_]\\w*", "a"),
            ("\\d+(\\.\\d+)?", "0"),
            ("0[xX][0-9a-f]+|[1-9]", "1"),
            ("[^\"\\\\\\n]+", "a"),
            ("(ab){2,3}", "abab"),
            ("\\/\\*x", "/*x"),
            ("a{", "a{"),
            ("\\u{1F600}", "\u{1F600}"),
        ] {
            let mut rules = LexicalRules::default();
            let id = rules.add_pattern(pattern, "").unwrap();
            assert_eq!(rules.smallest(id).as_deref(), Some(smallest), "{pattern}");
        }
    }

    #[test]
    fn ranges_of_a_class_are_put_in_order() {
        let mut rules = LexicalRules::default();
        let id = rules.add(Lexical::Class(vec![('x', 'z'), ('a', 'c'), ('b', 'e'), ('e', 'e'), ('0', '0')]));
        assert_eq!(*rules.get(id), Lexical::Class(vec![('0', '0'), ('a', 'e'), ('x', 'z')]));
        let chars: String = ('!'..='~').filter(|&c| rules.has_char(id, c)).collect();
        assert_eq!(chars, "0abcdexyz");
    }

    #[test]
    fn characters_beyond_ascii_are_offered_only_where_there_are_no_others() {
        let chars = |class| chars_in(&[class], &Alphabet::default(), Context::default());
        assert_eq!(chars(&[('0', '1'), ('b', 'c'), ('à', 'ÿ')]), ['b', 'c', '0', '1']);
        assert_eq!(chars(&[('à', 'ÿ')]), ['à']);
    }
}
