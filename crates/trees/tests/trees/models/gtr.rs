//! GTR (Herfert, Patra and Pradel): algorithms 1 to 6, with and without a corpus.
//!
//! Whittle's trees have nodes that the paper's lack: lists, optionals and groups have no label, and tokens are nodes.
//! `substitute_by_child.rs` says what that means for algorithm 2, and the model follows it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use whittle_search::{Candidate, Recorder, Setup};
use whittle_trees::gtr::{Filter, GtrOptions, Labeled, Labeler, Model, Standing, Templates};
use whittle_trees::{Edit, Edits, NodeId, Syntax, Tree, TreeAlgorithm, TreeFile, TreeOptions, Workshop};

use super::{ALL, Asked, Left, STATEMENTS, TERMS, TEXTS, assert_same, property, with_tokens};

/// How many nodes with a label a corpus must have to say anything about it.
const ENOUGH: usize = 10;

/// What a corpus says: the edges that all nodes of a label have, and the contexts of each label.
#[derive(Default)]
struct Corpus {
    nodes: HashMap<String, usize>,
    /// How many nodes with the first label have the edge.
    edges: HashMap<(String, String), usize>,
    /// The label of a node, the label above it, and the edge to it.
    contexts: HashSet<[String; 3]>,
}

impl Corpus {
    fn learn(&mut self, tree: &Labeled) {
        for node in tree.nodes().filter(|&node| tree.is_understood(node)) {
            let Some(label) = tree.label(node).map(ToString::to_string) else { continue };
            *self.nodes.entry(label.clone()).or_default() += 1;
            let mut edges = HashSet::new();
            for part in tree.parts(node, &Edits::new()) {
                let (Some(below), Some(edge)) = (tree.label(part.node), tree.edge(part.node)) else { continue };
                self.contexts.insert([below.to_string(), label.clone(), edge.to_string()]);
                edges.insert(edge.to_string());
            }
            edges.into_iter().for_each(|edge| *self.edges.entry((label.clone(), edge)).or_default() += 1);
        }
    }

    fn knows(&self, label: &str) -> bool {
        self.nodes.get(label).is_some_and(|&nodes| nodes >= ENOUGH)
    }

    fn is_mandatory(&self, label: &str, edge: &str) -> bool {
        self.knows(label) && self.edges.get(&(label.to_owned(), edge.to_owned())) == self.nodes.get(label)
    }

    fn has_context(&self, label: &str, above: &str, edge: &str) -> bool {
        let context = [label, above, edge].map(str::to_owned);
        !self.knows(label) || !self.knows(above) || self.contexts.contains(&context)
    }
}

/// A node on the current level: its place, what stands there, and the labeled node above.
#[derive(Clone, Copy)]
struct Member {
    place: NodeId,
    node: NodeId,
    above: Option<NodeId>,
}

struct Gtr<'a> {
    asked: &'a mut Asked,
    tree: &'a Tree,
    labels: Labeled,
    left: Left,
    corpus: Option<&'a Corpus>,
}

