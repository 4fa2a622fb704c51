//! Perses (Sun et al., ICSE 2018): reduction within the syntax, the node with most tokens first.
//!
//! A list loses elements by a minimizer, an optional is deleted, a rule is replaced by a descendant that its place
//! accepts; a list element may also be replaced by the elements of a list nested in it. Then come the children.
//!
//! Promise, at the fixpoint: no list element and no optional can be deleted, and no rule can be replaced. Cost: that of
//! the minimizer for each list, one test for each optional, up to 100 for each rule.
//!
//! That is `perses-classic`. `perses` differs in three ways. Everything that fails on a large text would be retried on
//! the small one, so fast passes come first, as long as each halves the text: they halve lists from their ends, try
//! only the largest replacements, and skip small parts. Long lists lose large parts first, and deep nesting collapses by
//! binary search ([`Gallop`]). And grammars have rules whose parts are optional only in other
//! rules (a `typedef` is not a declaration with one more word), so the thorough passes also delete one or two parts of
//! a rule if the rest still parses.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use whittle_lists::{Algorithm, BisectOptions, Subset};
use whittle_search::{Search, Stages, Stop};

use super::gallop::{Gallop, heavy_path};
use super::needs::Needs;
use super::queue::{Queue, Visit};
use super::replacements::{largest_replacements, replacements};
use super::workpiece::{
    AtLeast, Checked, EditList, EditSet, ListOutcome, Stage, Strictness, TreeOptions, Workpiece, Workshop,
};
use crate::{Edit, Kind, NodeId};

/// How thorough a pass is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// How elements of lists are chosen.
    pub(crate) lists: Algorithm,
    /// Whether only the largest replacements are tried, and small parts are left alone.
    pub(crate) fast: bool,
    /// Whether parts of a rule are deleted that the rule itself needs.
    pub(crate) parts: bool,
    /// Whether large parts of long lists, and replacements far below, are tried first.
    pub(crate) coarse: bool,
    /// Whether a part may become the smallest sentence of what its place expects, which is not in Perses.
    pub(crate) smallest: bool,
}

impl Manner {
    /// As it was published.
    pub(crate) fn classic(lists: Algorithm) -> Self {
        Self { lists, fast: false, parts: false, coarse: false, smallest: false }
    }

    /// Everything is tried.
    pub(crate) fn thorough(lists: Algorithm) -> Self {
        Self { parts: true, coarse: true, ..Self::classic(lists) }
    }

    /// Only what is likely to work is tried.
    pub(crate) fn fast() -> Self {
        Self { fast: true, coarse: true, ..Self::classic(Algorithm::Bisect(BisectOptions::default())) }
    }
}

/// One pass over all nodes of the best candidate.
pub(crate) fn perses(
    search: &mut Search,
    workshop: &Workshop,
    options: &TreeOptions,
    manner: Manner,
) -> Result<(), Stop> {
    let piece = workshop.take_guarded(search, Strictness::Strict).with_listener(options);
    let pass = piece.work.run_stages(search, Pass::new(piece.clone(), manner))?;
    piece.report(pass.outcomes);
    Ok(())
}

/// A fast pass skips parts with fewer tokens than this fraction of the file: a sixteenth. Not measured.
const SKIPPED_BELOW_ONE_IN: u32 = 16;

/// In a fast pass, elements of lists of this length are kept together with what they need. That took zlib's deflate.c
/// from 21,097 to 817 tokens in eleven tests; the length itself is not measured.
const DEPENDENT_LIST_ELEMENTS: usize = 8;

/// In a fast pass, large parts of lists of this length are tried if what elements need leaves more than half of them. A
/// thorough pass orders shorter lists by size. Not measured.
const LONG_LIST_ELEMENTS: usize = 64;

/// How many children a rule may have whose pairs are tried: 28 pairs at most. Not measured.
const MAX_PAIRED_CHILDREN: usize = 8;

#[derive(Clone)]
struct Pass<'a> {
    piece: Workpiece<'a>,
    queue: Queue,
    manner: Manner,
    /// What the current stage is about.
    work: Work,
    /// About how many tokens are left: separators are assumed to be deleted in proportion to elements.
    tokens: u32,
    outcomes: Vec<ListOutcome>,
    /// Nodes whose far replacements have been tried, with those above them.
    galloped: Arc<HashSet<NodeId>>,
}

