//! Patterns (Vulcan's local exhaustive patterns): every combination of neighbours within a window is deleted.
//!
//! The window slides over the children of each node, then over all tokens. The combination with most tokens comes
//! first.
//!
//! Promise: no set of neighbours within a window can be deleted without a new syntax error.
//! Cost: up to 2^(width − 1) parses for each node and token. Nearly all combinations have syntax errors and are not
//! tested. Large texts are skipped.

use std::cmp::Reverse;

use whittle_search::{Search, Stop};

use crate::reduce::{EditSet, Workpiece, take_sets};
use crate::{Edit, Kind, Memory, NodeId, Workshop};

/// One pass over all windows of `width` neighbours.
pub(crate) fn patterns(
    search: &mut Search,
    workshop: &Workshop,
    memory: Option<&Memory>,
    width: usize,
) -> Result<(), Stop> {
    let Some(piece) = workshop.take_checked(search) else { return Ok(()) };
    let mut piece = piece.with_memory(memory);
    if piece.tree().len().saturating_mul(piece.tree().text().len()) > MAX_NODES_TIMES_BYTES {
        return Ok(());
    }
    let sets = sets(&piece, width);
    take_sets(search, &mut piece, sets)
}

/// How many nodes times bytes a text may have. Every combination is parsed, and beyond this that takes minutes. The
/// limit is an estimate, not measured.
const MAX_NODES_TIMES_BYTES: usize = 50_000_000;

/// All combinations of all windows: those of each node in text order, then those of the tokens.
fn sets(piece: &Workpiece<'_>, width: usize) -> Vec<EditSet> {
    let tree = piece.tree();
    let mut sets = Vec::new();
    for node in tree.nodes() {
        let children: EditSet = match tree.kind(node) {
            Kind::List { .. } => tree.elements(node).map(|element| (element, Edit::Delete)).collect(),
            Kind::Token { .. } => continue,
            Kind::Rule | Kind::Optional => tree.children(node).map(|child| (child, Edit::Drop)).collect(),
        };
        add_patterns(piece, &children, width, &mut sets);
    }
    let tokens: EditSet = tree.tokens(tree.root()).map(|token| (token, Edit::Drop)).collect();
    add_patterns(piece, &tokens, width, &mut sets);
    sets
}

/// Adds the combinations that begin with each of the neighbours, most tokens first.
fn add_patterns(piece: &Workpiece<'_>, neighbours: &[(NodeId, Edit)], width: usize, sets: &mut Vec<EditSet>) {
    for start in 0..neighbours.len() {
        let window = &neighbours[start..neighbours.len().min(start + width)];
        let chosen = |pattern: u32| {
            let is_in = move |&(index, _): &(usize, &(NodeId, Edit))| pattern >> index & 1 == 1;
            window.iter().enumerate().filter(is_in).map(|(_, &edit)| edit).collect::<EditSet>()
        };
        let mut patterns: Vec<EditSet> =
            (0..1 << window.len()).filter(|pattern| pattern & 1 == 1).map(chosen).collect();
        let tokens = |set: &EditSet| set.iter().map(|&(node, _)| piece.tokens(node)).sum::<u32>();
        patterns.retain(|set| tokens(set) > 0);
        patterns.sort_by_key(|set| Reverse(tokens(set)));
        sets.append(&mut patterns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::{ends_with, syntax};

    #[test]
    fn neighbours_that_need_each_other_are_deleted_together() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        // Fours and fives can only be deleted together.
        let is_interesting = |text: &str| {
            text.matches('4').count() == text.matches('5').count() && text.contains("[1,2") && text.contains("3,6]")
        };
        let end = ends_with("[1,2,4,3,5,3,6]", is_interesting, |search| patterns(search, &workshop, None, 4));
        assert_eq!(end, "[1,2,3,6]");
    }

    #[test]
    fn what_does_not_parse_is_not_tested() {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let asked = crate::reduce::testing::tests_of(
            "[1,[2]]",
            |text| text == "[1,[2]]",
            |search| patterns(search, &workshop, None, 4),
        );
        let parses = |text: &str| syntax("json").errors(text.as_bytes()).unwrap().count() == 0;
        assert!(asked.len() > 3 && asked.iter().all(|text| parses(text)), "{asked:?}");
    }
}
