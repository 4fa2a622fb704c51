//! How tokens and the whitespace before them are written, and where a space keeps two of them apart.

use std::ops::Range;

use super::Writer;
use crate::columns::moved;
use crate::joins::{TOKENS_BACK, would_join};
use crate::places::Gap;
use crate::tree::Kind;
use crate::{NodeId, Tree};

impl Writer<'_> {
    /// Writes tokens that are not in the text, in the place of a node.
    pub(super) fn write_instead<T: AsRef<str>>(
        &mut self,
        node: NodeId,
        shift: isize,
        texts: impl IntoIterator<Item = T>,
    ) {
        let first = self.tree.first_token(node);
        let mut gap = first.map(|first| self.places.fill(self.gap(first, shift)));
        for text in texts {
            let text = text.as_ref();
            if let Some(gap) = gap.take() {
                self.write_whitespace(&self.below(gap));
            }
            if self.would_join(None, text.as_bytes()) {
                self.separate();
            }
            self.starts.push(self.out.len());
            self.out.extend_from_slice(text.as_bytes());
            self.last = None;
        }
    }

    pub(super) fn write_token(&mut self, token: NodeId, shift: isize) {
        let node = *self.tree.node(token);
        let is_immediate = matches!(node.kind(), Kind::Token { immediate: true, .. });
        if self.places.is_open() && (is_immediate || self.tree.is_quoted(token)) {
            self.places.clear();
        }
        let mut gap = self.places.fill(self.gap(token, shift));
        // What the parser does not show and what is quoted may be content: its lines are not moved.
        let is_content = || matches!(node.kind(), Kind::Token { silent: true, .. }) || self.tree.is_quoted(token);
        if gap.shift != 0 && is_content() {
            gap.shift = 0;
        }
        self.write_comments(node.start() as usize, &gap);
        self.write_whitespace(&self.below(gap));
        if !is_immediate
            && self.would_join(Some(node.start()), self.tree.token_text(token))
            && !self.tree.is_quoted(token)
        {
            self.separate();
        }
        self.starts.push(self.out.len());
        self.copy(node.start() as usize..node.end as usize);
        self.last = Some(node.end);
    }

    /// Whether a text would join the last written one. It does not if it follows it in the original text too.
    pub(super) fn would_join(&self, start: Option<u32>, text: &[u8]) -> bool {
        let follows = start.is_some() && self.last == start;
        let ends_with_space = self.out.last().is_none_or(u8::is_ascii_whitespace);
        let texts = self.starts.iter().rev().take(TOKENS_BACK).map(|&start| &self.out[start..]);
        let grammar = self.tree.grammar().map(|grammar| &**grammar);
        !follows && !ends_with_space && !self.binary && would_join(grammar, texts, text)
    }

    pub(super) fn separate(&mut self) {
        self.out.push(b' ');
        self.starts.clear();
    }

    /// The whitespace before a token.
    pub(super) fn gap(&self, token: NodeId, shift: isize) -> Gap {
        Gap { range: self.tree.gap(token), shift }
    }

    /// Whitespace at the beginning of the new text loses its leading empty lines.
    pub(super) fn below(&self, gap: Gap) -> Gap {
        let Gap { range, shift } = gap;
        let leading = self.tree.text()[range.clone()].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let lines = &self.tree.text()[range.start..range.start + leading];
        let lost = match lines.iter().rposition(|&byte| byte == b'\n') {
            _ if !self.out.is_empty() || range.start == 0 || self.binary => 0,
            Some(end) if self.indented => end + 1,
            None if self.indented => 0,
            _ => leading,
        };
        Gap { range: range.start + lost..range.end, shift }
    }

    pub(super) fn write_whitespace(&mut self, gap: &Gap) {
        let text = self.tree.text();
        let Gap { range, shift } = gap.clone();
        if range.is_empty() {
            return;
        }
        if self.would_join(Some(range.start as u32), &text[range.clone()]) {
            self.separate();
        }
        self.last = Some(range.end as u32);
        self.starts.clear();
        let begins = self.out.is_empty();
        let whitespace = &text[range.clone()];
        if shift == 0 || !self.indented || !(begins || whitespace.contains(&b'\n')) {
            self.copy(range);
        } else {
            self.out.extend(moved(whitespace, shift, begins));
        }
    }
}

impl Tree {
    /// Whether a token is within a rule that begins with a quote: whitespace before it would be part of the literal.
    ///
    /// The first token of a nested rule, such as an interpolation, is within the literal too.
    pub(crate) fn is_quoted(&self, token: NodeId) -> bool {
        let tokens = |nodes: Range<u32>| nodes.map(NodeId).filter(|&id| self.is_token(id));
        let mut first = token;
        let begins_elsewhere = |&rule: &NodeId| {
            let found = tokens(rule.0..first.0).next().is_some();
            first = rule;
            found
        };
        let Some(rule) = self.rules_above(token).find(begins_elsewhere) else { return false };
        let mut opening = tokens(rule.0..token.0).take(2).take_while(|&id| self.rules_above(id).next() == Some(rule));
        opening.any(|id| matches!(self.token_text(id).last(), Some(b'"' | b'\'' | b'`')))
    }

    /// The rules around a node that have a symbol, from the closest one on.
    pub(crate) fn rules_above(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let above = std::iter::successors(self.parent(node), |&node| self.parent(node));
        above.filter(|&node| self.symbol(node).is_some())
    }
}
