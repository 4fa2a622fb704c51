//! The languages that Whittle parses: a parser, a grammar, and how to detect files of each language.
//!
//! `table.rs` has one row per language. Each language is a Cargo feature of the same name; only those that are compiled
//! in are listed.
//!
//! ```
//! use std::path::Path;
//! use whittle_languages::Language;
//!
//! # #[cfg(feature = "c")] {
//! let c = Language::detect(Path::new("crash.c"), b"int a;").expect("C is known by its extension");
//! assert_eq!(c.name, "c");
//!
//! let mut parser = tree_sitter::Parser::new();
//! parser.set_language(&c.tree_sitter()).expect("the parser fits the core");
//! assert_eq!(parser.parse("int a;", None).expect("nothing cancels").root_node().kind(), "translation_unit");
//! assert!(c.grammar_json().contains("translation_unit"));
//! # }
//! ```
//!
//! # Adding a language
//!
//! 1. a dependency and a feature in `Cargo.toml`, a row in `src/table.rs`, and a sample, `samples/NAME.EXTENSION`;
//! 2. its grammar: `: > grammars/NAME.json.gz`, then
//!    `cargo run -p whittle-languages --features all-languages --example refresh`.
//!
//! No two crates may contain the same parser: both define the same C symbol, and the linker silently picks one.
//!
//! The grammars are files in this crate because a build script cannot find them: it does not know the path of another
//! crate's sources, and `cargo metadata` would resolve the crates again, which fails without a network. A test compares
//! them with those in the resolved crates.

mod detect;
mod known;
mod language;
mod table;

pub use known::Known;
pub use language::{Language, Source};
