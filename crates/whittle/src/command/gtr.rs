//! What users choose for `gtr`: templates, a filter, and the model that the filter asks.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use whittle::models;
use whittle::syntaxes::Syntaxes;
use whittle::trees::TreeReducer;
use whittle::trees::gtr::{Filter, GtrOptions, Model};

use super::args::AlgorithmArgs;
use super::choice::AlgorithmChoice;
use super::exit::Refusal;
use super::format::count;

/// Settles what was left open. Options of `gtr` are refused with any other algorithm.
pub(crate) fn resolve(
    args: &AlgorithmArgs,
    algorithm: Option<AlgorithmChoice>,
    syntaxes: &Syntaxes,
) -> Result<GtrOptions> {
    if !matches!(algorithm, Some(AlgorithmChoice::Tree(choice)) if choice.tree.reducer == TreeReducer::Gtr) {
        return refuse_without_gtr(args);
    }
    let default = if args.model.is_some() { Filter::CorpusFirst } else { Filter::SyntaxFirst };
    let filter = args.filter.unwrap_or(default);
    if let (Some(path), false) = (&args.model, filter.asks_model()) {
        let problem = format!("--model {} does not go with --filter {filter}", path.display());
        return Err(
            Refusal::new(problem, "Use --filter corpus, both or corpus-first, or leave one of them out.").into()
        );
    }
    let models = match &args.model {
        Some(path) => vec![model_from(path, syntaxes)?],
        None if filter.asks_model() => syntaxes.names().filter_map(models::shipped).collect(),
        None => Vec::new(),
    };
    if matches!(filter, Filter::Corpus | Filter::CorpusFirst) && models.is_empty() {
        let problem = format!("--filter {filter}: there is no model for this language");
        return Err(Refusal::new(problem, "Learn one with whittle learn, and pass it with --model.").into());
    }
    let models = models.into_iter().map(Arc::new).collect();
    Ok(GtrOptions::new(args.templates.unwrap_or_default(), filter, models))
}

/// What the summary says about the models, if there are any.
pub(crate) fn report(gtr: &GtrOptions) -> Option<String> {
    let learned = gtr.models.iter().map(|model| format!("{} of {} files", model.language, count(model.files)));
    let models: Vec<String> = learned.collect();
    let filtered = count(gtr.filtered());
    (!models.is_empty()).then(|| format!("model:   {filtered} candidates filtered, by {}", models.join(", ")))
}

fn refuse_without_gtr(args: &AlgorithmArgs) -> Result<GtrOptions> {
    let given = [("--filter", args.filter.is_some()), ("--model", args.model.is_some())];
    let templates = ("--templates", args.templates.is_some());
    match given.into_iter().chain([templates]).find(|(_, is_given)| *is_given) {
        Some((flag, _)) => {
            let remedy = "Choose it, as in --algorithm gtr+ddmin or gtr*+wprobdd, or leave the option out.";
            Err(Refusal::new(format!("{flag} works only with the algorithm gtr"), remedy).into())
        }
        None => Ok(GtrOptions::default()),
    }
}

/// The model of a file, if that is of the language of the input.
fn model_from(path: &Path, syntaxes: &Syntaxes) -> Result<Model> {
    let model = models::read(path).map_err(|error| {
        let problem = format!("--model {}: {error}", path.display());
        Refusal::new(problem, "Pass a file that whittle learn wrote.")
    })?;
    if syntaxes.names().any(|name| name == model.language) {
        return Ok(model);
    }
    let problem =
        format!("--model {} is a model of {}, but the input is in another language", path.display(), model.language);
    Err(Refusal::new(problem, "Learn a model of the input's language with whittle learn.").into())
}
