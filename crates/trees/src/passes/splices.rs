//! Splices: everything from a token to the next token with the same text is deleted, with one of the two.
//!
//! The start of one part with the end of another is often a part, too: `a = b` and `b = d` become `a = d`. This finds
//! parts whose borders are neither elements nor brackets. It is for text without a grammar; with one, it found nothing
//! that other passes had not found. The longest stretches come first.
//!
//! Promise: none of the 40 longest stretches can be deleted. The pass repeats itself after each success, because every
//! success makes new stretches. Cost: up to 40 tests for each success, and 40 at the end.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use whittle_search::{FirstOf, Search, Stop};

use crate::{NodeId, Tree, Workshop};

/// How many stretches are tried between two successes. Not measured.
const MAX_STRETCHES: usize = 40;

/// Deletes stretches until none can be deleted.
pub(crate) fn splices(search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
    search.fixpoint(|search| {
        let (base, file) = (search.best().candidate.clone(), workshop.file);
        let stretches = stretches(&workshop.tree(&base));
        let render = move |stretch: &Range<usize>| {
            let text = base.files()[file].bytes();
            Some(base.with_bytes(file, [&text[..stretch.start], &text[stretch.end..]].concat()))
        };
        search.run(FirstOf::new(stretches), render).map(drop)
    })
}

/// From a token to the next one of the same text, in bytes, most tokens first.
fn stretches(tree: &Tree) -> Vec<Range<usize>> {
    let tokens: Vec<NodeId> = tree.tokens(tree.root()).collect();
    let mut last: HashMap<&[u8], usize> = HashMap::new();
    let pairs = tokens.iter().enumerate().filter_map(|(at, &token)| Some(last.insert(tree.token_text(token), at)?..at));
    // Single tokens are left to another pass.
    let mut pairs: Vec<Range<usize>> = pairs.filter(|pair| pair.len() > 1).collect();
    pairs.sort_by_key(|pair| Reverse(pair.len()));
    let start = |token: usize| tree.token_range(tokens[token]).start;
    pairs.into_iter().take(MAX_STRETCHES).map(|pair| start(pair.start)..start(pair.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::ends_with;

    #[test]
    fn parts_that_only_pass_a_value_on_are_deleted() {
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
        let end = ends_with("a = b\nb = c\nc = d\n", is_interesting, |search| splices(search, &workshop));
        assert_eq!(end, "a = d\n");
    }

    #[test]
    fn the_longest_stretch_is_first_and_single_tokens_are_left_alone() {
        let text = "x y x z z";
        let tree = Tree::generic(text.as_bytes());
        let shown: Vec<&str> = stretches(&tree).into_iter().map(|stretch| &text[stretch]).collect();
        assert_eq!(shown, ["x y "]);
    }
}
