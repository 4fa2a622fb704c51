//! Whitespace: one line end where there are some, else one space. There is none inside brackets, before commas and
//! semicolons, at the ends of lines and at the ends of the text.
//!
//! All at once, or in halves where that fails. Tokens do not change: whitespace in literals, before tokens that must
//! follow directly, and beside tokens that the parser does not show is left alone, and a text that is read differently
//! is not tested. Where indentation is syntax, it stays.
//!
//! Promise: a second run that finds nothing changes nothing. Cost: one test if all whitespace can change.

use std::ops::Range;
use std::sync::Arc;

use whittle_search::{Halves, Search, Stop};
use whittle_trees::{Kind, Tree, Workshop};

use crate::reading::{Change, Reading};

/// Canonicalises the whitespace of one file.
pub(crate) fn whitespace(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    let Some(syntax) = &workshop.syntax else { return Ok(()) };
    let base = search.best().candidate.clone();
    let file = workshop.file;
    let tree = syntax.tree_of(&base.files()[file]);
    let Some(reading) = Reading::new(syntax, tree.text()) else { return Ok(()) };
    let gaps = Arc::new(gaps(&tree));
    let count = gaps.len();
    let render = move |chosen: &Vec<usize>| {
        let mut chosen = chosen.clone();
        chosen.sort_unstable();
        let (text, changes) = with_gaps(tree.text(), chosen.into_iter().map(|number| &gaps[number]));
        reading.is_kept_by(&text, &changes).then(|| base.with_bytes(file, text))
    };
    search.run(Halves::new(count), render).map(drop)
}

/// Whitespace, and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gap {
    range: Range<usize>,
    text: String,
}

/// The whitespace that could be different.
fn gaps(tree: &Tree) -> Vec<Gap> {
    let tokens: Vec<_> = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::Token { .. })).collect();
    let is_indented = tree.grammar().is_some_and(|grammar| grammar.has_indentation());
    let mut gaps = Vec::new();
    let mut was_silent = false;
    let mut position = 0;
    for token in tokens {
        let Kind::Token { immediate, silent } = tree.kind(token) else { continue };
        let range = position..tree.token_range(token).start;
        position = tree.token_range(token).end;
        if !immediate && !silent && !was_silent {
            gaps.extend(gap(tree.text(), range, is_indented));
        }
        was_silent = silent && !tree.token_text(token).trim_ascii().is_empty();
    }
    if !was_silent {
        gaps.extend(gap(tree.text(), position..tree.text().len(), is_indented));
    }
    gaps
}

/// What a range of whitespace becomes; `None` if it is that already, or is not whitespace.
fn gap(text: &[u8], range: Range<usize>, is_indented: bool) -> Option<Gap> {
    let old = std::str::from_utf8(&text[range.clone()]).ok()?;
    if old.is_empty() || !old.bytes().all(|byte| byte.is_ascii_whitespace()) {
        return None;
    }
    let last_line = old.rfind('\n').map(|at| &old[at + 1..]);
    let is_new_line = range.start > 0 && text[range.start - 1] == b'\n';
    let new = match last_line {
        Some(_) if is_new_line && !is_indented => String::new(),
        Some(indent) if is_indented && range.end < text.len() => format!("\n{indent}"),
        None if is_indented && range.start == 0 => return None,
        _ if range.start == 0 => String::new(),
        Some(_) => "\n".to_owned(),
        None if range.end == text.len() || is_needless(text[range.start - 1], text[range.end]) => String::new(),
        None => " ".to_owned(),
    };
    (new != old).then_some(Gap { range, text: new })
}

/// Whether no space is usual between these two characters.
fn is_needless(before: u8, after: u8) -> bool {
    matches!(before, b'(' | b'[') || matches!(after, b')' | b']' | b',' | b';')
}

/// The text with some gaps changed, which are in text order, and where the changes are.
fn with_gaps<'a>(text: &[u8], gaps: impl Iterator<Item = &'a Gap>) -> (Vec<u8>, Vec<Change>) {
    let mut out = Vec::with_capacity(text.len());
    let mut changes = Vec::new();
    let mut position = 0;
    for gap in gaps {
        out.extend_from_slice(&text[position..gap.range.start]);
        let start = out.len();
        out.extend_from_slice(gap.text.as_bytes());
        changes.push(Change { old: gap.range.clone(), new: start..out.len(), is_single: false });
        position = gap.range.end;
    }
    out.extend_from_slice(&text[position..]);
    (out, changes)
}

#[cfg(test)]
mod tests {
    use crate::testing::ends_with;

    #[test]
    fn whitespace_becomes_single_and_lines_begin_at_the_margin() {
        for (language, text, expected) in [
            ("c", "\n\n  int  a ;\n\n    int\tb;  \n\n", "int a;\nint b;\n"),
            ("c", "f( 1 , a [ 2 ] ) ;", "f(1, a [2]);"),
            ("c", "#define A   1\n\n\n int a;", "#define A 1\nint a;"),
            ("c", "char *s = \"a   b\"   ;", "char *s = \"a   b\";"),
            ("python", "if  a:\n\n    b = 'x   y'\n\n    c\n\n\nd  \n", "if a:\n    b = 'x   y'\n    c\nd\n"),
        ] {
            let (end, _) = ends_with(language, text, |_| true, super::whitespace);
            assert_eq!(end, expected, "{language}");
        }
    }

    #[test]
    fn whitespace_that_is_needed_stays() {
        let needed = |text: &str| text.contains("int  a");
        let (end, _) = ends_with("c", "int  a;\n\n\nint  b;\n", needed, super::whitespace);
        assert_eq!(end, "int  a;\nint b;\n");
    }
}
