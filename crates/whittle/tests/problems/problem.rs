//! [`Problem`]: what a TOML file says, and what can be asked of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use whittle::search::{Candidate, Measure, Measured};
use whittle::syntaxes::Syntaxes;
use whittle::trees::{Errors, Syntax, Tree};

use crate::memory::Memory;
use crate::reducer::Reducer;

/// What stands in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// The language's name; none for a text without one.
    pub(crate) language: Option<String>,
    /// What is to be reduced.
    pub(crate) input: String,
    /// What makes a text interesting.
    pub(crate) property: Property,
    /// What reducers end with, by the beginning of their names. The longest that fits counts, else `default`.
    pub(crate) expected: BTreeMap<String, Expected>,
}

/// The parts of a property, all of which must hold.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Property {
    /// Whether the text must parse without errors.
    #[serde(default)]
    pub(crate) syntax: bool,
    /// Whether brackets must be in pairs.
    #[serde(default)]
    pub(crate) balanced: bool,
    /// Tokens that the text must have in this order, with any others between them; here they are separated by spaces.
    #[serde(default)]
    pub(crate) tokens: String,
    /// Texts that must be there, one after the other, in tokens or in comments, however the rest parses.
    #[serde(default)]
    pub(crate) contains: Vec<String>,
    /// Pairs of tokens: where there is the first, there must be the second. With these, parts depend on each other.
    #[serde(default)]
    pub(crate) needs: Vec<(String, String)>,
    /// Texts other than the input may also be not interesting by chance, so that the property is not monotone.
    #[serde(skip)]
    pub(crate) chance: Option<Chance>,
}

/// Which texts are not interesting, by a hash of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    pub(crate) salt: u64,
    pub(crate) one_in: u64,
}

/// What a reducer is to end with.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Expected {
    /// This text, but for whitespace between tokens.
    Text(String),
    /// At most so many tokens.
    Tokens(usize),
}

/// A problem to be solved.
pub(crate) struct Problem {
    pub(crate) name: String,
    pub(crate) input: Candidate,
    pub(crate) syntaxes: Syntaxes,
    pub(crate) property: Property,
    pub(crate) verdicts: Memory<bool>,
    syntax: Option<Syntax>,
    expected: BTreeMap<String, Expected>,
    measure: Measure,
}

impl Problem {
    pub(crate) fn new(path: &Path, written: Written, input: Candidate, syntaxes: Syntaxes) -> Self {
        let (sizes, measure) = (Memory::new(), syntaxes.measure());
        Self {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            input,
            syntax: syntaxes.first().cloned(),
            syntaxes,
            property: written.property,
            expected: written.expected,
            measure: Arc::new(move |candidate| sizes.get(candidate, || measure(candidate))),
            verdicts: Memory::new(),
        }
    }

    pub(crate) fn input_text(&self) -> &[u8] {
        self.input.files()[0].bytes()
    }

    /// What size means.
    pub(crate) fn measure(&self) -> Measure {
        Arc::clone(&self.measure)
    }

    /// A candidate with its size, to be compared with another one.
    pub(crate) fn measured_as(&self, other: &Measured, candidate: Candidate) -> Measured {
        let (order, layout) = (other.order, other.layout.clone());
        Measured { size: (self.measure)(&candidate), order, layout, ..Measured::in_bytes(candidate) }
    }

    /// The text as reducers see it.
    pub(crate) fn tree(&self, text: &[u8]) -> Tree {
        self.syntax.as_ref().map_or_else(|| Tree::generic(text), |syntax| syntax.tree(text))
    }

    /// The texts of the tokens, in order.
    pub(crate) fn tokens(&self, text: &[u8]) -> Vec<Vec<u8>> {
        let tree = self.tree(text);
        tree.tokens(tree.root()).map(|token| tree.token_text(token).to_vec()).collect()
    }

    /// How many parse errors a text has; none without a language.
    pub(crate) fn errors(&self, text: &[u8]) -> u64 {
        self.syntax.as_ref().and_then(|syntax| syntax.errors(text)).map_or(0, Errors::count)
    }

    /// What this reducer is to end with.
    pub(crate) fn expected(&self, reducer: &Reducer) -> &Expected {
        let key = self.key(reducer).unwrap_or("default");
        self.expected.get(key).unwrap_or_else(|| panic!("{}: nothing is expected of {}", self.name, reducer.name))
    }

    /// An expectation that is asked of no reducer, as it would be if its name were misspelt.
    pub(crate) fn unused_expectation(&self, reducers: &[Reducer]) -> Option<&str> {
        let is_used = |key: &str| reducers.iter().any(|reducer| self.key(reducer).unwrap_or("default") == key);
        self.expected.keys().map(String::as_str).find(|key| !is_used(key))
    }

    fn key(&self, reducer: &Reducer) -> Option<&str> {
        let fitting = self.expected.keys().filter(|key| reducer.name.starts_with(key.as_str()));
        fitting.max_by_key(|key| key.len()).map(String::as_str)
    }
}
