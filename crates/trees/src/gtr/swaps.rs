//! Templates that make nothing smaller: each of their candidates is the start of a trial, in which the other templates
//! are applied. Its result is kept only if it is smaller.

use whittle_search::{Search, Stop};

use super::labeler::Labeler;
use super::template::{Change, Template};
use crate::reduce::Workshop;
use crate::{NodeId, Tree};

/// How many tests a trial may take. Not measured.
const MAX_TRIAL_TESTS: u64 = 50;

/// Tries all candidates of a template one after the other, each followed by `shrink`.
pub(super) fn restructure(
    search: &mut Search,
    workshop: &Workshop,
    template: &dyn Template,
    shrink: impl Fn(&mut Search) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut tried = 0;
    loop {
        let base = search.best().candidate.clone();
        let tree = workshop.tree(&base);
        let Some((one, other)) = swaps(&tree, template).nth(tried) else { return Ok(()) };
        tried += 1;
        search.trial(base.with_bytes(workshop.file, swapped(&tree, one, other)), MAX_TRIAL_TESTS, &shrink)?;
    }
}

/// All swaps in a tree that change its text.
fn swaps(tree: &Tree, template: &dyn Template) -> impl Iterator<Item = (NodeId, NodeId)> {
    let labels = Labeler::default().label(tree);
    let all = tree.nodes().flat_map(move |node| template.candidates(&labels, node));
    let pairs = all.filter_map(|change| if let Change::Swap(one, other) = change { Some((one, other)) } else { None });
    let has_text = |node: NodeId| tree.first_token(node).is_some();
    pairs.filter(move |&(one, other)| has_text(one) && has_text(other))
}

/// The text with two parts exchanged. Whitespace stays where it is.
fn swapped(tree: &Tree, one: NodeId, other: NodeId) -> Vec<u8> {
    let text = tree.text();
    let [one, other] = [one, other].map(|node| tree.span(node));
    let parts = [&text[..one.start], &text[other.clone()], &text[one.end..other.start], &text[one], &text[other.end..]];
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::super::template::TEMPLATES;
    use super::*;
    use crate::reduce::testing::syntax;

    #[test]
    fn two_parts_change_places_and_whitespace_does_not() {
        let tree = syntax("json").tree("[ 1,  [2 , 3] ]");
        let texts: Vec<Vec<u8>> = swaps(&tree, TEMPLATES[3]).map(|(one, other)| swapped(&tree, one, other)).collect();
        let texts: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text)).collect();
        assert!(texts.iter().any(|text| text == "[ [2 , 3],  1 ]"), "{texts:?}");
        assert!(texts.iter().any(|text| text == "[ 1,  [3 , 2] ]"), "{texts:?}");
    }
}
