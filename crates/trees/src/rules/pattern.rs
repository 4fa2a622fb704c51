//! [`Pattern`] and [`Template`]: what a rule looks for, and what it puts there.
//!
//! Both are texts of the language with metavariables. `$X` stands for one node, `$$$X` for any number of neighbours, also
//! none, and `$_` for a node whose text does not matter. A metavariable that occurs again stands for the same tokens.
//! `$X:kind` restricts it: to a name (`$X:name`), to a kind of node of the grammar (`$X:type_identifier`), to a text
//! (`$X:struct`) or to one of several (`$X:(struct|class)`); `$X:!kind` to anything else. `$$$M~L` stands for as many
//! elements as `$$$L`. White space separates tokens and means nothing else in a pattern; in a template it is kept.
//!
//! In a template `$E[P:=A]` is the text of `$E` in which the names that the list `$$$P` declares are replaced by the
//! elements of `$$$A`.

use std::fmt;

/// What a rule looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) elements: Vec<Element>,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// These tokens, without whitespace.
    Text(Vec<u8>),
    /// One node.
    One(String, Option<Kinds>),
    /// Any number of neighbours; with another name, as many elements as there are in what that stands for.
    Many(String, Option<String>),
}

/// What a metavariable may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kinds {
    pub(crate) alternatives: Vec<String>,
    pub(crate) negated: bool,
}

/// What a rule puts in the place of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) parts: Vec<TemplatePart>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TemplatePart {
    /// This text.
    Text(String),
    /// What a metavariable stands for.
    Variable(String),
    /// The same, with the names in the first list replaced by the elements of the second.
    Substituted { of: String, names: String, values: String },
}

/// Why a pattern or a template makes no sense, and at which byte of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadPattern {
    pub(crate) at: usize,
    pub(crate) problem: String,
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

fn bad<T>(at: usize, problem: impl Into<String>) -> Result<T, BadPattern> {
    Err(BadPattern { at, problem: problem.into() })
}

/// A metavariable in a text: `$X` or `$$$X`.
struct Found<'a> {
    is_many: bool,
    name: &'a str,
    /// Where it ends.
    end: usize,
}

/// The metavariable at a place of a text, if there is one. Names are in capital letters, so that variables of PHP and
/// shells are none.
fn variable(text: &str, at: usize) -> Option<Found<'_>> {
    let rest = &text[at..];
    let dollars = rest.bytes().take_while(|&byte| byte == b'$').count();
    let name = capitals(&rest[dollars..]);
    let is_name = name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
    let follows_word = rest[dollars + name.len()..].starts_with(|next: char| next.is_ascii_lowercase());
    let is_many = dollars == 3;
    ((dollars == 1 || is_many) && is_name && !follows_word).then(|| Found {
        is_many,
        name,
        end: at + dollars + name.len(),
    })
}

/// The capital letters that a text begins with.
fn capitals(text: &str) -> &str {
    let is_letter = |&byte: &u8| byte.is_ascii_uppercase() || byte == b'_' || byte.is_ascii_digit();
    &text[..text.bytes().take_while(is_letter).count()]
}

impl Pattern {
    pub(crate) fn parse(text: &str) -> Result<Self, BadPattern> {
        let mut elements = Vec::new();
        let mut at = 0;
        while let Some(next) = text[at..].chars().next() {
            if next.is_whitespace() {
                at += next.len_utf8();
            } else if let Some(found) = variable(text, at) {
                let name = found.name.to_owned();
                let (kinds, end) = kinds(text, found.end)?;
                let alike = text[end..].strip_prefix('~').filter(|_| found.is_many).map(capitals);
                at = end + alike.map_or(0, |alike| alike.len() + 1);
                match (found.is_many, kinds) {
                    (true, Some(_)) => return bad(found.end, "$$$ stands for any neighbours and takes no kind"),
                    (true, None) if alike == Some("") => return bad(end, "the name of a list is missing behind ~"),
                    (true, None) => elements.push(Element::Many(name, alike.map(str::to_owned))),
                    (false, kinds) => elements.push(Element::One(name, kinds)),
                }
            } else if next == '$' && text[at..].starts_with("$$") {
                return bad(at, "a metavariable is $X or $$$X, in capital letters");
            } else {
                let end = literal_end(text, at);
                elements.push(Element::Text(text.as_bytes()[at..end].to_vec()));
                at = end;
            }
        }
        match elements.first() {
            None => bad(0, "a pattern needs at least one token"),
            Some(Element::Many(..)) => bad(0, "a pattern cannot begin with $$$: write what comes before it"),
            Some(_) => Ok(Self { elements }),
        }
    }

    /// The names of the metavariables, in their order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().filter_map(|element| match element {
            Element::One(name, _) | Element::Many(name, _) => Some(name.as_str()),
            Element::Text(_) => None,
        })
    }

    /// The names of the lists whose lengths it refers to.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().filter_map(|element| match element {
            Element::Many(_, alike) => alike.as_deref(),
            Element::One(..) | Element::Text(_) => None,
        })
    }
}

