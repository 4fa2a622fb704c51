//! [`TreeAlgorithm`]: which reducer, to its fixpoint or not, on top of which list minimizer.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use whittle_lists::{Algorithm, UnknownAlgorithm};
use whittle_search::{Search, Stop};

use super::hdd::hdd;
use super::hddr::{Order, hddr};
use super::loose::{OldErrors, loose_parts};
use super::memory::Memory;
use super::perses::{Manner, perses};
use super::reachable::reachable;
use super::texts::{Part, texts};
use super::workpiece::{TreeOptions, Workshop};
use crate::gtr::gtr;

/// Which algorithm reduces the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeReducer {
    /// Hierarchical delta debugging: level by level.
    Hdd,
    /// Recursive hierarchical delta debugging: one node's children at a time, depth-first.
    Hddr,
    /// The same, breadth-first.
    HddrBreadth,
    /// Generalized tree reduction: level by level, by templates.
    Gtr,
    /// Syntax-guided reduction as it was published, always to its fixpoint.
    PersesClassic,
    /// The same, with fast coarse passes first, then thorough ones.
    Perses,
    /// The same, with replacement by smallest sentences.
    PersesSmallest,
}

impl TreeReducer {
    /// Every reducer.
    pub const ALL: [Self; 7] =
        [Self::Hdd, Self::Hddr, Self::HddrBreadth, Self::Gtr, Self::PersesClassic, Self::Perses, Self::PersesSmallest];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hdd => "hdd",
            Self::Hddr => "hddr",
            Self::HddrBreadth => "hddr-breadth",
            Self::Gtr => "gtr",
            Self::PersesClassic => "perses-classic",
            Self::Perses => "perses",
            Self::PersesSmallest => "perses-smallest",
        }
    }

    /// Whether it keeps to the syntax.
    pub fn is_guided(self) -> bool {
        matches!(self, Self::PersesClassic | Self::Perses | Self::PersesSmallest)
    }
}

/// Fast passes run only above this many tokens. Below, a thorough pass costs little more and leaves nothing to redo.
/// Not measured.
const FAST_PASSES_ABOVE_TOKENS: u64 = 300;

/// What is reachable is tried first only above this many tokens. On a C file of 18,737 tokens it saved an eighth of the
/// tests, but ended with 20 tokens in place of 18. The number itself is not measured.
const REACHABLE_ABOVE_TOKENS: u64 = 100_000;

/// A tree reducer on top of a list minimizer.
///
/// ```
/// use whittle_trees::{TreeAlgorithm, TreeReducer};
/// let algorithm: TreeAlgorithm = "hdd*+wddmin".parse()?;
/// assert_eq!((algorithm.reducer, algorithm.repeated), (TreeReducer::Hdd, true));
/// assert_eq!(algorithm.to_string(), "hdd*+wddmin");
/// # Ok::<(), whittle_trees::UnknownTreeAlgorithm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeAlgorithm {
    /// Which algorithm reduces the tree.
    pub reducer: TreeReducer,
    /// Whether that is repeated until nothing changes: `hdd*`. Perses always is.
    pub repeated: bool,
    /// How elements of lists are chosen.
    pub lists: Algorithm,
}

/// A name that no tree algorithm has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownTreeAlgorithm {
    /// It is not of the form reducer+minimizer.
    #[error("'{0}' is not of the form REDUCER+MINIMIZER, such as perses+probdd")]
    NoPair(String),
    /// There is no such reducer.
    #[error("unknown tree reducer '{0}'; known are {names}", names = reducer_names())]
    Reducer(String),
    /// There is no such minimizer.
    #[error(transparent)]
    Lists(#[from] UnknownAlgorithm),
}

/// A file, and what its reducers use.
#[derive(Clone, Copy)]
pub struct TreeFile<'a> {
    /// The file.
    pub workshop: &'a Workshop,
    /// Edits that are known to fail. Only the pass over loose parts skips them: that no single part can be deleted
    /// within the syntax is a promise.
    pub memory: Option<&'a Memory>,
    /// Options of single reducers.
    pub options: &'a TreeOptions,
}

impl TreeAlgorithm {
    /// Reduces one file of the best candidate.
    pub fn run(&self, search: &mut Search, file: TreeFile<'_>) -> Result<(), Stop> {
        self.run_coarsely(search, file)?;
        self.run_again(search, file)
    }

    /// Deletes comments and, if the reducer has fast passes, what those find.
    pub fn run_coarsely(&self, search: &mut Search, file: TreeFile<'_>) -> Result<(), Stop> {
        self.delete_comments(search, file.workshop)?;
        match self.reducer {
            TreeReducer::Perses | TreeReducer::PersesSmallest => {
                self.run_fast_passes(search, file.workshop, file.options)
            }
            _ => Ok(()),
        }
    }

