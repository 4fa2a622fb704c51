//! Tokens as a list, whatever the syntax says: tools accept more than grammars do.
//!
//! Blanks stay as they are. Promise, once it finds nothing: no single token can go.

use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};

use crate::{Edit, Workshop};

/// Deletes tokens by a list minimizer.
pub(crate) fn tokens(search: &mut Search, workshop: &Workshop, lists: Algorithm) -> Result<(), Stop> {
    let mut piece = workshop.take(search);
    let tokens = piece.tree().tokens(piece.tree().root());
    let tokens = tokens.filter(|&token| !piece.is_known_to_fail(&[(token, Edit::Drop)])).collect();
    let left = piece.minimize(search, tokens, Edit::Drop, false, lists)?;
    piece.remember(&left.into_iter().map(|token| vec![(token, Edit::Drop)]).collect::<Vec<_>>());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax};

    #[test]
    fn tokens_go_that_the_syntax_needs_and_lines_stay() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let is_interesting = |text: &str| text.contains('1') && text.contains("2]");
        let end = ends_with("[\n  1,\n  2]", is_interesting, |search| tokens(search, &workshop, Algorithm::default()));
        assert_eq!(end, "1\n  2]");
    }
}
