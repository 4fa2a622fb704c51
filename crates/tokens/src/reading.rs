//! [`Reading`]: whether a text with other tokens is still read as the same tokens, of the same types.

use std::ops::Range;

use whittle_search::File;
use whittle_trees::{Leaf, Leaves, Syntax};

/// How a text is read, to which others are compared.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    syntax: Syntax,
    leaves: Leaves,
}

/// A changed place of the text: a token, or whitespace.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Where it is in the text before.
    pub(crate) old: Range<usize>,
    /// Where it is in the text after.
    pub(crate) new: Range<usize>,
    /// Whether it is one token to the parser.
    pub(crate) is_single: bool,
}

impl Reading {
    /// `None` if the text is too much for the parser.
    pub(crate) fn new(syntax: &Syntax, file: &File) -> Option<Self> {
        Some(Self { syntax: syntax.clone(), leaves: syntax.leaves_of(file)? })
    }

    /// Whether a text is read as before but for these changes, which are in text order: leaves elsewhere have moved,
    /// a token that was changed is one of its type, a literal begins and ends as it did, and there are no more errors.
    pub(crate) fn is_kept_by(&self, file: &File, changes: &[Change]) -> bool {
        let Some(read) = self.syntax.leaves_of(file) else { return false };
        if read.errors > self.leaves.errors {
            return false;
        }
        let (mut before, mut after) = (&self.leaves.leaves[..], &read.leaves[..]);
        let mut moved = 0;
        for change in changes {
            let (old, changed_old) = split(&mut before, &change.old);
            let (new, changed_new) = split(&mut after, &change.new);
            if !are_moved(old, new, moved) || !is_same_type(change, changed_old, changed_new) {
                return false;
            }
            moved = change.new.end as isize - change.old.end as isize;
        }
        are_moved(before, after, moved)
    }
}

/// Takes off the leaves before a range, and those in it.
fn split<'a>(leaves: &mut &'a [Leaf], range: &Range<usize>) -> (&'a [Leaf], &'a [Leaf]) {
    let (before, rest) = leaves.split_at(leaves.partition_point(|leaf| leaf.end <= range.start));
    let (inside, after) = rest.split_at(rest.partition_point(|leaf| leaf.start < range.end));
    *leaves = after;
    (before, inside)
}

fn are_moved(old: &[Leaf], new: &[Leaf], by: isize) -> bool {
    let moved = |leaf: &Leaf| (leaf.kind, leaf.start.wrapping_add_signed(by), leaf.end.wrapping_add_signed(by));
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| moved(old) == (new.kind, new.start, new.end))
}

fn is_same_type(change: &Change, old: &[Leaf], new: &[Leaf]) -> bool {
    if old.is_empty() {
        return new.is_empty();
    }
    let (Some(first), Some(last)) = (new.first(), new.last()) else { return false };
    let (Some(old_first), Some(old_last)) = (old.first(), old.last()) else { return false };
    (first.start, last.end) == (change.new.start, change.new.end)
        && (first.kind, last.kind) == (old_first.kind, old_last.kind)
        && (!change.is_single || new.len() == 1)
}
