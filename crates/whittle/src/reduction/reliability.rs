//! Flaky properties: how often they err, and whether a candidate holds all the same.
//!
//! The input is a sample of what is interesting, an empty file and a single line end of what is not. Rates that are
//! estimated from both decide how many runs make a verdict ([`Trust`](whittle_property::Trust)).

use whittle_property::{Decision, Rates, Runs, Trust, at_once, confidence};
use whittle_search::{Cancel, Candidate, Property, TestError, Verdict};

use super::preflight::trivial;

/// Runs on the input, and on trivial files together, that show whether a property is flaky at all. With 20 successes the
/// estimate is 21/22, which lets a single failure reject a candidate.
const FIRST_RUNS: u32 = 20;

/// Runs of each kind in all, once it is known to be flaky: the estimate of a rate is then within 0.1 in most cases.
const MORE_RUNS: u32 = 80;

/// The same where the rates are so close that this decides whether a reduction is possible.
const MOST_RUNS: u32 = 320;

/// Estimates the rates of a property that runs once for each verdict.
pub(super) fn measure_rates(
    property: &dyn Property,
    input: &Candidate,
    jobs: usize,
    cancel: &Cancel,
) -> Result<Rates, TestError> {
    let trivial = trivial(input);
    let mut on_input = Runs::default();
    let mut on_trivial = vec![Runs::default(); trivial.len()];
    for wanted in [FIRST_RUNS, MORE_RUNS, MOST_RUNS] {
        sample(property, input, wanted, jobs, cancel, &mut on_input)?;
        for (candidate, runs) in trivial.iter().zip(&mut on_trivial) {
            sample(property, candidate, wanted / trivial.len() as u32, jobs, cancel, runs)?;
        }
        let is_clear = on_input.successes == on_input.runs && on_trivial.iter().all(|runs| runs.successes == 0);
        if is_clear || wanted > FIRST_RUNS && estimate(on_input, &on_trivial).are_far_apart() {
            break;
        }
    }
    Ok(estimate(on_input, &on_trivial))
}

fn estimate(on_input: Runs, on_trivial: &[Runs]) -> Rates {
    // A trivial file that succeeds as often as the input shows the bug itself: it is no sample of the other side.
    let rate = |runs: Runs| f64::from(runs.successes) / f64::from(runs.runs.max(1));
    let (mut others, like_input) = (Runs::default(), rate(on_input) - 0.05);
    for runs in on_trivial.iter().filter(|&&runs| rate(runs) < like_input) {
        others.successes += runs.successes;
        others.runs += runs.runs;
    }
    Rates::estimate(on_input, others)
}

/// Runs the property on a candidate until there are `wanted` runs.
fn sample(
    property: &dyn Property,
    candidate: &Candidate,
    wanted: u32,
    jobs: usize,
    cancel: &Cancel,
    runs: &mut Runs,
) -> Result<(), TestError> {
    let copies = vec![candidate; wanted.saturating_sub(runs.runs) as usize];
    for tested in at_once(&copies, jobs, |candidate| property.test(candidate, cancel)) {
        runs.add(tested?.verdict == Verdict::Interesting);
    }
    Ok(())
}

/// What many runs say about a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// The runs.
    pub runs: Runs,
    /// How often the test errs.
    pub rates: Rates,
}

impl Confidence {
    /// How probable it is that the candidate is interesting, if it was as likely as not before these runs.
    pub fn probability(&self) -> f64 {
        confidence(self.rates, self.runs)
    }
}

/// Whether a candidate is interesting, by as many runs as the rates need.
pub(super) fn decide(
    property: &dyn Property,
    candidate: &Candidate,
    rates: Rates,
    cancel: &Cancel,
) -> Result<(bool, Confidence), TestError> {
    let mut decision = Decision::new(Trust::Rates(rates));
    loop {
        let success = property.test(candidate, cancel)?.verdict == Verdict::Interesting;
        if let Some(verdict) = decision.observe(success) {
            return Ok((verdict, Confidence { runs: decision.runs(), rates }));
        }
    }
}
