//! Research questions 1 to 3 of "WDD: Weighted Delta Debugging" (Zhou et al., 2024; section VI): `ddmin`, `wddmin`,
//! `probdd` and `wprobdd` in tree reducers, and in Whittle's default strategy.
//!
//! Each list algorithm runs as published (in `hdd*` and `perses-classic`) and with Whittle's options (in `hdd*`, `perses`
//! and the default). Printed for each subject: tokens of the result, counted tests, the processor time of the tests in
//! seconds, and the mean of Spearman's coefficient between weight and deletion over all lists; then geometric means of
//! ratios.
//!
//! `cargo bench -p whittle --bench weighted_trees` runs the subjects of `bench/subjects`. With a folder that
//! `benches/weighted_trees/packages.sh` has filled as the first argument, it also runs the files in there, and keeps its
//! figures in `figures.tsv` in that folder: what is in it is not measured again. Further arguments are parts of names of
//! subjects and of ways: only these run.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "weighted_trees/figures.rs"]
mod figures;
#[path = "weighted_trees/spearman.rs"]
mod spearman;
#[path = "shared/subject.rs"]
mod subject;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use whittle::lists::{AfterSuccess, Algorithm, Complements, DdminOptions, Order, ProbabilityOptions, WddminOptions};
use whittle::search::{Candidate, Setup, Stop};
use whittle::strategy::{Effort, Step, Strategy, Unfinished};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::{SyntaxCheck, TreeAlgorithm, TreeReducer};

use figures::{Figures, Row};
use subject::{Priced, SMOKE_SUBJECT, Subject};

/// The list algorithms, each followed by its weighted form.
const LISTS: [&str; 4] = ["ddmin", "wddmin", "probdd", "wprobdd"];
/// As many tests per run as `cargo test` needs to see that this program runs.
const TESTS_IN_TESTS: u64 = 5;

/// What the list algorithms are part of.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// A tree reducer, with the list algorithms as the paper has them.
    Published(TreeReducer),
    /// A tree reducer, with the options that Whittle gives its list algorithms.
    Ours(TreeReducer),
    /// What Whittle does by default.
    Default,
}

const WAYS: [Way; 5] = [
    Way::Published(TreeReducer::Hdd),
    Way::Published(TreeReducer::PersesClassic),
    Way::Ours(TreeReducer::Hdd),
    Way::Ours(TreeReducer::Perses),
    Way::Default,
];

impl Way {
    fn name(self) -> String {
        let star = |reducer: TreeReducer| if reducer.is_guided() { "" } else { "*" };
        match self {
            Self::Published(reducer) => format!("{}{} as published", reducer.name(), star(reducer)),
            Self::Ours(reducer) => format!("{}{}", reducer.name(), star(reducer)),
            Self::Default => "default".to_owned(),
        }
    }

    fn strategy(self, lists: &str, input: &Candidate, has_syntax: bool) -> Result<Strategy> {
        let tree = |reducer: TreeReducer, lists: Algorithm| {
            Strategy::of_tree(TreeAlgorithm { reducer, repeated: true, lists })
        };
        Ok(match self {
            Self::Published(reducer) => tree(reducer, published(lists.parse()?)),
            Self::Ours(reducer) => tree(reducer, lists.parse::<Algorithm>()?.swept()),
            Self::Default => {
                let bytes = input.files()[0].bytes();
                let strategy =
                    if has_syntax { Strategy::for_syntax(bytes, Effort::Normal) } else { Strategy::for_unknown(bytes) };
                with_lists(strategy, lists.parse::<Algorithm>()?.swept())
            }
        })
    }
}

/// The algorithm with the options of the paper: subset tests, everything forward and from the start again after a
/// success; a start probability of 0.1, and no sweep.
fn published(algorithm: Algorithm) -> Algorithm {
    let complements = Complements { order: Order::Forward, after_success: AfterSuccess::Restart };
    let subsets = Some(Order::Forward);
    let probability = ProbabilityOptions { start: 0.1, ..ProbabilityOptions::default() };
    match algorithm {
        Algorithm::Ddmin(_) => Algorithm::Ddmin(DdminOptions { subsets, complements, ..DdminOptions::default() }),
        Algorithm::Wddmin(_) => Algorithm::Wddmin(WddminOptions { subsets, complements }),
        Algorithm::Probdd(_) => Algorithm::Probdd(probability),
        Algorithm::Wprobdd(_) => Algorithm::Wprobdd(probability),
        other => other,
    }
}

