//! How the weight of list elements and their deletion go together in a reduction (seed paper on weighted delta
//! debugging, research question 1), with what the reduction came to.
//!
//! `cargo run --release --example correlation -- MAX-TESTS TEST INPUT ALGORITHM...` runs each tree algorithm on the input
//! and prints a line for each: tokens and non-blank bytes of the result, counted tests (with a star if there were no more
//! of them), lists that lost some of their elements but not all, and the mean of Spearman's coefficient between weight
//! and share of deleted elements over these lists. It is negative where heavy elements tend to stay, which is what
//! weighted algorithms assume.

#![allow(clippy::print_stdout, reason = "it prints figures")]

#[path = "../benches/shared/script.rs"]
mod script;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use whittle::search::{Candidate, Setup, Stop};
use whittle::strategy::{Strategy, Unfinished};
use whittle::syntaxes::{LanguageChoice, Syntaxes};
use whittle::trees::{ListOutcome, SyntaxCheck, TreeAlgorithm};

use script::Script;

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1);
    let limit: u64 = args.next().and_then(|limit| limit.to_str()?.parse().ok()).context("the limit is missing")?;
    let test = PathBuf::from(args.next().context("the test is missing")?).canonicalize()?;
    let input = PathBuf::from(args.next().context("the input is missing")?);
    let name = input.file_name().context("the input has no name")?.to_owned();
    let candidate = Candidate::single(&name, std::fs::read(&input)?);
    for algorithm in args {
        let name = algorithm.to_str().context("a name of an algorithm is not text")?;
        let algorithm: TreeAlgorithm = name.parse()?;
        run(&test, &candidate, limit, TreeAlgorithm { lists: algorithm.lists.swept(), ..algorithm })?;
    }
    Ok(())
}

fn run(test: &Path, input: &Candidate, limit: u64, algorithm: TreeAlgorithm) -> Result<()> {
    let syntaxes = Syntaxes::choose(&LanguageChoice::Detect, input)?;
    let outcomes = Arc::new(Mutex::new(Vec::new()));
    let mut strategy = Strategy::of_tree(algorithm);
    let heard = Arc::clone(&outcomes);
    strategy.trees.on_list = Some(Arc::new(move |outcome| {
        heard.lock().unwrap_or_else(PoisonError::into_inner).push(outcome.clone());
    }));
    let setup = Setup { measure: syntaxes.measure(), max_tests: Some(limit), ..Setup::default() };
    let property = Script { path: test.to_owned(), name: input.files()[0].path().as_os_str().to_owned() };
    let mut search = setup.start(Arc::new(property), input.clone())?;
    let star = match strategy.run(&mut search, &syntaxes.workshops(SyntaxCheck::Always)) {
        Ok(()) => ' ',
        Err(Unfinished::Stopped(Stop::MaxTests(_))) => '*',
        Err(error) => return Err(error.into()),
    };
    let size = search.best().size;
    let outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
    let coefficients: Vec<f64> = outcomes.iter().filter_map(coefficient).collect();
    println!(
        "{:<24} {:>6} tokens {:>7} bytes {:>6}{star} tests {:>5} lists  rho {:+.3}",
        algorithm.to_string(),
        size.units,
        size.solid,
        search.tally().tests,
        coefficients.len(),
        coefficients.iter().sum::<f64>() / coefficients.len().max(1) as f64,
    );
    Ok(())
}

/// Spearman's coefficient between weights and the share of elements of that weight that were deleted; none if either is
/// the same throughout.
fn coefficient(outcome: &ListOutcome) -> Option<f64> {
    let mut counts: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (element, &weight) in outcome.weights.iter().enumerate() {
        let (deleted, all) = counts.entry(weight).or_default();
        *deleted += f64::from(u8::from(outcome.kept.binary_search(&element).is_err()));
        *all += 1.0;
    }
    let weights: Vec<f64> = counts.keys().copied().map(f64::from).collect();
    let shares: Vec<f64> = counts.values().map(|(deleted, all)| deleted / all).collect();
    pearson(&ranks(&weights), &ranks(&shares))
}

/// The place of each value among all, equal ones sharing the mean of their places.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |product: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(&a, &b)| product(a - mean_a, b - mean_b)).sum();
    let (both, of_a, of_b): (f64, f64, f64) = (sum(&|a, b| a * b), sum(&|a, _| a * a), sum(&|_, b| b * b));
    (of_a > 0.0 && of_b > 0.0).then(|| both / (of_a * of_b).sqrt())
}
