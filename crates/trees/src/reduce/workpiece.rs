//! [`Workpiece`]: the tree that a pass works on, the edits so far, and how more of them are tried.

use std::sync::{Arc, OnceLock};

use whittle_lists::Algorithm;
use whittle_search::{Candidate, Chain, Proposer, Search, Stages, Stop};

use super::memory::{Key, Looks, Memory};
use super::needs::Needs;
use super::stage::{EditSet, ListStage, Proposed, SetStage, Stage, with};
use crate::gtr::GtrOptions;
use crate::{Edit, Edits, Errors, NodeId, Syntax, Tree};

/// What the passes over one file have in common.
#[derive(Clone, Default)]
pub struct Workshop {
    /// Which file of the candidate.
    pub file: usize,
    /// Its syntax; without one, the file is seen as a generic tree.
    pub syntax: Option<Syntax>,
    /// Up to how many bytes the file is checked: reducers that keep to the syntax then parse their proposals, and do
    /// not test those with more errors than the best. That pays where parsing is much cheaper than testing.
    pub check_up_to: usize,
    /// What `gtr` does with its tree.
    pub gtr: GtrOptions,
    /// What was tried in vain. Without it, passes that have another turn try everything again.
    pub memory: Option<Arc<Memory>>,
    /// Hears of every list that was minimized, once the pass that did it has ended.
    pub on_list: Option<ListListener>,
}

/// Hears of every list that was minimized.
pub type ListListener = Arc<dyn Fn(&ListOutcome) + Send + Sync>;

/// What became of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListOutcome {
    /// The weight of each element, its number of tokens.
    pub weights: Vec<u32>,
    /// The elements that stayed.
    pub kept: Vec<usize>,
}

/// A tree in work.
#[derive(Clone)]
pub(crate) struct Workpiece<'a> {
    workshop: &'a Workshop,
    shared: Arc<Shared>,
    edits: Arc<Edits>,
    /// How many tokens there are before each node.
    tokens_before: Arc<Vec<u32>>,
    /// What its parts look like, once that is asked for.
    looks: Arc<OnceLock<Looks>>,
}

/// What the workers need to make candidates.
struct Shared {
    base: Candidate,
    file: usize,
    tree: Tree,
    /// What is checked before anything is tested.
    guard: Option<Guard>,
}

/// What the syntax of a proposal must be.
struct Guard {
    syntax: Syntax,
    /// The errors of what is edited.
    errors: Errors,
    strictness: Strictness,
}

/// How many more errors than before a proposal may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Strictness {
    /// None at all.
    Strict,
    /// The parser may have to make up one more token.
    Loose,
}

impl Guard {
    fn allows(&self, text: &[u8]) -> bool {
        self.syntax.errors(text).is_none_or(|found| match self.strictness {
            Strictness::Strict => found.count() <= self.errors.count(),
            Strictness::Loose => found.skipped <= self.errors.skipped && found.missing <= self.errors.missing + 1,
        })
    }
}

impl Shared {
    fn render(&self, edits: &Edits) -> Option<Candidate> {
        let text = self.tree.unparse(edits);
        self.guard.as_ref().is_none_or(|guard| guard.allows(&text)).then(|| self.base.with_bytes(self.file, text))
    }
}

