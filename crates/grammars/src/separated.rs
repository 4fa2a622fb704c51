//! Which sequences are separated lists: `x (sep x)*`, `(x sep)* x`, each perhaps with a trailing separator.

use crate::parts::{Part, PartId, Parts};

/// Replaces the members that spell a separated list, and those that spell a repetition, by one part.
pub(crate) fn recognise(parts: &mut Parts, members: &[PartId]) -> Vec<PartId> {
    let mut found = Vec::with_capacity(members.len());
    let mut rest = members;
    while let Some((&first, after)) = rest.split_first() {
        let list = match after {
            [second, ..] => separated_list(parts, first, *second).or_else(|| repetition(parts, first, *second)),
            [] => None,
        };
        let (part, mut left) = match list {
            Some(list) => (list, &after[1..]),
            None => (parts.get(first).clone(), after),
        };
        let mut id = first;
        if let Part::Separated { element, separator, trailing, at_least_one } = part {
            let takes = left.first().is_some_and(|&next| is_optional(parts, next, separator));
            left = if takes { &left[1..] } else { left };
            id = parts.add(Part::Separated { element, separator, trailing: trailing || takes, at_least_one });
        } else if let Part::Repeat { .. } = part {
            id = parts.add(part);
        }
        found.push(id);
        rest = left;
    }
    found
}

fn separated_list(parts: &mut Parts, first: PartId, second: PartId) -> Option<Part> {
    if let Part::Repeat { content, .. } = *parts.get(second)
        && let Part::Seq(members) = parts.get(content).clone()
        && let Some((&last, separator)) = members.split_last()
        && parts.same(first, last)
        && !is_repeated(parts, first)
        && !separator.is_empty()
        && tokens_only(parts, separator)
    {
        let separator = join(parts, separator);
        return Some(Part::Separated { element: first, separator, trailing: false, at_least_one: true });
    }
    let (last, optional) = match *parts.get(second) {
        Part::Optional(content) => (content, true),
        _ => (second, false),
    };
    if let Part::Repeat { content, at_least_one: false } = *parts.get(first)
        && let Part::Seq(members) = parts.get(content).clone()
        && let Some((&element, separator)) = members.split_first()
        && parts.same(element, last)
        && !separator.is_empty()
        && tokens_only(parts, separator)
    {
        let separator = join(parts, separator);
        return Some(Part::Separated { element, separator, trailing: optional, at_least_one: !optional });
    }
    None
}

/// `x x*` is `x+`.
fn repetition(parts: &Parts, first: PartId, second: PartId) -> Option<Part> {
    match *parts.get(second) {
        Part::Repeat { content, .. } if parts.same(first, content) => {
            Some(Part::Repeat { content, at_least_one: true })
        }
        _ => None,
    }
}

fn is_repeated(parts: &Parts, part: PartId) -> bool {
    matches!(parts.get(part), Part::Repeat { .. } | Part::Separated { .. })
}

fn is_optional(parts: &Parts, part: PartId, content: PartId) -> bool {
    matches!(*parts.get(part), Part::Optional(inner) if parts.same(inner, content))
}

fn join(parts: &mut Parts, members: &[PartId]) -> PartId {
    match members {
        [single] => *single,
        _ => parts.add(Part::Seq(members.to_vec())),
    }
}

/// Whether there is nothing but anonymous tokens: what separates elements carries no meaning of its own.
fn tokens_only(parts: &Parts, members: &[PartId]) -> bool {
    members.iter().all(|&member| match parts.get(member) {
        Part::Child { symbol: None, .. } | Part::Silent { .. } => true,
        Part::Choice(members) => tokens_only(parts, members),
        Part::Seq(members) => tokens_only(parts, members),
        Part::Optional(content) => tokens_only(parts, &[*content]),
        _ => false,
    })
}
