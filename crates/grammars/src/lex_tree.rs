//! [`LexTree`]: a token's text in fragments, by its lexical rule (T-Rec, section 4.3.1).
//!
//! A repetition is a list whose elements can be deleted, an optional part can be deleted, and characters and fixed
//! texts are leaves. After deletions the text still follows the rule.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use whittle_search::Context;

use crate::automaton::Mark;
use crate::lexical::{LexId, Lexical, LexicalRules};

/// A fragment of a token, in its [`LexTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FragmentId(usize);

/// The kind of a fragment, which tells what can be deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentKind {
    /// A character or a fixed text.
    Leaf,
    /// Fragments that are all needed.
    Group,
    /// A fragment that can be deleted.
    Optional,
    /// Fragments that can be deleted, down to a minimum.
    Kleene {
        /// How many must remain.
        min: usize,
    },
}

/// A fragment; those that it consists of come right after it.
#[derive(Debug)]
struct Fragment {
    rule: LexId,
    kind: FragmentKind,
    parent: Option<u32>,
    /// The number of the first fragment behind it that is not in it.
    end: u32,
    /// Its own characters, in the text of all.
    text: Range<u32>,
}

/// The fragments of a token, those that were removed included.
#[derive(Debug)]
struct Whole {
    fragments: Vec<Fragment>,
    text: String,
}

/// The fragments of a token.
///
/// A token can have a million of them, so trees that were made from each other share what they have in common.
#[derive(Clone, Debug)]
pub struct LexTree {
    whole: Arc<Whole>,
    /// Which fragments were removed. What is in one of them is gone, too.
    gone: Vec<bool>,
    /// The leaves that have another text.
    texts: BTreeMap<FragmentId, String>,
}

impl LexTree {
    pub(crate) fn build(rules: &LexicalRules, marks: &[Mark]) -> Self {
        let mut whole = Whole { fragments: Vec::new(), text: String::new() };
        let mut open: Vec<u32> = Vec::new();
        for &mark in marks {
            let (number, at) = (whole.fragments.len() as u32, whole.text.len() as u32);
            match mark {
                Mark::Open(rule) => {
                    let (kind, parent) = (kind_of(rules, rule), open.last().copied());
                    whole.fragments.push(Fragment { rule, kind, parent, end: number, text: at..at });
                    open.push(number);
                }
                Mark::Close => {
                    if let Some(closed) = open.pop() {
                        whole.fragments[closed as usize].end = number;
                    }
                }
                Mark::Char(c) => {
                    whole.text.push(c);
                    if let Some(&leaf) = open.last() {
                        whole.fragments[leaf as usize].text.end = whole.text.len() as u32;
                    }
                }
            }
        }
        let gone = whole.without_text();
        Self { whole: Arc::new(whole), gone, texts: BTreeMap::new() }
    }

    /// The whole token.
    pub fn root(&self) -> FragmentId {
        FragmentId(0)
    }

    /// The kind of a fragment.
    pub fn kind(&self, fragment: FragmentId) -> FragmentKind {
        self.whole.fragments[fragment.0].kind
    }

    /// The fragments that a fragment consists of.
    pub fn children(&self, fragment: FragmentId) -> Vec<FragmentId> {
        let children = self.whole.children(fragment.0);
        children.filter(|&child| !self.gone[child]).map(FragmentId).collect()
    }

    /// The leaves in text order.
    pub fn leaves(&self) -> Vec<FragmentId> {
        self.leaves_without(&self.gone)
    }

    fn leaves_without(&self, gone: &[bool]) -> Vec<FragmentId> {
        let mut leaves = Vec::new();
        let mut number = 0;
        while let Some(fragment) = self.whole.fragments.get(number) {
            if gone[number] {
                number = fragment.end as usize;
                continue;
            }
            if fragment.kind == FragmentKind::Leaf {
                leaves.push(FragmentId(number));
            }
            number += 1;
        }
        leaves
    }

