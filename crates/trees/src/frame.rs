//! [`Frame`]: what is around the longest list of a text, and where that list can be cut.
//!
//! Only brackets, quotes and lines are looked at, so both are guesses in every language. A parse of what is between two
//! cuts shows whether they were right.

use std::ops::Range;

use crate::{Kind, NodeId, Tree};

/// A pair of brackets is around the list if it is around this share of the text: three quarters. Not measured.
const MOST: (usize, usize) = (3, 4);

/// What is around the list is parsed with every part of it, so it must be short, in bytes.
const MAX_AROUND: usize = 4 << 10;

/// How many bytes of a list are read to see what separates its elements.
const SAMPLE: usize = 64 << 10;

/// What is around the list: nothing, or what is outside of a pair of brackets, and these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// How many bytes are before the list.
    pub(crate) before: usize,
    /// How many bytes are behind it.
    pub(crate) after: usize,
    /// Whether commas separate its elements, rather than lines.
    by_commas: bool,
}

impl Frame {
    /// The innermost pair of brackets around most of a text; nothing if there is none.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut open = Vec::new();
        let mut nesting = Nesting::default();
        for (at, &byte) in text.iter().enumerate() {
            match nesting.read(byte) {
                Some(Bracket::Opens) => open.push(at),
                Some(Bracket::Closes) => {
                    let start = open.pop().unwrap_or(at) + 1;
                    let len = at.saturating_sub(start);
                    if len * MOST.1 >= text.len() * MOST.0 {
                        return Self::around(text, start..at);
                    }
                }
                None => {}
            }
        }
        Self { before: 0, after: 0, by_commas: false }
    }

    fn around(text: &[u8], list: Range<usize>) -> Self {
        let mut nesting = Nesting::default();
        let (mut commas, mut semicolons) = (0, 0);
        for &byte in &text[list.clone()][..list.len().min(SAMPLE)] {
            nesting.read(byte);
            commas += usize::from(nesting.is_outside() && byte == b',');
            semicolons += usize::from(nesting.is_outside() && byte == b';');
        }
        let (before, after) = (list.start, text.len() - list.end);
        if before + after > MAX_AROUND {
            return Self { before: 0, after: 0, by_commas: false };
        }
        Self { before, after, by_commas: commas > 0 && semicolons == 0 }
    }

    /// Where the list is.
    pub(crate) fn list(&self, text: &[u8]) -> Range<usize> {
        self.before..text.len() - self.after
    }

    /// Whether there is anything around the list.
    pub(crate) fn is_empty(&self) -> bool {
        self.before + self.after == 0
    }

    /// Whether another text has the same around its list.
    pub(crate) fn is_around(&self, text: &[u8], other: &[u8]) -> bool {
        text.len().min(other.len()) >= self.before + self.after
            && text[..self.before] == other[..self.before]
            && text[text.len() - self.after..] == other[other.len() - self.after..]
    }

    /// The first place behind so many bytes where an element seems to end, if that is before the end of the range. It is
    /// the next line if brackets do not say where it is.
    pub(crate) fn cut(&self, text: &[u8], Range { start, end }: Range<usize>, bytes: usize) -> Option<usize> {
        let (from, to) = (start + bytes, (start + 2 * bytes).min(end));
        if from >= end {
            return None;
        }
        let mut nesting = Nesting::default();
        for at in start..to {
            let begins = at >= from && nesting.is_outside() && self.can_end(text, at);
            if begins {
                return Some(at);
            }
            nesting.read(text[at]);
        }
        (from..to).find(|&at| text[at - 1] == b'\n' && !self.by_commas)
    }

    fn can_end(&self, text: &[u8], at: usize) -> bool {
        if self.by_commas {
            return text[at] == b',';
        }
        let is_indented = self.before == 0 && text[at].is_ascii_whitespace();
        text[at - 1] == b'\n' && !is_indented && !b")]}\n\r".contains(&text[at])
    }

    /// The list in the tree of a text with this around it; `None` if what is there is no list.
    pub(crate) fn find(&self, tree: &Tree) -> Option<NodeId> {
        let list = match self.before {
            0 => tree.children(tree.root()).last()?,
            before => {
                let bracket = tree.inner.nodes.partition_point(|node| (node.end as usize) < before);
                NodeId(bracket as u32 + 1)
            }
        };
        let is_list = list.index() < tree.len() && matches!(tree.kind(list), Kind::List { .. });
        let end = if is_list { tree.end(list) } else { return None };
        let is_all = match self.after {
            0 => end.index() == tree.len(),
            after => end.index() < tree.len() && tree.token_range(end).start + after == tree.text().len(),
        };
        is_all.then_some(list)
    }
}

enum Bracket {
    Opens,
    Closes,
}

/// How deep in brackets a place is.
#[derive(Default)]
struct Nesting {
    depth: i64,
    is_quoted: bool,
    is_escaped: bool,
}

impl Nesting {
    /// Reads one byte. Quotes end with the line: there may be one half of a pair in a comment.
    fn read(&mut self, byte: u8) -> Option<Bracket> {
        let is_escaped = std::mem::take(&mut self.is_escaped);
        match byte {
            b'\n' => self.is_quoted = false,
            _ if is_escaped => {}
            b'\\' => self.is_escaped = true,
            b'"' => self.is_quoted = !self.is_quoted,
            _ if self.is_quoted => {}
            b'(' | b'[' | b'{' => {
                self.depth += 1;
                return Some(Bracket::Opens);
            }
            b')' | b']' | b'}' => {
                self.depth -= 1;
                return Some(Bracket::Closes);
            }
            _ => {}
        }
        None
    }

    fn is_outside(&self) -> bool {
        self.depth <= 0 && !self.is_quoted
    }
}
