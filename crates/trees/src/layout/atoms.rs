//! [`Atom`]: the tokens and comments of a text, with what is known about the whitespace before each.

use std::ops::Range;

use crate::comments::solid;
use crate::tree::Kind;
use crate::{NodeId, Tree};

/// A token or a comment.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    /// Where it is in the text.
    pub(crate) range: Range<usize>,
    /// The token; `None` for a comment, or for what the grammar allows anywhere, as commas in GraphQL.
    pub(crate) token: Option<NodeId>,
    /// Whether it is a comment.
    pub(crate) is_comment: bool,
    /// Whether the whitespace before it is content or must not be there.
    pub(crate) is_bound: bool,
    /// Whether a line break before it is a token.
    pub(crate) follows_line_token: bool,
    /// Whether it begins a line of the text.
    pub(crate) begins_line: bool,
}

/// How line comments begin.
const LINE_COMMENTS: [&[u8]; 5] = [b"//", b"#", b"--", b";", b"%"];
/// How other comments begin.
const COMMENTS: [&[u8]; 6] = [b"/*", b"(*", b"{-", b"<!--", b"=begin", b"!"];
/// How comments end that need not be at the end of a line.
const COMMENT_ENDS: [&[u8]; 6] = [b"*/", b"*)", b"-}", b"-->", b"]]", b"|#"];

/// The atoms of a text, in order.
pub(crate) fn atoms(tree: &Tree) -> Vec<Atom> {
    let mut found = Found { text: tree.text(), atoms: Vec::new(), is_bound: false, follows_line_token: false };
    for token in tree.nodes().filter(|&node| tree.is_token(node)) {
        let Kind::Token { immediate, silent } = tree.kind(token) else { continue };
        let text = tree.token_text(token);
        if text.trim_ascii().is_empty() {
            // A token of whitespace with a name is content, as text between tags.
            let ends_line = text.contains(&b'\n') && tree.symbol(token).is_none();
            found.follows_line_token |= ends_line;
            found.is_bound |= !ends_line && !text.is_empty();
            continue;
        }
        let range = tree.token_range(token);
        let is_stuck = silent && !begins_rule_apart(tree, token, found.end()..range.start);
        found.is_bound |= immediate || is_stuck || tree.is_quoted(token) || is_content(tree, token);
        found.comments_before(range.start);
        found.push(range, Some(token));
        found.is_bound = silent;
    }
    found.comments_before(tree.text().len());
    found.atoms
}

/// Whether a token begins its rule behind whitespace, as `1` in `0 1px`. There the amount of whitespace has no meaning, even
/// if the parser does not show the token.
fn begins_rule_apart(tree: &Tree, token: NodeId, gap: Range<usize>) -> bool {
    let is_first = tree.rules_above(token).next().is_some_and(|rule| tree.first_token(rule) == Some(token));
    is_first && gap.start < gap.end && tree.text()[gap].trim_ascii().is_empty()
}

/// Whether whitespace before a token may be text: in literals and their interpolations, and in elements of markup
/// within a program.
fn is_content(tree: &Tree, token: NodeId) -> bool {
    let is_of =
        |rule: NodeId, names: &[&str]| tree.name(rule).is_some_and(|name| names.iter().any(|part| name.contains(part)));
    let mut rules = tree.rules_above(token).take(2);
    let Some(own) = rules.next() else { return false };
    (is_of(own, &["string", "heredoc", "nowdoc"]) && tree.first_token(own) != Some(token))
        || is_of(own, &["jsx_", "heredoc", "interpolation", "substitution"])
        || rules.any(|rule| is_of(rule, &["jsx_", "heredoc"]))
}

struct Found<'a> {
    text: &'a [u8],
    atoms: Vec<Atom>,
    is_bound: bool,
    follows_line_token: bool,
}

impl Found<'_> {
    fn end(&self) -> usize {
        self.atoms.last().map_or(0, |atom| atom.range.end)
    }

    fn push(&mut self, range: Range<usize>, token: Option<NodeId>) {
        let begins_line = self.text[self.end().min(range.start)..range.start].contains(&b'\n')
            || self.atoms.last().is_some_and(|last| self.text[last.range.clone()].ends_with(b"\n"));
        let (is_bound, follows_line_token) = (self.is_bound, self.follows_line_token);
        let begins = |begin: &&[u8]| self.text[range.clone()].starts_with(begin);
        let is_comment = token.is_none() && LINE_COMMENTS.iter().chain(&COMMENTS).any(begins);
        self.atoms.push(Atom { range, token, is_comment, is_bound, follows_line_token, begins_line });
        (self.is_bound, self.follows_line_token) = (false, false);
    }

    /// Adds the comments before a place. What is neither whitespace nor a comment, such as the backslash that continues
    /// a line, stays with the whitespace around it.
    fn comments_before(&mut self, place: usize) {
        let Some(comments) = solid(self.text, self.end().min(place)..place) else { return };
        if self.is_bound || self.text[comments.start] == b'\\' {
            self.is_bound = true;
            return;
        }
        for comment in each_line_comment(self.text, comments) {
            self.push(comment, None);
        }
    }
}

/// Comments one by one if each is a line, else all together.
fn each_line_comment(text: &[u8], comments: Range<usize>) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = comments.start;
    for line in text[comments.clone()].split_inclusive(|&byte| byte == b'\n') {
        lines.extend(solid(text, start..start + line.len()));
        start += line.len();
    }
    let is_line = |line: &Range<usize>| LINE_COMMENTS.iter().any(|begin| text[line.clone()].starts_with(begin));
    if lines.iter().all(is_line) { lines } else { Vec::from([comments]) }
}

/// Whether a comment ends with its line.
pub(crate) fn is_line_comment(text: &[u8]) -> bool {
    let is_line = LINE_COMMENTS.iter().any(|begin| text.starts_with(begin));
    is_line || !COMMENT_ENDS.iter().any(|end| text.ends_with(end))
}

impl Tree {
    /// The name of a rule.
    pub(crate) fn name(&self, rule: NodeId) -> Option<&str> {
        self.symbol(rule).zip(self.grammar()).map(|(symbol, grammar)| grammar.describe(symbol).name.as_str())
    }

    /// The name of the closest rule around a node.
    pub(crate) fn rule_name(&self, node: NodeId) -> Option<&str> {
        self.name(self.rules_above(node).next()?)
    }
}