    /// The text of a leaf.
    pub fn leaf_text(&self, leaf: FragmentId) -> &str {
        let Range { start, end } = self.whole.fragments[leaf.0].text;
        self.texts.get(&leaf).map_or(&self.whole.text[start as usize..end as usize], String::as_str)
    }

    /// The rule of what could replace a leaf: the choice that it was taken from, or its own rule.
    pub(crate) fn leaf_rule(&self, rules: &LexicalRules, leaf: FragmentId) -> LexId {
        let own = &self.whole.fragments[leaf.0];
        let choice = own.parent.map(|parent| self.whole.fragments[parent as usize].rule);
        choice.filter(|&rule| matches!(rules.get(rule), Lexical::Alternation(_))).unwrap_or(own.rule)
    }

    /// What precedes a leaf.
    pub(crate) fn context(&self, leaf: FragmentId) -> Context {
        let before = self.leaves().into_iter().take_while(|&other| other != leaf);
        before.flat_map(|leaf| self.leaf_text(leaf).chars()).fold(Context::default(), Context::after)
    }

    /// The tree without some fragments.
    #[must_use]
    pub fn without(&self, removed: &[FragmentId]) -> Self {
        Self { gone: self.gone_with(removed), ..self.clone() }
    }

    /// The tree with another text of a leaf.
    #[must_use]
    pub fn with_leaf(&self, leaf: FragmentId, text: &str) -> Self {
        let mut tree = self.clone();
        tree.texts.insert(leaf, text.to_owned());
        tree
    }

    /// The text of the token.
    pub fn spell(&self) -> String {
        self.leaves().into_iter().map(|leaf| self.leaf_text(leaf)).collect()
    }

    /// The text of the token without some fragments. Costs less than a tree without them.
    pub fn spell_without(&self, removed: &[FragmentId]) -> String {
        let gone = self.gone_with(removed);
        self.leaves_without(&gone).into_iter().map(|leaf| self.leaf_text(leaf)).collect()
    }

    /// Which fragments are gone if these are removed, too.
    fn gone_with(&self, removed: &[FragmentId]) -> Vec<bool> {
        let mut gone = self.gone.clone();
        removed.iter().for_each(|fragment| gone[fragment.0] = true);
        gone
    }
}

impl Whole {
    fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let end = self.fragments[parent].end as usize;
        let next = move |&child: &usize| Some(self.fragments[child].end as usize).filter(|&next| next < end);
        std::iter::successors(Some(parent + 1).filter(|&first| first < end), next)
    }

    /// Which fragments have no text, but for the root.
    fn without_text(&self) -> Vec<bool> {
        let mut has_text: Vec<bool> = self.fragments.iter().map(|fragment| !fragment.text.is_empty()).collect();
        for (number, fragment) in self.fragments.iter().enumerate().rev() {
            if let Some(parent) = fragment.parent {
                has_text[parent as usize] |= has_text[number];
            }
        }
        has_text.iter().enumerate().map(|(number, has_text)| !has_text && number > 0).collect()
    }
}

fn kind_of(rules: &LexicalRules, rule: LexId) -> FragmentKind {
    let is_nothing = |rule: &LexId| matches!(rules.get(*rule), Lexical::Concat(parts) if parts.is_empty());
    match rules.get(rule) {
        Lexical::Literal(_) | Lexical::Class(_) => FragmentKind::Leaf,
        Lexical::Repeat { min: 0, max: Some(1), .. } => FragmentKind::Optional,
        // Some grammars write an optional as a choice between something and nothing.
        Lexical::Alternation(members) if members.iter().any(is_nothing) => FragmentKind::Optional,
        Lexical::Repeat { min, max, .. } if *max != Some(*min) => FragmentKind::Kleene { min: *min as usize },
        Lexical::Concat(_) | Lexical::Alternation(_) | Lexical::Repeat { .. } => FragmentKind::Group,
    }
}
