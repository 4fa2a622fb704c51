//! What users choose among: languages and algorithms by their names.

use std::str::FromStr;

use anyhow::Result;
use whittle::languages::Language;
use whittle::lists::{Algorithm, UnknownAlgorithm};
use whittle::search::Candidate;
use whittle::syntaxes::Syntaxes;
use whittle::trees::{TreeAlgorithm, UnknownTreeAlgorithm};

use super::exit::Refusal;

/// The name of no language.
const NO_LANGUAGE: &str = "none";

/// What `--algorithm` names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AlgorithmChoice {
    Lists(Algorithm),
    Tree(TreeAlgorithm),
}

/// A name that no algorithm has.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownChoice {
    #[error("{0}, or with a tree reducer before it, as in perses+wprobdd")]
    Lists(UnknownAlgorithm),
    #[error(transparent)]
    Tree(UnknownTreeAlgorithm),
}

impl FromStr for AlgorithmChoice {
    type Err = UnknownChoice;

    fn from_str(name: &str) -> Result<Self, UnknownChoice> {
        if name.contains('+') {
            name.parse().map(Self::Tree).map_err(UnknownChoice::Tree)
        } else {
            name.parse().map(Self::Lists).map_err(UnknownChoice::Lists)
        }
    }
}

/// The language that `--language` names.
pub(crate) fn language_named(name: &str) -> Result<&'static Language, Refusal> {
    Language::by_name(name).ok_or_else(|| {
        Refusal::new(format!("--language {name} is not known"), "whittle languages lists those that are.")
    })
}

/// The syntaxes of the input: what was asked for, else what its name and its content tell.
pub(crate) fn syntaxes(language: Option<&str>, input: &Candidate) -> Result<Syntaxes> {
    Ok(match language {
        Some(NO_LANGUAGE) => Syntaxes::none(input),
        Some(name) => Syntaxes::of(language_named(name)?, input)?,
        None => Syntaxes::detect(input)?,
    })
}