/// What a stage is about.
#[derive(Clone)]
enum Work {
    /// Nothing yet.
    Next,
    List(NodeId),
    /// Elements of a list that are left, of which large parts may go.
    LargeParts(Vec<NodeId>),
    Optional(NodeId),
    /// A rule far below which something may take its place.
    Gallop(Gallop),
    /// A rule and its place.
    Rule(NodeId, NodeId),
    /// What is left of a rule's children.
    Parts(Vec<NodeId>),
}

impl Stages for Pass<'_> {
    type Stage = Stage;

    fn begin(&mut self) -> Option<Stage> {
        loop {
            match &self.work {
                Work::Parts(left) => return Some(self.parts_and_pairs(left)),
                Work::LargeParts(left) => {
                    let edits = EditList::of(left.iter().copied(), Edit::Delete).leaving(AtLeast::One);
                    return Some(self.piece.large_parts_stage(edits));
                }
                Work::Gallop(gallop) => return Some(self.piece.work.first_of(vec![vec![gallop.next()]])),
                _ => {}
            }
            let (node, place) = self.queue.pop()?;
            // The rest of the queue is no larger.
            if self.manner.fast && self.piece.tokens(node) < self.tokens / SKIPPED_BELOW_ONE_IN {
                return None;
            }
            match self.piece.tree().kind(node) {
                Kind::List { at_least_one, .. } => match self.gallop_generic(node, place) {
                    Some(gallop) => self.work = Work::Gallop(gallop),
                    None => return Some(self.begin_list(node, at_least_one)),
                },
                Kind::Optional => {
                    self.work = Work::Optional(node);
                    return Some(self.piece.work.first_of(vec![vec![(node, Edit::Delete)]]));
                }
                Kind::Rule => match self.gallop(node, place) {
                    Some(gallop) => self.work = Work::Gallop(gallop),
                    None => return Some(self.begin_rule(node, place)),
                },
                Kind::Token { .. } => {}
            }
        }
    }

    fn end(&mut self, stage: Stage) {
        match std::mem::replace(&mut self.work, Work::Next) {
            Work::List(list) => self.end_list(list, &stage),
            Work::LargeParts(elements) => self.end_large_parts(&elements, &stage),
            Work::Gallop(gallop) => self.end_gallop(gallop, &stage),
            Work::Optional(node) => match self.piece.work.take(&stage) {
                Some(_) => self.tokens -= self.piece.tokens(node),
                None => self.enqueue_all(&self.children(node)),
            },
            Work::Rule(node, place) => self.end_rule(node, place, &stage),
            Work::Parts(left) => self.end_parts(left, &stage),
            Work::Next => {}
        }
    }
}

impl<'a> Pass<'a> {
    fn new(piece: Workpiece<'a>, manner: Manner) -> Self {
        let root = piece.tree().root();
        let tokens = piece.tokens(root);
        let (queue, outcomes, galloped) = Default::default();
        let mut pass = Self { piece, queue, manner, work: Work::Next, tokens, outcomes, galloped };
        pass.enqueue(root, root);
        pass
    }

    fn enqueue(&mut self, node: NodeId, place: NodeId) {
        self.queue.add(Vec::from_iter(self.visit(node, place)));
    }

    fn enqueue_all(&mut self, nodes: &[NodeId]) {
        self.queue.add(nodes.iter().filter_map(|&node| self.visit(node, node)).collect());
    }

    /// A visit of a node that has a text.
    fn visit(&self, node: NodeId, place: NodeId) -> Option<Visit> {
        Some(self.piece.tokens(node)).filter(|&tokens| tokens > 0).map(|tokens| Visit::new(tokens, node, place))
    }

    /// The elements of a list, in the order in which the minimizer gets them. `probdd` sees a list as a set and leaves
    /// ties to the first element, so the largest come first, each with the terminators behind it: of two declarations
    /// that could stand in for each other, the smaller one stays. Other algorithms, generic trees and long lists keep the
    /// order of the text, in which neighbours belong together.
    fn elements(&self, list: NodeId) -> Vec<NodeId> {
        let tree = self.piece.tree();
        let elements: Vec<NodeId> = tree.elements(list).collect();
        let is_set = matches!(self.manner.lists, Algorithm::Probdd(_)) && tree.grammar().is_some();
        if !self.manner.coarse || !is_set || elements.len() >= LONG_LIST_ELEMENTS {
            return elements;
        }
        let is_terminator = |node: NodeId| tree.is_token(node) && tree.symbol(node).is_none();
        let mut groups: Vec<&[NodeId]> = elements.chunk_by(|_, &next| is_terminator(next)).collect();
        groups.sort_by_key(|group| Reverse(group.iter().map(|&node| self.piece.tokens(node)).sum::<u32>()));
        groups.concat()
    }

