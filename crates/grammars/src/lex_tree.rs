//! [`LexTree`]: a token's text in fragments, by its lexical rule (T-Rec, section 4.3.1).
//!
//! A repetition is a list whose elements can be deleted, an optional part can be deleted, and characters and fixed
//! texts are leaves. After deletions the text still follows the rule.

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

#[derive(Clone, Debug)]
struct Fragment {
    rule: LexId,
    kind: FragmentKind,
    parent: Option<usize>,
    children: Vec<usize>,
    text: String,
}

/// The fragments of a token.
#[derive(Clone, Debug)]
pub struct LexTree {
    fragments: Vec<Fragment>,
}

impl LexTree {
    pub(crate) fn build(rules: &LexicalRules, marks: &[Mark]) -> Self {
        let mut fragments: Vec<Fragment> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for &mark in marks {
            match mark {
                Mark::Open(rule) => {
                    let parent = open.last().copied();
                    let number = fragments.len();
                    fragments.push(Fragment {
                        rule,
                        kind: kind_of(rules, rule),
                        parent,
                        children: Vec::new(),
                        text: String::new(),
                    });
                    if let Some(parent) = parent {
                        fragments[parent].children.push(number);
                    }
                    open.push(number);
                }
                Mark::Close => _ = open.pop(),
                Mark::Char(c) => {
                    if let Some(&leaf) = open.last() {
                        fragments[leaf].text.push(c);
                    }
                }
            }
        }
        let mut tree = Self { fragments };
        tree.drop_empty();
        tree
    }

    /// Removes fragments without a text.
    fn drop_empty(&mut self) {
        for number in (1..self.fragments.len()).rev() {
            let is_empty = self.fragments[number].text.is_empty() && self.fragments[number].children.is_empty();
            if let (true, Some(parent)) = (is_empty, self.fragments[number].parent) {
                self.fragments[parent].children.retain(|&child| child != number);
            }
        }
    }

    /// The whole token.
    pub fn root(&self) -> FragmentId {
        FragmentId(0)
    }

    /// The kind of a fragment.
    pub fn kind(&self, fragment: FragmentId) -> FragmentKind {
        self.fragments[fragment.0].kind
    }

    /// The fragments that a fragment consists of.
    pub fn children(&self, fragment: FragmentId) -> Vec<FragmentId> {
        self.fragments[fragment.0].children.iter().map(|&child| FragmentId(child)).collect()
    }

    /// The leaves in text order.
    pub fn leaves(&self) -> Vec<FragmentId> {
        self.leaves_without(|_| false)
    }

    fn leaves_without(&self, is_gone: impl Fn(usize) -> bool) -> Vec<FragmentId> {
        let mut left = vec![0];
        let mut leaves = Vec::new();
        while let Some(number) = left.pop() {
            if is_gone(number) {
                continue;
            }
            if self.fragments[number].kind == FragmentKind::Leaf {
                leaves.push(FragmentId(number));
            }
            left.extend(self.fragments[number].children.iter().rev());
        }
        leaves
    }

    /// The text of a leaf.
    pub fn leaf_text(&self, leaf: FragmentId) -> &str {
        &self.fragments[leaf.0].text
    }

    /// The rule of what could replace a leaf: the choice that it was taken from, or its own rule.
    pub(crate) fn leaf_rule(&self, rules: &LexicalRules, leaf: FragmentId) -> LexId {
        let own = &self.fragments[leaf.0];
        let choice = own.parent.map(|parent| self.fragments[parent].rule);
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
        let gone = self.marked(removed);
        let mut tree = self.clone();
        for fragment in &mut tree.fragments {
            fragment.children.retain(|&child| !gone[child]);
        }
        tree
    }

    /// The tree with another text of a leaf.
    #[must_use]
    pub fn with_leaf(&self, leaf: FragmentId, text: &str) -> Self {
        let mut tree = self.clone();
        tree.fragments[leaf.0].text = text.to_owned();
        tree
    }

    /// The text of the token.
    pub fn spell(&self) -> String {
        self.leaves().into_iter().map(|leaf| self.leaf_text(leaf)).collect()
    }

    /// The text of the token without some fragments. Costs less than a tree without them.
    pub fn spell_without(&self, removed: &[FragmentId]) -> String {
        let gone = self.marked(removed);
        self.leaves_without(|number| gone[number]).into_iter().map(|leaf| self.leaf_text(leaf)).collect()
    }

    /// Whether each fragment is one of these.
    fn marked(&self, fragments: &[FragmentId]) -> Vec<bool> {
        let mut marked = vec![false; self.fragments.len()];
        fragments.iter().for_each(|fragment| marked[fragment.0] = true);
        marked
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
