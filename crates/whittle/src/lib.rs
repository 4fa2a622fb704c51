//! Whittle makes failure-inducing inputs small: the library behind the `whittle` command.
//!
//! Give it a text and a closure that says whether a text still shows the bug:
//!
//! ```
//! let bug = "int unused;\nint main(void) { return 1 / 0; }\n";
//! let outcome = whittle::reduce("bug.c", bug, |candidate| candidate.windows(5).any(|text| text == b"1 / 0"))?;
//! assert_eq!(outcome.bytes().trim_ascii(), b"1 / 0");
//! # Ok::<(), whittle::ReductionError>(())
//! ```
//!
//! [`Reduction`] takes everything that the command line does: a closure, a graded closure or a command as the property;
//! a language, an effort or a strategy; workers, limits, a result file, a journal to resume from, listeners, an
//! interrupter.
//!
//! ```
//! use whittle::{Input, Reduction};
//!
//! let input = Input::new("data.json", r#"{"name": "x", "values": [1, 2, 1e999]}"#);
//! let outcome = Reduction::new(input, |text| String::from_utf8_lossy(text).contains("1e999"))
//!     .jobs(2)
//!     .max_tests(500)
//!     .on_event(|event, moment| eprintln!("{event:?} after {} tests", moment.tally.tests))
//!     .run()?;
//! assert_eq!(outcome.bytes(), b"1e999\n");
//! # Ok::<(), whittle::ReductionError>(())
//! ```
//!
//! A program whose property is a command calls [`init`] first thing in `main`, because tests run in helper processes that
//! are the same program started again. Without that call, [`Reduction::run`] fails and says so. `examples/` has a program
//! for each case.
//!
//! # Rooms
//!
//! - [`search`]: the one door to the property; algorithms propose candidates to it.
//! - [`lists`]: the list minimizers, and how bytes become a list.
//! - [`grammars`], [`languages`], [`trees`]: rules as data, the built-in languages, and texts as trees.
//! - [`own`]: languages of the user; [`parsing`]: grammars read at run time, and a parser for them.
//! - [`tokens`]: canonical names, numbers and strings.
//! - [`traces`], [`generator`]: reducing through the generator that made the input, and running generators.
//! - [`property`]: the user's command as a property; [`machines`]: one that runs on many machines.
//! - [`syntaxes`]: the syntax of each file, and sizes in tokens; [`guess`]: the language of a file that nothing names.
//! - [`corpus`], [`models`]: models of languages for `gtr`, learned from files.
//! - [`external`]: passes by other programs.
//! - [`dedup`]: which reduced inputs show the same bug.
//! - [`reduction`]: one run, from the check of the input to the confirmed result.
//! - [`strategy`]: which passes run, in which order, until when.
//! - [`output`]: the result file, replaced atomically at every improvement.
//! - [`command`]: the `whittle` command, for programs that contain it.

// The command calls the library by the name that other programs use.
extern crate self as whittle;

// The README's example is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub mod command;
pub mod corpus;
pub mod dedup;
pub mod external;
pub mod generator;
pub mod guess;
pub mod models;
pub mod output;
pub mod own;
pub mod project;
pub mod reduction;
pub mod strategy;
pub mod syntaxes;

pub use reduction::{Input, Outcome, Reduction, ReductionError, reduce};
pub use whittle_property::{TestCommand, init};

pub use whittle_grammars as grammars;
pub use whittle_languages as languages;
pub use whittle_lists as lists;
pub use whittle_machines as machines;
pub use whittle_parsing as parsing;
pub use whittle_property as property;
pub use whittle_search as search;
pub use whittle_tokens as tokens;
pub use whittle_traces as traces;
pub use whittle_trees as trees;
