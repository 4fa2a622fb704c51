//! [`View`]: a parsed text as a row of tokens, and the nodes over them.
//!
//! Rules are matched against this. A *run* is one node, or several neighbours below the same parent; it is given by the
//! numbers of its tokens. Comments and tokens without a text are left out.

use std::ops::Range;

use crate::concrete::ParserTree;
use crate::convert::is_comment;

/// Numbers of tokens, from the first to before the last.
pub(crate) type Run = Range<usize>;

/// A node of the parser's tree.
#[derive(Clone, Debug)]
pub(crate) struct ViewNode<'a> {
    /// What the grammar calls it.
    pub(crate) kind: &'a str,
    /// What its parent calls it.
    pub(crate) field: Option<&'a str>,
    pub(crate) is_named: bool,
    pub(crate) parent: Option<usize>,
    /// Its tokens.
    pub(crate) run: Run,
}

/// A parsed text.
pub(crate) struct View<'a> {
    pub(crate) text: &'a [u8],
    /// Where each token is.
    pub(crate) tokens: Vec<Range<usize>>,
    /// In the order of the text, parents first.
    pub(crate) nodes: Vec<ViewNode<'a>>,
    /// The nodes that begin with each token, the largest first.
    starting: Vec<Range<usize>>,
}

impl<'a> View<'a> {
    pub(crate) fn of(text: &'a [u8], parsed: &'a ParserTree) -> Self {
        let mut view = Self { text, tokens: Vec::new(), nodes: Vec::new(), starting: Vec::new() };
        view.walk(parsed);
        view.index();
        view
    }

    fn walk(&mut self, parsed: &'a ParserTree) {
        let mut cursor = parsed.walk();
        let mut open: Vec<usize> = Vec::new();
        loop {
            let node = cursor.node();
            if !is_comment(&node) {
                let first = self.tokens.len();
                let is_named = node.is_named() && !node.is_error();
                let (kind, field) = (node.kind(), cursor.field_name());
                self.nodes.push(ViewNode { kind, field, is_named, parent: open.last().copied(), run: first..first });
                open.push(self.nodes.len() - 1);
                if cursor.goto_first_child() {
                    continue;
                }
                if node.start_byte() < node.end_byte() {
                    self.tokens.push(node.byte_range());
                }
                self.close(&mut open);
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.close(&mut open);
            }
        }
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        if let Some(node) = open.pop() {
            self.nodes[node].run.end = self.tokens.len();
        }
    }

    fn index(&mut self) {
        let mut starting = vec![0..0; self.tokens.len()];
        for (number, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.run.is_empty()) {
            let places = &mut starting[node.run.start];
            let first = if places.start == places.end { number } else { places.start };
            *places = first..number + 1;
        }
        self.starting = starting;
    }

    /// The text of a token.
    pub(crate) fn token(&self, token: usize) -> &'a [u8] {
        &self.text[self.tokens[token].clone()]
    }

    /// Where a run is in the text; an empty run is before its token.
    pub(crate) fn bytes(&self, run: &Run) -> Range<usize> {
        match (self.tokens.get(run.start), self.tokens.get(run.end.wrapping_sub(1))) {
            (Some(first), Some(last)) if !run.is_empty() => first.start..last.end,
            (Some(first), _) => first.start..first.start,
            _ => self.text.len()..self.text.len(),
        }
    }

    /// Whether two runs have the same tokens.
    pub(crate) fn is_same(&self, one: &Run, other: &Run) -> bool {
        one.len() == other.len() && one.clone().zip(other.clone()).all(|(a, b)| self.token(a) == self.token(b))
    }

    /// The nodes that begin with a token, the largest first. Those without a token are left out.
    pub(crate) fn starting(&self, token: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let all = self.starting.get(token).cloned().unwrap_or_default();
        all.filter(move |&node| self.nodes[node].run.start == token && !self.nodes[node].run.is_empty())
    }

    /// The smallest node with exactly these tokens: a token's own node, for one token.
    pub(crate) fn leaf(&self, token: usize) -> Option<usize> {
        self.starting(token).next_back()
    }

    /// The next node below the same parent.
    fn next_sibling(&self, node: usize) -> Option<usize> {
        let node = &self.nodes[node];
        self.starting(node.run.end).find(|&next| self.nodes[next].parent == node.parent && node.parent.is_some())
    }

    /// Where runs that begin with a token can end, in ascending order.
    pub(crate) fn ends(&self, token: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        for node in self.starting(token) {
            let run = std::iter::successors(Some(node), |&node| self.next_sibling(node));
            ends.extend(run.map(|node| self.nodes[node].run.end));
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// The neighbours that a run consists of: as few as possible. Empty if it is not a run.
    pub(crate) fn members(&self, run: &Run) -> Vec<usize> {
        for node in self.starting(run.start) {
            let mut members = Vec::new();
            let mut next = Some(node).filter(|&node| self.nodes[node].run.end <= run.end);
            while let Some(node) = next {
                members.push(node);
                if self.nodes[node].run.end == run.end {
                    return members;
                }
                next = self.next_sibling(node).filter(|&node| self.nodes[node].run.end <= run.end);
            }
        }
        Vec::new()
    }

    /// The members of a list: those that are not commas or semicolons.
    pub(crate) fn elements(&self, run: &Run) -> Vec<usize> {
        let is_separator = |node: &Run| node.len() == 1 && matches!(self.token(node.start), b"," | b";");
        self.members(run).into_iter().filter(|&node| !is_separator(&self.nodes[node].run)).collect()
    }

    /// The smallest node around a run that is larger than it.
    pub(crate) fn around(&self, run: &Run) -> Run {
        let mut at = if run.start < self.tokens.len() { self.leaf(run.start) } else { None };
        while let Some(node) = at {
            let found = &self.nodes[node].run;
            if found.start <= run.start && found.end >= run.end && found.len() > run.len() {
                return found.clone();
            }
            at = self.nodes[node].parent;
        }
        0..self.tokens.len()
    }

    /// Whether a token is a name: a word, perhaps with a sigil, that the grammar does not spell out.
    pub(crate) fn is_name(&self, token: usize) -> bool {
        let Some(leaf) = self.leaf(token).map(|leaf| &self.nodes[leaf]) else { return false };
        let text = self.token(token);
        let start = text.iter().position(|byte| !b"@%$|!".contains(byte)).unwrap_or_default();
        let is_word = text.get(start).is_some_and(crate::words::starts_name);
        // The names of built-in types are named leaves in some grammars, and keywords in others.
        leaf.is_named && is_word && !leaf.kind.contains("primitive") && !leaf.kind.contains("string")
    }
}
