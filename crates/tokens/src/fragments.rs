//! Algorithm 4: each fragment of a token is replaced by the first ones, in shortlex order, that can stand in its place.

use std::sync::Arc;

use whittle_search::{Search, Stop};

use crate::piece::Piece;

/// Canonicalises the fragments of a token, trying at most so many texts for each.
pub(crate) fn canonicalize(
    search: &mut Search,
    piece: &mut Piece<'_>,
    token: usize,
    attempts: usize,
) -> Result<(), Stop> {
    let rule = Arc::clone(&piece.tokens()[token].rule);
    let Some(mut tree) = rule.lex_tree(piece.text(token)) else { return Ok(()) };
    for leaf in tree.leaves() {
        for text in rule.smaller_leaves(&tree, leaf, piece.alphabet, attempts) {
            let smaller = tree.with_leaf(leaf, &text);
            if piece.replace(search, token, &[smaller.spell()])? {
                tree = smaller;
                break;
            }
        }
    }
    Ok(())
}
