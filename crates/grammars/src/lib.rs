//! Grammars as plain data: syntax and lexical rules, what follows from them, and derivations recovered from trees.
//!
//! | file | what it holds |
//! |---|---|
//! | `grammar.rs` | [`Grammar`]: the rules and all that follows from them |
//! | `rules.rs` | [`Rule`]: rules in an arena, symbols and labels as small numbers |
//! | `lexical.rs` | [`Lexical`]: what a token looks like, and its smallest text |
//! | `alphabet.rs` | [`Alphabet`]: which characters people like to read, and shortlex order |
//! | `token_rule.rs`, `composite.rs` | [`TokenRule`]: what one type of tokens looks like, also literals that rules spell |
//! | `lex_tree.rs`, `shortlex.rs` | a token in fragments, and all texts of a rule in order; `automaton.rs` is below both |
//! | `scan.rs` | how a token can go on, which tells what must be kept apart |
//! | `tree_sitter.rs` | the reader of tree-sitter's `grammar.json`, the one source of grammars so far |
//! | `parts.rs` | [`Part`]: a rule as its node's children see it, hidden rules and aliases resolved |
//! | `separated.rs` | which sequences are separated lists |
//! | `facts.rs`, `sentences.rs` | nullable, first children, unit-derivable symbols; smallest sentences |
//! | `program.rs`, `derivation.rs` | rules compiled for matching, and [`Matcher`], which recovers derivations |
//!
//! A grammar is read once and shared:
//!
//! ```
//! use whittle_grammars::Grammar;
//! let json = r#"{ "name": "tiny", "rules": {
//!     "list": { "type": "REPEAT", "content": { "type": "SYMBOL", "name": "word" } },
//!     "word": { "type": "PATTERN", "value": "[a-z]+" }
//! } }"#;
//! let grammar = Grammar::from_tree_sitter(json)?;
//! let word = grammar.symbol("word").expect("it is a rule");
//! assert_eq!(grammar.smallest_sentence(word).map(|sentence| sentence.texts().concat()), Some("a".to_owned()));
//! # Ok::<(), whittle_grammars::GrammarError>(())
//! ```

mod alphabet;
mod automaton;
mod bits;
mod composite;
mod derivation;
mod facts;
mod grammar;
mod lex_tree;
mod lexical;
mod parts;
mod program;
mod rules;
mod scan;
mod sentences;
mod separated;
mod shortlex;
mod token_rule;
mod tree_sitter;

pub use alphabet::{Alphabet, NoAlphabet};
pub use bits::Bits;
pub use composite::Quoted;
pub use derivation::{Child, Event, Matcher};
pub use grammar::{Grammar, GrammarError};
pub use lex_tree::{FragmentId, FragmentKind, LexTree};
pub use lexical::{LexId, Lexical, LexicalRules};
pub use parts::{Part, PartId};
pub use rules::{FieldId, LabelId, Rule, RuleId, Symbol, SymbolId};
pub use sentences::Sentence;
pub use shortlex::Texts;
pub use token_rule::TokenRule;
