//! [`Places`]: which whitespace a token gets where others were deleted.
//!
//! A token that begins a line keeps its own whitespace. Another token gets the last line end that deleted tokens before
//! it left. If there is none, the new first token of a node gets the whitespace at the node's beginning, and other
//! tokens keep their own. The start of the text counts as the start of a line. A comment belongs to the token after it.
//!
//! So the order in which tokens are deleted does not matter, nor whether the text is parsed again in between: each rule
//! gives the same result if it is applied to all deleted tokens at once, or to some and then to the rest. Two things
//! are not promised: whitespace that kept two tokens apart stays when one of them is deleted, and a hoisted node may
//! get other whitespace than what is left.

use std::ops::Range;

use crate::NodeId;

/// Whitespace of the text, and by how many columns its lines move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) range: Range<usize>,
    pub(crate) shift: isize,
}

/// How far a node reaches that begins with a place: up to a node of a stretch, within so many others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) end: NodeId,
    pub(crate) depth: usize,
}

/// The whitespace that deleted tokens left since the last token was written.
pub(crate) struct Places<'a> {
    text: &'a [u8],
    /// The whitespace that the next token gets instead of its own.
    instead: Option<(Gap, Reach)>,
    /// The whitespace at the beginning of a node of which nothing is written yet.
    front: Option<(Gap, Reach)>,
    /// The line end of a token that was deleted elsewhere.
    line_end: Option<Gap>,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text, instead: None, front: None, line_end: None }
    }

    /// The next token gets this whitespace instead of its own, unless it already gets other whitespace.
    pub(crate) fn put_instead(&mut self, gap: Gap, reach: Reach) {
        self.instead.get_or_insert((gap, reach));
    }

    /// Leaves the nodes that end before this one.
    pub(crate) fn arrive(&mut self, node: NodeId, depth: usize) {
        let has_ended =
            |place: &mut (Gap, Reach)| place.1.depth > depth || place.1.depth == depth && place.1.end <= node;
        let ended = [self.front.take_if(has_ended), self.instead.take_if(has_ended)];
        for (gap, _) in ended.into_iter().flatten() {
            self.keep_line_end(gap);
        }
    }

    /// The token after this whitespace is deleted; it may be at the beginning of a node that reaches further.
    pub(crate) fn skip(&mut self, own: Gap, reach: Option<Reach>) {
        let (gap, reach) = match self.instead.take() {
            Some((gap, reach)) => (gap, Some(reach)),
            None => (own, reach),
        };
        let gap = self.without_comments(gap);
        match (&mut self.front, reach) {
            (Some((front, _)), _) if begins_line(self.text, &gap) => *front = gap,
            (Some(_), _) => {}
            (None, Some(reach)) => self.front = Some((gap, reach)),
            (None, None) => self.keep_line_end(gap),
        }
    }

    /// The whitespace of a token that stays.
    pub(crate) fn fill(&mut self, own: Gap) -> Gap {
        let own = self.instead.take().map_or(own, |(gap, _)| gap);
        let (front, line_end) = (self.front.take().map(|(gap, _)| gap), self.line_end.take());
        let begins_line = |gap: &Gap| begins_line(self.text, gap);
        match front {
            _ if begins_line(&own) => own,
            Some(front) if begins_line(&front) => front,
            front => line_end.or(front).unwrap_or(own),
        }
    }

    /// Whether something was left.
    pub(crate) fn is_open(&self) -> bool {
        self.front.is_some() || self.line_end.is_some()
    }

    /// Forgets what was left: a token keeps its own whitespace.
    pub(crate) fn clear(&mut self) {
        (self.front, self.line_end) = (None, None);
    }

    fn keep_line_end(&mut self, gap: Gap) {
        if begins_line(self.text, &gap) {
            self.line_end = Some(gap);
        }
    }

    /// The whitespace after the last comment. The text begins with a line even if it begins with a comment.
    fn without_comments(&self, gap: Gap) -> Gap {
        let Gap { range, shift } = gap;
        let solid = self.text[range.clone()].iter().rposition(|byte| !byte.is_ascii_whitespace());
        let after = Gap { range: range.start + solid.map_or(0, |at| at + 1)..range.end, shift };
        if range.start == 0 && !begins_line(self.text, &after) { Gap { range: 0..0, shift } } else { after }
    }
}

fn begins_line(text: &[u8], gap: &Gap) -> bool {
    gap.range.start == 0 || text[gap.range.clone()].contains(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whitespace before the last of three tokens, of which the second is deleted; a node that begins with it may
    /// reach further.
    fn left(whitespace: [&str; 3], reach: Option<u32>) -> String {
        let text: String = whitespace.iter().map(|whitespace| format!("{whitespace}x")).collect();
        let mut places = Places::new(text.as_bytes());
        let mut position = 0;
        let mut filled = String::new();
        for (number, whitespace) in (0..).zip(whitespace) {
            let gap = Gap { range: position..position + whitespace.len(), shift: 0 };
            position = gap.range.end + 1;
            places.arrive(NodeId(number), 0);
            if number == 1 {
                places.skip(gap, reach.map(|end| Reach { end: NodeId(end), depth: 0 }));
            } else {
                filled = text[places.fill(gap).range].to_owned();
            }
        }
        filled
    }

    #[test]
    fn a_line_end_stays_and_a_node_keeps_the_whitespace_that_it_begins_with() {
        for (whitespace, reach, expected) in [
            (["", "\n", " "], None, "\n"),
            (["", "\n", "\n  "], None, "\n  "),
            (["", "// one\n", " "], None, "\n"),
            (["", "", " "], None, " "),
            (["", "", " "], Some(3), ""),
            (["", "", " "], Some(2), " "),
            (["", " ", "\n"], Some(3), "\n"),
        ] {
            assert_eq!(left(whitespace, reach), expected, "{whitespace:?}, {reach:?}");
        }
    }
}
