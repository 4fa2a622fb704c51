//! The simulation of section IV-D of "WDD: Weighted Delta Debugging": how many tests weights save.
//!
//! Lists of 2 to 500 elements with n to 10n tokens; each token can go with the same probability p₀, drawn per list, and
//! an element can go if all its tokens can. Printed are mean ratios of numbers of tests over random lists, with cached
//! repetitions not counted. Expected for wddmin/ddmin is 0.89 to 0.95, with the paper's own options: subset tests, and
//! a restart after each success. Continuing after a success saves far more, and leaves nothing for the weights to save.
//!
//! `cargo bench --bench weighted -- 2000` runs 2000 lists instead of the default.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "../tests/lists/counted.rs"]
mod counted;

use counted::{contains_all, count_tests};
use whittle_lists::{
    AfterSuccess, Algorithm, CddOptions, Complements, DdminOptions, Order, ProbabilityOptions, WddminOptions, Weights,
};

const SEED: u64 = 2024;
const LISTS: usize = 200;
/// As many as `cargo test` needs to see that this program runs.
const LISTS_IN_TESTS: usize = 3;

struct List {
    weights: Vec<u32>,
    needed: Vec<usize>,
}

impl List {
    fn random(random: &mut fastrand::Rng) -> Self {
        let len = random.usize(2..=500);
        let mut weights = vec![1; len];
        for _ in len..random.usize(len..=10 * len) {
            weights[random.usize(0..len)] += 1;
        }
        let token_can_go = random.f64();
        let needed =
            (0..len).filter(|&element| random.f64() >= token_can_go.powf(f64::from(weights[element]))).collect();
        Self { weights, needed }
    }

    fn tests(&self, algorithm: Algorithm) -> f64 {
        let minimizer = algorithm.minimizer(&Weights::new(&self.weights));
        count_tests(minimizer, contains_all(&self.needed), |_, _, _| {}).0 as f64
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = arguments.iter().find_map(|argument| argument.parse().ok());
    let default = if arguments.iter().any(|argument| argument == "--bench") { LISTS } else { LISTS_IN_TESTS };
    let count: usize = given.unwrap_or(default);
    let mut random = fastrand::Rng::with_seed(SEED);
    let lists: Vec<List> = (0..count).map(|_| List::random(&mut random)).collect();

    println!("mean ratio of numbers of tests over {count} lists, seed {SEED}");
    for (subsets, order, after_success) in [
        (Some(Order::Forward), Order::Forward, AfterSuccess::Restart),
        (Some(Order::Forward), Order::Forward, AfterSuccess::Continue),
        (None, Order::Forward, AfterSuccess::Restart),
        (None, Order::Backward, AfterSuccess::Continue),
    ] {
        let complements = Complements { order, after_success };
        let ddmin = Algorithm::Ddmin(DdminOptions { subsets, complements, ..DdminOptions::default() });
        let wddmin = Algorithm::Wddmin(WddminOptions { subsets, complements });
        let subsets = subsets.map_or("no subset tests".to_owned(), |order| format!("subset tests {order:?}"));
        report(&lists, wddmin, ddmin, &format!("{subsets}, complements {order:?}, {after_success:?}"));
    }
    for start in [0.1, 0.25] {
        let options = ProbabilityOptions { start, ..ProbabilityOptions::default() };
        report(&lists, Algorithm::Wprobdd(options), Algorithm::Probdd(options), &format!("start {start}"));
        let cdd = Algorithm::Cdd(CddOptions { start, ..CddOptions::default() });
        report(&lists, cdd, Algorithm::Probdd(options), &format!("start {start}"));
    }
}

fn report(lists: &[List], algorithm: Algorithm, baseline: Algorithm, options: &str) {
    let pairs: Vec<(f64, f64)> = lists.iter().map(|list| (list.tests(algorithm), list.tests(baseline))).collect();
    let mean = |figure: fn(&(f64, f64)) -> f64| pairs.iter().map(figure).sum::<f64>() / pairs.len() as f64;
    let (ratio, ours, theirs) = (mean(|(ours, theirs)| ours / theirs), mean(|pair| pair.0), mean(|pair| pair.1));
    println!("{:<16} {ratio:.3}   {ours:>7.1} /{theirs:>7.1} tests   {options}", format!("{algorithm}/{baseline}"));
}
