//! [`Stage`]: what is tried for one token, on top of the texts so far.

use std::sync::Arc;

use whittle_lists::{AnyMinimizer, Minimizer, Subset};
use whittle_search::Proposer;
use whittle_trees::Alternatives;

use crate::piece::Rewrite;

/// Something tried for one token.
#[derive(Clone)]
pub(crate) enum Stage {
    /// Other texts, of which the first that can stay is taken.
    Texts(TextStage),
    /// Elements of what is repeated in the token.
    List(ListStage),
}

/// A rewrite on top of the texts so far.
pub(crate) struct Proposed {
    so_far: Arc<Vec<String>>,
    rewrite: Option<Rewrite>,
}

impl Proposed {
    /// All texts; `None` if the proposal makes no sense.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        self.rewrite.as_ref().map(|rewrite| rewritten(&self.so_far, std::slice::from_ref(rewrite)))
    }
}

impl Proposer for Stage {
    type Proposal = Proposed;

    fn propose(&self) -> Option<Proposed> {
        match self {
            Self::Texts(stage) => stage.propose(),
            Self::List(stage) => stage.propose(),
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Self::Texts(stage) => stage.is_done(),
            Self::List(stage) => stage.is_done(),
        }
    }

    fn observe(&mut self, interesting: bool) {
        match self {
            Self::Texts(stage) => stage.observe(interesting),
            Self::List(stage) => stage.observe(interesting),
        }
    }
}

/// Rewrites of which the first that can stay is taken.
#[derive(Clone)]
pub(crate) struct TextStage {
    so_far: Arc<Vec<String>>,
    rewrites: Arc<Vec<Rewrite>>,
    alternatives: Alternatives,
}

impl TextStage {
    pub(crate) fn new(so_far: &Arc<Vec<String>>, rewrites: Vec<Rewrite>) -> Self {
        let alternatives = Alternatives::new(rewrites.len());
        Self { so_far: Arc::clone(so_far), rewrites: Arc::new(rewrites), alternatives }
    }

    /// The one that can stay.
    pub(crate) fn taken(&self) -> Option<&Rewrite> {
        self.alternatives.taken().map(|number| &self.rewrites[number])
    }
}

impl Proposer for TextStage {
    type Proposal = Proposed;

    fn propose(&self) -> Option<Proposed> {
        let rewrite = Some(self.rewrites[self.alternatives.propose()?].clone());
        Some(Proposed { so_far: Arc::clone(&self.so_far), rewrite })
    }

    fn is_done(&self) -> bool {
        self.alternatives.is_done()
    }

    fn observe(&mut self, interesting: bool) {
        self.alternatives.observe(interesting);
    }
}

/// How elements are written; `None` if they are too few.
type Spelling = Arc<dyn Fn(&Subset) -> Option<Rewrite>>;

/// Elements of which a minimizer chooses those that stay; `spell` makes a rewrite of them.
#[derive(Clone)]
pub(crate) struct ListStage {
    so_far: Arc<Vec<String>>,
    minimizer: AnyMinimizer,
    len: usize,
    spell: Spelling,
}

impl ListStage {
    pub(crate) fn new(
        so_far: &Arc<Vec<String>>,
        minimizer: AnyMinimizer,
        spell: impl Fn(&Subset) -> Option<Rewrite> + 'static,
    ) -> Self {
        let len = minimizer.current().len();
        Self { so_far: Arc::clone(so_far), minimizer, len, spell: Arc::new(spell) }
    }

    /// What stays, and how that is written, if it is not everything.
    pub(crate) fn taken(&self) -> Option<(&Subset, Rewrite)> {
        let kept = self.minimizer.current();
        (kept.len() < self.len).then(|| (self.spell)(kept)).flatten().map(|rewrite| (kept, rewrite))
    }
}

impl Proposer for ListStage {
    type Proposal = Proposed;

    fn propose(&self) -> Option<Proposed> {
        let rewrite = (self.spell)(&self.minimizer.propose()?);
        Some(Proposed { so_far: Arc::clone(&self.so_far), rewrite })
    }

    fn is_done(&self) -> bool {
        self.minimizer.is_done()
    }

    fn observe(&mut self, interesting: bool) {
        self.minimizer.observe(interesting);
    }
}

/// Texts with other ones for some tokens.
pub(crate) fn rewritten(texts: &[String], rewrites: &[Rewrite]) -> Vec<String> {
    let mut texts = texts.to_vec();
    for rewrite in rewrites {
        for &token in &rewrite.tokens {
            texts[token].clone_from(&rewrite.text);
        }
    }
    texts
}