impl Gtr<'_> {
    /// Algorithm 4.
    fn run(mut self, substitutes: bool) -> String {
        let member = |node, above| Member { place: node, node, above };
        let mut level: Vec<Member> =
            with_tokens(self.tree, [self.tree.root()]).into_iter().map(|node| member(node, None)).collect();
        while !level.is_empty() {
            level = self.delete(level);
            if substitutes {
                level = self.substitute(level);
            }
            let mut next = Vec::new();
            for Member { node, above, .. } in level {
                let above = self.labels.label(node).map_or(above, |_| Some(node));
                next.extend(
                    with_tokens(self.tree, self.tree.children(node)).into_iter().map(|node| member(node, above)),
                );
            }
            level = next;
        }
        self.left.text(self.tree)
    }

    /// Algorithm 1 or 3 for all nodes of a level, chosen by delta debugging.
    fn delete(&mut self, level: Vec<Member>) -> Vec<Member> {
        let list: Vec<NodeId> =
            level.iter().filter(|member| self.may_go(**member)).map(|member| member.place).collect();
        if list.is_empty() {
            return level;
        }
        let (left, tree) = (self.left.clone(), self.tree);
        let gone = |kept: &[usize]| {
            let goes = |index: &usize| !kept.contains(index);
            (0..list.len()).filter(goes).map(|index| list[index]).collect::<Vec<_>>()
        };
        let kept = self.asked.minimize(list.len(), true, |kept| left.without(gone(kept)).text(tree));
        let gone = gone(&kept);
        self.left = self.left.without(gone.clone());
        level.into_iter().filter(|member| !gone.contains(&member.place)).collect()
    }

    /// Algorithm 3: not the last child on an edge that is mandatory for the label above. Nodes without a label stand for
    /// the nodes in them.
    fn may_go(&self, member: Member) -> bool {
        let Some(corpus) = self.corpus else { return true };
        if self.labels.is_separator(member.place) {
            return false;
        }
        let Some(above) = member.above.filter(|&above| self.labels.is_understood(above)) else { return true };
        let label = self.labels.label(above).expect("each inner node has a label");
        let edits = self.edits();
        let standing = Standing { place: member.place, node: member.node };
        let lost: Vec<String> = self.edges(&self.labels.labeled(standing, &edits));
        let now: Vec<String> = self.edges(&self.labels.parts(above, &edits));
        let count = |edges: &[String], edge: &String| edges.iter().filter(|other| *other == edge).count();
        !lost.iter().any(|edge| corpus.is_mandatory(label, edge) && count(&now, edge) <= count(&lost, edge))
    }

    fn edges(&self, parts: &[Standing]) -> Vec<String> {
        parts.iter().filter_map(|part| self.labels.edge(part.place)).map(ToString::to_string).collect()
    }

    /// What is left, as edits.
    fn edits(&self) -> Edits {
        let gone = self.left.gone.iter().map(|&node| (node, Edit::Drop));
        gone.chain(self.left.instead.iter().map(|(&place, &node)| (place, Edit::Hoist(node)))).collect()
    }

    /// Algorithm 5 with algorithm 2.
    fn substitute(&mut self, mut level: Vec<Member>) -> Vec<Member> {
        let candidates: Vec<Vec<NodeId>> = level.iter().map(|member| self.candidates(*member)).collect();
        loop {
            let mut improvement_found = false;
            for (member, candidates) in level.iter_mut().zip(&candidates) {
                for &candidate in candidates {
                    if self.labels.size(candidate) >= self.labels.size(member.node) {
                        continue;
                    }
                    let left = self.left.with(member.place, candidate);
                    if self.asked.test(&left.text(self.tree)) {
                        (self.left, member.node, improvement_found) = (left, candidate, true);
                    }
                }
            }
            if !improvement_found {
                return level;
            }
        }
    }

    /// Algorithm 2, with its line 5 for a corpus.
    fn candidates(&self, member: Member) -> Vec<NodeId> {
        let labels = &self.labels;
        let is_node =
            if labels.has_labels() { labels.label(member.node).is_some() } else { !labels.is_list(member.node) };
        if !is_node {
            return Vec::new();
        }
        let whole = labels.is_element(member.node);
        let mut candidates: Vec<NodeId> =
            self.tree.children(member.node).flat_map(|child| self.with_parts(child, whole)).collect();
        candidates.retain(|&candidate| self.fits(member, candidate));
        candidates
    }

    /// A child, and what is in it if it has no label or the same text.
    fn with_parts(&self, child: NodeId, lists_stay_whole: bool) -> Vec<NodeId> {
        let labels = &self.labels;
        let has_label = labels.label(child).is_some();
        let is_one = has_label && !labels.is_wrapper(child);
        if !labels.has_labels() || is_one || (labels.is_list(child) && lists_stay_whole) {
            return vec![child];
        }
        let inner = self.tree.children(child).filter(|&inner| !labels.is_separator(inner));
        let mut parts: Vec<NodeId> = inner.flat_map(|inner| self.with_parts(inner, lists_stay_whole)).collect();
        if has_label || parts.len() != 1 {
            parts.insert(0, child);
        }
        parts
    }

    /// Whether the corpus has the labels of all nodes that would stand in a place in its context.
    fn fits(&self, member: Member, candidate: NodeId) -> bool {
        let Some(corpus) = self.corpus else { return true };
        let labels = &self.labels;
        let Some(above) = member.above.filter(|&above| labels.is_understood(above)) else { return true };
        let (Some(label), Some(edge)) = (labels.label(above), labels.edge(member.place)) else { return true };
        let mut parts = labels.labeled(Standing::own(candidate), &self.edits());
        parts.retain(|part| !labels.is_separator(part.node));
        let is_seen =
            |part: &Standing| labels.label(part.node).is_none_or(|below| corpus.has_context(below, label, edge));
        (parts.len() <= 1 || labels.is_element(member.place)) && parts.iter().all(is_seen)
    }
}

