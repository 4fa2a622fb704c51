//! [`Shape`]: what is left of a text when its names, or all texts that could be others, do not count.
//!
//! Whitespace never counts. In a known language the tokens are the parser's, and those that could have another text are what
//! T-Rec would rewrite; elsewhere a token is a word, which is a number if it begins with a digit and a name if not, or a
//! single other character.

use std::collections::HashMap;

use whittle_tokens::{TokenKind, tokens_of};
use whittle_trees::Syntax;

/// A text in two forms that forget something of it. Near-duplicates have one of them in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Names are numbered by their first use: equal for texts that are equal after renaming.
    pub renamed: Vec<Part>,
    /// Only the kind is left of every token that could have another text.
    pub kinds: Vec<Part>,
}

/// What a token counts for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Its text.
    Text(Vec<u8>),
    /// Which of the names it is.
    Name(usize),
    /// Its kind.
    Kind(TokenKind),
}

/// A token; the kind is of those that could have another text.
struct Word {
    text: Vec<u8>,
    kind: Option<TokenKind>,
}

impl Shape {
    /// The shape of a text.
    pub fn of(text: &[u8], syntax: Option<&Syntax>) -> Self {
        let words = match syntax {
            Some(syntax) => words_of_language(text, syntax),
            None => words_of_text(text),
        };
        let mut names = HashMap::new();
        let mut renamed = |word: &Word| match word.kind {
            Some(TokenKind::Name) => {
                let next = names.len();
                Part::Name(*names.entry(word.text.clone()).or_insert(next))
            }
            _ => Part::Text(word.text.clone()),
        };
        let kind = |word: &Word| word.kind.map_or_else(|| Part::Text(word.text.clone()), Part::Kind);
        Self { renamed: words.iter().map(&mut renamed).collect(), kinds: words.iter().map(kind).collect() }
    }
}

fn words_of_language(text: &[u8], syntax: &Syntax) -> Vec<Word> {
    let tree = syntax.tree(text);
    let changeable = tokens_of(&tree);
    let mut changeable = changeable.iter().peekable();
    let mut words = Vec::new();
    let mut end = 0;
    for node in tree.tokens(tree.root()) {
        let range = tree.token_range(node);
        // The rest of a literal that is one token here and several to the parser.
        if range.start < end {
            continue;
        }
        if let Some(token) = changeable.next_if(|token| token.range.start <= range.start) {
            end = token.range.end;
            words.push(Word { text: token.text.clone().into_bytes(), kind: Some(token.kind) });
        } else if !tree.token_text(node).trim_ascii().is_empty() {
            words.push(Word { text: tree.token_text(node).to_vec(), kind: None });
        }
    }
    words
}

fn words_of_text(text: &[u8]) -> Vec<Word> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let pieces = text.chunk_by(|a, b| is_word(a) && is_word(b)).filter(|piece| !piece.trim_ascii().is_empty());
    let kind = |piece: &[u8]| match piece[0] {
        byte if !is_word(&byte) => None,
        byte if byte.is_ascii_digit() => Some(TokenKind::Number),
        _ => Some(TokenKind::Name),
    };
    pieces.map(|piece| Word { text: piece.to_vec(), kind: kind(piece) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntaxes::syntax;
    use whittle_languages::Language;

    fn shape(language: &str, text: &str) -> Shape {
        let syntax = Language::by_name(language).map(|language| syntax(language).unwrap());
        Shape::of(text.as_bytes(), syntax.as_ref())
    }

    #[test]
    fn blanks_and_names_do_not_count_after_renaming_but_which_names_are_equal_does() {
        let renamed = |text: &str| shape("c", text).renamed;
        assert_eq!(renamed("int f(int a) { return a; }"), renamed("int  g(int x){return x;}"));
        assert_ne!(renamed("int f(int a) { return a; }"), renamed("int f(int a) { return f; }"));
        assert_ne!(renamed("int f() { return 1; }"), renamed("int f() { return 2; }"));
    }

    #[test]
    fn numbers_and_strings_are_of_one_kind_whatever_they_are() {
        let kinds = |text: &str| shape("c", text).kinds;
        assert_eq!(kinds("int a = f(1, \"x y\");"), kinds("int b = b(0xff, \"\");"));
        assert_ne!(kinds("int a = f(1, \"x\");"), kinds("int a = f(\"x\", 1);"));
        assert_ne!(kinds("int a = b + 1;"), kinds("int a = b - 1;"));
    }

    #[test]
    fn a_text_of_no_language_consists_of_words() {
        assert_eq!(shape("none", "add r1, 17").renamed, shape("none", "mov r2,17").renamed);
        assert_ne!(shape("none", "add r1, 17").renamed, shape("none", "add r1, 18").renamed);
        assert_eq!(shape("none", "add r1, 17").kinds, shape("none", "sub r1, 18\n").kinds);
    }
}
