//! `whittle learn`: reads a corpus, and writes what it tells about a language as a model.

use std::fs;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use whittle::corpus::{self, Learned};
use whittle::own::AnyLanguage;

use super::args::LearnArgs;
use super::exit::{Exit, Refusal};
use super::format::count;
use super::languages::{named, own_language};
use super::print::{answer, tell};

/// Learns, writes the model, and says what was seen.
pub(crate) fn run(args: &LearnArgs) -> Result<Exit> {
    let language = match (&args.grammar, &args.language) {
        (Some(grammar), _) => AnyLanguage::Own(own_language(grammar)?),
        (None, name) => named(name.as_deref().unwrap_or_default())?,
    };
    let files = corpus::files(&args.corpus, &language).map_err(|error| {
        let problem = format!("the corpus cannot be listed: {error}");
        Refusal::new(problem, "Give folders that can be read, or files.")
    })?;
    let threads = args.jobs.count();
    let bar = progress(files.len() as u64);
    let learned = corpus::learn(&language.syntax()?, &files, threads, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    if learned.model.files == 0 {
        let problem = format!("there is no file in {language} that parses, among {}", count(files.len() as u64));
        let remedy = match language.has_endings() {
            true => "Give folders with files whose names show their language.",
            false => "Name the files, or their ending, as in --grammar recipe=Recipe.g4.",
        };
        return Err(Refusal::new(problem, remedy).into());
    }
    fs::write(&args.output, learned.model.to_string()).map_err(|error| {
        let problem = format!("the model cannot be written to {}: {error}", args.output.display());
        Refusal::new(problem, "Choose another place with --output.")
    })?;
    if args.curve {
        print_curve(&learned);
    }
    tell(&format!(
        "learned: {} files, {} nodes; {} files skipped",
        count(learned.model.files),
        count(learned.model.nodes),
        count(learned.skipped)
    ));
    tell(&format!(
        "model:   {} pairs of label and edge, {} contexts, in {}",
        count(learned.model.pairs() as u64),
        count(learned.model.contexts() as u64),
        args.output.display()
    ));
    Ok(Exit::Done)
}

/// The learning curve (figure 5 of the paper): what was known after so many files.
fn print_curve(learned: &Learned) {
    answer("   files    pairs contexts");
    for point in &learned.curve {
        answer(&format!("{:>8} {:>8} {:>8}", point.files, point.pairs, point.contexts));
    }
}

/// A bar on a terminal; nothing elsewhere.
fn progress(files: u64) -> ProgressBar {
    let bar = ProgressBar::new(files);
    let template = "{wide_bar} {human_pos}/{human_len} files, {eta} left";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
