//! The size of a text, by Whittle's token counter: the same for all reducers.

use serde::{Deserialize, Serialize};
use tree_sitter::Parser;
use whittle_languages::Language;
use whittle_trees::{Tree, count_tokens};

/// Sizes are compared by tokens, then by non-blank bytes, then by all bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) tokens: u64,
    pub(crate) non_blank: u64,
    pub(crate) bytes: u64,
}

impl Size {
    /// Tokens are those of the language's parser, without comments. Without a language, and for binary data, they are
    /// words and punctuation.
    pub(crate) fn of(text: &[u8], language: Option<&Language>) -> Self {
        let tokens =
            language.and_then(|language| parsed_tokens(text, language)).unwrap_or_else(|| generic_tokens(text));
        Self {
            tokens: tokens as u64,
            non_blank: text.iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64,
            bytes: text.len() as u64,
        }
    }
}

fn parsed_tokens(text: &[u8], language: &Language) -> Option<usize> {
    if text.contains(&0) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&language.tree_sitter()).ok()?;
    Some(count_tokens(&parser.parse(text, None)?.into()))
}

fn generic_tokens(text: &[u8]) -> usize {
    let tree = Tree::generic(text);
    tree.token_count(tree.root())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_are_no_tokens() {
        let size = Size::of(b"int a ; /* why */\n", Language::by_name("c"));
        assert_eq!(size, Size { tokens: 3, non_blank: 12, bytes: 18 });
    }

    #[test]
    fn without_a_language_words_and_signs_are_counted() {
        assert_eq!(Size::of(b"[net]\nport = 80\n", None).tokens, 6);
    }

    #[test]
    fn tokens_count_before_bytes() {
        let few_long = Size { tokens: 1, non_blank: 9, bytes: 9 };
        let many_short = Size { tokens: 2, non_blank: 3, bytes: 3 };
        assert!(few_long < many_short);
    }
}
