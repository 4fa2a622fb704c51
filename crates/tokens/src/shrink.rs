//! Algorithm 3: a token loses the parts that are optional or repeated in its lex tree, breadth-first. An optional is
//! deleted, or its children come next; a list minimizer chooses among repeated parts.
//!
//! Promise: a second run that finds nothing changes nothing. Cost: one test for each optional, that of the minimizer
//! for each list; up to twice that if several tokens have the text.

use std::collections::VecDeque;
use std::sync::Arc;

use whittle_grammars::{FragmentId, FragmentKind, LexTree};
use whittle_lists::{Algorithm, Subset};

use crate::piece::{Piece, Rewrite, Stage};

/// A token that shrinks, together with those of the same text where that works.
#[derive(Clone)]
pub(crate) struct Shrink {
    token: usize,
    lists: Algorithm,
    tree: Arc<LexTree>,
    waiting: VecDeque<FragmentId>,
    /// A choice that comes before the waiting fragments.
    choice: Option<Choice>,
    doing: Doing,
}

/// What the current stage is about.
#[derive(Clone)]
enum Doing {
    Nothing,
    /// An optional is deleted, and this is left.
    Deleting(FragmentId, Arc<LexTree>),
    /// All elements of a list are deleted, and this is left.
    Emptying(Choice, Arc<LexTree>),
    /// Some elements of a list are deleted.
    Choosing(Choice),
}

/// The elements of a list in a lex tree, and the tokens that have it.
#[derive(Clone)]
struct Choice {
    tree: Arc<LexTree>,
    list: FragmentId,
    elements: Vec<FragmentId>,
    min: usize,
    tokens: Vec<usize>,
}

impl Shrink {
    /// `None` if the text does not match the rule of its type.
    pub(crate) fn new(piece: &Piece<'_>, token: usize, lists: Algorithm) -> Option<Self> {
        let tree = Arc::new(piece.tokens()[token].rule.lex_tree(piece.text(token))?);
        let waiting = VecDeque::from([tree.root()]);
        Some(Self { token, lists, tree, waiting, choice: None, doing: Doing::Nothing })
    }

    pub(crate) fn token(&self) -> usize {
        self.token
    }

    /// The next stage, or `None` when nothing is left to try.
    pub(crate) fn begin(&mut self, piece: &Piece<'_>) -> Option<Stage> {
        loop {
            if let Some(choice) = self.choice.take() {
                let stage = choice.stage(piece, self.lists);
                self.doing = Doing::Choosing(choice);
                return Some(stage);
            }
            let fragment = self.waiting.pop_front()?;
            let smaller = match self.tree.kind(fragment) {
                FragmentKind::Optional => self.delete(fragment),
                FragmentKind::Kleene { min } => self.begin_list(piece, fragment, min),
                FragmentKind::Leaf | FragmentKind::Group => self.go_into(fragment),
            };
            if let Some(smaller) = smaller {
                return Some(piece.replacing(self.token, &[smaller.spell()]));
            }
        }
    }

    /// Takes the result of a stage.
    pub(crate) fn end(&mut self, piece: &mut Piece<'_>, stage: &Stage) {
        let is_taken = piece.work.take(stage).is_some();
        match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Deleting(_, smaller) | Doing::Emptying(_, smaller) if is_taken => self.tree = smaller,
            Doing::Deleting(fragment, _) => drop(self.go_into(fragment)),
            Doing::Emptying(choice, _) => self.choice = Some(choice),
            Doing::Choosing(choice) => self.end_choice(choice, stage),
            Doing::Nothing => {}
        }
    }

    fn delete(&mut self, optional: FragmentId) -> Option<Arc<LexTree>> {
        let smaller = Arc::new(self.tree.without(&[optional]));
        self.doing = Doing::Deleting(optional, Arc::clone(&smaller));
        Some(smaller)
    }

    /// What is left if all elements are deleted; `None` if they cannot be.
    fn begin_list(&mut self, piece: &Piece<'_>, list: FragmentId, min: usize) -> Option<Arc<LexTree>> {
        let elements = self.tree.children(list);
        if elements.len() <= min {
            return self.go_into(list);
        }
        let none = Arc::new(self.tree.without(&elements));
        let tokens = piece.with_text(piece.text(self.token), piece.tokens()[self.token].kind);
        let choice = Choice { tree: Arc::clone(&self.tree), list, elements, min, tokens };
        if min > 0 || none.spell().is_empty() {
            self.choice = Some(choice);
            return None;
        }
        self.doing = Doing::Emptying(choice, Arc::clone(&none));
        Some(none)
    }

    /// If nothing could be deleted in all tokens of a text, it is tried in this one alone.
    fn end_choice(&mut self, choice: Choice, stage: &Stage) {
        if let (Some(_), Some(kept)) = (stage.taken(), stage.kept()) {
            self.tree = Arc::new(choice.left(&kept));
        } else if choice.tokens.len() > 1 {
            self.choice = Some(Choice { tokens: vec![self.token], ..choice });
            return;
        }
        self.go_into(choice.list);
    }

    /// Enqueues the children of a fragment.
    fn go_into(&mut self, fragment: FragmentId) -> Option<Arc<LexTree>> {
        self.waiting.extend(self.tree.children(fragment));
        None
    }
}

impl Choice {
    fn stage(&self, piece: &Piece<'_>, lists: Algorithm) -> Stage {
        let choice = self.clone();
        piece.choosing(lists, self.elements.len(), move |kept| choice.rewrite(kept))
    }

    fn left(&self, kept: &Subset) -> LexTree {
        self.tree.without(&self.removed(kept))
    }

    fn removed(&self, kept: &Subset) -> Vec<FragmentId> {
        let all = Subset::full(self.elements.len());
        all.difference(kept).map(|element| self.elements[element]).collect()
    }

    fn rewrite(&self, kept: &Subset) -> Option<Rewrite> {
        let is_enough = kept.len() >= self.min;
        is_enough.then(|| Rewrite { tokens: self.tokens.clone(), text: self.tree.spell_without(&self.removed(kept)) })
    }
}
