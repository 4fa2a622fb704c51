//! Results side by side: subjects × reducers, repetitions merged.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use anyhow::{Result, bail};

use crate::args::ResultArgs;
use crate::names::Only;
use crate::outcome::{End, Outcome, read_all};
use crate::reducers::is_whittle;
use crate::statistics::{geometric_mean, median, wilcoxon_p};

/// What can be compared. Less is better for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Tokens,
    /// Of the best candidate after this many test runs.
    TokensAfter(u64),
    NonBlank,
    Runs,
    Seconds,
    /// Processor time of the reducer and its tests, in seconds.
    Cpu,
}

/// All results, by names of subjects and reducers.
pub(crate) struct Comparison {
    /// With the size of the input.
    pub(crate) subjects: BTreeMap<String, u64>,
    /// Whittle's first, with their versions.
    pub(crate) reducers: Vec<(String, String)>,
    cells: BTreeMap<(String, String), Vec<Outcome>>,
}

/// Two reducers over the subjects that both reduced.
pub(crate) struct Ratio {
    /// The geometric mean of the first one's measure divided by the second one's.
    pub(crate) mean: f64,
    /// Wilcoxon's p for the logarithms of the ratios; `None` if all are equal.
    pub(crate) p: Option<f64>,
}

impl Comparison {
    pub(crate) fn read(args: &ResultArgs) -> Result<Self> {
        let all = Self::new(read_all(&args.results)?);
        let reducers: Vec<String> = all.reducers.iter().map(|(name, _)| name.clone()).collect();
        let subjects: Vec<String> = all.subjects.keys().cloned().collect();
        let (of_reducers, of_subjects) = Only(&args.only).pick(&reducers, &subjects)?;
        let is_in = |names: &[String], picked: &[bool], name: &str| {
            names.iter().zip(picked).any(|(other, is_in)| *is_in && other == name)
        };
        let outcomes = all.cells.into_values().flatten().filter(|outcome| {
            is_in(&reducers, &of_reducers, &outcome.reducer) && is_in(&subjects, &of_subjects, &outcome.subject)
        });
        let picked = Self::new(outcomes.collect());
        if picked.subjects.is_empty() {
            bail!("there are no results");
        }
        Ok(picked)
    }

    pub(crate) fn new(outcomes: Vec<Outcome>) -> Self {
        let mut subjects = BTreeMap::new();
        let mut reducers = BTreeMap::new();
        let mut cells: BTreeMap<_, Vec<Outcome>> = BTreeMap::new();
        for outcome in outcomes {
            subjects.insert(outcome.subject.clone(), outcome.input.tokens);
            reducers.insert((!is_whittle(&outcome.reducer), outcome.reducer.clone()), outcome.version.clone());
            cells.entry((outcome.subject.clone(), outcome.reducer.clone())).or_default().push(outcome);
        }
        let reducers = reducers.into_iter().map(|((_, name), version)| (name, version)).collect();
        Self { subjects, reducers, cells }
    }

