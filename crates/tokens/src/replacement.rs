//! Algorithm 2: a token is replaced by the first text of its type, in shortlex order, that works; all tokens of its
//! text first, then the token alone.
//!
//! The paper sets no limit for identifiers. A name that must stay, such as `main`, would then cost millions of tests.
//! But unused names are interchangeable, so here the search ends when some of them have failed.

use std::collections::HashSet;

use crate::piece::Piece;
use crate::token::TokenKind;

/// How many replacements are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempts {
    /// How many unused names; names in use that come before them are tried too.
    pub(crate) fresh_names: usize,
    /// How many texts of other tokens, and of fragments.
    pub(crate) others: usize,
}

impl Attempts {
    /// The paper has two for tokens other than identifiers, enough for 0 and 1; for unused names it is the same.
    pub(crate) const PAPER: Self = Self { fresh_names: 2, others: 2 };
}

/// The texts that the paper replaces a token by. All of them come before its own in shortlex order.
pub(crate) fn replacements(piece: &Piece<'_>, token: usize) -> Vec<String> {
    match piece.tokens()[token].kind {
        TokenKind::Name => names(piece, token, Attempts::PAPER.fresh_names),
        _ => smallest_texts(piece, token, Attempts::PAPER.others),
    }
}

/// The first texts of a token's type.
pub(crate) fn smallest_texts(piece: &Piece<'_>, token: usize, most: usize) -> Vec<String> {
    let text = piece.text(token);
    let texts = piece.tokens()[token].rule.texts(piece.alphabet, text.chars().count());
    texts.take(most).take_while(|smaller| piece.is_below(smaller, text)).collect()
}

/// The names below a token's own, including up to `fresh` unused ones.
pub(crate) fn names(piece: &Piece<'_>, token: usize, fresh: usize) -> Vec<String> {
    let used: HashSet<String> = piece.names().into_iter().collect();
    let mut left = fresh;
    let mut is_wanted = |name: &String| {
        used.contains(name) || {
            let is_within = left > 0;
            left = left.saturating_sub(1);
            is_within
        }
    };
    let below = piece.possible_names(token).take_while(|name| piece.is_below(name, piece.text(token)));
    below.take_while(|name| is_wanted(name)).collect()
}
