//! The algorithms once more, as the papers print them: plain lists, slow, nothing shared with the minimizers. They must
//! make the same proposals in the same order on random problems. `plain.rs` has `ddmin`.
//!
//! Where the papers leave a choice, the models take the one that is documented: the earlier of two equally good cuts, the
//! longer of two equally good prefixes, the earlier of two equal elements; neither the empty nor the whole list is tested.

use whittle_lists::{
    AfterSuccess, Algorithm, Complements, DdminOptions, Order, ProbabilityOptions, Split, SplitFactor, Subset,
    WddminOptions,
};

use crate::harness::minimize;
use crate::plain::{ddmin, in_order, without};
use crate::problems::{Problem, complements};

const PROBLEMS: u64 = 200;
const MAX_LEN: usize = 12;

/// A property that writes down what it is asked.
struct Asked<'a> {
    problem: &'a Problem,
    lists: Vec<Vec<usize>>,
}

impl Asked<'_> {
    fn test(&mut self, list: &[usize]) -> bool {
        self.lists.push(list.to_vec());
        self.problem.holds(&Subset::from_elements(list.iter().copied()))
    }
}

/// Runs the minimizer and the model on many problems, and compares what they ask and what they end with.
fn assert_same(algorithm: Algorithm, model: impl Fn(&mut Asked<'_>, &[u32]) -> Vec<usize>) {
    for seed in 0..PROBLEMS {
        let problem = Problem::random(seed, MAX_LEN);
        let weights: Vec<u32> = (0..problem.len).map(|element| problem.weights.of(element)).collect();
        let mut asked = Asked { problem: &problem, lists: Vec::new() };
        let result = model(&mut asked, &weights);
        let run = minimize(algorithm.minimizer(&problem.weights), |subset| problem.holds(subset));
        let proposals: Vec<Vec<usize>> = run.proposals.iter().map(|subset| subset.elements().collect()).collect();
        assert_eq!((proposals, run.result), (asked.lists, result), "{algorithm:?} with weights {weights:?}");
    }
}

/// Algorithm 2 of Kiss: single elements are left out until none can be.
fn onemin(mut list: Vec<usize>, complements: Complements, test: &mut dyn FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut first = 0;
    'round: while list.len() > 1 {
        for place in in_order(complements.order, 0..list.len()) {
            let place = (place + first) % list.len();
            let complement = without(&list, &[list[place]]);
            if test(&complement) {
                list = complement;
                first = if complements.after_success == AfterSuccess::Continue { place } else { 0 };
                continue 'round;
            }
        }
        break;
    }
    list
}

/// Algorithm 1 of WDD. The paper begins again with the first complement after a success. With [`AfterSuccess::Continue`],
/// the one behind the deleted part comes next, and a new round begins at the same place of the list.
fn wddmin(asked: &mut Asked<'_>, weights: &[u32], subsets: Option<Order>, complements: Complements) -> Vec<usize> {
    let mut list: Vec<usize> = (0..weights.len()).collect();
    let mut parts = vec![list.clone()];
    let mut first = 0;
    'round: while !parts.is_empty() {
        for index in subsets.map(|order| in_order(order, 0..parts.len())).unwrap_or_default() {
            if parts[index] != list && asked.test(&parts[index]) {
                list = parts.swap_remove(index);
                parts = weighted_partition(std::slice::from_ref(&list), weights);
                first = 0;
                continue 'round;
            }
        }
        for index in in_order(complements.order, 0..parts.len()) {
            let index = (index + first) % parts.len();
            let complement = without(&list, &parts[index]);
            if !complement.is_empty() && asked.test(&complement) {
                list = complement;
                parts.remove(index);
                first = if complements.after_success == AfterSuccess::Continue { index } else { 0 };
                continue 'round;
            }
        }
        first = weighted_partition(&parts[..first], weights).len();
        parts = weighted_partition(&parts, weights);
    }
    onemin(list, complements, &mut |list| asked.test(list))
}

