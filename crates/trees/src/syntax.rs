//! [`Syntax`]: a parser with the grammar it was made from, and the one place where tokens and parse errors are counted.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::ops::Add;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tree_sitter::Language;
use whittle_grammars::Grammar;
use whittle_parsing::{Problem, RunTimeGrammar};

use crate::concrete::{Kinds, ParserTree, RunTimeTree};
use crate::convert::Tables;
use crate::fence::Fault;
use crate::parse::{Allowance, Limits, Unparsed, parse};
use crate::parsed::KnownTexts;
use crate::{Leaves, RuleSet, Tree, count_tokens};

/// What turns texts of one language into trees and counts.
#[derive(Clone, Debug)]
pub struct Syntax {
    parser: Parser,
    grammar: Arc<Grammar>,
    /// The parser's numbers as the grammar's, once a text was parsed.
    tables: Arc<OnceLock<Tables>>,
    limits: Limits,
    /// What it may take for all that it is used for, if there is a limit for that.
    allowance: Option<Allowance>,
    rules: RuleSet,
    /// What the parser made of short texts.
    known: Arc<KnownTexts>,
    /// How the parser has failed so far.
    faults: Arc<Mutex<BTreeSet<Fault>>>,
}

/// What parses texts.
#[derive(Clone, Debug)]
enum Parser {
    /// A parser that tree-sitter generated.
    TreeSitter(Language),
    /// A grammar that was read at run time, and the kinds of its nodes.
    RunTime(Arc<RunTimeGrammar>, Arc<Kinds>),
}

/// What a parsed text consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The leaves of the parser's tree that have a text, comments aside.
    pub tokens: u64,
    /// The places where the parser had to skip something or to make something up.
    pub errors: u64,
}

impl Syntax {
    /// The syntax of a parser and its grammar, with the built-in rules for it.
    pub fn new(parser: Language, grammar: Grammar) -> Self {
        Self::of(Parser::TreeSitter(parser), grammar)
    }

    /// The syntax of a grammar that was read at run time, whose texts are laid out in a way of
    /// [`Grammar::laid_out_as`] if one is given.
    pub fn from_run_time(grammar: RunTimeGrammar, layout: Option<&'static str>) -> Result<Self, Problem> {
        let lowered = grammar.lowered()?.laid_out_as(layout);
        let kinds = Kinds::of(&grammar);
        Ok(Self::of(Parser::RunTime(Arc::new(grammar), Arc::new(kinds)), lowered))
    }

    fn of(parser: Parser, grammar: Grammar) -> Self {
        let rules = RuleSet::built_in().of_grammar(grammar.name());
        Self {
            parser,
            grammar: Arc::new(grammar),
            tables: Arc::default(),
            limits: Limits::default(),
            allowance: None,
            rules,
            known: Arc::default(),
            faults: Arc::default(),
        }
    }

    /// The same syntax, with a record of its own of how the parser fails and of what it made of texts.
    #[must_use]
    pub fn with_new_record(&self) -> Self {
        Self { known: Arc::default(), faults: Arc::default(), ..self.clone() }
    }

    pub(crate) fn known_texts(&self) -> &KnownTexts {
        &self.known
    }

    /// How the parser has failed on any text, each way once. These texts got generic trees.
    pub fn faults(&self) -> BTreeSet<Fault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same syntax for all attempts to parse a text, which together may take as much as one. For the thread that calls.
    pub(crate) fn for_attempts_at(&self, text: &[u8]) -> Self {
        Self { allowance: Some(Allowance::of(text, self.limits)), ..self.clone() }
    }

    /// The same syntax, with more rules for it; those for other grammars are left out.
    #[must_use]
    pub fn with_rules(&self, more: &RuleSet) -> Self {
        Self { rules: self.rules.and(&more.of_grammar(self.name())), ..self.clone() }
    }

    /// The rules for texts of this syntax.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The name of the grammar.
    pub fn name(&self) -> &str {
        self.grammar.name()
    }

    /// The normal form of a text; a generic tree if the text is too much for the parser.
    pub fn tree(&self, text: impl Into<Vec<u8>>) -> Tree {
        let text = text.into();
        match self.parse(&text, None) {
            Ok(parsed) => self.convert(text, parsed),
            Err(_) => Tree::generic(text),
        }
    }

