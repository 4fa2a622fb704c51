//! Single tokens, whatever the syntax says: tools accept more than grammars do. The last one goes first.
//!
//! Blanks stay as they are. Promise, once it finds nothing, and if nothing was known to fail: no single token can go.

use whittle_search::{Search, Stop};

use crate::reduce::take_sets;
use crate::{Edit, Workshop};

/// Deletes tokens one by one.
pub(crate) fn tokens(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    let mut piece = workshop.take(search);
    let mut sets: Vec<_> = piece.tree().tokens(piece.tree().root()).map(|token| vec![(token, Edit::Drop)]).collect();
    sets.reverse();
    take_sets(search, &mut piece, sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax};

    #[test]
    fn tokens_go_that_the_syntax_needs_and_lines_stay() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let is_interesting = |text: &str| text.contains('1') && text.contains("2]");
        let end = ends_with("[\n  1,\n  2]", is_interesting, |search| tokens(search, &workshop));
        assert_eq!(end, "1\n  2]");
    }
}
