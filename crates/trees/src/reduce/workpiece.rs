//! [`Workshop`]: the file that passes work on; [`Workpiece`]: its tree with the edits so far, and how more are tried.

use std::fmt;
use std::sync::{Arc, OnceLock};

use whittle_lists::{Algorithm, AnyMinimizer, Completion, EmptyFirst, Subset, Weights};
use whittle_search::{Candidate, File, Search, Stop};

use super::memory::{Key, Looks, Memory};
use super::needs::Needs;
use crate::gtr::GtrOptions;
use crate::rendered::Rendered;
use crate::work::{Editable, StageOf, Work};
use crate::{Edit, Edits, Errors, NodeId, RuleSet, Syntax, Tree};

/// Edits that belong together.
pub(crate) type EditSet = Vec<(NodeId, Edit)>;

/// What a pass tries at one place of a tree.
pub(crate) type Stage = StageOf<Shared>;

/// How many elements of a list must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtLeast {
    None,
    One,
}

/// The file that passes work on.
#[derive(Clone, Debug, Default)]
pub struct Workshop {
    /// Which file of the candidate.
    pub file: usize,
    /// Its syntax; without one, the file is seen as a generic tree.
    pub syntax: Option<Syntax>,
    /// Whether reducers that keep to the syntax parse their proposals before they test them.
    pub check: SyntaxCheck,
}

/// When proposals are parsed before they are tested. Those with more syntax errors than the best are then not tested,
/// which pays where parsing is much cheaper than testing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyntaxCheck {
    /// Never.
    #[default]
    Off,
    /// If the text has at most this many bytes.
    UpTo(usize),
    /// Always.
    Always,
}

impl SyntaxCheck {
    fn covers(self, text: &[u8]) -> bool {
        match self {
            Self::Off => false,
            Self::UpTo(bytes) => text.len() <= bytes,
            Self::Always => true,
        }
    }
}

/// Options of single tree reducers, which belong to a run and not to a file.
#[derive(Clone, Default)]
pub struct TreeOptions {
    /// What `gtr` does with its trees.
    pub gtr: GtrOptions,
    /// Hears of every list that was minimized, after the pass has ended.
    pub on_list: Option<ListListener>,
    /// The words of the test: what they name is kept in the first candidates.
    pub words: Vec<String>,
}

impl fmt::Debug for TreeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeOptions").field("gtr", &self.gtr).field("words", &self.words).finish_non_exhaustive()
    }
}

/// Hears of every list that was minimized.
pub type ListListener = Arc<dyn Fn(&ListOutcome) + Send + Sync>;

/// The result of a minimized list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListOutcome {
    /// The weight of each element, its number of tokens.
    pub weights: Vec<u32>,
    /// The elements that stayed.
    pub kept: Vec<usize>,
}

/// A tree that is being edited.
#[derive(Clone)]
pub(crate) struct Workpiece<'a> {
    /// The tree, and the edits so far.
    pub(crate) work: Work<Shared>,
    /// Edits that are known to fail.
    memory: Option<&'a Memory>,
    on_list: Option<&'a ListListener>,
    /// How many tokens there are before each node.
    tokens_before: Arc<Vec<u32>>,
    /// What its parts look like, once that is asked for.
    looks: Arc<OnceLock<Looks>>,
}

/// What the workers need to make candidates.
pub(crate) struct Shared {
    base: Candidate,
    file: usize,
    tree: Tree,
    syntax: Option<Syntax>,
    /// What is checked before a test.
    guard: Option<Guard>,
}

/// The syntax that a proposal must have.
struct Guard {
    /// The errors before any edit.
    errors: Errors,
    strictness: Strictness,
}

/// How many more syntax errors than before a proposal may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Strictness {
    /// None.
    Strict,
    /// One more missing token, which the parser makes up.
    Loose,
}

/// What is known about the syntax of proposals that are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// Nothing: proposals are not parsed.
    Off,
    /// There were errors before any edit. A new error may hide an old one, so the check says little.
    WithErrors,
    /// There were no errors before any edit.
    WithoutErrors,
}

impl Guard {
    fn allows(&self, syntax: &Syntax, file: &File) -> bool {
        syntax.errors_of(file).is_none_or(|found| match self.strictness {
            Strictness::Strict => found.count() <= self.errors.count(),
            Strictness::Loose => found.skipped <= self.errors.skipped && found.missing <= self.errors.missing + 1,
        })
    }
}

impl Editable for Shared {
    type Edit = EditSet;
    type Edits = Edits;

    fn with(so_far: &Edits, more: &EditSet) -> Edits {
        so_far.iter().chain(more.iter().copied()).collect()
    }

