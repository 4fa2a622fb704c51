//! [`Rule`]: what a grammar is made of, as it was handed in.
//!
//! Rules live in an arena and refer to each other by number; symbols, labels and fields are interned. A *symbol* is
//! what rules are made of; a *label* is a name that nodes of a tree show (a symbol may show several, by aliases); a
//! label is named or anonymous, as `identifier` and `"+"` are.

use std::collections::HashMap;

use crate::lexical::{LexId, LexicalRules};

/// A symbol: the name of a rule, or a token that an external scanner makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u16);

/// A name that nodes show, named or anonymous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u16);

impl LabelId {
    /// The label of nodes that no rule of the grammar mentions.
    pub const UNKNOWN: Self = Self(u16::MAX);
}

/// The name of a child's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u16);

/// A rule in its grammar's arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub(crate) u32);

/// One syntax rule. Precedences are not kept: they choose between derivations that the parser has chosen already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Nothing.
    Blank,
    /// A token: its lexical rule, its label if it is a plain text, and whether no blank may stand before it.
    Token {
        /// What it looks like.
        lexical: LexId,
        /// The label of its anonymous node; without one it leaves no node.
        label: Option<LabelId>,
        /// Whether it follows the token before it at once.
        immediate: bool,
    },
    /// What the symbol stands for.
    Symbol(SymbolId),
    /// One after the other.
    Seq(Vec<RuleId>),
    /// One of these.
    Choice(Vec<RuleId>),
    /// This or nothing.
    Optional(RuleId),
    /// Any number of these.
    Repeat {
        /// What is repeated.
        content: RuleId,
        /// Whether there is at least one.
        at_least_one: bool,
    },
    /// Children in a role.
    Field(FieldId, RuleId),
    /// Nodes that show another label than their own.
    Alias(LabelId, RuleId),
}

/// What is known of a symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The label its nodes show unless they are aliased.
    pub label: LabelId,
    /// What it stands for; a symbol of an external scanner may have no rule.
    pub rule: Option<RuleId>,
    /// Whether it leaves no node of its own: a leading underscore, or a supertype.
    pub hidden: bool,
    /// Whether its rule is copied to where it is used.
    pub inline: bool,
    /// Whether an external scanner makes it.
    pub external: bool,
    /// Whether it is one token.
    pub token: bool,
    /// Whether it is made up for a repetition that has a node of its own, and the parser has its own name for it.
    pub auxiliary: bool,
}

/// The rules as they were handed in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) rules: Vec<Rule>,
    pub(crate) lexical: LexicalRules,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) symbol_ids: HashMap<String, SymbolId>,
    pub(crate) labels: Vec<(String, bool)>,
    pub(crate) label_ids: HashMap<(String, bool), LabelId>,
    pub(crate) fields: Vec<String>,
    pub(crate) extras: Vec<RuleId>,
    pub(crate) externals: Vec<String>,
    pub(crate) word: Option<SymbolId>,
}

impl Source {
    pub(crate) fn add_rule(&mut self, rule: Rule) -> RuleId {
        self.rules.push(rule);
        RuleId(self.rules.len() as u32 - 1)
    }

    pub(crate) fn intern_label(&mut self, name: &str, named: bool) -> LabelId {
        let next = LabelId(self.labels.len().min(usize::from(u16::MAX)) as u16);
        *self.label_ids.entry((name.to_owned(), named)).or_insert_with(|| {
            self.labels.push((name.to_owned(), named));
            next
        })
    }

    pub(crate) fn intern_field(&mut self, name: &str) -> FieldId {
        let index = self.fields.iter().position(|field| field == name).unwrap_or_else(|| {
            self.fields.push(name.to_owned());
            self.fields.len() - 1
        });
        FieldId(index.min(usize::from(u16::MAX)) as u16)
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    pub(crate) fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }
}

/// Whether a token of this name tells that a block begins or ends.
pub(crate) fn is_indentation(name: &str) -> bool {
    begins_block(name) || ends_block(name) || name.to_ascii_lowercase().contains("_bgn")
}

/// Whether a token of this name begins a block on a line of its own.
pub(crate) fn begins_block(name: &str) -> bool {
    name.to_ascii_lowercase().contains("indent")
}

/// Whether a token of this name ends a block.
pub(crate) fn ends_block(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["dedent", "outdent", "layout_end"].iter().any(|end| name.contains(end))
}
