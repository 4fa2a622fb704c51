//! Splices, beyond the paper: all goes from a token to the next one of the same text, with one of the two.
//!
//! What begins like one part and goes on like another is often a part, too: of `a = b` and `c = d` that is `a = d`. Parts
//! that only hand something on go that way, of which no element and no bracket is the border. The longest stretches come
//! first. This is for text without a grammar; where there is one, it found nothing that other steps had not found.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use whittle_search::{FirstOf, Search, Stop};

use crate::{NodeId, Tree, Workshop};

/// How many stretches are tried in all.
const MOST: usize = 40;

/// Deletes stretches as long as one can go.
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
    // Alone, a token is for others.
    let mut pairs: Vec<Range<usize>> = pairs.filter(|pair| pair.len() > 1).collect();
    pairs.sort_by_key(|pair| Reverse(pair.len()));
    let start = |token: usize| tree.token_range(tokens[token]).start;
    pairs.into_iter().take(MOST).map(|pair| start(pair.start)..start(pair.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::ends_with;

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