    fn begin_list(&mut self, list: NodeId, at_least_one: bool) -> Stage {
        self.work = Work::List(list);
        let elements = self.elements(list);
        let at_least = if at_least_one && !self.manner.smallest { AtLeast::One } else { AtLeast::None };
        let edits = EditList::of(elements.iter().copied(), Edit::Delete).leaving(at_least);
        if self.manner.fast && elements.len() >= DEPENDENT_LIST_ELEMENTS {
            let leaps = Algorithm::Bisect(BisectOptions { leaps: true, ..BisectOptions::default() });
            return self.piece.list_stage(edits.with_needs(Needs::of(self.piece.tree(), &elements)), leaps);
        }
        if self.manner.coarse {
            return self.piece.coarse_list_stage(edits, self.manner.lists);
        }
        self.piece.list_stage(edits, self.manner.lists)
    }

    fn end_list(&mut self, list: NodeId, stage: &Stage) {
        self.piece.work.take(stage);
        let elements = self.elements(list);
        let kept = stage.kept().unwrap_or_default();
        let weights = || elements.iter().map(|&element| self.piece.tokens(element)).collect();
        self.outcomes.extend(self.piece.outcome(weights, &kept));
        let left: Vec<NodeId> = kept.elements().map(|element| elements[element]).collect();
        let tokens = |nodes: &[NodeId]| nodes.iter().map(|&node| self.piece.tokens(node)).sum::<u32>();
        let (all, kept) = (tokens(&elements), tokens(&left));
        let before = self.piece.tokens(list);
        let after = u64::from(before) * u64::from(kept) / u64::from(all.max(1));
        self.tokens -= before - after as u32;
        // What is kept with all that it needs may be everything.
        if self.manner.fast && left.len() >= LONG_LIST_ELEMENTS && after > u64::from(before) / 2 {
            self.work = Work::LargeParts(left);
        } else {
            self.enqueue_all(&left);
        }
    }

    fn end_large_parts(&mut self, elements: &[NodeId], stage: &Stage) {
        self.piece.work.take(stage);
        let kept = stage.kept().unwrap_or_else(|| Subset::full(elements.len()));
        let left: Vec<NodeId> = kept.elements().map(|element| elements[element]).collect();
        let tokens = |nodes: &[NodeId]| nodes.iter().map(|&node| self.piece.tokens(node)).sum::<u32>();
        self.tokens -= tokens(elements) - tokens(&left);
        self.enqueue_all(&left);
    }

    /// Far replacements of a node, if there are many and none has been tried.
    fn gallop(&mut self, node: NodeId, place: NodeId) -> Option<Gallop> {
        if !self.manner.coarse || self.galloped.contains(&node) {
            return None;
        }
        let path = heavy_path(&self.piece, node);
        let gallop = Gallop::new(&self.piece, place, &path)?;
        Arc::make_mut(&mut self.galloped).extend(path);
        Some(gallop)
    }

    /// The same for a list of a generic tree, in which indentation nests lists and not rules.
    fn gallop_generic(&mut self, list: NodeId, place: NodeId) -> Option<Gallop> {
        if self.piece.tree().grammar().is_some() { None } else { self.gallop(list, place) }
    }

    fn end_gallop(&mut self, mut gallop: Gallop, stage: &Stage) {
        let is_taken = self.piece.work.take(stage).is_some();
        gallop.observe(is_taken);
        if !gallop.is_done() {
            self.work = Work::Gallop(gallop);
            return;
        }
        let (inner, place) = (gallop.best(), gallop.place);
        if inner != gallop.node() {
            // What is below may not hold what matters, and collapse in a place of its own.
            let tree = self.piece.tree();
            Arc::make_mut(&mut self.galloped).retain(|&node| node == inner || !tree.is_within(node, inner));
        }
        self.tokens -= self.piece.tokens(gallop.node()) - self.piece.tokens(inner);
        self.enqueue(inner, place);
    }

