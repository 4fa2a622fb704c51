//! [`Grammar`]: syntax rules and lexical rules as one plain data type.
//!
//! It is built once from the rules that were read, together with everything that is derived from them.

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
    /// The text is not JSON, or not in the form of a grammar.
    #[error("not a grammar in tree-sitter's JSON form: {0}")]
    Json(#[from] serde_json::Error),
    /// A regular expression could not be parsed.
    #[error("rule '{rule}': cannot parse the pattern /{pattern}/: {error}")]
    Pattern {
        /// The rule with the pattern.
        rule: String,
        /// The pattern.
        pattern: String,
        /// Why it could not be parsed.
        error: Box<regex_syntax::Error>,
    },
    /// There are no rules.
    #[error("the grammar has no rules")]
    Empty,
    /// There are too many symbols, labels or fields.
    #[error("the grammar has more than {} names", u16::MAX - 1)]
    TooLarge,
}

/// Syntax and lexical rules, with everything that is computed from them once.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(crate) source: Source,
    pub(crate) parts: Parts,
    pub(crate) facts: Facts,
    pub(crate) sentences: Sentences,
    pub(crate) program: Program,
    pub(crate) flat: Bits,
    /// For each label, the symbols whose nodes can have it.
    shown_as: Vec<Vec<SymbolId>>,
    scan: Scan,
    layout: Option<&'static str>,
}

impl Grammar {
    /// Reads the `grammar.json` that a tree-sitter parser was generated from.
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
        let shown_as = shown_as(&source, &parts);
        Self { source, parts, facts, sentences, program, flat, shown_as, scan, layout: None }
    }

    /// The name of the language.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The same grammar, whose texts are laid out in another way than its name says, if one is given.
    #[must_use]
    pub fn laid_out_as(self, layout: Option<&'static str>) -> Self {
        Self { layout, ..self }
    }

    /// What says how texts are laid out: the name of the language, or what was chosen in its place.
    pub fn layout(&self) -> &str {
        self.layout.unwrap_or(self.name())
    }

    /// The symbol of a whole text.
    pub fn start(&self) -> SymbolId {
        SymbolId(0)
    }

    /// The symbol of that name.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.source.symbol_ids.get(name).copied()
    }

    /// What is known about a symbol.
    pub fn describe(&self, symbol: SymbolId) -> &Symbol {
        &self.source.symbols[symbol.0 as usize]
    }

    /// All symbols.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        (0..self.source.symbols.len()).map(|index| SymbolId(index as u16))
    }

    /// The label of that name; `named` distinguishes `identifier` from `"identifier"`.
    pub fn label(&self, name: &str, named: bool) -> Option<LabelId> {
        self.source.label_ids.get(&(name.to_owned(), named)).copied()
    }

    /// The name of a label.
    pub fn label_name(&self, label: LabelId) -> &str {
        self.source.labels.get(label.0 as usize).map_or("?", |label| label.0.as_str())
    }

    /// Symbols whose nodes can have a label, as their own name or as an alias; the symbol of that name comes first.
    pub fn symbols_shown_as(&self, label: LabelId) -> impl Iterator<Item = SymbolId> + '_ {
        self.shown_as.get(label.0 as usize).into_iter().flatten().copied()
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

    /// What is allowed anywhere: whitespace and comments.
    pub fn extras(&self) -> &[RuleId] {
        &self.source.extras
    }

    /// The symbol that matches keywords too; the parser tells them apart.
    pub fn word(&self) -> Option<SymbolId> {
        self.source.word
    }

    /// Whether some token that starts with `text` can continue with `next`, but not with a space.
    pub fn reads_on(&self, text: &str, next: char) -> bool {
        self.scan.reads_on(text, next)
    }

    /// Whether a word is a keyword: the grammar spells it out as a token, in a rule or among the tokens of an external
    /// scanner. Keywords that are patterns, as in languages that ignore case, are not recognized.
    pub fn is_keyword(&self, word: &str) -> bool {
        self.scan.is_literal(word)
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

    /// The symbols that can fill the part alone, directly or through rules of a single symbol.
    pub fn unit_symbols(&self, part: PartId) -> &Bits {
        &self.facts.units[part.0 as usize]
    }

    /// Whether `symbol` can fill the part alone.
    pub fn fits(&self, part: PartId, symbol: SymbolId) -> bool {
        self.unit_symbols(part).contains(symbol.0 as usize)
    }

    /// Whether the part can be empty. Where indentation is syntax, tokens that only the external scanner knows count as
    /// empty, because they mark where lines and blocks end. Those that start a block do not.
    pub fn is_nullable(&self, part: PartId) -> bool {
        self.facts.nullable[part.0 as usize]
    }

    /// Whether an optional must not be deleted where it is present, because indentation cannot delimit an empty block.
    pub fn must_stay(&self, optional: PartId) -> bool {
        self.parts.is_needed(optional)
    }

    /// The labels that the first child of the part can have.
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

/// For each label, the symbols whose nodes can have it; the symbol of that name comes first. Every node of every text is
/// looked up here.
fn shown_as(source: &Source, parts: &Parts) -> Vec<Vec<SymbolId>> {
    let mut shown_as = vec![Vec::new(); source.labels.len()];
    let own = source.symbols.iter().enumerate().map(|(index, symbol)| (SymbolId(index as u16), symbol.label));
    let aliased = parts.aliases().flat_map(|(symbol, labels)| labels.iter().map(move |&label| (symbol, label)));
    for (symbol, label) in own.chain(aliased) {
        shown_as.get_mut(usize::from(label.0)).into_iter().for_each(|symbols| symbols.push(symbol));
    }
    shown_as
}
