//! Spearman's coefficient between the weight of elements and the share of them that a reduction deleted: research
//! question 1 of "WDD: Weighted Delta Debugging" (section VI-A).

use std::collections::BTreeMap;

use whittle::trees::ListOutcome;

/// The coefficient for one minimized list; none if all elements have the same weight or the same fate. It is negative
/// where heavy elements tend to stay, which is what weighted algorithms assume.
pub(crate) fn coefficient(outcome: &ListOutcome) -> Option<f64> {
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
