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
//! # Adding a language
//!
//! 1. a dependency and a feature in `Cargo.toml`, a row in `src/table.rs`, and a sample, `samples/NAME.EXTENSION`;
//! 2. its grammar: `: > grammars/NAME.json.gz`, then
//!    `cargo run -p whittle-languages --features all-languages --example refresh`.
//!
//! No crate may bring a parser that another one has: both define the same C symbol, and the linker silently takes one.
//!
//! The grammars are files here because a build script cannot find them: it sees no path to the sources of another
//! crate, and `cargo metadata` would resolve the crates anew, which a build without a network cannot. A test compares
//! them with what the resolved crates ship.

mod detect;
mod language;
mod table;

pub use language::{Language, Source};