fn gtr(asked: &mut Asked, tree: &Tree, substitutes: bool, corpus: Option<&Corpus>) -> String {
    let left = Left { knows_lists: corpus.is_some(), ..Left::default() };
    Gtr { asked, tree, labels: Labeler::default().label(tree), left, corpus }.run(substitutes)
}

#[test]
fn gtr_makes_the_tests_of_its_paper() {
    for texts in ALL {
        for (algorithm, templates, substitutes) in [
            ("gtr+ddmin", "delete", false),
            ("gtr*+ddmin", "delete", false),
            ("gtr+ddmin", "delete,substitute-by-child", true),
            ("gtr*+ddmin", "delete,substitute-by-child", true),
        ] {
            let templates: Templates = templates.parse().unwrap();
            let gtr_options = GtrOptions::new(templates, Filter::None, Vec::new());
            let options = TreeOptions { gtr: gtr_options, ..TreeOptions::default() };
            assert_same(algorithm, texts, &options, |asked, tree| gtr(asked, tree, substitutes, None));
        }
    }
}

#[test]
fn gtr_with_a_corpus_makes_the_tests_of_its_paper() {
    let syntax = TERMS.workshop().syntax.unwrap();
    let (mut corpus, mut model) = (Corpus::default(), Model::new(syntax.name()));
    for seed in 1000..1040 {
        let tree = syntax.tree((TERMS.make)(&mut fastrand::Rng::with_seed(seed)));
        let labels = Labeler::default().label(&tree);
        corpus.learn(&labels);
        model.learn(&labels);
    }
    let options = GtrOptions::new(Templates::default(), Filter::Corpus, vec![Arc::new(model)]);
    let options = TreeOptions { gtr: options, ..TreeOptions::default() };
    for algorithm in ["gtr+ddmin", "gtr*+ddmin"] {
        assert_same(algorithm, TERMS, &options, |asked, tree| gtr(asked, tree, true, Some(&corpus)));
    }
}

/// What is tested, and how that ends, with a random property that accepts only what parses.
fn reduced(algorithm: &str, filter: Filter, syntax: &Syntax, seed: u64) -> (Vec<String>, String) {
    let algorithm: TreeAlgorithm = algorithm.parse().expect("the name of an algorithm");
    let workshop = Workshop { syntax: Some(syntax.clone()), ..Workshop::default() };
    let mut random = fastrand::Rng::with_seed(seed);
    let input = (STATEMENTS.make)(&mut random);
    let (is_interesting, parser) = (property(&mut random, &input), syntax.clone());
    let recorder = Arc::new(Recorder::new(move |text: &str| parses(&parser, text) && is_interesting(text)));
    let candidate = Candidate::single("input", input.into_bytes());
    let mut search = Setup::default().start(recorder.clone(), candidate).expect("the input is interesting");
    let gtr = GtrOptions::new(Templates::default(), filter, Vec::new());
    let options = TreeOptions { gtr, ..TreeOptions::default() };
    algorithm
        .run(&mut search, TreeFile { workshop: &workshop, memory: None, options: &options })
        .expect("there is no limit to stop at");
    let end = String::from_utf8_lossy(search.best().candidate.files()[0].bytes()).into_owned();
    (recorder.asked(), end)
}

fn parses(syntax: &Syntax, text: &str) -> bool {
    syntax.errors(text.as_bytes()).is_some_and(|errors| errors.count() == 0)
}

#[test]
fn the_parser_filters_nothing_that_a_property_of_what_parses_accepts() {
    let syntax = STATEMENTS.workshop().syntax.unwrap();
    let [mut unfiltered, mut filtered] = [0, 0];
    for seed in 0..TEXTS {
        for algorithm in ["gtr+ddmin", "gtr*+ddmin"] {
            let (mut all, end) = reduced(algorithm, Filter::None, &syntax, seed);
            unfiltered += all.len();
            all.retain(|text| parses(&syntax, text));
            filtered += all.len();
            assert_eq!(
                reduced(algorithm, Filter::Syntax, &syntax, seed),
                (all, end.clone()),
                "{algorithm}, seed {seed}"
            );
            let first = reduced(algorithm, Filter::SyntaxFirst, &syntax, seed).1;
            // One pass is followed by another one without a filter.
            assert!(first == end || algorithm == "gtr+ddmin" && first.len() < end.len(), "{algorithm}, seed {seed}");
        }
    }
    assert!(filtered * 3 < unfiltered * 2, "{filtered} of {unfiltered} tests are left");
}