impl Workshop {
    /// The best candidate's file as a tree. What is proposed may have any number of errors.
    pub(crate) fn take(&self, search: &Search) -> Workpiece<'_> {
        self.take_with(search, None)
    }

    /// As [`Workshop::take`]; what is proposed may not have more errors than there are, where that is checked.
    pub(crate) fn take_guarded(&self, search: &Search, strictness: Strictness) -> Workpiece<'_> {
        let text = search.best().candidate.files()[self.file].bytes();
        let syntax = self.syntax.as_ref().filter(|_| text.len() <= self.check_up_to);
        let guard = |syntax: &Syntax| Some(Guard { syntax: syntax.clone(), errors: syntax.errors(text)?, strictness });
        self.take_with(search, syntax.and_then(guard))
    }

    /// As [`Workshop::take_guarded`], but checked whatever that costs; `None` without a syntax.
    pub(crate) fn take_checked(&self, search: &Search, strictness: Strictness) -> Option<Workpiece<'_>> {
        let text = search.best().candidate.files()[self.file].bytes();
        let syntax = self.syntax.clone()?;
        let errors = syntax.errors(text)?;
        Some(self.take_with(search, Some(Guard { syntax, errors, strictness })))
    }

    /// The file of a candidate as a tree.
    pub(crate) fn tree(&self, candidate: &Candidate) -> Tree {
        let text = candidate.files()[self.file].bytes();
        match &self.syntax {
            Some(syntax) => syntax.tree(text),
            None => Tree::generic(text),
        }
    }

    fn take_with(&self, search: &Search, guard: Option<Guard>) -> Workpiece<'_> {
        let base = search.best().candidate.clone();
        let tree = self.tree(&base);
        let mut tokens_before = Vec::with_capacity(tree.len() + 1);
        let mut tokens = 0;
        for node in tree.nodes() {
            tokens_before.push(tokens);
            tokens += u32::from(tree.is_token(node));
        }
        tokens_before.push(tokens);
        let shared = Arc::new(Shared { base, file: self.file, tree, guard });
        let tokens_before = Arc::new(tokens_before);
        Workpiece { workshop: self, shared, edits: Arc::default(), tokens_before, looks: Arc::default() }
    }
}

