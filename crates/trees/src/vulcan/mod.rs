//! Vulcan (Xu et al., OOPSLA 2023): passes that go beyond what a reducer of single parts can do.
//!
//! They run when that reducer has nothing left, and hand back to it after a success. What they promise holds for a turn in
//! which nothing was known to fail: at `--effort max`, or when it is their first.
//!
//! | file | what is tried |
//! |---|---|
//! | `patterns.rs` | every way to delete some of a few neighbours |
//! | `tokens.rs` | beyond the paper: single tokens, whatever the syntax says |
//! | `subtrees.rs` | a smaller node from elsewhere in the text in the place of a node |
//! | `repeats.rs` | beyond the paper: a text that occurs several times goes everywhere |
//! | `arguments.rs` | beyond the paper: what stands at one place of the brackets behind a name goes behind all of its kind |
//! | `inlining.rs` | beyond the paper: an element goes, and a part of it takes the place of its name |
//! | `merging.rs` | beyond the paper: an element goes, and another name takes the place of its name |
//! | `unfolding.rs` | beyond the paper: an element goes, and a part of it takes the place of what uses its name |
//! | `splices.rs` | beyond the paper: all from a token to the next one of the same text goes |
//! | `names.rs` | names, and the lists in brackets behind them |
//!
//! Replacing identifiers by others of the text is in the room of the tokens, as all that keeps the tree.

mod arguments;
mod inlining;
mod merging;
mod names;
mod patterns;
mod repeats;
mod splices;
mod subtrees;
mod tokens;
mod unfolding;

use std::fmt;

use whittle_search::{Search, Stop};

use crate::Workshop;

/// One of the passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VulcanPass {
    /// Local exhaustive patterns.
    Patterns {
        /// How many neighbours.
        width: usize,
    },
    /// Sub-tree replacement.
    Subtrees {
        /// How many replacements for one node at most.
        most: usize,
    },
    /// What occurs several times, everywhere at once.
    Repeats,
    /// What stands at one place behind a name, behind all of its kind.
    Arguments,
    /// Parts of an element in the places of its names.
    Inlining,
    /// Other names in the places of those of an element.
    Merging,
    /// Parts of an element in the place of what uses it.
    Unfolding,
    /// From a token to the next one of the same text.
    Splices,
    /// Single tokens, whatever the syntax says.
    Tokens,
}

impl VulcanPass {
    /// The passes with their usual settings.
    pub const USUAL: [Self; 2] = [Self::Subtrees { most: 8 }, Self::Patterns { width: 4 }];

    /// The passes that change several places at once, which have something to do with each other.
    pub const NAMES: [Self; 5] = [Self::Repeats, Self::Arguments, Self::Inlining, Self::Unfolding, Self::Merging];

    /// The passes with settings that need many tests.
    pub const WIDE: [Self; 2] = [Self::Subtrees { most: 100 }, Self::Patterns { width: 6 }];

    /// Goes through one file of the best candidate. Without a syntax only single tokens and splices are tried.
    pub fn run(self, search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
        search.pass(&self.to_string(), |search| match self {
            Self::Patterns { width } => patterns::patterns(search, workshop, width),
            Self::Subtrees { most } => subtrees::subtrees(search, workshop, most),
            Self::Repeats => repeats::repeats(search, workshop),
            Self::Arguments => arguments::arguments(search, workshop),
            Self::Inlining => inlining::inlining(search, workshop),
            Self::Merging => merging::merging(search, workshop),
            Self::Unfolding => unfolding::unfolding(search, workshop),
            Self::Splices => splices::splices(search, workshop),
            Self::Tokens => tokens::tokens(search, workshop),
        })
    }
}

impl fmt::Display for VulcanPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Patterns { .. } => "patterns",
            Self::Subtrees { .. } => "sub-trees",
            Self::Repeats => "repeats",
            Self::Arguments => "arguments",
            Self::Inlining => "inlining",
            Self::Merging => "merging",
            Self::Unfolding => "unfolding",
            Self::Splices => "splices",
            Self::Tokens => "tokens",
        })
    }
}
