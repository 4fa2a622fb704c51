//! [`Tokens`]: the tokens of a text with their names, brackets and quotes.
//!
//! Parsers lose track of what is within what where a text has errors, but their tokens are still right.
//!
//! Cost: linear in the tokens.

use std::collections::HashMap;
use std::ops::Range;

use crate::words::starts_name;
use crate::{Kind, NodeId, Tree};

/// How many tokens may be between quotes: without a limit, one lone quote would hide the rest of the text. In Rust, a
/// lone quote begins a lifetime.
const MAX_QUOTED_TOKENS: usize = 64;

/// What a token in quotes is taken for.
const QUOTED: &[u8] = b"\"";

const NONE: u32 = u32::MAX;

/// The tokens of a text.
pub(crate) struct Tokens<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) tokens: Vec<NodeId>,
    /// The number of each token's name, in the order in which names come; `NONE` if it is no name.
    names: Vec<u32>,
    pub(crate) numbers: HashMap<&'t [u8], u32>,
    /// The other half of each bracket; `NONE` if there is none.
    partners: Vec<u32>,
    /// Whether a token is in quotes.
    quoted: Vec<bool>,
}

impl<'t> Tokens<'t> {
    /// Reads the tokens of a text.
    pub(crate) fn read(tree: &'t Tree) -> Self {
        let shown = |&node: &NodeId| matches!(tree.kind(node), Kind::Token { silent: false, .. });
        let tokens: Vec<NodeId> = tree.nodes().filter(shown).collect();
        let mut text =
            Self { tree, names: Vec::new(), numbers: HashMap::new(), partners: Vec::new(), quoted: Vec::new(), tokens };
        text.find_quoted();
        text.find_names();
        text.find_partners();
        text
    }

    /// The text of a token; empty behind the last one.
    pub(crate) fn text(&self, at: u32) -> &'t [u8] {
        match self.tokens.get(at as usize) {
            Some(_) if self.quoted[at as usize] => QUOTED,
            Some(&token) => self.tree.token_text(token),
            None => b"",
        }
    }

    /// Where some tokens are in the text, with the whitespace before them.
    pub(crate) fn bytes(&self, tokens: Range<u32>) -> Range<u32> {
        let (first, last) = (self.tokens[tokens.start as usize], self.tokens[tokens.end as usize - 1]);
        let start = self.tree.token_range(first).start - self.tree.whitespace(first).len();
        start as u32..self.tree.token_range(last).end as u32
    }

    /// Parsers make a token of each quote and of what is between them.
    fn find_quoted(&mut self) {
        self.quoted = vec![false; self.tokens.len()];
        let text = |at: usize| self.tree.token_text(self.tokens[at]);
        let mut at = 0;
        while at < self.tokens.len() {
            let opening = text(at);
            at += 1;
            let quote = match opening {
                [prefix @ .., quote @ (b'"' | b'\'' | b'`')] if !prefix.contains(quote) => quote,
                _ => continue,
            };
            let closes = |&at: &usize| text(at) == std::slice::from_ref(quote);
            if let Some(close) = (at..self.tokens.len().min(at + MAX_QUOTED_TOKENS)).find(closes) {
                self.quoted[at..close].fill(true);
                at = close + 1;
            }
        }
    }

    /// Names start like one or with a mark such as `$`, and are not keywords. In data, what is quoted may be a name.
    fn find_names(&mut self) {
        let starts = |byte: &u8| starts_name(byte) || b"$@|".contains(byte);
        let mut words: HashMap<&[u8], bool> = HashMap::new();
        for &token in &self.tokens {
            let text = self.tree.token_text(token);
            let is_word = text.first().is_some_and(starts) && !text.contains(&b' ');
            let is_name = is_word && *words.entry(text).or_insert_with(|| !self.is_keyword(token));
            let next = self.numbers.len() as u32;
            let number = if is_name { *self.numbers.entry(text).or_insert(next) } else { NONE };
            self.names.push(number);
        }
    }

    /// Where case does not matter, grammars have a symbol for each keyword, and call it so.
    fn is_keyword(&self, token: NodeId) -> bool {
        let symbol = self.tree.grammar().zip(self.tree.symbol(token));
        let is_called_so = symbol.is_some_and(|(grammar, symbol)| grammar.describe(symbol).name.starts_with("keyword"));
        is_called_so || self.tree.is_keyword(token)
    }

    fn find_partners(&mut self) {
        self.partners = vec![NONE; self.tokens.len()];
        let mut open: Vec<(u32, u8)> = Vec::new();
        for at in 0..self.tokens.len() as u32 {
            match self.text(at) {
                b"(" => open.push((at, b')')),
                b"[" => open.push((at, b']')),
                b"{" => open.push((at, b'}')),
                &[close @ (b')' | b']' | b'}')] => {
                    // A bracket that closes another one closes all within it.
                    let Some(depth) = open.iter().rposition(|&(_, expected)| expected == close) else { continue };
                    let (start, _) = open[depth];
                    open.truncate(depth);
                    self.partners[start as usize] = at;
                    self.partners[at as usize] = start;
                }
                _ => {}
            }
        }
    }

    /// The token after a bracket and what is in it.
    pub(crate) fn behind(&self, at: u32) -> u32 {
        let partner = self.partners[at as usize];
        if partner == NONE || partner < at { at + 1 } else { partner + 1 }
    }

    /// Whether a token is the first of its line.
    pub(crate) fn begins_line(&self, at: u32) -> bool {
        let range = |at: u32| self.tokens.get(at as usize).map(|&token| self.tree.token_range(token));
        let before = at.checked_sub(1).and_then(range).map_or(0, |token| token.end);
        range(at).is_some_and(|token| self.tree.text()[before..token.start].contains(&b'\n'))
    }

    /// A name that is not quoted.
    pub(crate) fn name(&self, at: u32) -> Option<u32> {
        self.mention(at).filter(|_| !self.quoted[at as usize])
    }

    /// A name, quoted or not.
    pub(crate) fn mention(&self, at: u32) -> Option<u32> {
        Some(self.names[at as usize]).filter(|&name| name != NONE)
    }

    /// The token after arguments in angle brackets; the next one if they are none.
    pub(crate) fn behind_angle(&self, open: u32, end: u32) -> u32 {
        let (mut at, mut depth) = (open, 0);
        while at < end {
            match self.text(at) {
                b"<" => depth += 1,
                b">" => depth -= 1,
                b">>" => depth -= 2,
                b"(" | b"[" | b"{" => {
                    at = self.behind(at);
                    continue;
                }
                b";" => break,
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                return at;
            }
        }
        open + 1
    }

    /// What is separated by commas in brackets.
    pub(crate) fn parts(&self, open: u32) -> Vec<Range<u32>> {
        let end = self.behind(open) - 1;
        let (mut parts, mut at, mut start) = (Vec::new(), open + 1, open + 1);
        while at < end {
            match self.text(at) {
                b"," => {
                    parts.push(start..at);
                    at += 1;
                    start = at;
                }
                b"(" | b"[" | b"{" => at = self.behind(at),
                b"<" => at = self.behind_angle(at, end),
                _ => at += 1,
            }
        }
        parts.push(start..end.max(start));
        parts.retain(|part| !part.is_empty());
        parts
    }
}
