//! [`Problem`]: what is wrong with a grammar, and where.

use std::sync::Arc;

use thiserror::Error;

use crate::description::Place;

/// What is wrong with a grammar, with file, line and column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
#[error("{file}:{place}: {fault}")]
pub struct Problem {
    /// The file.
    pub file: Arc<str>,
    /// Where in it.
    pub place: Place,
    /// What is wrong.
    pub fault: Fault,
}

/// What can be wrong with a grammar.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Fault {
    /// Something else should be there.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A literal, a set, an action or a comment has no end.
    #[error("{0} without an end")]
    Unclosed(&'static str),
    /// An escape that means nothing.
    #[error("'\\{0}' is not an escape")]
    Escape(String),
    /// Brackets inside of each other, beyond what can be read.
    #[error("more than {0} brackets inside of each other")]
    TooDeep(usize),
    /// A file that another one refers to is not there.
    #[error("there is no file '{0}' in the same folder")]
    NoFile(String),
    /// There is no syntax rule.
    #[error("the grammar has no syntax rules")]
    NoSyntax,
    /// The start rule is not there.
    #[error("there is no syntax rule '{0}' to start with")]
    NoStart(String),
    /// A name without a rule.
    #[error("'{0}' is not defined")]
    Undefined(String),
    /// A name with two rules.
    #[error("'{0}' is defined twice")]
    DefinedTwice(String),
    /// A mode without a rule.
    #[error("there is no mode '{0}'")]
    NoMode(String),
    /// A literal in a parser grammar that no token has.
    #[error("no token is '{0}'")]
    NoToken(String),
    /// A rule that begins with itself in a way that cannot be read as precedence.
    #[error("'{0}' begins with itself through {1}, so it cannot be parsed")]
    LeftRecursion(String, String),
    /// A rule that only consists of itself.
    #[error("'{0}' has no form that does not begin with itself")]
    OnlyLeftRecursion(String),
    /// A rule of tokens that begins with itself.
    #[error("the token '{0}' begins with itself; a token can only contain itself, or repeat with * and +")]
    RecursiveToken(String),
    /// A range of characters the wrong way around.
    #[error("the range {0:?}-{1:?} is empty: its first character comes after its last one")]
    BackwardRange(char, char),
    /// A loop around something that can be empty.
    #[error("a loop in '{0}' repeats what can be empty; texts that need this may not parse")]
    EmptyLoop(String),
    /// `~` before something that is not one character or one token.
    #[error("'~' needs single characters, or single tokens")]
    NotASet,
    /// A rule of tokens that uses a syntax rule.
    #[error("the token uses the syntax rule '{0}'")]
    SyntaxInToken(String),
    /// Too many rules.
    #[error("the grammar is too large")]
    TooLarge,
    /// A grammar that the reducers cannot use.
    #[error("the grammar cannot be used: {0}")]
    Unusable(String),
    /// A token whose texts are all taken by earlier rules.
    #[error("the token '{0}' can never match: {reason} the same text", reason = come_first(.1))]
    Shadowed(String, Vec<String>),
    /// Tokens of a mode to which no token leads.
    #[error("the token '{0}' can never match: no token leads to its mode '{1}'")]
    Unreachable(String, String),
    /// A token without a text.
    #[error("the token '{0}' matches no text")]
    NoText(String),
    /// A token that can be empty.
    #[error("the token '{0}' can be empty; its empty matches are ignored")]
    EmptyToken(String),
    /// A token that no rule produces.
    #[error("no rule produces the token '{0}'")]
    NeverProduced(String),
}

/// `'A' comes first and matches`, or `'A' and 'B' come first and match`.
fn come_first(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match names.split_last() {
        Some((last, rest @ [_, ..])) => format!("{} and {last} come first and match", rest.join(", ")),
        _ => format!("{} comes first and matches", names.concat()),
    }
}
