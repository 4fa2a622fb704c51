//! Sets of edits that are tried one after the other, each as a whole.
//!
//! Cost: one test for each set that parses and is not known to fail.

use std::cmp::Reverse;
use std::collections::HashSet;

use whittle_search::{Search, Stop};

use super::memory::Memory;
use super::workpiece::{Checked, EditSet, Workpiece, Workshop};
use crate::NodeId;

/// How many bytes may be parsed to check all sets: beyond this, that takes minutes. An estimate, not measured.
const MAX_PARSED_BYTES: usize = 200_000_000;

/// Tries sets of edits of the best candidate that parse as well as it does. Without a syntax there are none.
pub(crate) fn take_sets_of(
    search: &mut Search,
    workshop: &Workshop,
    memory: Option<&Memory>,
    sets: impl FnOnce(&Workpiece<'_>) -> Vec<EditSet>,
) -> Result<(), Stop> {
    let Some(piece) = workshop.take_checked(search) else { return Ok(()) };
    let mut piece = piece.with_memory(memory);
    let sets = sets(&piece);
    take_sets(search, &mut piece, sets)
}

/// The `count` sets that save most.
pub(crate) fn best_of(mut sets: Vec<(u32, EditSet)>, count: usize) -> Vec<EditSet> {
    sets.sort_by_key(|&(gain, _)| Reverse(gain));
    sets.into_iter().map(|(_, set)| set).take(count).collect()
}

/// Tries sets in their order. After one that works, only the later sets that share no node with it are tried. Sets that
/// are known to fail are skipped.
pub(crate) fn take_sets(search: &mut Search, piece: &mut Workpiece<'_>, mut sets: Vec<EditSet>) -> Result<(), Stop> {
    if piece.checked() != Checked::Off && sets.len().saturating_mul(piece.tree().text().len()) > MAX_PARSED_BYTES {
        return Ok(());
    }
    sets.retain(|set| !piece.is_known_to_fail(set));
    let mut failed = Vec::new();
    loop {
        let stage = piece.work.first_of(sets.clone());
        let Some(taken) = piece.work.run_stage(search, stage)?.taken() else { break };
        let tried = sets.iter().position(|set| *set == taken).unwrap_or(sets.len());
        failed.extend(sets.drain(..tried));
        // A deleted node cannot be edited again.
        let gone: HashSet<NodeId> = taken.into_iter().map(|(node, _)| node).collect();
        sets.retain(|set| !set.iter().any(|(node, _)| gone.contains(node)));
    }
    piece.remember(failed.iter().chain(&sets));
    Ok(())
}