    /// The normal form of a text that its parser has parsed, as [`Tree::convert`].
    pub(crate) fn convert(&self, text: Vec<u8>, parsed: impl Borrow<ParserTree>) -> Tree {
        let tables = self.tables.get_or_init(|| Tables::new(parsed.borrow(), &self.grammar));
        Tree::convert_by(tables, text, parsed, &self.grammar)
    }

    /// Tokens and errors of a text; `None` if it is too much for the parser.
    pub fn count(&self, text: &[u8]) -> Option<Count> {
        let parsed = self.parse(text, None).ok()?;
        Some(Count { tokens: count_tokens(&parsed) as u64, errors: count_errors(&parsed) })
    }

    /// The errors of a text; `None` if it is too much for the parser.
    pub fn errors(&self, text: &[u8]) -> Option<Errors> {
        self.parse(text, None).ok().map(|parsed| Errors::of(&parsed))
    }

    /// What the parser takes for tokens in a text; `None` if it is too much for the parser.
    pub fn leaves(&self, text: &[u8]) -> Option<Leaves> {
        self.parse(text, None).ok().map(|parsed| Leaves::of(&parsed))
    }

    /// The grammar.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Whether a text is not too long to be parsed as a whole.
    pub(crate) fn takes_whole(&self, text: &[u8]) -> bool {
        text.len() <= self.limits.bytes
    }

    /// Whether a text is not too long to be parsed in pieces.
    pub(crate) fn takes_in_pieces(&self, text: &[u8]) -> bool {
        text.len() <= self.limits.bytes_in_pieces
    }

    /// The parser's tree; from an older one whose changed parts are marked, if there is one.
    pub(crate) fn parse(&self, text: &[u8], old: Option<&ParserTree>) -> Result<ParserTree, Unparsed> {
        let parsed = match (&self.parser, old) {
            (Parser::TreeSitter(parser), Some(ParserTree::TreeSitter(old))) => {
                parse(text, Some(old), parser, self.limits, self.allowance.as_ref()).map(ParserTree::from)
            }
            (Parser::TreeSitter(parser), _) => {
                parse(text, None, parser, self.limits, self.allowance.as_ref()).map(ParserTree::from)
            }
            (Parser::RunTime(..), _) if !self.takes_whole(text) => Err(Unparsed::TooLong),
            (Parser::RunTime(grammar, kinds), _) => {
                let tree = grammar.parse(text).map_err(|_| Unparsed::TooHard)?;
                Ok(ParserTree::RunTime(RunTimeTree::new(kinds, tree)))
            }
        };
        if let Err(Unparsed::Failed(fault)) = parsed {
            self.faults.lock().unwrap_or_else(PoisonError::into_inner).insert(fault);
        }
        parsed
    }
}

/// How often a parsed text is not what the grammar allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// Places where the parser had to skip something.
    pub skipped: u64,
    /// Tokens that it had to make up.
    pub missing: u64,
}

impl Errors {
    /// Both kinds together.
    pub fn count(self) -> u64 {
        self.skipped + self.missing
    }

    pub(crate) fn of(parsed: &ParserTree) -> Self {
        if let ParserTree::RunTime(tree) = parsed {
            return Self { skipped: tree.errors(), missing: 0 };
        }
        Self::places(parsed).into_iter().fold(Self::default(), |sum, (_, errors)| sum + errors)
    }

    /// The errors of a parser that tree-sitter made, each with the place where it begins.
    pub(crate) fn places(parsed: &ParserTree) -> Vec<(usize, Self)> {
        let mut cursor = parsed.walk();
        let mut places = Vec::new();
        loop {
            let node = cursor.node();
            let errors = Self { skipped: node.is_error().into(), missing: node.is_missing().into() };
            places.extend((errors.count() > 0).then(|| (node.start_byte(), errors)));
            if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return places;
                }
            }
        }
    }
}

impl Add for Errors {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { skipped: self.skipped + other.skipped, missing: self.missing + other.missing }
    }
}

/// How many places of a parsed text the grammar does not allow: what the parser skipped or made up.
pub fn count_errors(parsed: &ParserTree) -> u64 {
    Errors::of(parsed).count()
}