/// The strategy with another list algorithm for trees and tokens.
fn with_lists(mut strategy: Strategy, lists: Algorithm) -> Strategy {
    for step in strategy.steps.iter_mut().chain(&mut strategy.last) {
        match step {
            Step::Tree(algorithm) | Step::Coarse(algorithm) => algorithm.lists = lists,
            Step::Tokens(algorithm) => algorithm.lists = lists,
            Step::Text(..) | Step::Pass(_) | Step::External(_) => {}
        }
    }
    strategy
}

fn main() -> Result<()> {
    let (flags, words): (Vec<String>, _) = std::env::args().skip(1).partition(|argument| argument.starts_with('-'));
    let is_bench = flags.iter().any(|flag| flag == "--bench");
    let (folders, words): (Vec<String>, Vec<String>) = words.into_iter().partition(|word| Path::new(word).is_dir());
    let packages = folders.first().map(PathBuf::from);
    let mut figures = Figures::open(packages.as_deref().map(|folder| folder.join("figures.tsv")))?;
    let mut subjects = Subject::bench(packages.as_deref())?;
    if !is_bench {
        subjects.retain(|subject| subject.name == SMOKE_SUBJECT);
    }
    let wanted = |name: &str, all: &[String]| {
        let named: Vec<&String> = words.iter().filter(|word| all.iter().any(|name| name.contains(*word))).collect();
        named.is_empty() || named.iter().any(|word| name.contains(*word))
    };
    let subject_names: Vec<String> = subjects.iter().map(|subject| subject.name.clone()).collect();
    let way_names: Vec<String> = WAYS.iter().map(|way| way.name()).collect();
    subjects.retain(|subject| wanted(&subject.name, &subject_names));
    for subject in subjects {
        let ways: Vec<Way> = WAYS.into_iter().filter(|way| wanted(&way.name(), &way_names)).collect();
        measure(subject, &ways, &mut figures, (!is_bench).then_some(TESTS_IN_TESTS))?;
    }
    figures.print_summary(&way_names);
    Ok(())
}

/// Runs all algorithms in some ways on a subject.
fn measure(subject: Subject, ways: &[Way], figures: &mut Figures, max_tests: Option<u64>) -> Result<()> {
    let (name, group, input) = (subject.name.clone(), subject.group, subject.input.clone());
    let property = Arc::new(subject.property()?);
    for way in ways {
        for lists in LISTS {
            if figures.has(&name, &way.name(), lists) {
                continue;
            }
            let mut row = Row::new(&name, group, &way.name(), lists);
            run(*way, &property, &input, max_tests, &mut row)?;
            figures.add(row)?;
        }
        figures.print(&name, &way.name());
    }
    Ok(())
}

fn run(way: Way, property: &Arc<Priced>, input: &Candidate, max_tests: Option<u64>, row: &mut Row) -> Result<()> {
    let syntaxes = Syntaxes::choose(&LanguageChoice::Detect, input)?;
    let workshops = syntaxes.workshops(SyntaxCheck::Always);
    let mut strategy = way.strategy(&row.lists, input, workshops[0].syntax.is_some())?;
    let coefficients = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&coefficients);
    strategy.trees.on_list = Some(Arc::new(move |outcome| {
        heard.lock().unwrap_or_else(PoisonError::into_inner).extend(spearman::coefficient(outcome));
    }));
    let setup = Setup { measure: syntaxes.measure(), max_tests, order: strategy.order, ..Setup::default() };
    property.take_spent();
    let mut search = setup.start(Arc::clone(property) as Arc<_>, input.clone())?;
    match strategy.run(&mut search, &workshops) {
        Ok(()) | Err(Unfinished::Stopped(Stop::MaxTests(_))) => {}
        Err(error) => return Err(error.into()),
    }
    row.tokens = search.best().size.units as f64;
    row.tests = search.tally().tests as f64;
    row.seconds = property.take_spent().as_secs_f64();
    let coefficients = coefficients.lock().unwrap_or_else(PoisonError::into_inner);
    row.rho = (!coefficients.is_empty()).then(|| coefficients.iter().sum::<f64>() / coefficients.len() as f64);
    Ok(())
}
