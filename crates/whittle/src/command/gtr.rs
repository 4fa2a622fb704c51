//! What users choose for `gtr`: templates, a filter, and the model that the filter asks.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use whittle::models;
use whittle::syntaxes::Syntaxes;
use whittle::trees::gtr::{Filter, GtrOptions, Model, Templates};
use whittle::trees::{TreeReducer, Workshop};

use super::args::AlgorithmArgs;
use super::choice::AlgorithmChoice;
use super::exit::Refusal;
use super::format::count;

/// How `gtr` goes about the files.
#[derive(Debug, Default)]
pub(crate) struct GtrPlan {
    templates: Templates,
    filter: Filter,
    /// The models of the files' languages; none where none is asked.
    models: Vec<Arc<Model>>,
    /// How many candidates they have filtered.
    filtered: Arc<AtomicU64>,
}

impl GtrPlan {
    /// Settles what was left open. What `gtr` alone has a use for goes with no other algorithm.
    pub(crate) fn resolve(
        args: &AlgorithmArgs,
        algorithm: Option<AlgorithmChoice>,
        syntaxes: &Syntaxes,
    ) -> Result<Self> {
        if !matches!(algorithm, Some(AlgorithmChoice::Tree(choice)) if choice.tree.reducer == TreeReducer::Gtr) {
            return refuse_without_gtr(args);
        }
        let filter = args.filter.unwrap_or(Filter::Corpus);
        if let (Some(path), false) = (&args.model, filter.asks_model()) {
            let problem = format!("--model {} does not go with --filter {filter}", path.display());
            return Err(Refusal::new(problem, "Use --filter corpus or both, or leave one of them out.").into());
        }
        let models = match &args.model {
            Some(path) => vec![model_from(path, syntaxes)?],
            None if filter.asks_model() => syntaxes.names().filter_map(models::shipped).collect(),
            None => Vec::new(),
        };
        let filter = match (filter, args.filter) {
            (Filter::Corpus, None) if models.is_empty() => Filter::Grammar,
            (Filter::Corpus, Some(_)) if models.is_empty() => {
                let problem = "--filter corpus: there is no model for this language";
                return Err(Refusal::new(problem, "Learn one with whittle learn, and give it with --model.").into());
            }
            (filter, _) => filter,
        };
        let models = models.into_iter().map(Arc::new).collect();
        Ok(Self { templates: args.templates.unwrap_or_default(), filter, models, filtered: Arc::default() })
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

    /// What the summary says of the models, if there are any.
    pub(crate) fn report(&self) -> Option<String> {
        let filtered = count(self.filtered.load(Ordering::Relaxed));
        let learned = self.models.iter().map(|model| format!("{} of {} files", model.language, count(model.files)));
        let models: Vec<String> = learned.collect();
        (!models.is_empty()).then(|| format!("model:   {filtered} candidates filtered, by {}", models.join(", ")))
    }
}

fn refuse_without_gtr(args: &AlgorithmArgs) -> Result<GtrPlan> {
    let given = [("--filter", args.filter.is_some()), ("--model", args.model.is_some())];
    let templates = ("--templates", args.templates.is_some());
    match given.into_iter().chain([templates]).find(|(_, is_given)| *is_given) {
        Some((flag, _)) => {
            let remedy = "Choose it with --algorithm gtr+ddmin, gtr*+wprobdd or the like, or leave the option out.";
            Err(Refusal::new(format!("{flag} goes with the algorithm gtr alone"), remedy).into())
        }
        None => Ok(GtrPlan::default()),
    }
}

/// The model of a file, if that is of the language of the input.
fn model_from(path: &Path, syntaxes: &Syntaxes) -> Result<Model> {
    let model = models::read(path).map_err(|error| {
        let problem = format!("--model {}: {error}", path.display());
        Refusal::new(problem, "Give a file that whittle learn has written.")
    })?;
    if syntaxes.names().any(|name| name == model.language) {
        return Ok(model);
    }
    let problem = format!("--model {} is a model of {}, which the input is not", path.display(), model.language);
    Err(Refusal::new(problem, "Learn a model of the input's language with whittle learn.").into())
}