    fn begin_rule(&mut self, node: NodeId, place: NodeId) -> Stage {
        self.work = Work::Rule(node, place);
        let find = if self.manner.fast { largest_replacements } else { replacements };
        let hoists = find(&self.piece, node, place).into_iter().map(|inner| (place, Edit::Hoist(inner)));
        // Without a slot there is no smallest sentence.
        let has_slot = self.piece.tree().slot(place).is_some();
        let smallest = (self.manner.smallest && has_slot).then_some((place, Edit::Smallest));
        let sets = smallest.into_iter().chain(hoists).map(|edit| vec![edit]).collect();
        self.piece.work.first_of(sets)
    }

    fn end_rule(&mut self, node: NodeId, place: NodeId, stage: &Stage) {
        let before = self.piece.tokens(node);
        match self.piece.work.take(stage).as_deref() {
            Some(&[(_, Edit::Hoist(inner))]) => {
                self.tokens -= before - self.piece.tokens(inner);
                self.enqueue(inner, place);
            }
            Some(_) => self.tokens -= before,
            None => self.go_into(self.children(node)),
        }
    }

    fn end_parts(&mut self, mut left: Vec<NodeId>, stage: &Stage) {
        let Some(dropped) = self.piece.work.take(stage) else { return self.enqueue_all(&left) };
        left.retain(|child| dropped.iter().all(|(node, _)| node != child));
        self.tokens -= dropped.iter().map(|&(node, _)| self.piece.tokens(node)).sum::<u32>();
        self.go_into(left);
    }

    /// Visits what is left of a rule: one or two of its children are deleted, as long as the rest parses.
    fn go_into(&mut self, left: Vec<NodeId>) {
        if self.manner.parts
            && self.piece.checked() == Checked::WithoutErrors
            && (2..=MAX_PAIRED_CHILDREN).contains(&left.len())
        {
            self.work = Work::Parts(left);
        } else {
            self.enqueue_all(&left);
        }
    }

    /// Each of these nodes alone, then pairs of those that the syntax does not allow to delete alone. That takes a parse for
    /// each node, which is left to workers.
    fn parts_and_pairs(&self, nodes: &[NodeId]) -> Stage {
        let drop = |node: NodeId| (node, Edit::Drop);
        let pairs = nodes.iter().enumerate().flat_map(|(i, &a)| nodes[i + 1..].iter().map(move |&b| vec![a, b]));
        let sets = nodes.iter().map(|&node| vec![node]).chain(pairs);
        let edits = sets.map(|nodes| nodes.into_iter().map(drop).collect()).collect();
        let work = self.piece.work.clone();
        let allowed: HashMap<NodeId, OnceLock<bool>> = nodes.iter().map(|&node| (node, OnceLock::new())).collect();
        let is_allowed =
            move |edit: &(NodeId, Edit)| *allowed[&edit.0].get_or_init(|| work.render_with(&vec![*edit]).is_some());
        self.piece.work.first_of_those(edits, move |edits: &EditSet| match &edits[..] {
            [edit] => is_allowed(edit),
            pair => !pair.iter().any(&is_allowed),
        })
    }

    /// The children that have a text.
    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.piece.tree().children(node).filter(|&child| self.piece.tokens(child) > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{syntax, tests_of};
    use super::*;

    /// How many tests it takes to reduce a text to the one word that matters.
    fn tests(workshop: &Workshop, text: &str) -> usize {
        let (options, manner) = (TreeOptions::default(), Manner::thorough(Algorithm::default()));
        let pass = |search: &mut Search| search.fixpoint(|search| perses(search, workshop, &options, manner));
        tests_of(text, |text| text.contains('Q'), pass).len()
    }

    #[test]
    fn deep_indentation_collapses_in_few_tests() {
        let lines: String = (0..300).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let tests = tests(&Workshop::default(), &format!("{lines}{}Q\n", " ".repeat(300)));
        assert!(tests < 60, "{tests} tests");
    }

    #[test]
    fn a_deep_chain_beside_what_matters_collapses_in_few_tests() {
        let workshop = Workshop { syntax: Some(syntax("c")), ..Workshop::default() };
        // To the parser a chain of comparisons, of which `Q` is in the middle.
        let tests = tests(&workshop, &format!("{}Q{}", "<b>".repeat(300), "</b>".repeat(300)));
        assert!(tests < 100, "{tests} tests");
    }
}
