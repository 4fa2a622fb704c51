//! [`Rewrite`]: what a rule replaces in a text, and the text that is left.
//!
//! Replacements may be nested: a use of a declaration within the part of it that stays is replaced, too.

use super::matching::Match;
use super::pattern::{Template, TemplatePart};
use super::view::{Run, View};
use crate::names::Names;
use crate::words::starts_name;

/// A run and what takes its place.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub(crate) run: Run,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Copy(Run),
    /// A copy in which names are replaced.
    Substituted(Run, Vec<Replacement>),
}

impl Replacement {
    /// The match of a pattern replaced by a template. Metavariables that stand for nothing are left out.
    pub(crate) fn new(view: &View<'_>, names: &Names, found: &Match, template: &Template) -> Self {
        let run_of = |name: &str| found.bindings.get(name).cloned().unwrap_or(0..0);
        let part = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => Part::Text(text.clone()),
            TemplatePart::Variable(name) => Part::Copy(run_of(name)),
            TemplatePart::Substituted { of, names: declared, values } => {
                let declared = view.elements(&run_of(declared)).into_iter();
                let name = |node: usize| names.declared_in(view, &view.nodes[node].run);
                let values = view.elements(&run_of(values)).into_iter().map(|node| view.nodes[node].run.clone());
                let pairs = declared.map(name).zip(values);
                let pairs: Vec<(usize, Run)> = pairs.filter_map(|(name, value)| Some((name?, value))).collect();
                let run = run_of(of);
                let values = run.clone().filter_map(|token| value_of(view, names, token, &pairs)).collect();
                Part::Substituted(run, values)
            }
        };
        let mut parts: Vec<Part> = template.parts.iter().map(part).collect();
        drop_lone_commas(&mut parts);
        Self { run: found.run.clone(), parts }
    }

    /// The runs that stay, as they are or with changes.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &Run> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Copy(run) | Part::Substituted(run, _) => Some(run),
        })
    }
}

/// Removes the comma beside a list that stands for nothing: the one behind it, or else the one before it.
fn drop_lone_commas(parts: &mut [Part]) {
    let is_empty = |part: &Part| matches!(part, Part::Copy(run) if run.is_empty());
    for empty in (0..parts.len()).filter(|&part| is_empty(&parts[part])).collect::<Vec<_>>() {
        if let Some(Part::Text(text)) = parts.get_mut(empty + 1)
            && let Some(rest) = text.trim_start().strip_prefix(',')
        {
            *text = rest.to_owned();
        } else if let Some(Part::Text(text)) = empty.checked_sub(1).and_then(|before| parts.get_mut(before))
            && let Some(rest) = text.trim_end().strip_suffix(',')
        {
            *text = rest.to_owned();
        }
    }
}

/// What is left of a text after replacements, of which each is within a kept part of another, or apart from it.
/// Those that are not are left out.
pub(crate) fn rewritten(view: &View<'_>, replacements: &[Replacement]) -> Vec<u8> {
    let mut sorted: Vec<&Replacement> = replacements.iter().collect();
    sorted.sort_by_key(|replacement| (replacement.run.start, std::cmp::Reverse(replacement.run.end)));
    let mut text = Vec::with_capacity(view.text.len());
    emit(view, 0..view.text.len(), &sorted, &mut text);
    text
}

fn emit(view: &View<'_>, bytes: std::ops::Range<usize>, replacements: &[&Replacement], text: &mut Vec<u8>) {
    let mut at = bytes.start;
    let mut index = 0;
    while let Some(replacement) = replacements.get(index) {
        let place = view.bytes(&replacement.run);
        index += 1;
        if place.start < at || place.end > bytes.end {
            continue;
        }
        push(text, &view.text[at..place.start]);
        let inner = replacements[index..].iter().take_while(|inner| view.bytes(&inner.run).start < place.end).count();
        emit_parts(view, replacement, &replacements[index..index + inner], text);
        at = place.end;
        index += inner;
    }
    push(text, &view.text[at..bytes.end]);
}

