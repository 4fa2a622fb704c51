//! Which two tokens would become another one, or a comment, if nothing stood between them.
//!
//! Word characters meet word characters, a digit meets a dot, a word meets a quote; or two other characters meet that
//! stand side by side in a literal of the grammar. That is more than need be, and costs only a blank.

use std::collections::HashSet;

use whittle_grammars::{Grammar, Rule};

#[derive(Clone, Debug)]
pub(crate) struct Joins {
    /// Which ASCII characters make words.
    word: [bool; 128],
    /// Characters that stand side by side in a literal.
    pairs: HashSet<(u8, u8)>,
}

impl Joins {
    pub(crate) fn new(grammar: Option<&Grammar>) -> Self {
        let mut word = [false; 128];
        for (byte, is_word) in word.iter_mut().enumerate() {
            let byte = byte as u8;
            *is_word = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
        }
        let mut pairs = HashSet::new();
        if let Some(grammar) = grammar {
            let rule = grammar.word().and_then(|symbol| grammar.describe(symbol).rule);
            if let Some(Rule::Token { lexical, .. }) = rule.map(|rule| grammar.rule(rule)) {
                for (byte, is_word) in word.iter_mut().enumerate() {
                    let c = byte as u8 as char;
                    *is_word |= !c.is_whitespace() && grammar.lexical().has_char(*lexical, c);
                }
            }
            for literal in grammar.literals() {
                pairs.extend(literal.as_bytes().windows(2).map(|pair| (pair[0], pair[1])));
            }
        }
        Self { word, pairs }
    }

    /// Whether a blank is needed between a token that ends with `before` and one that begins with `after`.
    pub(crate) fn would_join(&self, before: u8, after: u8) -> bool {
        let is_word = |byte: u8| byte >= 128 || self.word[byte as usize];
        let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
        let is_number_like = |a: u8, b: u8| a.is_ascii_digit() && b == b'.';
        (is_word(before) && (is_word(after) || is_quote(after)))
            || (is_quote(before) && (is_word(after) || before == after))
            || is_number_like(before, after)
            || is_number_like(after, before)
            || self.pairs.contains(&(before, after))
    }
}
