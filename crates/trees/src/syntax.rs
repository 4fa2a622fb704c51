//! [`Syntax`]: a parser with the grammar it was made from, and the one place where tokens and parse errors are counted.

use std::sync::Arc;

use tree_sitter::Language;
use whittle_grammars::Grammar;

use crate::convert::{Limits, parse_bearable};
use crate::{Tree, count_tokens};

/// What turns texts of one language into trees and counts.
#[derive(Clone, Debug)]
pub struct Syntax {
    parser: Language,
    grammar: Arc<Grammar>,
    limits: Limits,
}

/// What a parsed text consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The leaves of the parser's tree that have a text, comments aside.
    pub tokens: u64,
    /// The places where the parser had to skip something or to make something up.
    pub errors: u64,
}

impl Syntax {
    /// The syntax of a parser and its grammar.
    pub fn new(parser: Language, grammar: Grammar) -> Self {
        Self { parser, grammar: Arc::new(grammar), limits: Limits::default() }
    }

    /// The name of the grammar.
    pub fn name(&self) -> &str {
        self.grammar.name()
    }

    /// The normal form of a text; a generic tree if the text is too much for the parser.
    pub fn tree(&self, text: impl Into<Vec<u8>>) -> Tree {
        Tree::parse_within(text, &self.parser, &self.grammar, self.limits)
    }

    /// Tokens and errors of a text; `None` if it is too much for the parser.
    pub fn count(&self, text: &[u8]) -> Option<Count> {
        let parsed = self.parse(text)?;
        Some(Count { tokens: count_tokens(&parsed) as u64, errors: count_errors(&parsed) })
    }

    /// The errors of a text; `None` if it is too much for the parser.
    pub fn errors(&self, text: &[u8]) -> Option<u64> {
        self.parse(text).map(|parsed| count_errors(&parsed))
    }

    fn parse(&self, text: &[u8]) -> Option<tree_sitter::Tree> {
        parse_bearable(text, &self.parser, self.grammar.name(), self.limits)
    }
}

/// How many places of a parsed text the grammar does not allow: what the parser skipped or made up.
pub fn count_errors(parsed: &tree_sitter::Tree) -> u64 {
    let mut cursor = parsed.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        count += u64::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
