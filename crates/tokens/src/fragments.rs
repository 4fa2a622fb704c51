//! Algorithm 4: each fragment of a token is replaced by the first text, in shortlex order, that fits and works.
//!
//! Promise: a second run that finds nothing changes nothing. Cost: `attempts` tests for each fragment, twice that if
//! several tokens have the text.

use std::collections::VecDeque;
use std::sync::Arc;

use whittle_grammars::{FragmentId, LexTree};

use crate::piece::{Piece, Stage};

/// A token whose fragments become canonical.
#[derive(Clone)]
pub(crate) struct Fragments {
    token: usize,
    /// How many texts are tried for each fragment.
    attempts: usize,
    tree: Arc<LexTree>,
    waiting: VecDeque<FragmentId>,
    /// What the current stage tries.
    smaller: Vec<LexTree>,
}

impl Fragments {
    /// `None` if the text does not match the rule of its type.
    pub(crate) fn new(piece: &Piece<'_>, token: usize, attempts: usize) -> Option<Self> {
        let tree = piece.tokens()[token].rule.lex_tree(piece.text(token))?;
        let waiting = tree.leaves().into();
        Some(Self { token, attempts, tree: Arc::new(tree), waiting, smaller: Vec::new() })
    }

    /// The next stage, or `None` when nothing is left to try.
    pub(crate) fn begin(&mut self, piece: &Piece<'_>) -> Option<Stage> {
        let leaf = self.waiting.pop_front()?;
        let rule = &piece.tokens()[self.token].rule;
        let texts = rule.smaller_leaves(&self.tree, leaf, piece.alphabet, self.attempts);
        self.smaller = texts.iter().map(|text| self.tree.with_leaf(leaf, text)).collect();
        Some(piece.replacing(self.token, &self.smaller.iter().map(LexTree::spell).collect::<Vec<_>>()))
    }

    /// Takes the result of a stage.
    pub(crate) fn end(&mut self, piece: &mut Piece<'_>, stage: &Stage) {
        if piece.work.take(stage).is_some() {
            let taken =
                std::mem::take(&mut self.smaller).into_iter().find(|tree| tree.spell() == piece.text(self.token));
            self.tree = taken.map_or_else(|| Arc::clone(&self.tree), Arc::new);
        }
    }
}