fn emit_parts(view: &View<'_>, replacement: &Replacement, inner: &[&Replacement], text: &mut Vec<u8>) {
    for part in &replacement.parts {
        match part {
            Part::Text(literal) => push(text, literal.as_bytes()),
            Part::Copy(run) => emit_run(view, run, inner, text),
            Part::Substituted(run, values) => {
                let mut all: Vec<&Replacement> = inner.iter().copied().chain(values).collect();
                all.sort_by_key(|inner| (inner.run.start, std::cmp::Reverse(inner.run.end)));
                emit_run(view, run, &all, text);
            }
        }
    }
}

/// What takes the place of a token for which a value is substituted. A name that is known to mean another declaration
/// stays. The parser does not look into the body of a macro, which is one token.
fn value_of(view: &View<'_>, names: &Names, token: usize, pairs: &[(usize, Run)]) -> Option<Replacement> {
    let text = view.token(token);
    let is_it = |name: usize| view.token(name) == text && view.is_name(token) && names.may_be_same(name, token);
    // In PHP the `$` before a name is a token of its own.
    let has_sigil = token > 0 && view.token(token - 1) == b"$";
    let run = token - usize::from(has_sigil)..token + 1;
    if let Some((_, value)) = pairs.iter().find(|(name, _)| is_it(*name)) {
        return Some(Replacement { run, parts: vec![Part::Copy(value.clone())] });
    }
    let is_raw = view.leaf(token).is_some_and(|leaf| view.nodes[leaf].kind == "preproc_arg");
    let values = || pairs.iter().map(|(name, run)| (view.token(*name), view.text[view.bytes(run)].to_vec()));
    let body = || String::from_utf8_lossy(&substituted(text, &values().collect::<Vec<_>>())).into_owned();
    is_raw.then(|| Replacement { run, parts: vec![Part::Text(body())] })
}

fn emit_run(view: &View<'_>, run: &Run, inner: &[&Replacement], text: &mut Vec<u8>) {
    if !run.is_empty() {
        let within: Vec<&Replacement> =
            inner.iter().copied().filter(|inner| run.start <= inner.run.start && inner.run.end <= run.end).collect();
        emit(view, view.bytes(run), &within, text);
    }
}

/// Adds a text, apart from the word before it.
fn push(text: &mut Vec<u8>, more: &[u8]) {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_word(text.last()) && is_word(more.first()) {
        text.push(b' ');
    }
    text.extend_from_slice(more);
}

/// The body of a macro with parameters replaced. `#` makes a string of a parameter, and `##` glues what is beside it.
fn substituted(text: &[u8], pairs: &[(&[u8], Vec<u8>)]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    let continues = |byte: &u8| starts_name(byte) || byte.is_ascii_digit();
    while at < text.len() {
        if text[at..].starts_with(b"##") {
            result.truncate(result.trim_ascii_end().len());
            at = text.len() - text[at + 2..].trim_ascii_start().len();
            continue;
        }
        let word_at = if text[at] == b'#' { text.len() - text[at + 1..].trim_ascii_start().len() } else { at };
        let len = text[word_at..].iter().take_while(|byte| continues(byte)).count();
        let value = pairs.iter().find(|(name, _)| *name == &text[word_at..word_at + len]).map(|(_, value)| value);
        match value {
            Some(value) if word_at > at => result.extend_from_slice(&quoted(value)),
            Some(value) => result.extend_from_slice(value),
            None => result.extend_from_slice(&text[at..(word_at + len).max(at + 1)]),
        }
        at = (word_at + len).max(at + 1);
    }
    result
}

/// A string in C whose content is a text.
fn quoted(text: &[u8]) -> Vec<u8> {
    let escaped = text.iter().flat_map(|&byte| [b'\\', byte].into_iter().skip(usize::from(!b"\"\\".contains(&byte))));
    std::iter::once(b'"').chain(escaped).chain([b'"']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_substituted() {
        let pairs: [(&[u8], Vec<u8>); 1] = [(b"a", b"1 + 2".to_vec())];
        let shown = |text: &str| String::from_utf8(substituted(text.as_bytes(), &pairs)).unwrap();
        assert_eq!(shown("a*ab+(a)1a"), "1 + 2*ab+(1 + 2)1a");
        assert_eq!(shown("#a + # b"), "\"1 + 2\" + # b");
        assert_eq!(shown("x_ ## a##_y"), "x_1 + 2_y");
        assert_eq!(String::from_utf8(quoted(b"\"\\")).unwrap(), "\"\\\"\\\\\"");
    }
}
