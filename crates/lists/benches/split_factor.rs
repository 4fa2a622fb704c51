//! What `--split-factor auto` saves on lists, and what it leaves: tests and results against a factor of two, beside
//! those of other factors.
//!
//! Three kinds of lists: those that Picire's runs were recorded on; elements that are needed independently of each
//! other, as in the simulation of "WDD: Weighted Delta Debugging"; and brackets, which can only go in pairs, around what
//! is needed. Printed are geometric means of ratios, and how often a result is larger or smaller than that of two.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

#[path = "../tests/lists/counted.rs"]
mod counted;
#[path = "../tests/lists/recorded.rs"]
mod recorded;

use counted::{contains_all, count_tests};
use recorded::Property;
use serde::Deserialize;
use whittle_lists::{Ddmin, DdminOptions, SplitFactor, Subset};

const SEED: u64 = 2024;
const LISTS: usize = 200;
/// As many as `cargo test` needs to see that this program runs.
const LISTS_IN_TESTS: usize = 3;
const RECORDED: &str = include_str!("../testdata/ddmin-picire.jsonl");
const FACTORS: [&str; 6] = ["3", "4", "8", "16", "1000000", "auto"];

struct List {
    len: usize,
    holds: Box<dyn Fn(&Subset) -> bool>,
}

#[derive(Deserialize)]
struct Row {
    n: usize,
    property: Property,
}

fn main() {
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let count = if is_bench { LISTS } else { LISTS_IN_TESTS };
    let mut random = fastrand::Rng::with_seed(SEED);
    let lists = |random: &mut fastrand::Rng, make: fn(&mut fastrand::Rng) -> List| {
        (0..count).map(|_| make(random)).collect::<Vec<_>>()
    };
    let recorded = RECORDED.lines().map(|line| serde_json::from_str(line).expect("a recorded run")).map(List::recorded);
    let recorded: Vec<List> = recorded.take(if is_bench { usize::MAX } else { count }).collect();
    report("recorded", &recorded);
    report("independent", &lists(&mut random, List::independent));
    report("brackets", &lists(&mut random, List::brackets));
}

impl List {
    fn recorded(row: Row) -> Self {
        let Row { n: len, property } = row;
        Self { len, holds: Box::new(move |list| property.holds(list)) }
    }

    fn independent(random: &mut fastrand::Rng) -> Self {
        let len = random.usize(2..=500);
        let share = random.f64();
        let needed: Vec<usize> = (0..len).filter(|_| random.f64() < share).collect();
        Self { len, holds: Box::new(move |list| contains_all(&needed)(list)) }
    }

    fn brackets(random: &mut fastrand::Rng) -> Self {
        let len = random.usize(8..=500);
        let mut text: Vec<i32> = Vec::new();
        let mut open = 0;
        while text.len() + open < len {
            match random.usize(..5) {
                0 => (open += 1, text.push(1)).1,
                1 if open > 0 => (open -= 1, text.push(-1)).1,
                _ => text.push(0),
            }
        }
        text.extend(std::iter::repeat_n(-1, open));
        let share = random.f64() / 8.0;
        let needed: Vec<usize> = (0..text.len()).filter(|&at| text[at] == 0 && random.f64() < share).collect();
        let is_balanced = move |list: &Subset| {
            let mut depth = 0;
            let never_below = list.elements().all(|at| {
                depth += text[at];
                depth >= 0
            });
            never_below && depth == 0
        };
        Self { len, holds: Box::new(move |list| contains_all(&needed)(list) && is_balanced(list)) }
    }

    /// Tests and elements left.
    fn minimize(&self, split_factor: SplitFactor) -> (usize, usize) {
        let options = DdminOptions { split_factor, ..DdminOptions::default() };
        let (tests, left) = count_tests(Ddmin::new(Subset::full(self.len), options), &self.holds, |_, _, _| {});
        (tests, left.len())
    }
}

fn report(kind: &str, lists: &[List]) {
    let baseline: Vec<_> = lists.iter().map(|list| list.minimize(SplitFactor::default())).collect();
    let mean = baseline.iter().map(|(tests, _)| *tests as f64).sum::<f64>() / lists.len() as f64;
    println!("{kind}: {} lists, {mean:.0} tests on average with a factor of 2", lists.len());
    for name in FACTORS {
        let factor = name.parse().expect("a split factor");
        let runs: Vec<_> = lists.iter().map(|list| list.minimize(factor)).zip(&baseline).collect();
        let ratio = |of: fn(&(usize, usize)) -> usize| {
            let logarithms = runs.iter().map(|(run, two)| (of(run).max(1) as f64 / of(two).max(1) as f64).ln());
            (logarithms.sum::<f64>() / runs.len() as f64).exp()
        };
        let [larger, smaller] = [std::cmp::Ordering::Greater, std::cmp::Ordering::Less]
            .map(|order| runs.iter().filter(|(run, two)| run.1.cmp(&two.1) == order).count());
        let (tests, left) = (ratio(|run| run.0), ratio(|run| run.1));
        println!("  {name:>8}  {tests:.3} of the tests, {left:.3} of the result; {larger} larger, {smaller} smaller");
    }
}
