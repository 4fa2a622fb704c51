//! Columns: how far lines move where indentation is syntax, and the moved lines.

use crate::{NodeId, Tree};

/// Whitespace whose lines are moved by some columns. Its first line counts only at the beginning of the text.
pub(crate) fn moved(whitespace: &[u8], columns: isize, begins_text: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(whitespace.len());
    for (index, line) in whitespace.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if (index == 0 && !begins_text) || line.get(indent).is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            out.extend_from_slice(line);
            continue;
        }
        let kept = indent.saturating_sub(columns.min(0).unsigned_abs());
        out.extend_from_slice(&line[..kept]);
        let fill = if line.starts_with(b"\t") { b'\t' } else { b' ' };
        out.extend(std::iter::repeat_n(fill, columns.max(0).unsigned_abs()));
        out.extend_from_slice(&line[indent..]);
    }
    out
}

impl Tree {
    /// By how many columns the lines of `inner` move when it replaces `outer`.
    ///
    /// A block that is aligned with its first token stays aligned. If its lines begin further left, they follow the
    /// indentation of the line that it hangs from.
    pub(crate) fn columns_between(&self, inner: NodeId, outer: NodeId) -> isize {
        let Some((first, place)) = self.first_token(inner).zip(self.first_token(outer)) else { return 0 };
        let begins_line = |&id: &NodeId| self.whitespace(id).contains(&b'\n');
        let mut lines = (first.0 + 1..self.end(inner).0).map(NodeId).filter(begins_line);
        let (from, to) = (self.column(first), self.column(place));
        if lines.any(|line| self.column(line) < from) { self.indent(place) - self.indent(first) } else { to - from }
    }

    fn column(&self, token: NodeId) -> isize {
        self.start_in_line(token).len() as isize
    }

    /// How far the line of a token is indented.
    fn indent(&self, token: NodeId) -> isize {
        self.start_in_line(token).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as isize
    }

    /// The text of its line before a token.
    fn start_in_line(&self, token: NodeId) -> &[u8] {
        let before = &self.text()[..self.node(token).start() as usize];
        let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        &before[line..]
    }
}
