//! [`Grammar`]: syntax rules and lexical rules as one plain data type.
//!
//! Rules live in an arena and refer to each other by number; symbols, labels and fields are interned. A *symbol* is
//! what rules are made of; a *label* is a name that nodes of a tree show (a symbol may show several, by aliases); a
//! label is named or anonymous, as `identifier` and `"+"` are.

use std::collections::HashMap;

use thiserror::Error;

use crate::Bits;
use crate::facts::Facts;
use crate::lexical::{LexId, LexicalRules};
use crate::parts::{Part, PartId, Parts};
use crate::program::Program;
use crate::scan::Scan;
use crate::sentences::{Sentence, Sentences};

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

/// Why a grammar could not be read.
#[derive(Debug, Error)]
pub enum GrammarError {
    /// The text is no JSON, or does not have the shape of a grammar.
    #[error("not a grammar in tree-sitter's JSON form: {0}")]
    Json(#[from] serde_json::Error),
    /// A regular expression that cannot be read.
    #[error("rule '{rule}': cannot read the pattern /{pattern}/: {error}")]
    Pattern {
        /// The rule with the pattern.
        rule: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        error: Box<regex_syntax::Error>,
    },
    /// There are no rules.
    #[error("the grammar has no rules")]
    Empty,
    /// There are too many symbols, labels or fields.
    #[error("the grammar has more than {} names", u16::MAX - 1)]
    TooLarge,
}

/// Syntax and lexical rules, with all that is computed from them once.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(crate) source: Source,
    pub(crate) parts: Parts,
    pub(crate) facts: Facts,
    pub(crate) sentences: Sentences,
    pub(crate) program: Program,
    scan: Scan,
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

impl Grammar {
    /// Reads `grammar.json`, from which a tree-sitter parser was generated.
    pub fn from_tree_sitter(json: &str) -> Result<Self, GrammarError> {
        Ok(Self::new(crate::tree_sitter::read(json)?))
    }

    pub(crate) fn new(source: Source) -> Self {
        let parts = Parts::resolve(&source);
        let facts = Facts::compute(&source, &parts);
        let sentences = Sentences::compute(&source, &parts);
        let program = Program::compile(&source, &parts, &facts);
        let scan = Scan::new(&source);
        Self { source, parts, facts, sentences, program, scan }
    }

    /// The name of the language.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The symbol of a whole text.
    pub fn start(&self) -> SymbolId {
        SymbolId(0)
    }

    /// The symbol of that name.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.source.symbol_ids.get(name).copied()
    }

    /// What is known of a symbol.
    pub fn describe(&self, symbol: SymbolId) -> &Symbol {
        &self.source.symbols[symbol.0 as usize]
    }

    /// All symbols.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        (0..self.source.symbols.len()).map(|index| SymbolId(index as u16))
    }

    /// The label of that name; `named` tells `identifier` from `"identifier"`.
    pub fn label(&self, name: &str, named: bool) -> Option<LabelId> {
        self.source.label_ids.get(&(name.to_owned(), named)).copied()
    }

    /// The name of a label.
    pub fn label_name(&self, label: LabelId) -> &str {
        self.source.labels.get(label.0 as usize).map_or("?", |label| label.0.as_str())
    }

    /// Symbols whose nodes can show a label, by their own name or by an alias, the symbol of that name first.
    pub fn symbols_shown_as(&self, label: LabelId) -> impl Iterator<Item = SymbolId> + '_ {
        let own = self.symbols().filter(move |&symbol| self.describe(symbol).label == label);
        own.chain(self.parts.aliased_to(label))
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<FieldId> {
        self.source.fields.iter().position(|field| field == name).map(|index| FieldId(index as u16))
    }

    /// The name of a field.
    pub fn field_name(&self, field: FieldId) -> &str {
        &self.source.fields[field.0 as usize]
    }

    /// A rule of the arena.
    pub fn rule(&self, rule: RuleId) -> &Rule {
        &self.source.rules[rule.0 as usize]
    }

    /// The lexical rules.
    pub fn lexical(&self) -> &LexicalRules {
        &self.source.lexical
    }

    /// What can stand anywhere: blanks and comments.
    pub fn extras(&self) -> &[RuleId] {
        &self.source.extras
    }

    /// The symbol of which keywords are special cases.
    pub fn word(&self) -> Option<SymbolId> {
        self.source.word
    }

    /// Whether some token that begins with `text` can go on with `next`, and would be ended by a blank instead.
    pub fn reads_on(&self, text: &str, next: char) -> bool {
        self.scan.reads_on(text, next)
    }

    /// Whether an external scanner turns indentation into tokens.
    pub fn has_indentation(&self) -> bool {
        self.source.externals.iter().any(|name| is_indentation(name))
    }

    /// A part of a resolved rule.
    pub fn part(&self, part: PartId) -> &Part {
        self.parts.get(part)
    }

    /// The resolved rule of a symbol.
    pub fn rule_part(&self, symbol: SymbolId) -> Option<PartId> {
        self.parts.of_symbol(symbol)
    }

    /// The symbols that can stand alone where the part is expected, themselves or by rules of a single symbol.
    pub fn unit_symbols(&self, part: PartId) -> &Bits {
        &self.facts.units[part.0 as usize]
    }

    /// Whether `symbol` can stand where the part is expected.
    pub fn fits(&self, part: PartId, symbol: SymbolId) -> bool {
        self.unit_symbols(part).contains(symbol.0 as usize)
    }

    /// Whether the part can have no text. Where indentation is syntax, tokens that only the scanner knows count as
    /// empty, as they tell where lines and blocks end; but not those that begin a block.
    pub fn is_nullable(&self, part: PartId) -> bool {
        self.facts.nullable[part.0 as usize]
    }

    /// Whether an optional cannot go once it is there, since indentation would delimit nothing.
    pub fn must_stay(&self, optional: PartId) -> bool {
        self.parts.is_needed(optional)
    }

    /// The labels that the first child of the part can show.
    pub fn first_labels(&self, part: PartId) -> &Bits {
        &self.facts.first[part.0 as usize]
    }

    /// The smallest text of a symbol, as tokens; `None` if it needs a token that only an external scanner knows.
    pub fn smallest_sentence(&self, symbol: SymbolId) -> Option<Sentence> {
        self.sentences.of_part(self, self.parts.of_symbol(symbol)?)
    }

    /// The smallest text of a part, as tokens.
    pub fn smallest_sentence_of_part(&self, part: PartId) -> Option<Sentence> {
        self.sentences.of_part(self, part)
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
