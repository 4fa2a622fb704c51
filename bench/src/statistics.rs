//! The statistics of the papers: geometric means of ratios, and the Wilcoxon signed-rank test.

/// Up to this many pairs, the distribution of the rank sum is computed exactly.
const EXACT_PAIRS: usize = 50;

/// The geometric mean; `None` for no values.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp())
}

/// The median; `None` for no values.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// The two-sided p of Wilcoxon's signed-rank test for paired differences.
///
/// Differences of zero are dropped, as Wilcoxon did; equal ones share the mean of their ranks. Up to [`EXACT_PAIRS`]
/// differences p is exact, ties included; above, it follows from the normal distribution, with the variance corrected
/// for ties. `None` if no difference is left.
pub(crate) fn wilcoxon_p(differences: &[f64]) -> Option<f64> {
    let mut left: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    left.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    if left.is_empty() {
        return None;
    }
    let ranks = doubled_ranks(&left);
    let total: u64 = ranks.iter().sum();
    let positive: u64 =
        left.iter().zip(&ranks).filter(|(difference, _)| **difference > 0.0).map(|(_, rank)| rank).sum();
    let smaller = positive.min(total - positive);
    let p = if left.len() <= EXACT_PAIRS { exact_p(&ranks, smaller) } else { normal_p(&ranks, smaller) };
    Some(p.min(1.0))
}

/// Twice the rank of each value, an integer even where ranks are shared. The values are sorted by magnitude.
fn doubled_ranks(sorted: &[f64]) -> Vec<u64> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for group in sorted.chunk_by(|a, b| a.abs() == b.abs()) {
        let before = ranks.len();
        ranks.extend(std::iter::repeat_n((2 * before + group.len() + 1) as u64, group.len()));
    }
    ranks
}

/// Twice the share of all assignments of signs whose sum of positive ranks is at most the observed one.
fn exact_p(ranks: &[u64], smaller: u64) -> f64 {
    let total: u64 = ranks.iter().sum();
    // shares[s]: the share of assignments with the sum s.
    let mut shares = vec![0.0; total as usize + 1];
    shares[0] = 1.0;
    for &rank in ranks {
        for sum in (0..shares.len()).rev() {
            let with = sum.checked_sub(rank as usize).map_or(0.0, |rest| shares[rest]);
            shares[sum] = 0.5 * (shares[sum] + with);
        }
    }
    2.0 * shares[..=smaller as usize].iter().sum::<f64>()
}

fn normal_p(ranks: &[u64], smaller: u64) -> f64 {
    // In plain ranks the mean is half their sum, and the variance a quarter of the sum of their squares, which is what
    // the usual formula with its correction for ties comes to.
    let mean = ranks.iter().sum::<u64>() as f64 / 4.0;
    let variance = ranks.iter().map(|&rank| (rank as f64 / 2.0).powi(2)).sum::<f64>() / 4.0;
    let z = (smaller as f64 / 2.0 - mean) / variance.sqrt();
    2.0 * standard_normal(z)
}

/// The share of the standard normal distribution below `z`, for `z` ≤ 0: the continued fraction of Mills' ratio in the
/// tail, the series of the error function near zero.
fn standard_normal(z: f64) -> f64 {
    let x = -z;
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x < 3.0 {
        let (mut term, mut sum) = (x, x);
        for odd in (3..200).step_by(2) {
            term *= x * x / f64::from(odd);
            sum += term;
        }
        return 0.5 - density * sum;
    }
    let fraction = (1..=100).rev().fold(x, |below, k| x + f64::from(k) / below);
    density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(seen: f64, expected: f64) {
        assert!((seen - expected).abs() <= 1e-6 * expected.abs().max(1e-6), "{seen} is not {expected}");
    }

    #[test]
    fn small_samples_are_exact() {
        // As scipy.stats.wilcoxon(..., method='exact') has it; the first are Darwin's plants, from Fisher's book.
        let darwin = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75].map(f64::from);
        assert_close(wilcoxon_p(&darwin).unwrap(), 0.041_259_765_625);
        assert_close(wilcoxon_p(&[1.5, -2.25, 3.0, 4.5, -0.5, 6.0, 7.25, 8.0]).unwrap(), 0.054_687_5);
        assert_close(wilcoxon_p(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap(), 0.0625);
    }

    #[test]
    fn the_published_table_of_critical_values_is_met() {
        // n, and the largest rank sum with a two-sided p of at most 0.05 (Wilcoxon 1945; McCornack 1965).
        for (n, critical) in [(6_u64, 0_u64), (7, 2), (8, 3), (9, 5), (10, 8), (12, 13), (15, 25), (20, 52), (25, 89)] {
            let ranks: Vec<u64> = (1..=n).map(|rank| 2 * rank).collect();
            assert!(exact_p(&ranks, 2 * critical) <= 0.05, "{n}");
            assert!(exact_p(&ranks, 2 * critical + 2) > 0.05, "{n}");
        }
    }

    #[test]
    fn ties_and_zeros_are_exact_too() {
        // By going through all assignments of signs.
        let with_zero = [15, -7, 5, 20, 0, -9, 17, -12, 5, -10].map(f64::from);
        assert_close(wilcoxon_p(&with_zero).unwrap(), 0.632_812_5);
        assert_close(wilcoxon_p(&[1.0, 1.0, 1.0, -1.0, 2.0, 2.0, -3.0, 4.0]).unwrap(), 0.242_187_5);
        assert_eq!(wilcoxon_p(&[0.0, 0.0]), None);
    }

    #[test]
    fn large_samples_follow_the_normal_distribution() {
        // As scipy.stats.wilcoxon(..., method='approx', correction=False) has it.
        let few_ties: Vec<f64> = (1..=80).map(|i| f64::from(i * 37 % 101 - 40) / 3.0).collect();
        assert_close(wilcoxon_p(&few_ties).unwrap(), 0.004_025_721_660_402_369);
        let many_ties: Vec<f64> = (1..90).map(|i| f64::from(i * 37 % 11 - 2)).collect();
        assert_close(wilcoxon_p(&many_ties).unwrap(), 4.880_883_865_617_496_5e-11);
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        for (z, share) in [
            (0.0, 0.5),
            (-1.0, 0.158_655_253_931_457_07),
            (-1.96, 0.024_997_895_148_220_435),
            (-2.9, 0.001_865_813_300_384_037_5),
            (-3.1, 0.000_967_603_213_218_356_3),
            (-8.0, 6.220_960_574_271_74e-16),
        ] {
            assert!((standard_normal(z) / share - 1.0).abs() < 1e-9, "{z}: {}", standard_normal(z));
        }
    }

    #[test]
    fn means_and_medians_are_right() {
        assert_close(geometric_mean(&[0.5, 2.0, 8.0]).unwrap(), 2.0);
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}
