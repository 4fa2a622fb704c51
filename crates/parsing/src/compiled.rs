//! [`RunTimeGrammar`]: a grammar with the lexer and the parser that were made from it.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use thiserror::Error;
use whittle_grammars::Grammar;

use crate::description::{Command, Definition, Description, Place};
use crate::lexer::{Lexer, LexerCache, Reach, Token, TooHard};
use crate::lower::{lower, shown_name};
use crate::network::Network;
use crate::parser::Parser;
use crate::predict::PredictionCache;
use crate::problem::{Fault, Problem};
use crate::tree::{NodeKind, ParseTree};
use crate::vocabulary::Vocabulary;

/// A text would take too many steps to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the text takes too many steps to parse")]
pub struct TooHardToParse;

/// A place where several alternatives of a rule fit the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// The rule.
    pub rule: Definition,
    /// Where in the text.
    pub at: usize,
}

/// What was found out about a grammar while texts were parsed. It makes parses faster and changes nothing else.
#[derive(Default)]
struct Cache {
    lexer: LexerCache,
    prediction: PredictionCache,
}

/// A grammar that was read at run time, ready to parse texts.
///
/// ```
/// use whittle_parsing::{RunTimeGrammar, from_antlr};
/// let text = "grammar Sum; sum: sum '+' sum | NUMBER; NUMBER: [0-9]+; SPACE: ' '+ -> skip;";
/// let description = from_antlr("Sum.g4", text, &|_| None)?;
/// let grammar = RunTimeGrammar::new(&description, None)?;
/// let tree = grammar.parse(b"1 + 2 + 3").expect("it is short");
/// assert_eq!((tree.errors(), tree.children(tree.root()).len()), (0, 3));
/// # Ok::<(), whittle_parsing::Problem>(())
/// ```
pub struct RunTimeGrammar {
    description: Description,
    start: String,
    vocabulary: Vocabulary,
    lexer: Lexer,
    network: Network,
    /// One for each parse that runs at the same time.
    caches: Mutex<Vec<Cache>>,
}

impl fmt::Debug for RunTimeGrammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RunTimeGrammar").field(&self.description.name).finish()
    }
}

impl RunTimeGrammar {
    /// Makes lexer and parser. Without a start rule it is the first that no other rule uses, otherwise the first.
    pub fn new(description: &Description, start: Option<&str>) -> Result<Self, Problem> {
        let problem =
            |fault| Problem { file: description.name.as_str().into(), place: Place { line: 1, column: 1 }, fault };
        let Some(start) = start.or(description.default_start()).map(str::to_owned) else {
            return Err(problem(Fault::NoSyntax));
        };
        let description = description.with_choices_unwrapped();
        let vocabulary = Vocabulary::new(&description);
        let count = vocabulary.len() + description.syntax.len();
        if count >= usize::from(u16::MAX) {
            return Err(Problem {
                file: description.name.as_str().into(),
                place: Place::default(),
                fault: Fault::TooLarge,
            });
        }
        let lexer = Lexer::new(&description, &vocabulary)?;
        let network = Network::new(&description, &vocabulary, &start)?;
        Ok(Self { description, start, vocabulary, lexer, network, caches: Mutex::default() })
    }

    /// The grammar as its files say it.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The tokens.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The name of the rule of a whole text.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The grammar as the reducers see it.
    pub fn lowered(&self) -> Result<Grammar, Problem> {
        let hides_space = |mode: usize| self.with_cache(|cache| self.hides_space(&mut cache.lexer, mode));
        lower(&self.description, &self.vocabulary, &self.start, &hides_space).map_err(|error| Problem {
            file: self.description.name.as_str().into(),
            place: Place { line: 1, column: 1 },
            fault: Fault::Unusable(error.to_string()),
        })
    }

    fn hides_space(&self, cache: &mut LexerCache, mode: usize) -> bool {
        [" ", "\n"].iter().any(|space| self.lexer.hides(cache, space.as_bytes(), mode as u32))
    }

