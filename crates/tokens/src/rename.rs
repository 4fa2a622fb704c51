//! What C-Reduce does to tokens in any language (section 3.1.1): names become `a`, `b`, `c`, ..., each a different one;
//! strings lose their content; integers in C's syntax lose a suffix, a prefix or a digit, or become decimal.
//!
//! It works on the tokens of the file's language; C-Reduce works on those of C. A token is retried while it gets
//! smaller.
//!
//! Promise: a second run that finds nothing changes nothing. Cost: one test for each name and string, up to four for
//! each integer and digit.

use whittle_grammars::Alphabet;
use whittle_search::{Search, Stop};
use whittle_trees::Workshop;

use crate::numbers::plainer;
use crate::piece::{Piece, Rewrite};
use crate::replacement::smallest_texts;
use crate::token::TokenKind;

/// Renames, empties strings, and makes integers smaller.
pub(crate) fn rename(search: &mut Search, workshop: &Workshop, alphabet: &Alphabet) -> Result<(), Stop> {
    let Some(mut piece) = Piece::take(search, workshop, alphabet) else { return Ok(()) };
    for token in 0..piece.tokens().len() {
        match piece.tokens()[token].kind {
            TokenKind::Name => rename_all(search, &mut piece, token)?,
            TokenKind::Quoted => {
                let texts = smallest_texts(&piece, token, 1);
                try_alone(search, &mut piece, token, texts)?;
            }
            TokenKind::Number => reduce_integer(search, &mut piece, token)?,
            TokenKind::Other => {}
        }
    }
    Ok(())
}

/// Tries the first unused name, for all tokens of this one's name.
fn rename_all(search: &mut Search, piece: &mut Piece<'_>, token: usize) -> Result<(), Stop> {
    let (name, used) = (piece.text(token), piece.names());
    let fresh = piece.possible_names(token).find(|name| !used.contains(name));
    let Some(text) = fresh.filter(|fresh| piece.is_below(fresh, name)) else { return Ok(()) };
    let tokens = piece.with_text(name, TokenKind::Name);
    piece.first_of(search, vec![vec![Rewrite { tokens, text }]]).map(drop)
}

fn reduce_integer(search: &mut Search, piece: &mut Piece<'_>, token: usize) -> Result<(), Stop> {
    while let Some(smaller) = smaller_integers(piece.text(token)) {
        if !try_alone(search, piece, token, smaller)? {
            break;
        }
    }
    Ok(())
}

/// What C-Reduce makes of an integer; `None` if C has no such integer.
fn smaller_integers(text: &str) -> Option<Vec<String>> {
    let bare = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let digits = bare.strip_prefix("0x").or(bare.strip_prefix("0X"));
    let is_integer = match digits {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !bare.is_empty() && bare.bytes().all(|digit| digit.is_ascii_digit()),
    };
    if !is_integer {
        return None;
    }
    let (prefix, digits) = bare.split_at(bare.len() - digits.unwrap_or(bare).len());
    let suffix = &text[bare.len()..];
    let mut smaller = vec![bare.to_owned(), format!("{digits}{suffix}")];
    smaller.extend(plainer(bare).first().map(|decimal| format!("{decimal}{suffix}")));
    smaller.extend(digits.get(1..).filter(|rest| !rest.is_empty()).map(|rest| format!("{prefix}{rest}{suffix}")));
    smaller.retain(|other| other != text);
    Some(smaller)
}

fn try_alone(search: &mut Search, piece: &mut Piece<'_>, token: usize, texts: Vec<String>) -> Result<bool, Stop> {
    let below = texts.into_iter().filter(|text| piece.is_below(text, piece.text(token)));
    let edits = below.map(|text| vec![Rewrite { tokens: vec![token], text }]).collect();
    piece.first_of(search, edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_different_strings_are_emptied_and_integers_as_c_has_them_shrink() {
        let run = |search: &mut Search, workshop: &Workshop| rename(search, workshop, &Alphabet::default());
        let text = "fn crc(len: u32) { print(\"len\", 0x1F, 1_000, len) }";
        let (end, _) = crate::testing::ends_with("rust", text, |text| text.contains("fn "), run);
        assert_eq!(end, "fn a(b: u32) { c(\"\", 1, 1_000, b) }");
    }

    #[test]
    fn only_integers_of_c_are_known() {
        assert_eq!(smaller_integers("0x1ful").unwrap(), ["0x1f", "1ful", "31ul", "0xful"]);
        assert_eq!(smaller_integers("12").unwrap(), ["2"]);
        assert_eq!(smaller_integers("1_000"), None);
        assert_eq!(smaller_integers("1.5"), None);
    }
}
