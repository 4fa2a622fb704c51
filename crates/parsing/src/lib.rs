//! Grammars read at run time, and a parser for them: [`RunTimeGrammar`].
//!
//! | file | what it holds |
//! |---|---|
//! | `antlr/` | reads ANTLR 4 grammars |
//! | `ebnf.rs` | reads grammars in the EBNF of the W3C |
//! | `cursor.rs`, `charset.rs` | what the readers share |
//! | `description.rs` | [`Description`]: a grammar as its files say it |
//! | `problem.rs` | [`Problem`]: what is wrong with a grammar, with line and column |
//! | `vocabulary.rs`, `lexer/` | [`Vocabulary`], [`Lexer`]: from a text to tokens |
//! | `recursion.rs`, `network.rs` | left recursion; the syntax rules as automata |
//! | `stacks.rs`, `closure.rs`, `predict.rs`, `parser.rs`, `tree.rs` | from tokens to a [`ParseTree`] |
//! | `lower.rs` | the grammar as the reducers see it |
//! | `check.rs` | [`check`]: all that is wrong with a grammar |
//! | `compiled.rs` | [`RunTimeGrammar`]: all of it together |

mod antlr;
mod charset;
mod check;
mod closure;
mod compiled;
mod cursor;
mod description;
mod ebnf;
mod hashing;
mod lexer;
mod lower;
mod network;
mod parser;
mod predict;
mod problem;
mod recursion;
mod stacks;
mod tree;
mod vocabulary;

pub use antlr::from_antlr;
pub use charset::CharSet;
pub use check::{Findings, check};
pub use compiled::{Ambiguity, RunTimeGrammar, TooHardToParse};
pub use description::{Alternative, Command, Definition, Description, Expr, Ignored, Notice, Place};
pub use ebnf::from_ebnf;
pub use lexer::{Lexer, Token};
pub use problem::{Fault, Problem};
pub use tree::{NodeId, NodeKind, ParseTree};
pub use vocabulary::{TokenType, Vocabulary};
