//! Which language an input is in: what `--language` and `--grammar` name, and what the user has defined.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::Result;
use whittle::languages::{Known, Language};
use whittle::own::{AnyLanguage, Definition, GrammarFile, OwnGrammarError, OwnLanguage};
use whittle::search::Candidate;
use whittle::syntaxes::{Chosen, LanguageChoice, Syntaxes};

use super::choice::did_you_mean;
use super::exit::Refusal;
use super::print::tell;
use super::restart::is_restarted;

/// The name of no language.
const NO_LANGUAGE: &str = "none";

/// The built-in language of a name.
fn language_named(name: &str) -> Result<&'static Language, Refusal> {
    Language::by_name(name).ok_or_else(|| match Known::missing_by_name(name) {
        Some(known) => Refusal::new(format!("--language {name}: {}", not_in_build(known)), ALL_LANGUAGES),
        None => {
            let hint = did_you_mean(name, Known::names().chain([NO_LANGUAGE]));
            Refusal::new(format!("--language {name} is not known{hint}"), "`whittle languages` lists the known ones.")
        }
    })
}

/// How to get a parser that is not in this build.
const ALL_LANGUAGES: &str = "Build Whittle with `--features all-languages`, or reduce it as text with --language none.";

fn not_in_build(known: &Known) -> String {
    format!("{} is known, but not in this build", known.title)
}

/// What to say to a user whose file is reduced in some other way because its language is not in this build.
pub(crate) fn language_missing(choice: &LanguageChoice, syntaxes: &Syntaxes, candidate: &Candidate) -> Option<String> {
    if candidate.is_project() {
        return None;
    }
    let used = match syntaxes.first_language() {
        None => "text".to_owned(),
        Some(Chosen { language, guessed: Some(_) }) => language.to_string(),
        Some(Chosen { guessed: None, .. }) => return None,
    };
    let is_detected = matches!(choice, LanguageChoice::Detect | LanguageChoice::DetectWith(_));
    let known = Known::missing_by_file(candidate.files().first()?.path()).filter(|_| is_detected)?;
    Some(format!("{}, so the file is reduced as {used}: `--features all-languages`", not_in_build(known)))
}

/// The language in use, in words; those of a project with the number of files in each.
pub(crate) fn language_in_use(syntaxes: &Syntaxes) -> String {
    if syntaxes.are_of_project() {
        let languages = syntaxes.languages().into_iter().map(|(language, files)| format!("{language} ({files})"));
        let languages = languages.collect::<Vec<_>>().join(", ");
        return if languages.is_empty() { "none, plain text".to_owned() } else { languages };
    }
    match syntaxes.first_language() {
        None => "none, plain text".to_owned(),
        Some(Chosen { language, guessed: None }) => language.to_string(),
        Some(Chosen { language, guessed: Some(recognized) }) => {
            // Rounded down, so that a text with errors is not one without.
            let percent = (recognized * 100.0).floor();
            format!("{language} (guessed: {percent}% of the text parses; --language none turns this off)")
        }
    }
}

/// The folder with the user's languages.
fn languages_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(config.join("whittle").join("languages"))
}

/// The languages that the user has defined. A definition that is wrong is reported, once, and left out: it should not stand
/// in the way of files in other languages.
pub(crate) fn own_definitions() -> &'static [Definition] {
    static READ: OnceLock<Vec<Definition>> = OnceLock::new();
    READ.get_or_init(|| {
        let read = Definition::all(&languages_folder().unwrap_or_default());
        let report = |error: &OwnGrammarError| {
            tell(&format!("warning: a definition of a language is ignored: {}", error.to_string().trim_end()));
        };
        read.into_iter().filter_map(|definition| definition.inspect_err(report).ok()).collect()
    })
}

/// What to do about a definition whose grammar cannot be used.
const DEFINITIONS: &str = "docs/grammars.md explains how to define a language.";

/// The language of a definition, with its grammar read.
fn defined(definition: &Definition) -> Result<Arc<OwnLanguage>, Refusal> {
    definition.language().map_err(|error| {
        let problem = format!("the grammar of the language {} cannot be used: {error}", definition.name);
        Refusal::new(problem, DEFINITIONS)
    })
}

/// The user's languages that some files are in. Other grammars are not read.
fn defined_for(files: &[&Path]) -> Result<Vec<Arc<OwnLanguage>>, Refusal> {
    let needed = own_definitions().iter().filter(|found| files.iter().any(|file| found.is_of(file)));
    needed.map(defined).collect()
}

/// How the languages of some files are detected.
pub(crate) fn detection<'p>(files: impl Iterator<Item = &'p Path>) -> Result<LanguageChoice, Refusal> {
    defined_for(&files.collect::<Vec<_>>()).map(detection_with)
}

fn detection_with(own: Vec<Arc<OwnLanguage>>) -> LanguageChoice {
    if own.is_empty() { LanguageChoice::Detect } else { LanguageChoice::DetectWith(own.into()) }
}

/// The language of a grammar that `--grammar` names.
pub(crate) fn own_language(grammar: &str) -> Result<Arc<OwnLanguage>, Refusal> {
    GrammarFile::parse(grammar).language().map_err(|error| {
        let remedy = match error {
            OwnGrammarError::Grammar(_) => "`whittle grammar check` finds all problems of a grammar.",
            OwnGrammarError::Read { .. } => "Check its path and permissions.",
            _ => "docs/grammars.md explains which grammars can be used.",
        };
        Refusal::new(format!("--grammar {grammar}: {error}"), remedy)
    })
}

/// What some `--grammar` ask for, for some files. Those with an ending are for the files that end so; the user's
/// definitions and the built-in languages are for the others.
fn by_grammars(grammars: &[String], files: &[&Path]) -> Result<LanguageChoice, Refusal> {
    let mut own = grammars.iter().map(|grammar| own_language(grammar)).collect::<Result<Vec<_>, _>>()?;
    let without = |language: &Arc<OwnLanguage>| language.extensions.is_empty();
    if own.len() > 1 && own.iter().any(without) {
        let problem = "several --grammar, and one of them does not say which files it is for";
        return Err(Refusal::new(problem, "Name the ending of its files, as in --grammar recipe=Recipe.g4."));
    }
    if own.len() == 1 && own.iter().all(without) {
        return Ok(LanguageChoice::Own(own.remove(0)));
    }
    own.extend(defined_for(files)?);
    Ok(detection_with(own))
}

/// What `--language` or `--grammar` asks for, for some files.
pub(crate) fn language_choice<'p>(
    language: Option<&str>,
    grammars: &[String],
    files: impl Iterator<Item = &'p Path>,
) -> Result<LanguageChoice, Refusal> {
    Ok(match language {
        _ if is_restarted() => LanguageChoice::Text,
        _ if !grammars.is_empty() => by_grammars(grammars, &files.collect::<Vec<_>>())?,
        Some(NO_LANGUAGE) => LanguageChoice::Text,
        Some(name) => match named(name)? {
            AnyLanguage::BuiltIn(language) => LanguageChoice::Is(language),
            AnyLanguage::Own(language) => LanguageChoice::Own(language),
        },
        None => detection(files)?,
    })
}

/// The language that a name is of: one that the user has defined, or a built-in one.
pub(crate) fn named(name: &str) -> Result<AnyLanguage, Refusal> {
    match own_definitions().iter().find(|found| found.name == name) {
        Some(found) => defined(found).map(AnyLanguage::Own),
        None => language_named(name).map(AnyLanguage::BuiltIn),
    }
}
