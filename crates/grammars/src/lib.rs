//! Grammars as plain data: syntax and lexical rules, facts derived from them, and derivations recovered from trees.
//!
//! | file | what it holds |
//! |---|---|
//! | `grammar.rs` | [`Grammar`]: the rules and everything derived from them |
//! | `rules.rs` | [`Rule`]: rules in an arena, symbols and labels as small numbers |
//! | `lexical.rs` | [`Lexical`]: what a token looks like, and its smallest text |
//! | `token_rule.rs`, `composite.rs` | [`TokenRule`]: one type of tokens, including literals that are syntax rules |
//! | `lex_tree.rs`, `shortlex.rs`, `automaton.rs` | a token in fragments, and all texts of a rule in order |
//! | `scan.rs` | how a token can continue, which tells where whitespace is needed |
//! | `nfa.rs` | lexical rules compiled for matching, used by `automaton.rs` and `scan.rs` |
//! | `tree_sitter.rs` | reads tree-sitter's `grammar.json`; grammars from elsewhere are written in this form first |
//! | `parts.rs` | [`Part`]: a rule in terms of its node's children, with hidden rules and aliases resolved |
//! | `separated.rs` | recognizes separated lists |
//! | `facts.rs`, `sentences.rs` | nullable parts, first children, unit-derivable symbols; smallest sentences |
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

mod automaton;
mod bits;
mod composite;
mod derivation;
mod facts;
mod grammar;
mod lex_tree;
mod lexical;
mod nfa;
mod parts;
mod program;
mod rules;
mod scan;
mod sentences;
mod separated;
mod shortlex;
mod token_rule;
mod tree_sitter;

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
pub use whittle_search::Alphabet;
