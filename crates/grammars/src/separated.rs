//! Recognizes separated lists: `x (sep x)*` and `(x sep)* x`, with or without a trailing separator.

use crate::parts::{Part, PartId, Parts};

/// Replaces members that form a separated list or a repetition by one part.
pub(crate) fn recognize(parts: &mut Parts, members: &[PartId]) -> Vec<PartId> {
    let mut found: Vec<PartId> = Vec::with_capacity(members.len());
    for &member in members {
        let list = separated_list(parts, &found, member)
            .or_else(|| separated_list_with_last(parts, &found, member))
            .or_else(|| with_trailing(parts, &found, member))
            .or_else(|| repetition(parts, &found, member));
        match list {
            Some((used, part)) => {
                let list = parts.add(part);
                found.truncate(found.len() - used);
                found.push(list);
            }
            None => found.push(member),
        }
    }
    found
}

/// `x (sep x)*`, where `x` may be several parts.
fn separated_list(parts: &mut Parts, before: &[PartId], next: PartId) -> Option<(usize, Part)> {
    let Part::Repeat { content, .. } = *parts.get(next) else { return None };
    let Part::Seq(members) = parts.get(content).clone() else { return None };
    for split in 1..members.len() {
        let (separator, element) = members.split_at(split);
        let first = &before[before.len().checked_sub(element.len()).unwrap_or(before.len())..];
        if !tokens_only(parts, separator) {
            return None;
        }
        if first.len() == element.len()
            && first.iter().zip(element).all(|(&a, &b)| same(parts, a, b))
            && !first.iter().all(|&part| is_repeated(parts, part))
        {
            let (element, separator) = (join(parts, first), join(parts, separator));
            return Some((first.len(), Part::Separated { element, separator, trailing: false, at_least_one: true }));
        }
    }
    None
}

/// `(x sep)* x`, or `(x sep)* x?`.
fn separated_list_with_last(parts: &mut Parts, before: &[PartId], next: PartId) -> Option<(usize, Part)> {
    let (last, optional) = match *parts.get(next) {
        Part::Optional(content) => (content, true),
        _ => (next, false),
    };
    let Part::Repeat { content, at_least_one: false } = *parts.get(*before.last()?) else { return None };
    let Part::Seq(members) = parts.get(content).clone() else { return None };
    let (&element, separator) = members.split_first()?;
    if separator.is_empty() || !tokens_only(parts, separator) || !same(parts, element, last) {
        return None;
    }
    let separator = join(parts, separator);
    Some((1, Part::Separated { element, separator, trailing: optional, at_least_one: !optional }))
}

/// An optional separator after a separated list belongs to it.
fn with_trailing(parts: &Parts, before: &[PartId], next: PartId) -> Option<(usize, Part)> {
    match *parts.get(*before.last()?) {
        Part::Separated { element, separator, at_least_one, .. } if is_optional(parts, next, separator) => {
            Some((1, Part::Separated { element, separator, trailing: true, at_least_one }))
        }
        _ => None,
    }
}

/// `x x*` is `x+`, also if the first or last element differs from the others only by its name before aliasing.
fn repetition(parts: &mut Parts, before: &[PartId], next: PartId) -> Option<(usize, Part)> {
    let first = *before.last()?;
    let (single, content) = match (parts.get(first), parts.get(next)) {
        (_, &Part::Repeat { content, .. }) => (first, content),
        (&Part::Repeat { content, .. }, _) => (next, content),
        _ => return None,
    };
    let content = if same(parts, single, content) {
        content
    } else if same_label(parts, single, content) {
        parts.add(Part::Choice(vec![content, single]))
    } else {
        return None;
    };
    Some((1, Part::Repeat { content, at_least_one: true }))
}

/// Whether two children are different symbols with the same label and field.
fn same_label(parts: &Parts, a: PartId, b: PartId) -> bool {
    match (parts.get(a), parts.get(b)) {
        (
            Part::Child { symbol: Some(_), label: a, field: f, .. },
            Part::Child { symbol: Some(_), label: b, field: g, .. },
        ) => a == b && f == g,
        _ => false,
    }
}

fn is_repeated(parts: &Parts, part: PartId) -> bool {
    matches!(parts.get(part), Part::Repeat { .. } | Part::Separated { .. })
}

fn is_optional(parts: &Parts, part: PartId, content: PartId) -> bool {
    matches!(*parts.get(part), Part::Optional(inner) if same(parts, inner, content))
}

fn join(parts: &mut Parts, members: &[PartId]) -> PartId {
    match members {
        [single] => *single,
        _ => parts.add(Part::Seq(members.to_vec())),
    }
}

/// Whether all are anonymous tokens: separators carry no meaning of their own.
fn tokens_only(parts: &Parts, members: &[PartId]) -> bool {
    members.iter().all(|&member| match parts.get(member) {
        Part::Child { symbol: None, .. } | Part::Silent { .. } => true,
        Part::Choice(members) => tokens_only(parts, members),
        Part::Seq(members) => tokens_only(parts, members),
        Part::Optional(content) => tokens_only(parts, &[*content]),
        _ => false,
    })
}

/// Whether two parts have the same shape and the same children.
fn same(parts: &Parts, a: PartId, b: PartId) -> bool {
    let all = |a: &[PartId], b: &[PartId]| a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same(parts, a, b));
    if a == b {
        return true;
    }
    match (parts.get(a), parts.get(b)) {
        (Part::Seq(a), Part::Seq(b)) | (Part::Choice(a), Part::Choice(b)) => all(a, b),
        (Part::Optional(a), Part::Optional(b)) => same(parts, *a, *b),
        (Part::Repeat { content: a, at_least_one: one }, Part::Repeat { content: b, at_least_one: other }) => {
            one == other && same(parts, *a, *b)
        }
        (
            Part::Separated { element: e, separator: s, trailing: t, at_least_one: o },
            Part::Separated { element, separator, trailing, at_least_one },
        ) => t == trailing && o == at_least_one && same(parts, *e, *element) && same(parts, *s, *separator),
        (
            Part::Child { symbol: None, label: a, field: f, .. },
            Part::Child { symbol: None, label: b, field: g, .. },
        ) => a == b && f == g,
        (a, b) => a == b,
    }
}