    /// All results.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.cells.values().flatten()
    }

    /// All repetitions of a run.
    pub(crate) fn rounds(&self, subject: &str, reducer: &str) -> &[Outcome] {
        self.cells.get(&(subject.to_owned(), reducer.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// How the worst repetition ended.
    pub(crate) fn end(&self, subject: &str, reducer: &str) -> Option<End> {
        let rounds = self.rounds(subject, reducer);
        let has = |end| rounds.iter().any(|outcome| outcome.end == end || (end == End::Failed && !outcome.rechecked));
        [End::Failed, End::Stopped, End::Finished].into_iter().find(|&end| has(end))
    }

    /// The median over the repetitions that did not fail.
    pub(crate) fn value(&self, subject: &str, reducer: &str, measure: Measure) -> Option<f64> {
        self.median(subject, reducer, |outcome| match measure {
            Measure::Tokens => Some(outcome.result.tokens as f64),
            Measure::TokensAfter(runs) => outcome.tokens_after(runs).map(|tokens| tokens as f64),
            Measure::NonBlank => Some(outcome.result.non_blank as f64),
            Measure::Runs => Some(outcome.runs as f64),
            Measure::Seconds => Some(outcome.wall_seconds),
            Measure::Cpu => Some(outcome.cpu_seconds),
        })
    }

    fn median(&self, subject: &str, reducer: &str, of: impl Fn(&Outcome) -> Option<f64>) -> Option<f64> {
        let good = |outcome: &&Outcome| outcome.end != End::Failed && outcome.rechecked;
        median(&self.rounds(subject, reducer).iter().filter(good).filter_map(of).collect::<Vec<f64>>())
    }

    /// The share of its reduction that a reducer reached after a tenth of its runs.
    pub(crate) fn early_share(&self, subject: &str, reducer: &str) -> Option<f64> {
        self.median(subject, reducer, Outcome::early_share)
    }

    /// The median of that over the subjects.
    pub(crate) fn usual_early_share(&self, reducer: &str) -> Option<f64> {
        median(&self.medians(reducer, Outcome::early_share))
    }

    /// The number of subjects for which a reducer has a result.
    pub(crate) fn count(&self, reducer: &str) -> usize {
        self.subjects.keys().filter(|subject| self.value(subject, reducer, Measure::Tokens).is_some()).count()
    }

    /// A reducer against another one, over the subjects that both reduced.
    pub(crate) fn ratio(&self, reducer: &str, other: &str, measure: Measure) -> Option<Ratio> {
        let pairs = self
            .subjects
            .keys()
            .filter_map(|subject| Some((self.value(subject, reducer, measure)?, self.value(subject, other, measure)?)));
        let ratios: Vec<f64> = pairs.map(|(mine, theirs)| quotient(mine, theirs, measure)).collect();
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        Some(Ratio { mean: geometric_mean(&ratios)?, p: wilcoxon_p(&logarithms) })
    }

    /// A reducer's result on a subject, in the order of sizes: tokens, then non-blank bytes.
    pub(crate) fn size(&self, subject: &str, reducer: &str) -> Option<(f64, f64)> {
        let value = |measure| self.value(subject, reducer, measure);
        Some((value(Measure::Tokens)?, value(Measure::NonBlank)?))
    }

    /// The peer with the smallest result for a subject; among equals, the one with the fewest runs.
    pub(crate) fn best_peer(&self, subject: &str) -> Option<&str> {
        let peers = self.reducers.iter().map(|(name, _)| name.as_str()).filter(|name| !is_whittle(name));
        let measured = peers.filter_map(|peer| {
            let (tokens, bytes) = self.size(subject, peer)?;
            Some((peer, [tokens, bytes, self.value(subject, peer, Measure::Runs)?]))
        });
        measured.min_by(|a, b| ordered(&a.1, &b.1)).map(|(peer, _)| peer)
    }

    /// After how many runs a reducer was within a factor of the tokens of the best peer's result.
    pub(crate) fn runs_to_come_near(&self, subject: &str, reducer: &str, factor: f64) -> Option<f64> {
        let tokens = self.value(subject, self.best_peer(subject)?, Measure::Tokens)? * factor;
        self.median(subject, reducer, |outcome| outcome.reached(tokens).map(|point| point.runs as f64))
    }

    /// A reducer against the best peer of each subject that both reduced.
    pub(crate) fn ratios_to_best_peer(&self, reducer: &str, measure: Measure) -> Vec<f64> {
        let of = |subject: &String| {
            let best = self.best_peer(subject)?;
            Some(quotient(self.value(subject, reducer, measure)?, self.value(subject, best, measure)?, measure))
        };
        self.subjects.keys().filter_map(of).collect()
    }

    /// The geometric mean over the subjects of the tokens deleted per second.
    pub(crate) fn tokens_per_second(&self, reducer: &str) -> Option<f64> {
        let rates = self.medians(reducer, |outcome| Some(outcome.tokens_per_second()).filter(|&rate| rate > 0.0));
        geometric_mean(&rates)
    }

    /// The median over the subjects of the peak memory, in bytes.
    pub(crate) fn memory(&self, reducer: &str) -> Option<f64> {
        median(&self.medians(reducer, |outcome| outcome.memory_bytes.map(|bytes| bytes as f64)))
    }

    /// The share of wall time spent in tests, over all subjects.
    pub(crate) fn share_in_property(&self, reducer: &str) -> Option<f64> {
        let sum = |of: fn(&Outcome) -> f64| self.medians(reducer, |outcome| Some(of(outcome))).iter().sum::<f64>();
        let wall = sum(|outcome| outcome.wall_seconds);
        (wall > 0.0).then(|| sum(|outcome| outcome.property_seconds) / wall)
    }

    fn medians(&self, reducer: &str, of: impl Fn(&Outcome) -> Option<f64>) -> Vec<f64> {
        self.subjects.keys().filter_map(|subject| self.median(subject, reducer, &of)).collect()
    }
}

/// The order of lists of numbers, the first number first.
pub(crate) fn ordered(one: &[f64], other: &[f64]) -> Ordering {
    let pairs = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
    pairs.fold(Ordering::Equal, Ordering::then)
}

/// A ratio that is never zero or infinite: an empty result counts as one token, and no time is below a millisecond.
fn quotient(mine: f64, theirs: f64, measure: Measure) -> f64 {
    let least = if measure == Measure::Seconds { 1e-3 } else { 1.0 };
    mine.max(least) / theirs.max(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::outcome;

    fn comparison() -> Comparison {
        let mut failed = outcome("b", "cvise", 1, 1);
        failed.end = End::Failed;
        let mut again = outcome("a", "whittle", 30, 100);
        again.round = 2;
        Comparison::new(vec![
            outcome("a", "whittle", 10, 100),
            again,
            outcome("b", "whittle", 10, 100),
            outcome("a", "cvise", 40, 400),
            failed,
            outcome("a", "picire", 80, 50),
            outcome("b", "picire", 40, 100),
        ])
    }

    #[test]
    fn repetitions_count_by_their_median() {
        assert_eq!(comparison().value("a", "whittle", Measure::Tokens), Some(20.0));
    }

    #[test]
    fn failures_are_left_out() {
        let comparison = comparison();
        assert_eq!(comparison.count("cvise"), 1);
        assert_eq!(comparison.end("b", "cvise"), Some(End::Failed));
        assert!((comparison.ratio("cvise", "whittle", Measure::Tokens).unwrap().mean - 2.0).abs() < 1e-9);
    }

    #[test]
    fn ratios_are_over_common_subjects() {
        let ratio = comparison().ratio("picire", "whittle", Measure::Runs).unwrap();
        assert!((ratio.mean - 0.5_f64.sqrt()).abs() < 1e-9);
        assert_eq!(ratio.p, Some(1.0));
    }

    #[test]
    fn the_best_peer_is_not_whittle() {
        let comparison = comparison();
        assert_eq!(comparison.best_peer("a"), Some("cvise"));
        assert_eq!(comparison.best_peer("b"), Some("picire"));
        assert_eq!(comparison.ratios_to_best_peer("whittle", Measure::Tokens), [0.5, 0.25]);
    }

    #[test]
    fn bytes_decide_between_peers_with_as_many_tokens() {
        let mut short = outcome("a", "picire", 10, 900);
        short.result.non_blank -= 1;
        let comparison = Comparison::new(vec![outcome("a", "cvise", 10, 20), short]);
        assert_eq!(comparison.best_peer("a"), Some("picire"));
    }

    #[test]
    fn whittle_comes_first() {
        let comparison = comparison();
        let names: Vec<&str> = comparison.reducers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["whittle", "cvise", "picire"]);
    }
}
