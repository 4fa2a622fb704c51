//! `whittle tree` and `whittle languages`: what Whittle sees in a file, and which languages it knows.

use std::fs;

use anyhow::Result;
use whittle::languages::{Known, Language};
use whittle::search::Candidate;
use whittle::syntaxes::Chosen;
use whittle::trees::Tree;

use super::args::TreeArgs;
use super::exit::{Exit, Refusal};
use super::languages::{language_choice, own_definitions};
use super::print::{answer, answer_lines, tell};

/// Prints the normal-form tree of a file.
pub(crate) fn run(args: &TreeArgs) -> Result<Exit> {
    let bytes = fs::read(&args.file).map_err(|error| {
        Refusal::new(format!("{} cannot be read: {error}", args.file.display()), "Check its path and permissions.")
    })?;
    let tree = match language_choice(args.language.as_deref(), &args.grammars, [args.file.as_path()].into_iter())?
        .of(&args.file, &bytes)
    {
        Some(chosen) => parsed(&chosen, &Candidate::single(&args.file, bytes))?,
        None => Tree::generic(bytes),
    };
    answer_lines(&tree);
    Ok(Exit::Done)
}

/// The tree of a file in a language. If it is not the parser's, it says so.
fn parsed(chosen: &Chosen, candidate: &Candidate) -> Result<Tree> {
    let (syntax, file) = (chosen.syntax()?, &candidate.files()[0]);
    if let Some(reason) = syntax.refusal_of(file) {
        tell(&format!("the parser for {} {reason}; this is the tree of brackets, lines and words", chosen.language));
    }
    Ok(syntax.tree_of(file))
}

/// Prints the known languages, one a line: name, title, extensions.
pub(crate) fn list_languages() -> Result<Exit> {
    for language in Language::all() {
        let extensions: Vec<String> = language.extensions.iter().map(|extension| format!(".{extension}")).collect();
        answer(format!("{:<16} {:<20} {}", language.name, language.title, extensions.join(" ")).trim_end());
    }
    for own in own_definitions() {
        let extensions: Vec<String> = own.extensions.iter().map(|extension| format!(".{extension}")).collect();
        answer(format!("{:<16} {:<20} {}", own.name, "(yours)", extensions.join(" ")).trim_end());
    }
    let missing: Vec<&str> = Known::missing().map(|known| known.name).collect();
    if !missing.is_empty() {
        tell(&format!("not in this build, but known (--features all-languages): {}", missing.join(", ")));
    }
    Ok(Exit::Done)
}
