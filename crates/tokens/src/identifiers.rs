//! Vulcan's identifier replacement (Xu et al., OOPSLA 2023): a name is replaced by another name of the text.
//!
//! All tokens of that name first, then each alone. Only smaller results are kept; others would only swap names.
//!
//! Promise: at the fixpoint, no name can be replaced by a smaller name of the text. Cost: up to two tests for each pair
//! of a token and a smaller name.

use whittle_grammars::Alphabet;
use whittle_search::{Search, Stop};
use whittle_trees::Workshop;

use crate::piece::Piece;
use crate::round::Work;
use crate::token::TokenKind;

/// Tries every token with a name as every smaller name of the text.
pub(crate) fn replace_names(search: &mut Search, workshop: &Workshop, alphabet: &Alphabet) -> Result<(), Stop> {
    let Some(mut piece) = Piece::take(search, workshop, alphabet) else { return Ok(()) };
    let names = (0..piece.tokens().len()).filter(|&token| piece.tokens()[token].kind == TokenKind::Name);
    let names: Vec<usize> = names.collect();
    Work { texts: smaller_names, shrinks: None, fragments: 0 }.run(search, &mut piece, names)
}

/// The names of the text that come before a token's own.
fn smaller_names(piece: &Piece<'_>, token: usize) -> Vec<String> {
    let mut names = piece.names();
    names.retain(|name| piece.is_below(name, piece.text(token)));
    names.sort_by(|a, b| piece.alphabet.compare(a, b));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ends_with;

    #[test]
    fn names_become_smaller_names_of_the_text_all_or_one() {
        let text = "long beta, c; int f() { return beta + delta; }";
        // It must be a sum of what is declared.
        let is_interesting = |text: &str| text.starts_with("long beta, c;") && !text.ends_with("beta + beta; }");
        let (end, _) = ends_with("c", text, is_interesting, |search, workshop| {
            search.fixpoint(|search| replace_names(search, workshop, &Alphabet::default()))
        });
        assert_eq!(end, "long beta, c; int c() { return c + c; }");
    }
}
