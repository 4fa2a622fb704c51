//! [`Workpiece`]: the tree that a pass works on, the edits so far, and how more of them are tried.

use std::sync::Arc;

use whittle_lists::{Algorithm, Minimizer, Subset, Weights};
use whittle_search::{Candidate, Proposer, Search, Stop};

use super::alternatives::Alternatives;
use super::needs::Needs;
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
    /// Hears of every list that was minimized.
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
pub(crate) struct Workpiece<'a> {
    workshop: &'a Workshop,
    shared: Arc<Shared>,
    edits: Edits,
    /// How many tokens there are before each node.
    tokens_before: Vec<u32>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        Workpiece { workshop: self, shared, edits: Edits::new(), tokens_before }
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

    /// Whether the syntax allows one more edit, as far as that is checked.
    pub(crate) fn is_allowed(&self, node: NodeId, edit: Edit) -> bool {
        self.shared.render(&with(&self.edits, [(node, edit)])).is_some()
    }

    /// Tries one more edit; `true` if it stays.
    pub(crate) fn attempt(&mut self, search: &mut Search, node: NodeId, edit: Edit) -> Result<bool, Stop> {
        Ok(self.first_of(search, vec![(node, edit)])?.is_some())
    }

    /// Tries edits one after the other until one can stay, and says which that is.
    pub(crate) fn first_of(
        &mut self,
        search: &mut Search,
        edits: Vec<(NodeId, Edit)>,
    ) -> Result<Option<(NodeId, Edit)>, Stop> {
        let taken = self.first_set_of(search, edits.into_iter().map(|edit| vec![edit]).collect())?;
        Ok(taken.and_then(|edits| edits.first().copied()))
    }

    /// Tries to drop sets of nodes one after the other until one can go, and says which that is.
    pub(crate) fn drop_first_of(
        &mut self,
        search: &mut Search,
        sets: Vec<Vec<NodeId>>,
    ) -> Result<Option<Vec<NodeId>>, Stop> {
        let drop = |nodes: Vec<NodeId>| nodes.into_iter().map(|node| (node, Edit::Drop)).collect();
        let taken = self.first_set_of(search, sets.into_iter().map(drop).collect())?;
        Ok(taken.map(|edits| edits.into_iter().map(|(node, _)| node).collect()))
    }

    /// Tries sets of edits one after the other until one can stay, and says which that is.
    pub(crate) fn first_set_of(
        &mut self,
        search: &mut Search,
        sets: Vec<Vec<(NodeId, Edit)>>,
    ) -> Result<Option<Vec<(NodeId, Edit)>>, Stop> {
        let sets = Arc::new(sets);
        let (shared, so_far, theirs) = (Arc::clone(&self.shared), self.edits.clone(), Arc::clone(&sets));
        let render = move |&number: &usize| shared.render(&with(&so_far, theirs[number].iter().copied()));
        let taken = search.run(Alternatives::new(sets.len()), render)?.taken();
        let taken = taken.map(|number| sets[number].clone());
        self.edits = with(&self.edits, taken.iter().flatten().copied());
        Ok(taken)
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
        edits: Vec<(NodeId, Edit)>,
        may_be_empty: bool,
        algorithm: Algorithm,
    ) -> Result<Vec<NodeId>, Stop> {
        self.minimize_completed(search, edits, may_be_empty, algorithm, Subset::clone)
    }

    /// Lets a minimizer choose among elements of lists, which keep all that they need. Gives what is left.
    pub(crate) fn minimize_with_needs(
        &mut self,
        search: &mut Search,
        nodes: Vec<NodeId>,
        may_be_empty: bool,
        algorithm: Algorithm,
    ) -> Result<Vec<NodeId>, Stop> {
        let needs = Needs::of(self.tree(), &nodes);
        let edits = all(nodes, Edit::Delete);
        self.minimize_completed(search, edits, may_be_empty, algorithm, move |kept| needs.closure(kept))
    }

    /// Lets a minimizer choose among nodes; what it keeps is completed. The completion goes if that works.
    fn minimize_completed(
        &mut self,
        search: &mut Search,
        edits: Vec<(NodeId, Edit)>,
        may_be_empty: bool,
        algorithm: Algorithm,
        complete: impl Fn(&Subset) -> Subset + Clone + Send + Sync + 'static,
    ) -> Result<Vec<NodeId>, Stop> {
        let weights: Vec<u32> = edits.iter().map(|&(node, edit)| self.weight(node, edit)).collect();
        let edits = Arc::new(edits);
        let kept = if may_be_empty && self.attempt_without(search, &edits, &Subset::default())? {
            Subset::default()
        } else {
            let (shared, so_far, theirs) = (Arc::clone(&self.shared), self.edits.clone(), Arc::clone(&edits));
            let completed = complete.clone();
            let render = move |kept: &Subset| shared.render(&with(&so_far, removed(&theirs, &completed(kept))));
            let chosen = search.run(algorithm.minimizer(&Weights::new(&weights)), render)?.current().clone();
            let completed = complete(&chosen);
            let suffices = chosen != completed && self.attempt_without(search, &edits, &chosen)?;
            if suffices { chosen } else { completed }
        };
        self.edits = with(&self.edits, removed(&edits, &kept));
        let left = kept.elements().map(|element| edits[element].0).collect();
        if let Some(listener) = &self.workshop.on_list {
            listener(&ListOutcome { weights, kept: kept.elements().collect() });
        }
        Ok(left)
    }

    /// How many tokens go with an edit.
    fn weight(&self, node: NodeId, edit: Edit) -> u32 {
        let left = if let Edit::Hoist(inner) = edit { self.tokens(inner) } else { 0 };
        self.tokens(node) - left
    }

    /// Tries the edits that a proposer proposes, each on top of those so far, until it has nothing left. What it has
    /// come to is for the caller to [`edit`](Self::edit).
    pub(crate) fn choose<P>(&self, search: &mut Search, proposer: P) -> Result<P, Stop>
    where
        P: Proposer<Proposal = Vec<(NodeId, Edit)>>,
    {
        let (shared, so_far) = (Arc::clone(&self.shared), self.edits.clone());
        search.run(proposer, move |edits| shared.render(&with(&so_far, edits.iter().copied())))
    }

    /// The edits so far.
    pub(crate) fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Adds an edit that is known to be fine.
    pub(crate) fn edit(&mut self, node: NodeId, edit: Edit) {
        self.edits.insert(node, edit);
    }

    fn attempt_without(&self, search: &mut Search, edits: &[(NodeId, Edit)], kept: &Subset) -> Result<bool, Stop> {
        match self.shared.render(&with(&self.edits, removed(edits, kept))) {
            Some(candidate) => search.attempt(candidate),
            None => Ok(false),
        }
    }
}

/// The same edit for all nodes.
fn all(nodes: Vec<NodeId>, edit: Edit) -> Vec<(NodeId, Edit)> {
    nodes.into_iter().map(|node| (node, edit)).collect()
}

/// More edits on top of those that stay.
fn with(so_far: &Edits, more: impl IntoIterator<Item = (NodeId, Edit)>) -> Edits {
    so_far.iter().chain(more).collect()
}

/// The edits of all nodes that are not kept.
fn removed<'a>(edits: &'a [(NodeId, Edit)], kept: &'a Subset) -> impl Iterator<Item = (NodeId, Edit)> + 'a {
    let ends = kept.runs().map(|run| run.end);
    let gaps = std::iter::once(0).chain(ends).zip(kept.runs().map(|run| run.start).chain([edits.len()]));
    gaps.flat_map(move |(start, end)| edits[start..end].iter().copied())
}
