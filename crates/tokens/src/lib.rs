//! Canonical tokens: T-Rec, and what it is compared with ("T-Rec: Fine-Grained Language-Agnostic Program Reduction
//! Guided by Lexical Syntax", Xu et al. 2024).
//!
//! A token is replaced by the smallest text of its type for which the input stays interesting, or, where that is not
//! found soon, made small fragment by fragment. A candidate has the same tokens as before, of the same types: one
//! that the parser reads differently is not tested.
//!
//! | file | what it holds |
//! |---|---|
//! | `token.rs` | [`Token`]: the tokens of a tree that have other texts, composite literals among them |
//! | `piece.rs`, `reading.rs` | the tokens being changed, how [`Rewrite`]s are tried, and whether a text is read as before |
//! | `round.rs` | what is tried for one token after the other |
//! | `trec.rs` | Algorithm 1's round over all tokens |
//! | `replacement.rs`, `shrink.rs`, `fragments.rs` | Algorithms 2, 3 and 4 |
//! | `rename.rs` | what C-Reduce does in any language (section 3.1.1), as a baseline |
//! | `canon.rs`, `numbers.rs`, `number_search.rs` | Whittle's own way, with few tests: all names at once, plain numbers |
//! | `layout.rs` | the whitespace that a formatter would leave |
//! | `identifiers.rs` | Vulcan's identifier replacement |
//! | `algorithm.rs` | [`TokenAlgorithm`]: which of these, by name |

mod algorithm;
mod canon;
mod fragments;
mod identifiers;
mod layout;
mod number_search;
mod numbers;
mod piece;
#[cfg(test)]
mod promises;
mod reading;
mod rename;
mod replacement;
mod round;
mod shrink;
#[cfg(test)]
mod testing;
mod token;
mod trec;

pub use algorithm::{TokenAlgorithm, TokenReducer, UnknownTokenReducer};
pub use piece::Rewrite;
pub use token::{Token, TokenKind, tokens_of};
