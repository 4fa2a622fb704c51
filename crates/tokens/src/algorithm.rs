//! [`TokenAlgorithm`]: which way to make tokens canonical, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use whittle_grammars::Alphabet;
use whittle_lists::Algorithm;
use whittle_search::{Search, Stop};
use whittle_trees::Workshop;

use crate::canon::canon;
use crate::identifiers::replace_names;
use crate::layout::layout;
use crate::rename::rename;
use crate::trec::{trec, trec_shrink};

/// How tokens are made canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenReducer {
    /// T-Rec as it was published.
    Trec,
    /// Only its lexical syntax-guided reduction (section 6.1).
    TrecShrink,
    /// What C-Reduce does in any language (section 3.1.1).
    Rename,
    /// With few tests: all names at once, then what is in use.
    Canon,
    /// Vulcan's identifier replacement: names become other names of the text.
    Names,
    /// Canonical whitespace; no token changes.
    Layout,
}

impl TokenReducer {
    /// Every one.
    pub const ALL: [Self; 6] = [Self::Trec, Self::TrecShrink, Self::Rename, Self::Canon, Self::Names, Self::Layout];

    /// Whether names become others.
    pub fn gives_names(self) -> bool {
        !matches!(self, Self::TrecShrink | Self::Layout)
    }

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trec => "trec",
            Self::TrecShrink => "trec-shrink",
            Self::Rename => "rename",
            Self::Canon => "canon",
            Self::Names => "names",
            Self::Layout => "layout",
        }
    }
}

/// A name that no token reducer has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown token reducer '{0}'; known are {names}", names = TokenReducer::ALL.map(TokenReducer::name).join(", "))]
pub struct UnknownTokenReducer(String);

impl FromStr for TokenReducer {
    type Err = UnknownTokenReducer;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| UnknownTokenReducer(name.to_owned()))
    }
}

impl fmt::Display for TokenReducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A token reducer with what it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenAlgorithm {
    /// How tokens are made canonical.
    pub reducer: TokenReducer,
    /// How elements of what is repeated in a token are chosen.
    pub lists: Algorithm,
    /// The order of characters that decides which names come first. It should be the search's own: a text of the same
    /// length is accepted only if it comes earlier there.
    pub alphabet: Alphabet,
}

impl TokenAlgorithm {
    /// In the readable alphabet.
    pub fn new(reducer: TokenReducer, lists: Algorithm) -> Self {
        Self { reducer, lists, alphabet: Alphabet::default() }
    }

    /// Runs once over the tokens of one file of the best candidate. Without a syntax, tokens are known by their look.
    pub fn run(&self, search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
        let Self { reducer, lists, alphabet } = self;
        search.pass(reducer.name(), |search| match reducer {
            TokenReducer::Trec => trec(search, workshop, alphabet, *lists),
            TokenReducer::TrecShrink => trec_shrink(search, workshop, alphabet, *lists),
            TokenReducer::Rename => rename(search, workshop, alphabet),
            TokenReducer::Canon => canon(search, workshop, alphabet, *lists),
            TokenReducer::Names => replace_names(search, workshop, alphabet),
            TokenReducer::Layout => layout(search, workshop),
        })
    }
}
