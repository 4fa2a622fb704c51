//! Normal-form trees: texts as lists, optionals, rules and tokens, what is left of them after edits, and the reducers
//! that make them small.
//!
//! | file | what it holds |
//! |---|---|
//! | `tree.rs` | [`Tree`]: the arena, and how to walk it |
//! | `draft.rs` | a tree that is being built |
//! | `convert.rs`, `children.rs` | from the parser's tree to the normal form, node by node, by recovered derivations |
//! | `flatten.rs` | recursive rules that only spell a list |
//! | `generic.rs` | trees of texts without a grammar, and of binary data |
//! | `edits.rs`, `unparse.rs` | [`Edits`], and the text that is left |
//! | `places.rs`, `columns.rs`, `joins.rs` | its blanks where tokens went; lines that move; which tokens would be glued |
//! | `fits.rs` | what may be hoisted where |
//! | `syntax.rs` | [`Syntax`]: texts of one language to trees; tokens and parse errors counted |
//! | `leaves.rs` | [`Leaves`]: the parser's tokens, to tell whether a text is still read in the same way |
//! | `gtr/` | [`gtr`]: reduction by templates, filtered by what a corpus tells |
//! | `reduce/` | the other reducers: [`hdd`](TreeReducer::Hdd), recursive HDD, [`perses`](TreeReducer::Perses) |
//! | `passes/` | [`TreePass`]: edits of several places at once, Vulcan's passes, single tokens |
//! | `scanners.rs` | texts that must be kept from a scanner |
//! | `words.rs` | what is a name and what is a keyword |
//! | `print.rs` | trees for people |

mod children;
mod columns;
mod convert;
mod draft;
mod edits;
mod fits;
mod flatten;
mod generic;
pub mod gtr;
mod joins;
mod leaves;
mod passes;
mod places;
mod print;
mod reduce;
mod scanners;
mod syntax;
mod tree;
mod unparse;
mod words;
mod work;

pub use convert::{Limits, count_tokens};
pub use edits::{Edit, Edits};
pub use leaves::{Leaf, Leaves};
pub use passes::TreePass;
pub use reduce::{
    ListListener, ListOutcome, Memory, SyntaxCheck, TreeAlgorithm, TreeOptions, TreeReducer, UnknownTreeAlgorithm,
    Workshop,
};
pub use syntax::{Count, Errors, Syntax, count_errors};
pub use tree::{Kind, NodeId, Shape, Tree};
pub use work::{Editable, StageOf, Work};
