//! Whittle makes failure-inducing inputs small: the library behind the `whittle` command.
//!
//! - [`search`]: the one door to the property; everything else proposes candidates to it.
//! - [`lists`]: the list minimizers, and how bytes become a list.
//! - [`grammars`], [`languages`], [`trees`]: rules as data, the languages that are built in, and texts as trees.
//! - [`tokens`]: canonical names, numbers and strings.
//! - [`traces`], [`generator`]: reducing through the generator that made the input, and running generators.
//! - [`property`]: the user's command as a property.
//! - [`syntaxes`]: which syntax each file has, and what its size is by that.
//! - [`corpus`], [`models`]: what files of a language tell about it, and where that is kept.
//! - [`dedup`]: which reduced inputs show the same bug.
//! - [`strategy`]: which passes run, in which order, until when.
//! - [`output`]: the result file, replaced atomically at every improvement.

pub mod corpus;
pub mod dedup;
pub mod generator;
pub mod models;
pub mod output;
pub mod strategy;
pub mod syntaxes;

pub use whittle_grammars as grammars;
pub use whittle_languages as languages;
pub use whittle_lists as lists;
pub use whittle_property as property;
pub use whittle_search as search;
pub use whittle_tokens as tokens;
pub use whittle_traces as traces;
pub use whittle_trees as trees;
