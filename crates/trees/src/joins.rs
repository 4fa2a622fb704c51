//! Which tokens would become another one, or a comment, if there were nothing between them.
//!
//! The grammar says how its tokens can begin and continue. For tokens that only an external scanner knows, and for
//! texts without a grammar, these are kept apart: words beside words or quotes, equal quotes, a digit and a dot. That
//! is more than necessary, and costs only a space.

use whittle_grammars::Grammar;

/// How many tokens back a longer token may begin: Rust's `'`, `a` and `'` become a character.
pub(crate) const TOKENS_BACK: usize = 3;
/// How many bytes of earlier tokens are read; longer ones are kept apart. Not measured.
const MAX_BYTES_BACK: usize = 256;

/// Whether a space is needed before `next`. Each of the texts is what was written since the beginning of a token.
pub(crate) fn would_join<'a>(
    grammar: Option<&Grammar>,
    mut texts: impl Iterator<Item = &'a [u8]>,
    next: &[u8],
) -> bool {
    let Some(first) = first_char(next) else { return false };
    texts.any(|text| {
        text.last().zip(next.first()).is_some_and(|(&before, &after)| look_joined(before, after))
            || text.len() > MAX_BYTES_BACK
            || grammar.is_some_and(|grammar| grammar.reads_on(&String::from_utf8_lossy(text), first))
    })
}

fn first_char(text: &[u8]) -> Option<char> {
    String::from_utf8_lossy(&text[..text.len().min(4)]).chars().next()
}

fn look_joined(before: u8, after: u8) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 128..);
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
    let is_number = |digit: u8, dot: u8| digit.is_ascii_digit() && dot == b'.';
    (is_word(before) && (is_word(after) || is_quote(after)))
        || (is_quote(before) && (is_word(after) || before == after))
        || is_number(before, after)
        || is_number(after, before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_grammar_words_quotes_and_numbers_are_kept_apart() {
        for (before, next, expected) in [
            ("a", "b", true),
            ("a", "1", true),
            ("é", "b", true),
            ("L", "\"b\"", true),
            ("'a'", "'b'", true),
            ("'a'", "\"b\"", false),
            ("1", ".", true),
            (".", "5", true),
            ("a", "(", false),
            ("+", "+", false),
            ("a", "", false),
        ] {
            let joins = would_join(None, std::iter::once(before.as_bytes()), next.as_bytes());
            assert_eq!(joins, expected, "{before:?} before {next:?}");
        }
    }
}
