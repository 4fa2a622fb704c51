//! Splices, beyond the paper: from a token to the next one of the same text everything goes, with one of the two.
//!
//! What begins like one part and goes on like another is often a part, too: of `a = b` and `c = d` that is `a = d`. Parts
//! that only hand something on go that way, of which no element and no bracket is the border. The longest stretches come
//! first. Where there is a syntax, what does not parse as well as before is not tested.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use whittle_search::{Search, Stop};

use crate::reduce::{EditSet, Strictness, take_sets};
use crate::{Edit, NodeId, Tree, Workshop};

/// How many stretches are tried in all.
const MOST: usize = 40;

/// One pass over all tokens.
pub(crate) fn splices(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    let checked = workshop.take_checked(search, Strictness::Strict);
    let mut piece = checked.unwrap_or_else(|| workshop.take(search));
    let sets = sets(piece.tree());
    take_sets(search, &mut piece, sets)
}

fn sets(tree: &Tree) -> Vec<EditSet> {
    let tokens: Vec<NodeId> = tree.tokens(tree.root()).collect();
    let mut last: HashMap<&[u8], usize> = HashMap::new();
    let stretches =
        tokens.iter().enumerate().filter_map(|(at, &token)| Some(last.insert(tree.token_text(token), at)?..at));
    // Alone, a token is for others.
    let mut stretches: Vec<_> = stretches.filter(|stretch| stretch.len() > 1).collect();
    stretches.sort_by_key(|stretch| Reverse(stretch.len()));
    let drop = |stretch: Range<usize>| tokens[stretch].iter().map(|&token| (token, Edit::Drop)).collect();
    stretches.into_iter().take(MOST).map(drop).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax, tests_of};

    #[test]
    fn what_hands_something_on_goes() {
        let workshop = Workshop::default();
        // Every name that is used has a line, and the first one comes to the last.
        let is_interesting = |text: &str| {
            let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            let mut name = Some("a");
            for _ in 0..4 {
                name = if name == Some("d") { name } else { name.and_then(value) };
            }
            name == Some("d")
        };
        let end = ends_with("a = b\nb = c\nc = d\n", is_interesting, |search| {
            search.fixpoint(|search| splices(search, &workshop))
        });
        assert_eq!(end, "a = d\n");
    }

    #[test]
    fn where_there_is_a_syntax_it_is_kept() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let text = "[{\"a\": [1]}, {\"a\": [2]}]";
        let asked = tests_of(text, move |asked| asked == text, |search| splices(search, &workshop));
        let parses = |text: &str| syntax("json").errors(text.as_bytes()).unwrap().count() == 0;
        assert!(asked.iter().all(|text| parses(text)), "{asked:?}");
        assert!(asked.contains(&"[{\"a\": [2]}]".to_owned()), "{asked:?}");
    }
}