    fn render(&self, edits: &Edits) -> Option<Candidate> {
        // Comments that could be deleted are gone: the others are needed, whatever else is deleted.
        let Rendered { text, copies } = self.tree.render(edits);
        let candidate = self.base.with_bytes(self.file, text);
        let file = &candidate.files()[self.file];
        let Some(syntax) = &self.syntax else { return Some(candidate) };
        syntax.note_origin(file, &self.base.files()[self.file], copies);
        self.guard.as_ref().is_none_or(|guard| guard.allows(syntax, file)).then_some(candidate)
    }
}

impl Workshop {
    /// The same file, with more rules for its syntax.
    #[must_use]
    pub fn with_rules(&self, more: &RuleSet) -> Self {
        let syntax = self.syntax.as_ref();
        let syntax = syntax.map(|syntax| if more.is_empty() { syntax.clone() } else { syntax.with_rules(more) });
        Self { syntax, ..self.clone() }
    }

    /// The best candidate's file as a tree. Proposals are not parsed before they are tested.
    pub(crate) fn take(&self, search: &Search) -> Workpiece<'static> {
        self.take_with(search, None)
    }

    /// The same, but proposals are parsed first, as far as the workshop's check says and the parser can.
    pub(crate) fn take_guarded(&self, search: &Search, strictness: Strictness) -> Workpiece<'static> {
        self.take_with(search, self.guard(search, self.check, strictness))
    }

    /// The same, but proposals are always parsed first; `None` if there is no syntax.
    pub(crate) fn take_checked(&self, search: &Search) -> Option<Workpiece<'static>> {
        let guard = self.guard(search, SyntaxCheck::Always, Strictness::Strict)?;
        Some(self.take_with(search, Some(guard)))
    }

    fn guard(&self, search: &Search, check: SyntaxCheck, strictness: Strictness) -> Option<Guard> {
        let file = &search.best().candidate.files()[self.file];
        let syntax = self.syntax.as_ref().filter(|_| check.covers(file.bytes()))?;
        Some(Guard { errors: syntax.errors_of(file)?, strictness })
    }

    /// The file of a candidate as a tree.
    pub(crate) fn tree(&self, candidate: &Candidate) -> Tree {
        let file = &candidate.files()[self.file];
        match &self.syntax {
            Some(syntax) => syntax.tree_of(file),
            None => Tree::generic(file.bytes()),
        }
    }

    fn take_with(&self, search: &Search, guard: Option<Guard>) -> Workpiece<'static> {
        let base = search.best().candidate.clone();
        let tree = self.tree(&base);
        let mut tokens_before = Vec::with_capacity(tree.len() + 1);
        let mut tokens = 0;
        for node in tree.nodes() {
            tokens_before.push(tokens);
            tokens += u32::from(tree.is_token(node));
        }
        tokens_before.push(tokens);
        let work =
            Work::new(Shared { base, file: self.file, tree, syntax: self.syntax.clone(), guard }, Edits::default());
        let tokens_before = Arc::new(tokens_before);
        Workpiece { work, memory: None, on_list: None, tokens_before, looks: Arc::default() }
    }
}

impl<'a> Workpiece<'a> {
    /// The syntax of the file.
    pub(crate) fn syntax(&self) -> Option<&Syntax> {
        self.work.original().syntax.as_ref()
    }

    /// Edits in `memory` are known to fail; edits that fail are added to it.
    pub(crate) fn with_memory(self, memory: Option<&'a Memory>) -> Self {
        Self { memory, ..self }
    }

    /// Minimized lists are reported to the listener in `options`.
    pub(crate) fn with_listener(self, options: &'a TreeOptions) -> Self {
        Self { on_list: options.on_list.as_ref(), ..self }
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.work.original().tree
    }

    /// How many tokens an unedited sub-tree has, including those that the parser does not show.
    pub(crate) fn tokens(&self, node: NodeId) -> u32 {
        self.tokens_before[self.tree().end(node).index()] - self.tokens_before[node.index()]
    }

    /// What is known about the syntax of proposals that are tested.
    pub(crate) fn checked(&self) -> Checked {
        match self.guard() {
            None => Checked::Off,
            Some(guard) if guard.errors.count() > 0 => Checked::WithErrors,
            Some(_) => Checked::WithoutErrors,
        }
    }

    /// Whether a set of edits is known to fail.
    pub(crate) fn is_known_to_fail(&self, edits: &[(NodeId, Edit)]) -> bool {
        let memory = self.memory.filter(|memory| !memory.is_empty());
        memory.is_some_and(|memory| memory.knows(self.key(edits)))
    }