/// Where a text without whitespace and metavariables ends.
fn literal_end(text: &str, start: usize) -> usize {
    let ends = |(at, next): (usize, char)| next.is_whitespace() || (at > 0 && variable(text, start + at).is_some());
    text[start..].char_indices().find(|&found| ends(found)).map_or(text.len(), |(at, _)| start + at)
}

/// The restriction behind a metavariable: `:kind`, `:!kind`, `:(a|b)` or `:!(a|b)`.
fn kinds(text: &str, at: usize) -> Result<(Option<Kinds>, usize), BadPattern> {
    let Some(rest) = text[at..].strip_prefix(':') else { return Ok((None, at)) };
    let (negated, rest) = rest.strip_prefix('!').map_or((false, rest), |rest| (true, rest));
    let start = text.len() - rest.len();
    if let Some(inner) = rest.strip_prefix('(') {
        let Some(end) = inner.find(')') else { return bad(start, "a ( without its )") };
        let alternatives = inner[..end].split('|').map(str::to_owned).collect();
        return Ok((Some(Kinds { alternatives, negated }), start + end + 2));
    }
    let len = rest.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
    if len == 0 {
        // A colon of the language, as in `a ? $X: b`.
        return if negated { bad(start, "a kind is missing behind :!") } else { Ok((None, at)) };
    }
    Ok((Some(Kinds { alternatives: vec![rest[..len].to_owned()], negated }), start + len))
}

impl Template {
    pub(crate) fn parse(text: &str) -> Result<Self, BadPattern> {
        let mut parts = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if let Some(found) = variable(text, at) {
                let (part, end) = filled(text, &found)?;
                parts.push(part);
                at = end;
            } else {
                let next = |end: usize| text.is_char_boundary(end) && variable(text, end).is_some();
                let end = (at + 1..text.len()).find(|&end| next(end)).unwrap_or(text.len());
                parts.push(TemplatePart::Text(text[at..end].to_owned()));
                at = end;
            }
        }
        Ok(Self { parts })
    }

    /// The metavariables that it needs.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().flat_map(|part| match part {
            TemplatePart::Text(_) => Vec::new(),
            TemplatePart::Variable(name) => vec![name.as_str()],
            TemplatePart::Substituted { of, names, values } => vec![of.as_str(), names, values],
        })
    }
}

/// A metavariable in a template, perhaps with `[P:=A]` behind it.
fn filled(text: &str, found: &Found<'_>) -> Result<(TemplatePart, usize), BadPattern> {
    let plain = (TemplatePart::Variable(found.name.to_owned()), found.end);
    let Some(inner) = text[found.end..].strip_prefix('[') else { return Ok(plain) };
    let Some((inside, _)) = inner.split_once(']') else { return Ok(plain) };
    let Some((names, values)) = inside.split_once(":=") else { return Ok(plain) };
    let is_variable = |name: &str| name.bytes().all(|byte| byte.is_ascii_uppercase()) && !name.is_empty();
    if !is_variable(names) || !is_variable(values) {
        return bad(found.end, "a substitution is $E[P:=A], with metavariables without their $");
    }
    let (of, names, values) = (found.name.to_owned(), names.to_owned(), values.to_owned());
    Ok((TemplatePart::Substituted { of, names, values }, found.end + inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_tokens_and_metavariables() {
        let pattern = Pattern::parse("struct $N:name { $$$B } $D:!(a|b);").unwrap();
        let text = |text: &str| Element::Text(text.as_bytes().to_vec());
        let kinds = |alternatives: &[&str], negated| {
            Some(Kinds { alternatives: alternatives.iter().map(|&kind| kind.to_owned()).collect(), negated })
        };
        let expected = [
            text("struct"),
            Element::One("N".into(), kinds(&["name"], false)),
            text("{"),
            Element::Many("B".into(), None),
            text("}"),
            Element::One("D".into(), kinds(&["a", "b"], true)),
            text(";"),
        ];
        assert_eq!(pattern.elements, expected);
    }

    #[test]
    fn variables_of_other_languages_and_colons_are_text() {
        let elements = Pattern::parse("$x ? $A: $B").unwrap().elements;
        assert_eq!(elements[0], Element::Text(b"$x".to_vec()));
        assert_eq!(elements[2..4], [Element::One("A".into(), None), Element::Text(b":".to_vec())]);
    }

    #[test]
    fn what_makes_no_sense_has_a_place_and_a_reason() {
        for (text, at) in [("", 0), ("$$$A b", 0), ("a $$B", 2), ("a $A:(b", 5), ("f($$$A:name)", 6), ("f($$$A~)", 6)] {
            assert_eq!(Pattern::parse(text).unwrap_err().at, at, "{text}");
        }
        assert!(Template::parse("$E[P:=]").is_err());
    }

    #[test]
    fn a_template_keeps_its_whitespace_and_substitutes() {
        let parts = Template::parse("int $X = $E[P:=A];").unwrap().parts;
        assert_eq!(parts[0], TemplatePart::Text("int ".into()));
        assert!(matches!(&parts[3], TemplatePart::Substituted { of, .. } if of == "E"));
        assert_eq!(Template::parse("$A[0]").unwrap().parts.len(), 2);
    }
}