    /// The name of nodes of a kind in the lowered grammar, and whether it is a name rather than a text.
    pub fn label(&self, kind: NodeKind) -> (String, bool) {
        match kind {
            NodeKind::Token(token) => match self.vocabulary.text(token) {
                Some(text) => (text.to_owned(), false),
                None => (self.vocabulary.name(token).to_owned(), true),
            },
            NodeKind::Rule(rule) => (shown_name(&self.description.syntax[usize::from(rule)].name), true),
            NodeKind::Error => ("ERROR".to_owned(), true),
        }
    }

    /// The tokens of a text that are not hidden.
    pub fn tokens(&self, text: &[u8]) -> Result<Vec<Token>, TooHardToParse> {
        self.with_cache(|cache| self.lexer.tokens(&mut cache.lexer, text)).map_err(|TooHard| TooHardToParse)
    }

    /// The tree of a text. Any text has one, unless it takes too many steps; what does not parse is in error nodes.
    pub fn parse(&self, text: &[u8]) -> Result<ParseTree, TooHardToParse> {
        let parsed = self.with_cache(|cache| {
            let tokens = self.lexer.tokens(&mut cache.lexer, text)?;
            Parser::new(&self.network, &self.vocabulary, &mut cache.prediction, tokens).run()
        });
        parsed.map_err(|TooHard| TooHardToParse)
    }

    fn with_cache<T>(&self, run: impl FnOnce(&mut Cache) -> T) -> T {
        let taken = self.caches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut cache = taken.unwrap_or_default();
        let result = run(&mut cache);
        self.caches.lock().unwrap_or_else(PoisonError::into_inner).push(cache);
        result
    }

    /// Where several alternatives fit a text, so that their order decided: the place in the text, and the rule. Each rule
    /// is listed once, where it first happened.
    pub fn ambiguities(&self, text: &[u8]) -> Result<Vec<Ambiguity>, TooHardToParse> {
        let found = self.with_cache(|cache| {
            let tokens = self.lexer.tokens(&mut cache.lexer, text)?;
            let mut parser = Parser::new(&self.network, &self.vocabulary, &mut cache.prediction, tokens);
            parser.run()?;
            Ok(parser.ambiguous())
        });
        let found = found.map_err(|TooHard| TooHardToParse)?;
        let mut seen = HashSet::new();
        let first = found.into_iter().filter(|(rule, _)| seen.insert(*rule));
        Ok(first.map(|(rule, at)| Ambiguity { rule: self.description.syntax[rule as usize].clone(), at }).collect())
    }

    /// Whether a rule of tokens matches the empty text.
    pub(crate) fn takes_nothing(&self, rule: &Definition) -> bool {
        let number = self.description.lexical.iter().position(|other| std::ptr::eq(other, rule));
        number.is_some_and(|number| self.lexer.takes_nothing((self.vocabulary.implicit().len() + number) as u32))
    }

    /// The rules of tokens that can never match, and why not.
    pub(crate) fn unreachable(&self) -> Vec<(&Definition, Fault)> {
        let literals = self.vocabulary.implicit();
        let name = |number: &u32| match (*number as usize).checked_sub(literals.len()) {
            Some(number) => self.description.lexical[number].name.clone(),
            None => literals[*number as usize].0.clone(),
        };
        let fault = |(number, reach): (u32, Reach)| {
            let rule = &self.description.lexical[(number as usize).checked_sub(literals.len())?];
            let fault = match reach {
                Reach::Shadowed(others) => Fault::Shadowed(rule.name.clone(), others.iter().map(name).collect()),
                Reach::NoWay => Fault::Unreachable(rule.name.clone(), self.description.modes[rule.mode].clone()),
            };
            Some((rule, fault))
        };
        self.lexer.unreachable().into_iter().filter_map(fault).collect()
    }

    /// Whether some rule produces a token.
    pub(crate) fn is_produced(&self, name: &str) -> bool {
        let is_type = |command: &Command| matches!(command, Command::Type(other) if other == name);
        self.description
            .lexical
            .iter()
            .any(|rule| rule.name == name || rule.alternatives.iter().any(|form| form.commands.iter().any(is_type)))
    }
}
