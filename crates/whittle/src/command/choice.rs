//! What users choose among: algorithms by their names, and names that are like another.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use whittle::lists::{Algorithm, UnknownAlgorithm};
use whittle::strategy::{Step, Strategy, lists_in_trees};
use whittle::tokens::{TokenAlgorithm, TokenReducer, UnknownTokenReducer};
use whittle::trees::{TreeAlgorithm, TreePass, TreeReducer, UnknownTreeAlgorithm};

/// What `--algorithm` names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AlgorithmChoice {
    Lists(Algorithm),
    Tree(TreeChoice),
}

/// A tree algorithm and what takes turns with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TreeChoice {
    pub(crate) tree: TreeAlgorithm,
    pub(crate) vulcan: bool,
    pub(crate) tokens: Option<TokenReducer>,
}

/// The name of what takes turns with a tree reducer and goes beyond it.
const VULCAN: &str = "vulcan";

impl TreeChoice {
    pub(crate) fn strategy(self) -> Strategy {
        let passes = TreePass::VULCAN.into_iter().filter(|_| self.vulcan).map(Step::Pass);
        let names = self.vulcan && self.tokens.is_none();
        let reducer = self.tokens.or(names.then_some(TokenReducer::Names));
        let tokens = reducer.map(|reducer| Step::Tokens(TokenAlgorithm::new(reducer, self.tree.lists)));
        let more: Vec<Step> = passes.chain(tokens).collect();
        if more.is_empty() { Strategy::of_tree(self.tree) } else { Strategy::of_tree_and(self.tree, more) }
    }
}

impl TreeChoice {
    /// The parts that do nothing to a file of no known language: they look for rules of a grammar.
    pub(crate) fn idle_without_syntax(self) -> impl Iterator<Item = &'static str> {
        let layout = self.tokens.filter(|tokens| *tokens == TokenReducer::Layout).map(TokenReducer::name);
        self.vulcan.then_some(VULCAN).into_iter().chain(layout)
    }
}

impl fmt::Display for TreeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tree)?;
        if self.vulcan {
            write!(f, "+{VULCAN}")?;
        }
        self.tokens.map_or(Ok(()), |tokens| write!(f, "+{tokens}"))
    }
}

/// A name that no algorithm has.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnknownChoice {
    #[error("{0}, or with a tree reducer before it, as in perses+probdd")]
    Lists(UnknownAlgorithm),
    #[error(transparent)]
    Tree(UnknownTreeAlgorithm),
    #[error("{0}")]
    Tokens(UnknownTokenReducer),
    #[error("'{0}' stands in the wrong place: the order is REDUCER+MINIMIZER+vulcan+TOKENS, each at most once")]
    Misplaced(String),
    #[error("{0}{1}")]
    Misspelt(Box<Self>, String),
}

impl FromStr for AlgorithmChoice {
    type Err = UnknownChoice;

    /// Parts joined by `+`: a tree reducer, a list algorithm, vulcan, a token reducer; those that are left out are perses,
    /// probdd and none. A list algorithm alone deletes pieces of text.
    fn from_str(name: &str) -> Result<Self, UnknownChoice> {
        Self::parse(name).map_err(|error| match misspelt(name) {
            Some(hint) => UnknownChoice::Misspelt(Box::new(error), hint),
            None => error,
        })
    }
}

/// A hint for the first part of an algorithm's name that is unknown, but like a known one.
fn misspelt(name: &str) -> Option<String> {
    let lists: Vec<&str> = Algorithm::all().iter().map(Algorithm::name).collect();
    let trees = TreeReducer::ALL.iter().map(|reducer| reducer.name());
    let tokens = TokenReducer::ALL.iter().map(|reducer| reducer.name());
    let known: Vec<&str> = lists.into_iter().chain(trees).chain(tokens).chain([VULCAN]).collect();
    let unknown = name.split('+').map(|part| part.trim_end_matches('*')).find(|part| !known.contains(part))?;
    Some(did_you_mean(unknown, known)).filter(|hint| !hint.is_empty())
}

impl AlgorithmChoice {
    fn parse(name: &str) -> Result<Self, UnknownChoice> {
        let mut parts: Vec<&str> = name.split('+').collect();
        let tokens = parts.last().and_then(|last| last.parse::<TokenReducer>().ok());
        if tokens.is_some() {
            parts.pop();
        }
        let vulcan = parts.last() == Some(&VULCAN);
        if vulcan {
            parts.pop();
        }
        let tree = |reducer: &str, lists: &str| format!("{reducer}+{lists}").parse().map_err(UnknownChoice::Tree);
        let is_reducer = |part: &str| TreeReducer::ALL.iter().any(|known| known.name() == part.trim_end_matches('*'));
        let tree = match parts[..] {
            [lists] if tokens.is_none() && !vulcan && !is_reducer(lists) => {
                return lists.parse().map(Self::Lists).map_err(UnknownChoice::Lists);
            }
            [] => tree("perses", lists_in_trees().name())?,
            [reducer] if is_reducer(reducer) => tree(reducer, lists_in_trees().name())?,
            [lists] => tree("perses", lists)?,
            [reducer, lists] => tree(reducer, lists)?,
            [.., last] => {
                return Err(match last.parse::<TokenReducer>() {
                    Err(unknown) => UnknownChoice::Tokens(unknown),
                    Ok(_) => UnknownChoice::Misplaced(last.to_owned()),
                });
            }
        };
        Ok(Self::Tree(TreeChoice { tree, vulcan, tokens }))
    }
}

