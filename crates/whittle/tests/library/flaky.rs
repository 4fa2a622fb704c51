//! Properties that err at random: the result must be truly interesting all the same.

use std::sync::Mutex;

use whittle::property::Repeat;
use whittle::reduction::Confirmation;
use whittle::{Input, Reduction};

/// How often a property says no to what is interesting, and yes to what is not.
#[derive(Clone, Copy, Debug)]
struct Errors {
    missed: f64,
    invented: f64,
}

const TEXT: &str = "alpha\nbeta\ngamma\nkeep one\ndelta\nepsilon\nkeep two\nzeta\neta\ntheta\niota\nkappa\n";
const PROGRAM: &str = "int a; int f(int x) { return x; }\nint main(void) { int b = f(1); return b / 0; }\n";

fn is_truly_interesting(name: &str, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let wanted = if name == "bug.c" { ["f", "/"] } else { ["one", "two"] };
    wanted.iter().all(|word| text.contains(word))
}

/// Reduces with a property that errs, from a seed.
fn reduce(name: &'static str, text: &str, errors: Errors, seed: u64, repeat: Option<Repeat>) -> whittle::Outcome {
    let random = Mutex::new(fastrand::Rng::with_seed(seed));
    let errs = move |text: &[u8]| {
        let (truth, chance) = (is_truly_interesting(name, text), random.lock().unwrap().f64());
        if truth { chance >= errors.missed } else { chance < errors.invented }
    };
    let reduction = Reduction::new(Input::new(name, text), errs).jobs(1);
    let reduction = if let Some(repeat) = repeat { reduction.repeat(repeat) } else { reduction };
    reduction.run().unwrap()
}

/// How many of `runs` results are truly interesting, for each setting below 98%.
fn shortfalls(runs: u64) -> Vec<String> {
    let rates = [0.0, 0.01, 0.1, 0.3, 0.5];
    let all = rates.iter().flat_map(|&missed| rates.map(|invented| Errors { missed, invented }));
    let asked = all.filter(|errors| errors.invented <= 0.3 && errors.missed + errors.invented > 0.0);
    let mut short = Vec::new();
    for errors in asked {
        for (name, text) in [("bug.txt", TEXT), ("bug.c", PROGRAM)] {
            let outcomes = (0..runs).map(|seed| reduce(name, text, errors, seed, Some(Repeat::Auto)));
            let good = outcomes.filter(|outcome| is_truly_interesting(name, outcome.bytes())).count();
            if (good as f64) < 0.98 * runs as f64 {
                short.push(format!("{name}, {errors:?}: {good} of {runs}"));
            }
        }
    }
    short
}

#[test]
fn results_are_truly_interesting_at_all_rates_of_errors() {
    assert_eq!(shortfalls(5), [""; 0]);
}

#[test]
#[ignore = "takes minutes: 100 reductions for each of 19 rates of errors, twice"]
fn a_hundred_results_are_truly_interesting_at_all_rates_of_errors() {
    assert_eq!(shortfalls(100), [""; 0]);
}

#[test]
fn without_repetitions_a_false_success_is_noticed_and_undone() {
    let errors = Errors { missed: 0.0, invented: 0.05 };
    let (mut stepped_back, mut false_results) = (0, 0);
    for seed in 0..40 {
        let outcome = reduce("bug.txt", TEXT, errors, seed, None);
        stepped_back += u32::from(matches!(outcome.confirmation, Confirmation::SteppedBack { .. }));
        if !is_truly_interesting("bug.txt", outcome.bytes()) {
            // Only a second false success, when the result is tested once more, goes unnoticed.
            assert!(matches!(outcome.confirmation, Confirmation::Confirmed(_)), "seed {seed}");
            false_results += 1;
        }
    }
    assert!(false_results <= 2, "{false_results} of 40 results are false: 5% of the false successes are confirmed");
    assert!(stepped_back > 0, "some of 40 runs accept something by mistake");
}

#[test]
fn a_clear_property_costs_few_more_runs() {
    let exact = reduce("bug.txt", TEXT, Errors { missed: 0.0, invented: 0.0 }, 1, None);
    let careful = reduce("bug.txt", TEXT, Errors { missed: 0.0, invented: 0.0 }, 1, Some(Repeat::Auto));
    assert_eq!(careful.bytes(), exact.bytes());
    assert_eq!(careful.tally.tests, exact.tally.tests);
    assert!(
        matches!(careful.confirmation, Confirmation::Confirmed(Some(confidence)) if confidence.probability() > 0.9999)
    );
}
