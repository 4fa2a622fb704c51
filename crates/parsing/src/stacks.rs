//! [`Stacks`]: sets of call stacks, shared wherever they are equal: a graph-structured stack (Tomita, *Efficient Parsing
//! for Natural Language*, 1985).
//!
//! A set is a list of tops, each with the set of stacks below it. Equal sets have equal numbers.

use crate::hashing::FastMap;

/// The number of a set of stacks.
pub(crate) type StackId = u32;

/// Any stack at all.
pub(crate) const ANY: StackId = 0;

/// The parser's own stack without some of its innermost frames, as a set of this one stack: this flag and how many are
/// missing.
pub(crate) const OUTER: StackId = 1 << 31;

/// How deep sets are merged. Deeper ones are kept side by side, which costs time but changes nothing.
const MAX_MERGE_DEPTH: usize = 200;

/// All sets in use.
#[derive(Clone, Debug)]
pub(crate) struct Stacks {
    entries: Vec<(u32, StackId)>,
    spans: Vec<(u32, u32)>,
    ids: FastMap<Box<[(u32, StackId)]>, StackId>,
    /// What sets were merged to.
    merged: FastMap<Box<[StackId]>, StackId>,
    /// How many of the innermost frames of the parser's own stack were looked at since this was zero.
    pub(crate) deepest: usize,
}

impl Default for Stacks {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            spans: vec![(0, 0)],
            ids: FastMap::default(),
            merged: FastMap::default(),
            deepest: 0,
        }
    }
}

impl Stacks {
    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * 16 + self.spans.len() * 48 + self.merged.len() * 48
    }

    /// The tops of a set other than the parser's own stack, each with the set below it.
    pub(crate) fn tops(&self, stack: StackId) -> &[(u32, StackId)] {
        let (from, to) = self.spans[stack as usize];
        &self.entries[from as usize..to as usize]
    }

    /// The stacks of a set with a state on top. `frames` are the return states of the parser's own stack.
    pub(crate) fn push(&mut self, state: u32, below: StackId, frames: &[u32]) -> StackId {
        // The parser's own stack has one number only.
        if below & OUTER != 0 && below != OUTER && self.popped(below - 1, frames) == Some((state, below)) {
            return below - 1;
        }
        self.intern(&[(state, below)])
    }

    /// The state on top of the parser's own stack, and what is below; `None` for another set, and where nothing returns.
    pub(crate) fn popped(&mut self, stack: StackId, frames: &[u32]) -> Option<(u32, StackId)> {
        if stack & OUTER == 0 {
            return None;
        }
        let missing = (stack & !OUTER) as usize;
        self.deepest = self.deepest.max(missing + 1);
        let frame = frames.len().checked_sub(missing + 1).filter(|&frame| frame > 0)?;
        Some((frames[frame], stack + 1))
    }

    fn intern(&mut self, tops: &[(u32, StackId)]) -> StackId {
        if let Some(&id) = self.ids.get(tops) {
            return id;
        }
        let from = self.entries.len() as u32;
        self.entries.extend(tops);
        self.spans.push((from, self.entries.len() as u32));
        let id = self.spans.len() as StackId - 1;
        self.ids.insert(tops.into(), id);
        id
    }

    /// The stacks of all sets together.
    pub(crate) fn merge(&mut self, sets: &mut Vec<StackId>, frames: &[u32]) -> StackId {
        self.merge_at(sets, frames, 0)
    }

    fn merge_at(&mut self, sets: &mut Vec<StackId>, frames: &[u32], depth: usize) -> StackId {
        sets.sort_unstable();
        sets.dedup();
        match sets[..] {
            [] | [ANY, ..] => return ANY,
            [only] => return only,
            _ => {}
        }
        if let Some(&merged) = self.merged.get(&sets[..]) {
            return merged;
        }
        let outside = std::mem::take(&mut self.deepest);
        let mut all: Vec<(u32, StackId)> = Vec::new();
        for &set in &*sets {
            all.extend(self.expanded(set, frames));
        }
        all.sort_unstable();
        all.dedup();
        let mut tops = Vec::new();
        let mut below = Vec::new();
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            if depth < MAX_MERGE_DEPTH {
                below.clear();
                below.extend(group.iter().map(|top| top.1));
                tops.push((group[0].0, self.merge_at(&mut below, frames, depth + 1)));
            } else {
                tops.extend(group);
            }
        }
        let merged = match tops[..] {
            [(state, below)] => self.push(state, below, frames),
            _ => self.intern(&tops),
        };
        // What depends on the parser's own stack holds for this stack only.
        if self.deepest == 0 {
            self.merged.insert(sets[..].into(), merged);
        }
        self.deepest = self.deepest.max(outside);
        merged
    }

    fn expanded(&mut self, stack: StackId, frames: &[u32]) -> Vec<(u32, StackId)> {
        if stack & OUTER == 0 {
            return self.tops(stack).to_vec();
        }
        // Nothing is below the outermost frame, and nothing returns from it.
        vec![self.popped(stack, frames).unwrap_or((u32::MAX, stack))]
    }
}