    /// The same for a file that it has reduced before, and that others have changed a little since: no fast passes.
    pub fn run_again(&self, search: &mut Search, file: TreeFile<'_>) -> Result<(), Stop> {
        let round = |search: &mut Search| self.round(search, file);
        if self.repeated { search.fixpoint(round) } else { round(search) }
    }

    fn round(&self, search: &mut Search, TreeFile { workshop, memory, options }: TreeFile<'_>) -> Result<(), Stop> {
        let lists = self.lists;
        self.delete_comments(search, workshop)?;
        search.pass(self.reducer.name(), |search| match self.reducer {
            TreeReducer::Hdd => hdd(search, workshop, options, lists),
            TreeReducer::Hddr => hddr(search, workshop, options, Order::DepthFirst, lists),
            TreeReducer::HddrBreadth => hddr(search, workshop, options, Order::BreadthFirst, lists),
            TreeReducer::Gtr => gtr(search, workshop, options, lists, self.repeated),
            TreeReducer::PersesClassic => perses(search, workshop, options, Manner::classic(lists)),
            TreeReducer::Perses | TreeReducer::PersesSmallest => {
                let manner = Manner { smallest: self.uses_smallest(), ..Manner::thorough(lists) };
                perses(search, workshop, options, manner)
            }
        })?;
        match self.reducer {
            TreeReducer::Perses | TreeReducer::PersesSmallest => {
                search.pass("loose parts", |search| loose_parts(search, workshop, memory, OldErrors::Excluded))
            }
            _ => Ok(()),
        }
    }

    /// Runs fast, coarse passes as long as each halves the text and much is left. Each pass sees a much smaller text,
    /// so this loop is not a fixpoint: it ends after a logarithmic number of passes.
    fn run_fast_passes(&self, search: &mut Search, workshop: &Workshop, options: &TreeOptions) -> Result<(), Stop> {
        if search.best().size.units > REACHABLE_ABOVE_TOKENS {
            search.pass("declarations", |search| reachable(search, workshop, &options.words))?;
        }
        let mut before = u64::MAX;
        while search.best().size.units > FAST_PASSES_ABOVE_TOKENS && search.best().size.units <= before / 2 {
            before = search.best().size.units;
            let manner = Manner { smallest: self.uses_smallest(), ..Manner::fast() };
            search.pass(self.reducer.name(), |search| perses(search, workshop, options, manner))?;
        }
        Ok(())
    }

    /// To a tree, comments are whitespace; what it deletes leaves them behind.
    fn delete_comments(&self, search: &mut Search, workshop: &Workshop) -> Result<(), Stop> {
        search.pass("comments", |search| texts(search, workshop, &Part::COARSE, self.lists))
    }

    fn uses_smallest(&self) -> bool {
        self.reducer == TreeReducer::PersesSmallest
    }
}

impl fmt::Display for TreeAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = if self.repeated && !self.reducer.is_guided() { "*" } else { "" };
        write!(f, "{}{star}+{}", self.reducer.name(), self.lists)
    }
}

impl FromStr for TreeAlgorithm {
    type Err = UnknownTreeAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let (given, lists) = name.split_once('+').ok_or_else(|| UnknownTreeAlgorithm::NoPair(name.to_owned()))?;
        let starred = given.strip_suffix('*');
        let reducer = TreeReducer::ALL.into_iter().find(|known| known.name() == starred.unwrap_or(given));
        let reducer = reducer.ok_or_else(|| UnknownTreeAlgorithm::Reducer(given.to_owned()))?;
        Ok(Self { reducer, repeated: starred.is_some() || reducer.is_guided(), lists: lists.parse()? })
    }
}

fn reducer_names() -> String {
    let starred = |reducer: TreeReducer| if reducer.is_guided() { "" } else { "[*]" };
    TreeReducer::ALL.map(|reducer| format!("{}{}", reducer.name(), starred(reducer))).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_names_leads_back_to_its_algorithm() {
        for reducer in TreeReducer::ALL {
            for lists in Algorithm::all() {
                for repeated in [true, reducer.is_guided()] {
                    let algorithm = TreeAlgorithm { reducer, repeated, lists };
                    assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
                }
            }
        }
    }

    #[test]
    fn an_unknown_name_is_answered_by_the_known_ones() {
        let message = |name: &str| name.parse::<TreeAlgorithm>().unwrap_err().to_string();
        assert!(message("perses").contains("REDUCER+MINIMIZER"));
        assert!(message("percy+ddmin").starts_with("unknown tree reducer 'percy'; known are hdd[*], hddr[*]"));
        assert!(message("perses+ddmax").starts_with("unknown list algorithm 'ddmax'"));
    }
}
