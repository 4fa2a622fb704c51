//! [`Grammar`]: syntax rules and lexical rules as one plain data type.
//!
//! It is made once from the rules that were handed in, together with all that follows from them.

use thiserror::Error;

use crate::Bits;
use crate::composite::flat_symbols;
use crate::facts::Facts;
use crate::lexical::LexicalRules;
use crate::parts::{Part, PartId, Parts};
use crate::program::Program;
use crate::rules::{FieldId, LabelId, Rule, RuleId, Source, Symbol, SymbolId, is_indentation};
use crate::scan::Scan;
use crate::sentences::{Sentence, Sentences};

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
    pub(crate) flat: Bits,
    scan: Scan,
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
        let flat = flat_symbols(&source);
        Self { source, parts, facts, sentences, program, flat, scan }
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

    /// Whether a text is a token of its own, as keywords and operators are.
    pub fn is_literal(&self, text: &str) -> bool {
        self.scan.is_literal(text)
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
