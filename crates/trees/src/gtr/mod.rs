//! Generalized tree reduction (Herfert, Patra and Pradel, "Automatically reducing tree-structured test inputs", ASE
//! 2017): templates make candidates of the nodes of a tree, level by level, and a model learned from a corpus says
//! which of them are not worth a test.
//!
//! | file | what it holds |
//! |---|---|
//! | `labeled.rs`, `labeler.rs` | [`Labeled`]: trees with labels on nodes and edges; where labels come from |
//! | `template.rs` | [`Template`]: which candidates a node has |
//! | `delete.rs`, `substitute_by_child.rs`, `substitute_by_grandchild.rs`, `swap_siblings.rs` | one template each |
//! | `levels.rs` | the algorithm: level by level, template by template |
//! | `backtrack.rs`, `swaps.rs` | how candidates are searched that no list minimizer can choose among |
//! | `filter.rs` | [`Filter`]: which candidates are not worth a test |
//! | `model.rs` | [`Model`]: what was learned from a corpus; its file |

mod backtrack;
mod delete;
mod filter;
mod labeled;
mod labeler;
mod levels;
mod model;
mod substitute_by_child;
mod substitute_by_grandchild;
mod swap_siblings;
mod swaps;
mod template;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use filter::{Filter, UnknownFilter};
pub use labeled::{Labeled, Name, Standing};
pub use labeler::Labeler;
pub(crate) use levels::gtr;
pub use model::{Model, ModelError};
pub use template::{Change, Manner, TEMPLATES, Template, Templates, UnknownTemplate};

/// How files are reduced by templates. The default has no model.
#[derive(Clone, Debug, Default)]
pub struct GtrOptions {
    /// Which templates are applied.
    pub templates: Templates,
    /// What filters candidates.
    pub filter: Filter,
    /// The models, one for each language; without one, no candidate is filtered by a model.
    pub models: Vec<Arc<Model>>,
    filtered: Arc<AtomicU64>,
}

impl GtrOptions {
    /// Options with nothing filtered yet.
    pub fn new(templates: Templates, filter: Filter, models: Vec<Arc<Model>>) -> Self {
        Self { templates, filter, models, filtered: Arc::default() }
    }

    /// How many candidates the models have filtered so far, counted over all clones.
    pub fn filtered(&self) -> u64 {
        self.filtered.load(Ordering::Relaxed)
    }
}