impl Workpiece<'_> {
    pub(crate) fn tree(&self) -> &Tree {
        &self.shared.tree
    }

    /// How many tokens a sub-tree has that nobody has edited yet, those that the parser does not show included.
    pub(crate) fn tokens(&self, node: NodeId) -> u32 {
        self.tokens_before[self.tree().end(node).index()] - self.tokens_before[node.index()]
    }

    /// Whether what is proposed is parsed before it is tested, and must be without errors. Where there are errors
    /// already, a new one may take the place of an old one, and the check says little.
    pub(crate) fn is_guarded(&self) -> bool {
        self.shared.guard.as_ref().is_some_and(|guard| guard.errors.count() == 0)
    }

    /// Whether what is proposed is parsed before it is tested.
    pub(crate) fn is_checked(&self) -> bool {
        self.shared.guard.is_some()
    }

    /// Whether the syntax allows one more edit, as far as that is checked.
    pub(crate) fn is_allowed(&self, node: NodeId, edit: Edit) -> bool {
        self.shared.render(&with(&self.edits, [(node, edit)])).is_some()
    }

    /// Whether edits that belong together are known to fail, as they look here.
    pub(crate) fn is_known_to_fail(&self, edits: &[(NodeId, Edit)]) -> bool {
        let memory = self.workshop.memory.as_ref().filter(|memory| !memory.is_empty());
        memory.is_some_and(|memory| memory.knows(self.key(edits)))
    }

    /// Remembers sets of edits that failed.
    pub(crate) fn remember<'s>(&self, failed: impl IntoIterator<Item = &'s EditSet>) {
        if let Some(memory) = &self.workshop.memory {
            memory.remember(failed.into_iter().map(|edits| self.key(edits)));
        }
    }

    /// What edits look like here. Where less is checked before testing, other edits fail.
    fn key(&self, edits: &[(NodeId, Edit)]) -> Key {
        let looks = self.looks.get_or_init(|| Looks::of(self.tree()));
        Key::of(self.tree(), looks, self.shared.guard.as_ref().map(|guard| guard.strictness), edits)
    }

    /// Runs stages one after the other on this tree, and gives them back.
    pub(crate) fn run_stages<S: Stages<Stage = Stage>>(&self, search: &mut Search, stages: S) -> Result<S, Stop> {
        Ok(search.run(Chain::new(stages), self.renderer())?.into_stages())
    }

    /// A stage that tries sets of edits one after the other until one can stay.
    pub(crate) fn sets_stage(&self, sets: Vec<EditSet>) -> SetStage {
        SetStage::new(&self.edits, sets)
    }

    /// A stage in which a minimizer chooses among elements of lists. With `needs` they keep all that they need.
    pub(crate) fn list_stage(
        &self,
        elements: Vec<NodeId>,
        has_needs: bool,
        may_be_empty: bool,
        algorithm: Algorithm,
    ) -> ListStage {
        let needs = has_needs.then(|| Needs::of(self.tree(), &elements));
        self.edits_stage(all(elements, Edit::Delete), needs, may_be_empty, algorithm)
    }

    fn edits_stage(&self, edits: EditSet, needs: Option<Needs>, may_be_empty: bool, lists: Algorithm) -> ListStage {
        let weights = self.weights(&edits);
        ListStage::new(&self.edits, edits, &weights, needs, may_be_empty, lists)
    }

    /// Takes over what a stage has come to, and says which set of edits that is.
    pub(crate) fn take_set(&mut self, stage: &SetStage) -> Option<EditSet> {
        let taken = stage.taken().cloned();
        self.extend(taken.iter().flatten().copied());
        taken
    }

    /// Takes over what a stage has come to, and gives what is left of the list.
    pub(crate) fn take_list(&mut self, stage: &ListStage) -> Vec<NodeId> {
        self.extend(stage.taken());
        stage.kept()
    }

    /// Tries sets of edits one after the other until one can stay, and says which that is.
    pub(crate) fn first_set_of(&mut self, search: &mut Search, sets: Vec<EditSet>) -> Result<Option<EditSet>, Stop> {
        let ended = search.run(self.sets_stage(sets), self.renderer())?;
        Ok(self.take_set(&ended))
    }

    /// Lets a minimizer choose among nodes; the others get `edit`. All of them do if that works and `may_be_empty`.
    /// Gives what is left.
    pub(crate) fn minimize(
        &mut self,
        search: &mut Search,
        nodes: Vec<NodeId>,
        edit: Edit,
        may_be_empty: bool,
        algorithm: Algorithm,
    ) -> Result<Vec<NodeId>, Stop> {
        self.minimize_edits(search, all(nodes, edit), may_be_empty, algorithm)
    }

    /// The same, each node having its own edit.
    pub(crate) fn minimize_edits(
        &mut self,
        search: &mut Search,
        edits: EditSet,
        may_be_empty: bool,
        algorithm: Algorithm,
    ) -> Result<Vec<NodeId>, Stop> {
        let stage = self.edits_stage(edits, None, may_be_empty, algorithm);
        let ended = search.run(stage, self.renderer())?;
        self.tell(self.outcome(&ended));
        Ok(self.take_list(&ended))
    }

    /// What became of a list, for those who want to hear of it.
    pub(crate) fn outcome(&self, stage: &ListStage) -> Option<ListOutcome> {
        let is_heard = self.workshop.on_list.is_some();
        let weights = || self.weights(stage.edits());
        is_heard.then(|| ListOutcome { weights: weights(), kept: stage.subset().elements().collect() })
    }

    /// Tells what became of lists.
    pub(crate) fn tell(&self, outcomes: impl IntoIterator<Item = ListOutcome>) {
        if let Some(listener) = &self.workshop.on_list {
            outcomes.into_iter().for_each(|outcome| listener(&outcome));
        }
    }

    /// How many tokens go with each edit.
    fn weights(&self, edits: &[(NodeId, Edit)]) -> Vec<u32> {
        let left = |edit: Edit| if let Edit::Hoist(inner) = edit { self.tokens(inner) } else { 0 };
        edits.iter().map(|&(node, edit)| self.tokens(node) - left(edit)).collect()
    }

    fn renderer(&self) -> impl Fn(&Proposed) -> Option<Candidate> + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move |proposed| shared.render(&proposed.edits())
    }

    /// Tries the edits that a proposer proposes, each on top of those so far, until it has nothing left. What it has
    /// come to is for the caller to [`edit`](Self::edit).
    pub(crate) fn choose<P>(&self, search: &mut Search, proposer: P) -> Result<P, Stop>
    where
        P: Proposer<Proposal = EditSet>,
    {
        let (shared, so_far) = (Arc::clone(&self.shared), Arc::clone(&self.edits));
        search.run(proposer, move |edits| shared.render(&with(&so_far, edits.iter().copied())))
    }

    /// The edits so far.
    pub(crate) fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Adds an edit that is known to be fine.
    pub(crate) fn edit(&mut self, node: NodeId, edit: Edit) {
        self.extend([(node, edit)]);
    }

    fn extend(&mut self, more: impl IntoIterator<Item = (NodeId, Edit)>) {
        let mut more = more.into_iter().peekable();
        // Most stages come to nothing, and there may be many edits already.
        if more.peek().is_some() {
            self.edits = Arc::new(with(&self.edits, more));
        }
    }
}

/// The same edit for all nodes.
fn all(nodes: Vec<NodeId>, edit: Edit) -> EditSet {
    nodes.into_iter().map(|node| (node, edit)).collect()
}