/// `; did you mean NAME?` if a name is close enough.
pub(crate) fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, names).map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default()
}

/// The most similar name, if it is similar at all.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    let similarity = |other: &str| strsim::jaro_winkler(&name, other);
    let scored = names.into_iter().map(|other| (similarity(other), other));
    let best = scored.max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(score, _)| *score >= LEAST_SIMILARITY).map(|(_, other)| other)
}

/// Names that are less similar, by Jaro and Winkler, are not meant: `klingon` is not `kotlin` (0.77), `pyhton` is `python`
/// (0.95).
const LEAST_SIMILARITY: f64 = 0.8;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failed step fails the test")]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    use whittle::languages::Known;
    use whittle::search::Event;
    use whittle::syntaxes::LanguageChoice;
    use whittle::{Input, Reduction};

    use super::*;

    /// The parts of a choice, as one would write them in full.
    fn in_full(name: &str) -> String {
        match name.parse() {
            Ok(AlgorithmChoice::Lists(lists)) => lists.to_string(),
            Ok(AlgorithmChoice::Tree(choice)) => choice.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn parts_that_are_left_out_are_perses_and_probdd() {
        for (name, full) in [
            ("ddmin", "ddmin"),
            ("perses", "perses+probdd"),
            ("hdd*", "hdd*+probdd"),
            ("hdd+ddmin", "hdd+ddmin"),
            ("trec", "perses+probdd+trec"),
            ("hddr*+trec-shrink", "hddr*+probdd+trec-shrink"),
            ("ddmin+rename", "perses+ddmin+rename"),
            ("vulcan", "perses+probdd+vulcan"),
            ("hdd*+vulcan+trec", "hdd*+probdd+vulcan+trec"),
            ("perses-classic+cdd+canon", "perses-classic+cdd+canon"),
        ] {
            assert_eq!(in_full(name), full, "{name}");
        }
    }

    #[test]
    fn unknown_parts_are_named() {
        assert!(in_full("ddmax").starts_with("unknown list algorithm 'ddmax'"));
        assert!(in_full("percy+trec").starts_with("unknown list algorithm 'percy'"));
        assert!(in_full("percy+ddmin").starts_with("unknown tree reducer 'percy'"));
        for name in ["perses+ddmin+canon+vulcan", "perses+probdd+canon+layout"] {
            assert!(in_full(name).starts_with("'canon' stands in the wrong place"), "{name}");
        }
        assert!(in_full("perses+ddmin+trek").ends_with("did you mean trec?"));
        assert!(in_full("prebdd").ends_with("did you mean probdd?") && !in_full("xyz").contains("did you mean"));
        assert!(in_full("perses+ddmin+tric").starts_with("unknown token reducer 'tric'; known are trec, trec-shrink"));
    }

    /// The names of passes that tested anything on a text of no known language.
    fn active_on_text(choice: TreeChoice) -> BTreeSet<String> {
        let active = Arc::new(Mutex::new(BTreeSet::new()));
        let heard = Arc::clone(&active);
        let is_interesting = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            text.matches("keep").count() == 2 && text.contains("once")
        };
        Reduction::new(Input::new("a", "keep (once  , 12)\nkeep {twice}  once\n"), is_interesting)
            .language(LanguageChoice::Text)
            .strategy(choice.strategy())
            .on_event(move |event, _| {
                if let Event::PassEnded { pass, tests: 1.., .. } = event {
                    heard.lock().unwrap().insert(pass.clone());
                }
            })
            .run()
            .unwrap();
        active.lock().unwrap().clone()
    }

    #[test]
    fn parts_that_do_nothing_without_a_syntax_are_known() {
        let passes = |reducer: Option<TokenReducer>| match reducer {
            Some(reducer) => vec![reducer.name().to_owned()],
            None => TreePass::VULCAN.map(|pass| pass.to_string()).to_vec(),
        };
        for reducer in TokenReducer::ALL.map(Some).into_iter().chain([None]) {
            let Ok(AlgorithmChoice::Tree(mut choice)) = "perses+wprobdd+canon".parse() else {
                panic!("a tree algorithm")
            };
            (choice.tokens, choice.vulcan) = (reducer, reducer.is_none());
            let active = active_on_text(choice);
            let is_idle = passes(reducer).iter().all(|pass| !active.contains(pass));
            assert_eq!(choice.idle_without_syntax().next().is_some(), is_idle, "{reducer:?}: {active:?}");
        }
    }

    #[test]
    fn only_a_similar_name_is_meant() {
        assert_eq!(nearest("Pyhton", Known::names()), Some("python"));
        assert_eq!(nearest("javascrpt", Known::names()), Some("javascript"));
        assert_eq!(nearest("klingon", Known::names()), None);
    }
}
