//! [`TreePass`]: passes that try more than to delete or hoist a single part, most of them edits of several places at
//! once.
//!
//! They run when a tree reducer has nothing left to delete, and the reducer runs again after a success. Each file says
//! what its pass tries, what it promises and what it costs. A promise holds for a run without a [`Memory`] of failed
//! edits, and for the first run with one.
//!
//! | file | what is tried | from |
//! |---|---|---|
//! | `patterns.rs` | delete every combination of a few neighbours | Vulcan |
//! | `subtrees.rs` | replace a node by a smaller one from elsewhere in the text | Vulcan |
//! | `tokens.rs` | delete single tokens, even if the syntax needs them | |
//! | `repeats.rs` | delete a text at all places where it occurs | |
//! | `arguments.rs` | delete a parameter together with its arguments | |
//! | `parallel.rs` | delete the same position of lists that belong together | ddSMT |
//! | `inlining.rs` | delete a declaration and replace its name by a part of it | |
//! | `merging.rs` | delete a declaration and replace its name by another name, or by zero | |
//! | `dissolving.rs` | replace a statement by all its bodies | |
//! | `unfolding.rs` | delete a declaration and replace its use by a part of it | |
//! | `rewriting.rs` | change a declaration together with its uses, by rules | C-Reduce, ddSMT |
//! | `reduce/loose.rs` | delete parts that the syntax needs, if the parser makes them up | |
//! | `splices.rs` | delete everything from a token to the next token with the same text | |
//! | `reduce/texts.rs` | delete lines, words and characters of comments and other free text | |
//! | `names.rs` | names, and the lists in brackets behind them; no pass | |
//!
//! Vulcan (Xu et al., OOPSLA 2023) has a third pass, identifier replacement. It keeps the tree, so `whittle-tokens` has
//! it. The others are Whittle's own; `docs/decisions/0006-turns-by-gain.md` says what they save.

mod arguments;
mod dissolving;
mod inlining;
mod merging;
mod names;
mod parallel;
mod patterns;
mod repeats;
mod rewriting;
mod splices;
mod subtrees;
mod tokens;
mod unfolding;

use std::fmt;

use whittle_lists::{Algorithm, ProbabilityOptions};
use whittle_search::{Search, Stop};

use crate::reduce::{OldErrors, Part, loose_parts, take_sets_of, texts};
use crate::{Memory, RuleTier, Workshop};

/// A pass over a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePass {
    /// Deletes every combination of a few neighbours: Vulcan's local exhaustive patterns.
    Patterns {
        /// How many neighbours are in a window.
        width: usize,
    },
    /// Replaces nodes by smaller ones from elsewhere: Vulcan's sub-tree replacement.
    Subtrees {
        /// How many replacements are tried for one node.
        most: usize,
    },
    /// Deletes a text at all places where it occurs.
    Repeats,
    /// Deletes a parameter together with its arguments.
    Arguments,
    /// Deletes the same position of lists that belong together.
    Parallel,
    /// Deletes a declaration and replaces its name by a part of it.
    Inlining,
    /// Deletes a declaration and replaces its name by another one.
    Merging,
    /// Replaces a statement by all its bodies.
    Dissolving,
    /// Deletes a declaration and replaces its use by a part of it.
    Unfolding,
    /// Changes a declaration together with its uses, by rules.
    Rewriting(RuleTier),
    /// Deletes parts that the syntax needs, if the parser makes them up. The reducer has tried that, but before the file had its
    /// present form, so what failed before is tried again, whatever the memory says.
    LooseParts,
    /// Deletes from a token to the next one with the same text.
    Splices,
    /// Deletes single tokens, even if the syntax needs them.
    Tokens,
    /// Deletes lines, words and characters of comments, of long tokens and of what the parser does not understand.
    Texts,
}

impl TreePass {
    /// Vulcan's passes over trees, with settings that need few tests.
    pub const VULCAN: [Self; 2] = [Self::Subtrees { most: 8 }, Self::Patterns { width: 4 }];

    /// The passes that edit several places at once.
    pub const JOINT: [Self; 7] = [
        Self::Repeats,
        Self::Arguments,
        Self::Parallel,
        Self::Inlining,
        Self::Unfolding,
        Self::Merging,
        Self::Dissolving,
    ];

    /// Vulcan's passes over trees, with settings that need many tests.
    pub const VULCAN_WIDE: [Self; 2] = [Self::Subtrees { most: 100 }, Self::Patterns { width: 6 }];

    /// Runs once over one file of the best candidate. Without a syntax, only single tokens and splices are tried. Edits
    /// in `memory` are known to fail and are skipped; edits that fail are added to it.
    pub fn run(self, search: &mut Search, workshop: &Workshop, memory: Option<&Memory>) -> Result<(), Stop> {
        search.pass(&self.to_string(), |search| match self {
            Self::Patterns { width } => patterns::patterns(search, workshop, memory, width),
            Self::Subtrees { most } => subtrees::subtrees(search, workshop, memory, most),
            Self::Repeats => take_sets_of(search, workshop, memory, repeats::sets),
            Self::Arguments => take_sets_of(search, workshop, memory, arguments::sets),
            Self::Parallel => take_sets_of(search, workshop, memory, parallel::sets),
            Self::Inlining => take_sets_of(search, workshop, memory, inlining::sets),
            Self::Merging => take_sets_of(search, workshop, memory, merging::sets),
            Self::Dissolving => take_sets_of(search, workshop, memory, dissolving::sets),
            Self::Unfolding => take_sets_of(search, workshop, memory, unfolding::sets),
            Self::Rewriting(tier) => rewriting::rewriting(search, workshop, memory, tier),
            Self::LooseParts => loose_parts(search, workshop, None, OldErrors::Allowed),
            Self::Splices => splices::splices(search, workshop),
            Self::Tokens => tokens::tokens(search, workshop, memory),
            Self::Texts => {
                texts(search, workshop, &Part::ALL, Algorithm::Wprobdd(ProbabilityOptions::default()).swept())
            }
        })
    }
}

impl fmt::Display for TreePass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Patterns { .. } => "patterns",
            Self::Subtrees { .. } => "sub-trees",
            Self::Repeats => "repeats",
            Self::Arguments => "arguments",
            Self::Parallel => "parallel",
            Self::Inlining => "inlining",
            Self::Merging => "merging",
            Self::Dissolving => "dissolving",
            Self::Unfolding => "unfolding",
            Self::Rewriting(_) => "rewriting",
            Self::LooseParts => "loose parts",
            Self::Splices => "splices",
            Self::Tokens => "tokens",
            Self::Texts => "texts",
        })
    }
}
