//! [`Rule`]: the rules of a grammar, as they were read.
//!
//! Rules are kept in an arena and refer to each other by number; symbols, labels and fields are interned. Rules are
//! made of *symbols*. A *label* is the name of a node in a tree: named, as `identifier`, or anonymous, as `"+"`.
//! Aliases give a symbol several labels.

use std::collections::HashMap;

use crate::lexical::{LexId, LexicalRules};

/// A symbol: the name of a rule, or a token of an external scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u16);

/// The name of nodes, named or anonymous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u16);

impl LabelId {
    /// The label of nodes that no rule mentions.
    pub const UNKNOWN: Self = Self(u16::MAX);
}

/// The name of a child's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(pub u16);

/// A rule in its grammar's arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub(crate) u32);

/// One syntax rule. Precedences are dropped: they choose between derivations, and the parser has already chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Nothing.
    Blank,
    /// A token.
    Token {
        /// What it looks like.
        lexical: LexId,
        /// The label of its anonymous node; without one there is no node.
        label: Option<LabelId>,
        /// Whether no whitespace is allowed before it.
        immediate: bool,
    },
    /// The rule of this symbol.
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
    /// Nodes with another label than their own.
    Alias(LabelId, RuleId),
}

/// What is known about a symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The label of its nodes unless they are aliased.
    pub label: LabelId,
    /// Its rule; a symbol of an external scanner may have none.
    pub rule: Option<RuleId>,
    /// Whether it has no node of its own: its name starts with an underscore, or it is a supertype.
    pub hidden: bool,
    /// Whether its rule is copied to where it is used.
    pub inline: bool,
    /// Whether an external scanner produces it.
    pub external: bool,
    /// Whether it is one token.
    pub token: bool,
    /// Whether it was made up for an aliased repetition, for which the parser has another name.
    pub auxiliary: bool,
}

/// The rules as they were read.
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

/// Whether a token of this name marks the start or end of a block.
pub(crate) fn is_indentation(name: &str) -> bool {
    starts_block(name) || ends_block(name) || name.to_ascii_lowercase().contains("_bgn")
}

/// Whether a token of this name starts a block on a line of its own.
pub(crate) fn starts_block(name: &str) -> bool {
    name.to_ascii_lowercase().contains("indent")
}

/// Whether a token of this name ends a block.
pub(crate) fn ends_block(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["dedent", "outdent", "layout_end"].iter().any(|end| name.contains(end))
}
