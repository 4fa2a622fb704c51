//! Comments: to a tree they are whitespace, so no other reducer over trees deletes them.
//!
//! All of them are deleted at once first, which nearly always works; otherwise a list minimizer chooses. The comments
//! before one token are one element: the text from the first byte that is not whitespace to the last. Line ends around
//! it stay.
//!
//! Promise: that of the minimizer, over comments. Cost: one test if no comment is needed.

use std::ops::Range;

use whittle_lists::{Algorithm, EmptyFirst, Subset, Weights};
use whittle_search::{Search, Stop};

use super::workpiece::Workshop;
use crate::Tree;

/// Deletes comments of the best candidate.
pub(crate) fn comments(search: &mut Search, workshop: &Workshop, algorithm: Algorithm) -> Result<(), Stop> {
    let base = search.best().candidate.clone();
    let tree = workshop.tree(&base);
    let comments = find(&tree);
    if comments.is_empty() {
        return Ok(());
    }
    let file = workshop.file;
    let lengths: Vec<u32> = comments.iter().map(|comment| comment.len() as u32).collect();
    let render = move |kept: &Subset| Some(base.with_bytes(file, without(tree.text(), &comments, kept)));
    search.run(EmptyFirst::new(algorithm.minimizer(&Weights::new(&lengths))), render).map(drop)
}

/// Where comments are.
fn find(tree: &Tree) -> Vec<Range<usize>> {
    let text = tree.text();
    let solid = |range: Range<usize>| {
        let is_solid = |byte: &u8| !byte.is_ascii_whitespace();
        let gap = &text[range.clone()];
        let first = gap.iter().position(is_solid)?;
        let last = gap.iter().rposition(is_solid)?;
        Some(range.start + first..range.start + last + 1)
    };
    tree.gaps().filter_map(solid).collect()
}

/// The text without the comments that are not kept. A space replaces a comment that kept two tokens apart.
fn without(text: &[u8], comments: &[Range<usize>], kept: &Subset) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut position = 0;
    for (number, comment) in comments.iter().enumerate() {
        if kept.contains(number) {
            continue;
        }
        out.extend_from_slice(&text[position..comment.start]);
        position = comment.end;
        let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        if !is_blank(out.last()) && !is_blank(text.get(position)) {
            out.push(b' ');
        }
    }
    out.extend_from_slice(&text[position..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_lines_stay_apart_without_their_comments() {
        let text = b"a/**/b // c\n\n/* d */ e /* f */";
        let comments = [1..5, 7..11, 13..20, 23..30];
        let left = |kept: &[usize]| without(text, &comments, &Subset::from_elements(kept.iter().copied()));
        assert_eq!(left(&[]), b"a b \n\n e ");
        assert_eq!(left(&[0, 2]), b"a/**/b \n\n/* d */ e ");
    }
}
