//! [`Comments`]: the comments of a text, while it is written without some of its tokens.

use std::ops::Range;

use crate::Tree;

/// The comments that are still to be written, in text order; none if comments belong to the token after them.
#[derive(Debug, Default)]
pub(crate) struct Comments<'a>(&'a [Range<usize>]);

impl<'a> Comments<'a> {
    /// All comments of a text, each with the whitespace behind it up to the next line.
    pub(crate) fn of(tree: &'a Tree) -> Self {
        Self(tree.inner.comments.get_or_init(|| find(tree)))
    }

    /// Takes those that begin before a place. Those in `written` are left out.
    pub(crate) fn up_to(&mut self, place: usize, written: &Range<usize>) -> Vec<Range<usize>> {
        let (taken, left) = self.0.split_at(self.0.partition_point(|comment| comment.start < place));
        self.0 = left;
        taken.iter().filter(|comment| !written.contains(&comment.start)).cloned().collect()
    }
}

fn find(tree: &Tree) -> Vec<Range<usize>> {
    let with_end = |gap: Range<usize>| {
        let comments = solid(tree.text(), gap.clone())?;
        let rest = &tree.text()[comments.end..gap.end];
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |line| line + 1);
        Some(comments.start..comments.end + end)
    };
    tree.gaps().filter_map(with_end).collect()
}

/// A range of whitespace and comments without the whitespace at its ends; `None` if there is no comment.
pub(crate) fn solid(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let is_solid = |byte: &u8| !byte.is_ascii_whitespace();
    let gap = &text[range.clone()];
    let first = gap.iter().position(is_solid)?;
    let last = gap.iter().rposition(is_solid)?;
    Some(range.start + first..range.start + last + 1)
}
