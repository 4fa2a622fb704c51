//! Normal-form trees: texts as lists, optionals, rules and tokens; the text that edits leave; and the reducers.
//!
//! A tree has four kinds of nodes, so that reducers need not know the grammar: elements of lists and optionals can be
//! deleted, and rules can be replaced by descendants that fit.
//!
//! | file | what it holds |
//! |---|---|
//! | `tree.rs` | [`Tree`]: the arena, and how to walk it |
//! | `draft.rs` | a tree that is being built |
//! | `concrete.rs` | [`ParserTree`]: the parser's tree, whichever parser made it |
//! | `convert.rs`, `children.rs` | from the parser's tree to the normal form, node by node, by recovered derivations |
//! | `parse.rs`, `fence.rs`, `fence.c` | where a parser runs: within limits, and so that it can fail without harm |
//! | `flatten.rs` | recursive rules that only spell a list |
//! | `generic.rs` | trees of texts without a grammar, and of binary data |
//! | `edits.rs`, `unparse.rs`, `unparse/` | [`Edits`], and the text that is left |
//! | `places.rs`, `columns.rs`, `joins.rs` | whitespace where tokens were deleted; lines that move; which tokens would join |
//! | `layout/` | [`Gap`]: the whitespace that a formatter would leave |
//! | `fits.rs` | what may be hoisted where |
//! | `syntax.rs` | [`Syntax`]: texts of one language to trees; tokens and parse errors counted |
//! | `recognition.rs` | [`Recognition`]: how well a parser gets along with a text that may be in another language |
//! | `leaves.rs` | [`Leaves`]: the parser's tokens, to check whether a text is still read in the same way |
//! | `gtr/` | [`gtr`]: reduction by templates, filtered by a model of a corpus |
//! | `reduce/` | the other reducers: [`hdd`](TreeReducer::Hdd), recursive HDD, [`perses`](TreeReducer::Perses) |
//! | `passes/` | [`TreePass`]: edits of several places at once, Vulcan's passes, single tokens |
//! | `names/` | which tokens declare names, and which use them |
//! | `rules/` | [`RuleSet`]: edits of a declaration with its uses, as data |
//! | `words.rs` | what is a name and what is a keyword |
//! | `work.rs` | [`Work`]: the edits so far, and how more are tried |
//! | `print.rs` | trees for people |

mod children;
mod columns;
mod comments;
mod concrete;
mod convert;
mod draft;
mod edits;
mod fence;
mod fits;
mod flatten;
mod frame;
mod generic;
pub mod gtr;
mod joins;
mod layout;
mod leaves;
mod names;
mod node;
mod parse;
mod parsed;
mod passes;
mod pieces;
mod places;
mod print;
mod recognition;
mod reduce;
mod rendered;
mod rules;
mod syntax;
mod tree;
mod unparse;
mod words;
mod work;

pub use concrete::{ParserTree, RunTimeTree};
pub use convert::count_tokens;
pub use edits::{Edit, Edits};
pub use fence::{Fault, restart_on_crash};
pub use layout::{Gap, Skeleton};
pub use leaves::{Leaf, Leaves};
pub use parse::{Limits, Unparsed};
pub use passes::TreePass;
pub use recognition::Recognition;
pub use reduce::{
    ListListener, ListOutcome, Memory, SyntaxCheck, TreeAlgorithm, TreeFile, TreeOptions, TreeReducer,
    UnknownTreeAlgorithm, Workshop,
};
pub use rules::{BadRules, Example, Rule, RuleSet, RuleTier};
pub use syntax::{Count, Errors, Syntax, count_errors};
pub use tree::{Kind, NodeId, Shape, Tree};
pub use work::{Editable, StageOf, Work};

/// Makes a test of the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
