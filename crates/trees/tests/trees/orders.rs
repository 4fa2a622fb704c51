//! The same tokens have the same whitespace, in whatever order the others were deleted, and even if the text was parsed again
//! in between.
//!
//! Random deletions in the samples of every language: all at once, or some first and the others after that. The test skips what
//! parses differently in between, and what needed a space to keep tokens apart: that space stays when it is no longer needed.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::parse;
use crate::relex::sample;
use whittle_languages::Language;
use whittle_trees::{Edit, Kind, NodeId, Tree};

const SEED: u64 = 8;
/// How many sets of deletions are tried in a sample.
const TRIES: usize = 25;
/// How many deletions there are in a set at most, and among how many neighbours they are chosen.
const MOST: usize = 6;
const NEIGHBOURS: usize = 16;

#[test]
fn the_same_tokens_have_the_same_blanks_in_whatever_order_others_went() {
    let mut wrong = Vec::new();
    for language in Language::all() {
        let whole = Numbered::parse(language, sample(language));
        let mut random = fastrand::Rng::with_seed(SEED);
        let (mut tried, mut differences) = (0, Vec::new());
        for _ in 0..TRIES {
            let deleted = whole.some_of(&mut random);
            let at_once = whole.without(&deleted);
            let (first, last) = deleted.split_at(deleted.len() / 2);
            for (first, last) in [(first, last), (last, first)] {
                let in_turn = whole.without_in_turn(language, first, last);
                let Some(in_turn) = in_turn.filter(|text| solid(text) == solid(&at_once)) else { continue };
                tried += 1;
                if in_turn != at_once {
                    differences.push(difference(&at_once, &in_turn));
                }
            }
        }
        assert!(tried >= TRIES / 2, "{}: only {tried} were tried", language.name);
        if !differences.is_empty() {
            wrong.push(format!("{}: {} of {tried}\n  {}", language.name, differences.len(), differences.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "seed {SEED}: {}", wrong.join("\n"));
}

/// A tree that knows how many tokens stand before each node, and in the whole.
struct Numbered {
    tree: Tree,
    before: Vec<usize>,
}

impl Numbered {
    fn parse(language: &Language, text: Vec<u8>) -> Self {
        let tree = parse(language.name, text);
        let mut before = vec![0];
        for node in tree.nodes() {
            before.push(before[node.index()] + usize::from(is_token(&tree, node)));
        }
        Self { tree, before }
    }

    /// Which of the text's tokens a node has.
    fn tokens(&self, node: NodeId) -> Range<usize> {
        let end = self.tree.descendants(node).last().unwrap_or(node).index() + 1;
        self.before[node.index()]..self.before[end]
    }

    /// Elements and optionals that stand near each other, at random, none within another one.
    fn some_of(&self, random: &mut fastrand::Rng) -> Vec<NodeId> {
        let all = self.deletable();
        let from = random.usize(..all.len());
        let mut near = all[from..all.len().min(from + NEIGHBOURS)].to_vec();
        random.shuffle(&mut near);
        let mut chosen: Vec<NodeId> = Vec::new();
        for node in near {
            let is_apart = |&other: &NodeId| !self.tree.is_within(node, other) && !self.tree.is_within(other, node);
            if chosen.len() < MOST && chosen.iter().all(is_apart) {
                chosen.push(node);
            }
        }
        chosen
    }

    fn deletable(&self) -> Vec<NodeId> {
        let lists = self.tree.nodes().filter(|&node| matches!(self.tree.kind(node), Kind::List { .. }));
        let elements = lists.flat_map(|list| self.tree.elements(list));
        let optionals = self.tree.nodes().filter(|&node| self.tree.kind(node) == Kind::Optional);
        let all: BTreeSet<NodeId> = elements.chain(optionals).filter(|&node| !self.tokens(node).is_empty()).collect();
        all.into_iter().collect()
    }

    fn without(&self, nodes: &[NodeId]) -> Vec<u8> {
        self.tree.unparse(&nodes.iter().map(|&node| (node, Edit::Delete)).collect())
    }

    /// What is left without the first nodes, and then without the others; `None` if those are not found again.
    fn without_in_turn(&self, language: &Language, first: &[NodeId], last: &[NodeId]) -> Option<Vec<u8>> {
        let between = Self::parse(language, self.without(first));
        let gone = self.gone(first, &between)?;
        let moved = |token: usize| token - gone.range(..token).count();
        let find = |node: &NodeId| {
            let Range { start, end } = self.tokens(*node);
            let range = moved(start)..moved(end);
            between.deletable().into_iter().find(|&node| between.tokens(node) == range)
        };
        let last: Option<Vec<NodeId>> = last.iter().map(find).collect();
        Some(between.without(&last?))
    }

    /// The tokens that are not there any more, by their numbers; `None` if others have changed, too.
    fn gone(&self, deleted: &[NodeId], left: &Self) -> Option<BTreeSet<usize>> {
        let mut found = left.texts().into_iter().peekable();
        let inside = |number: usize| deleted.iter().any(|&node| self.tokens(node).contains(&number));
        let is_gone = |(number, text): (usize, &[u8])| {
            let stays = !inside(number) && found.next_if(|next| *next == text).is_some();
            (!stays).then_some(number)
        };
        let gone = self.texts().into_iter().enumerate().filter_map(is_gone).collect();
        found.next().is_none().then_some(gone)
    }

    fn texts(&self) -> Vec<&[u8]> {
        let tokens = self.tree.nodes().filter(|&node| is_token(&self.tree, node));
        tokens.map(|node| self.tree.token_text(node)).collect()
    }
}

fn is_token(tree: &Tree, node: NodeId) -> bool {
    matches!(tree.kind(node), Kind::Token { .. }) && !tree.token_text(node).is_empty()
}

fn solid(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

fn difference(a: &[u8], b: &[u8]) -> String {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let shown =
        |text: &[u8]| String::from_utf8_lossy(&text[same.saturating_sub(30)..text.len().min(same + 20)]).into_owned();
    format!("{:?} at once, {:?} in turn", shown(a), shown(b))
}
