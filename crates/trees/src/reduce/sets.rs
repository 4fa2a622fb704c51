//! Sets of edits that are tried one after the other, each as a whole.

use std::cmp::Reverse;
use std::collections::HashSet;

use whittle_search::{Search, Stop};

use super::workpiece::{EditSet, Strictness, Workpiece, Workshop};
use crate::NodeId;

/// Sets times bytes beyond which nothing is tried: every set is parsed, and it would take minutes.
const MUCH_PARSING: usize = 200_000_000;

/// Tries sets of edits of the best candidate that parse as well as it does. Without a syntax there are none.
pub(crate) fn take_sets_of(
    search: &mut Search,
    workshop: &Workshop,
    sets: impl FnOnce(&Workpiece<'_>) -> Vec<EditSet>,
) -> Result<(), Stop> {
    let Some(mut piece) = workshop.take_checked(search, Strictness::Strict) else { return Ok(()) };
    let sets = sets(&piece);
    take_sets(search, &mut piece, sets)
}

/// The sets that save most, so many of them at most.
pub(crate) fn best_of(mut sets: Vec<(u32, EditSet)>, most: usize) -> Vec<EditSet> {
    sets.sort_by_key(|&(gain, _)| Reverse(gain));
    sets.into_iter().map(|(_, set)| set).take(most).collect()
}

/// Tries sets in their order. After one that can stay come those behind it that have no node with it in common. What is
/// known to fail is left out.
pub(crate) fn take_sets(search: &mut Search, piece: &mut Workpiece<'_>, mut sets: Vec<EditSet>) -> Result<(), Stop> {
    if piece.is_checked() && sets.len().saturating_mul(piece.tree().text().len()) > MUCH_PARSING {
        return Ok(());
    }
    sets.retain(|set| !piece.is_known_to_fail(set));
    let mut failed = Vec::new();
    while let Some(taken) = piece.first_set_of(search, sets.clone())? {
        let tried = sets.iter().position(|set| *set == taken).unwrap_or(sets.len());
        failed.extend(sets.drain(..tried));
        // What is gone cannot go again; what is left may still have a part in other sets.
        let gone: HashSet<NodeId> = taken.into_iter().map(|(node, _)| node).collect();
        sets.retain(|set| !set.iter().any(|(node, _)| gone.contains(node)));
    }
    piece.remember(failed.iter().chain(&sets));
    Ok(())
}