    /// Remembers sets of edits that failed.
    pub(crate) fn remember<'s>(&self, failed: impl IntoIterator<Item = &'s EditSet>) {
        if let Some(memory) = self.memory {
            memory.remember(failed.into_iter().map(|edits| self.key(edits)));
        }
    }

    /// What edits look like. The check is part of it: where less is checked, other edits fail.
    fn key(&self, edits: &[(NodeId, Edit)]) -> Key {
        let looks = self.looks.get_or_init(|| Looks::of(self.tree()));
        Key::of(self.tree(), looks, self.guard().map(|guard| guard.strictness), edits)
    }

    /// A stage in which a minimizer chooses the edits of a list that are left out.
    pub(crate) fn list_stage(&self, list: EditList, algorithm: Algorithm) -> Stage {
        let minimizer = algorithm.minimizer(&Weights::new(&self.weights(&list.edits)));
        self.stage_with(list, minimizer)
    }

    /// The same, with large parts of a long list first.
    pub(crate) fn coarse_list_stage(&self, list: EditList, algorithm: Algorithm) -> Stage {
        let minimizer = algorithm.coarse_first(&Weights::new(&self.weights(&list.edits)));
        self.stage_with(list, minimizer)
    }

    /// The same, with nothing but large parts.
    pub(crate) fn large_parts_stage(&self, list: EditList) -> Stage {
        let minimizer = AnyMinimizer::large_parts(Weights::new(&self.weights(&list.edits)));
        self.stage_with(list, minimizer)
    }

    fn stage_with(&self, list: EditList, minimizer: AnyMinimizer) -> Stage {
        let minimizer = match list.at_least {
            AtLeast::None => EmptyFirst::new(minimizer),
            AtLeast::One => EmptyFirst::not_empty(minimizer),
        };
        let completion = list.needs.map(|needs| Arc::new(needs) as Arc<dyn Completion>);
        self.work.list(minimizer, completion, move |kept| Some(removed(&list.edits, kept).collect()))
    }

    /// Lets a minimizer choose the edits of a list that are left out. Returns their nodes.
    pub(crate) fn minimize(
        &mut self,
        search: &mut Search,
        list: EditList,
        algorithm: Algorithm,
    ) -> Result<Vec<NodeId>, Stop> {
        let edits = Arc::clone(&list.edits);
        let ended = self.work.run_stage(search, self.list_stage(list, algorithm))?;
        let kept = ended.kept().unwrap_or_default();
        self.report(self.outcome(|| self.weights(&edits), &kept));
        Ok(kept.elements().map(|element| edits[element].0).collect())
    }

    /// The result of a minimized list, if somebody listens.
    pub(crate) fn outcome(&self, weights: impl FnOnce() -> Vec<u32>, kept: &Subset) -> Option<ListOutcome> {
        self.on_list.is_some().then(|| ListOutcome { weights: weights(), kept: kept.elements().collect() })
    }

    /// Reports results of lists.
    pub(crate) fn report(&self, outcomes: impl IntoIterator<Item = ListOutcome>) {
        if let Some(listener) = self.on_list {
            outcomes.into_iter().for_each(|outcome| listener(&outcome));
        }
    }

    /// How many tokens go with each edit.
    fn weights(&self, edits: &[(NodeId, Edit)]) -> Vec<u32> {
        let left = |edit: Edit| if let Edit::Hoist(inner) = edit { self.tokens(inner) } else { 0 };
        edits.iter().map(|&(node, edit)| self.tokens(node) - left(edit)).collect()
    }

    fn guard(&self) -> Option<&Guard> {
        self.work.original().guard.as_ref()
    }
}

/// Edits of which a minimizer chooses those that are left out.
pub(crate) struct EditList {
    edits: Arc<EditSet>,
    at_least: AtLeast,
    needs: Option<Needs>,
}

impl EditList {
    /// Edits that may all be made.
    pub(crate) fn new(edits: EditSet) -> Self {
        Self { edits: Arc::new(edits), at_least: AtLeast::None, needs: None }
    }

    /// The same edit for all nodes.
    pub(crate) fn of(nodes: impl IntoIterator<Item = NodeId>, edit: Edit) -> Self {
        Self::new(nodes.into_iter().map(|node| (node, edit)).collect())
    }

    /// The same edits, of which so many must be left out.
    pub(crate) fn leaving(self, at_least: AtLeast) -> Self {
        Self { at_least, ..self }
    }

    /// The same edits, of which those of nodes that others need are left out with them.
    pub(crate) fn with_needs(self, needs: Needs) -> Self {
        Self { needs: Some(needs), ..self }
    }
}

/// The edits of all elements that are not kept.
fn removed<'a>(edits: &'a [(NodeId, Edit)], kept: &'a Subset) -> impl Iterator<Item = (NodeId, Edit)> + 'a {
    let ends = kept.runs().map(|run| run.end);
    let gaps = std::iter::once(0).chain(ends).zip(kept.runs().map(|run| run.start).chain([edits.len()]));
    gaps.flat_map(move |(start, end)| edits[start..end].iter().copied())
}
