//! [`GtrSettings`]: how `gtr` treats the files of an input, by templates, a filter and models of their languages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use whittle_trees::Workshop;
use whittle_trees::gtr::{Filter, GtrOptions, Model, Templates};

/// Templates, filter and models. The default asks no model.
#[derive(Clone, Debug, Default)]
pub struct GtrSettings {
    /// What is done with a node.
    pub templates: Templates,
    /// What is left out untested.
    pub filter: Filter,
    /// Models of the files' languages.
    pub models: Vec<Arc<Model>>,
    filtered: Arc<AtomicU64>,
}

impl GtrSettings {
    /// Settings with nothing counted.
    pub fn new(templates: Templates, filter: Filter, models: Vec<Arc<Model>>) -> Self {
        Self { templates, filter, models, filtered: Arc::default() }
    }

    /// How many candidates were left out so far, by this and its clones.
    pub fn filtered(&self) -> u64 {
        self.filtered.load(Ordering::Relaxed)
    }

    /// The workshops with what `gtr` needs in each.
    pub(crate) fn equip(&self, mut workshops: Vec<Workshop>) -> Vec<Workshop> {
        for workshop in &mut workshops {
            let language = workshop.syntax.as_ref().map(|syntax| syntax.name());
            let model = self.models.iter().find(|model| Some(model.language.as_str()) == language).cloned();
            let (templates, filter, filtered) = (self.templates, self.filter, Arc::clone(&self.filtered));
            workshop.gtr = GtrOptions { templates, filter, model, filtered };
        }
        workshops
    }
}
