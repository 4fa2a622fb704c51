//! Single tokens are deleted, even if the syntax needs them: tools accept more than grammars do.
//!
//! The last token comes first. Whitespace stays as it is.
//!
//! Promise: no single token can be deleted.
//! Cost: one test for each token.

use whittle_search::{Search, Stop};

use crate::reduce::take_sets;
use crate::{Edit, Memory, Workshop};

/// Deletes tokens one by one.
pub(crate) fn tokens(search: &mut Search, workshop: &Workshop, memory: Option<&Memory>) -> Result<(), Stop> {
    let mut piece = workshop.take(search).with_memory(memory);
    let mut sets: Vec<_> = piece.tree().tokens(piece.tree().root()).map(|token| vec![(token, Edit::Drop)]).collect();
    sets.reverse();
    take_sets(search, &mut piece, sets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax};

    #[test]
    fn tokens_that_the_syntax_needs_are_deleted_and_lines_stay() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let is_interesting = |text: &str| text.contains('1') && text.contains("2]");
        let end = ends_with("[\n  1,\n  2]", is_interesting, |search| tokens(search, &workshop, None));
        assert_eq!(end, "1\n  2]");
    }
}
