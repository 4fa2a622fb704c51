//! The languages that Whittle parses: a parser, a grammar and the signs by which a file shows what it is.
//!
//! Everything follows from the rows of `table.rs`. Each language is a Cargo feature of the same name; what is not
//! compiled in is not listed.
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
//! To add one: a dependency and a feature in `Cargo.toml`, a row in `src/table.rs`, a sample in `samples/`, and its
//! grammar: `: > grammars/NAME.json.gz`, then `cargo run -p whittle-languages --features all-languages --example refresh`.

mod detect;
mod language;
mod table;

pub use language::{Language, Source};