fn weighted_partition(parts: &[Vec<usize>], weights: &[u32]) -> Vec<Vec<usize>> {
    let weight = |part: &[usize]| part.iter().map(|&element| i64::from(weights[element])).sum::<i64>();
    let halves = |part: &Vec<usize>| {
        let unevenness = |&cut: &usize| (weight(&part[..cut]) - weight(&part[cut..])).abs();
        let cut = (1..part.len()).min_by_key(unevenness).unwrap();
        [part[..cut].to_vec(), part[cut..].to_vec()]
    };
    parts.iter().filter(|part| part.len() > 1).flat_map(halves).collect()
}

/// Algorithm 2 of WDD; with equal weights, ProbDD.
fn wprobdd(asked: &mut Asked<'_>, weights: &[u32], options: ProbabilityOptions) -> Vec<usize> {
    let mut list: Vec<usize> = (0..weights.len()).collect();
    let mut needed = vec![options.start; weights.len()];
    while list.len() > 1 && list.iter().any(|&element| needed[element] < options.threshold) {
        let gain = |element: usize| f64::from(weights[element]) * (1.0 - needed[element]);
        let mut sorted = list.clone();
        sorted.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)));
        let all_can_go = |prefix: &[usize]| prefix.iter().map(|&element| 1.0 - needed[element]).product::<f64>();
        let expected = |prefix: &[usize]| {
            prefix.iter().map(|&element| f64::from(weights[element])).sum::<f64>() * all_can_go(prefix)
        };
        let gains: Vec<f64> = (1..list.len()).map(|len| expected(&sorted[..len])).collect();
        let most = gains.iter().copied().fold(0.0, f64::max);
        let longest = gains.iter().rposition(|&gain| gain >= most * (1.0 - 1e-12)).unwrap() + 1;
        let prefix = &sorted[..longest];
        let complement = without(&list, prefix);
        if asked.test(&complement) {
            list = complement;
        } else {
            let chance = all_can_go(prefix);
            for &element in prefix {
                let risen = needed[element] / (1.0 - chance);
                needed[element] = if risen > 1.0 - 1e-9 { 1.0 } else { risen };
            }
        }
    }
    match options.sweep {
        Some(complements) => onemin(list, complements, &mut |list| asked.test(list)),
        None => list,
    }
}

#[test]
fn ddmin_makes_the_tests_of_algorithm_3() {
    for factor in [2, 3, 5, 8, 12, 100] {
        for subsets in [None, Some(Order::Forward), Some(Order::Backward)] {
            for complements in complements() {
                for split in [Split::Zeller, Split::Balanced] {
                    let split_factor = SplitFactor::new(factor).unwrap();
                    let options = DdminOptions { split_factor, split, subsets, complements };
                    assert_same(Algorithm::Ddmin(options), |asked, _| {
                        ddmin(asked.problem.len, factor, options, &mut |list| asked.test(list))
                    });
                }
            }
        }
    }
}

#[test]
fn onemin_makes_the_tests_of_algorithm_2() {
    for complements in complements() {
        assert_same(Algorithm::Onemin(complements), |asked, weights| {
            onemin((0..weights.len()).collect(), complements, &mut |list| asked.test(list))
        });
    }
}

#[test]
fn wddmin_makes_the_tests_of_algorithm_1() {
    for subsets in [None, Some(Order::Forward), Some(Order::Backward)] {
        for complements in complements() {
            let algorithm = Algorithm::Wddmin(WddminOptions { subsets, complements });
            assert_same(algorithm, |asked, weights| wddmin(asked, weights, subsets, complements));
        }
    }
}

#[test]
fn probdd_and_wprobdd_make_the_tests_of_algorithm_2() {
    for sweep in std::iter::once(None).chain(complements().into_iter().map(Some)) {
        for start in [0.05, 0.1, 0.2, 0.25, 0.5] {
            for threshold in [0.8, 1.0] {
                let options = ProbabilityOptions { start, threshold, sweep };
                assert_same(Algorithm::Wprobdd(options), |asked, weights| wprobdd(asked, weights, options));
                let uniform = |asked: &mut Asked<'_>, weights: &[u32]| wprobdd(asked, &vec![1; weights.len()], options);
                assert_same(Algorithm::Probdd(options), uniform);
            }
        }
    }
}
