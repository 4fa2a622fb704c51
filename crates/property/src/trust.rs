//! [`Trust`]: how many runs of a flaky test make a verdict.
//!
//! A flaky test errs in two ways: it misses the bug where there is one, and it reports the bug where there is none. Both
//! rates are measured before a reduction, and a sequential probability ratio test (Wald 1945) then decides with as few
//! runs as the rates allow: a clear test needs one run to reject and a handful to accept, an unclear one needs more.

use std::fmt;
use std::str::FromStr;

/// How often an uninteresting candidate may be accepted: about once in a hundred reductions of a thousand tests each.
const FALSE_ACCEPTANCE: f64 = 1e-5;

/// How often an interesting candidate may be rejected. That costs a little size, not correctness.
const FALSE_REJECTION: f64 = 0.05;

/// A candidate that is undecided after this many runs is rejected.
const MAX_RUNS: u32 = 500;

/// How often a flaky test runs on a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// As often as its measured rates of false answers need.
    Auto,
    /// It must succeed this often in a row.
    Times(u32),
    /// One success in this many runs is enough.
    Any(u32),
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Times(times) => write!(f, "{times}"),
            Self::Any(times) => write!(f, "any:{times}"),
        }
    }
}

impl FromStr for Repeat {
    type Err = TrustError;

    fn from_str(text: &str) -> Result<Self, TrustError> {
        match text.parse() {
            Ok(Trust::Times(times)) => Ok(Self::Times(times)),
            Ok(Trust::Any(times)) => Ok(Self::Any(times)),
            _ if text == "auto" => Ok(Self::Auto),
            _ => Err(TrustError),
        }
    }
}

/// How runs of a test become a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trust {
    /// This many successes in a row.
    Times(u32),
    /// One success in this many runs.
    Any(u32),
    /// As many runs as these rates need.
    Rates(Rates),
}

impl Default for Trust {
    fn default() -> Self {
        Self::Times(1)
    }
}

/// How often a flaky test succeeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// On an interesting candidate.
    pub interesting: f64,
    /// On one that is not.
    pub uninteresting: f64,
}

impl Rates {
    /// Estimates rates from successes in runs on the input, and on files that are known not to be interesting. Each is
    /// the mean of the posterior from a uniform prior, so that no finite number of runs claims certainty.
    pub fn estimate(input: Runs, others: Runs) -> Self {
        let mean = |runs: Runs| f64::from(runs.successes + 1) / f64::from(runs.runs + 2);
        Self { interesting: mean(input), uninteresting: mean(others) }
    }

    /// Whether a success says anything: it must be likelier on an interesting candidate, by a margin that estimates from
    /// some hundreds of runs can see.
    pub fn are_apart(&self) -> bool {
        self.interesting > self.uninteresting + 0.1
    }

    /// The same for estimates from some dozens of runs.
    pub fn are_far_apart(&self) -> bool {
        self.interesting > self.uninteresting + 0.3
    }
}

/// Some runs of a test on one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// How many of them succeeded.
    pub successes: u32,
    /// How many there were.
    pub runs: u32,
}

impl Runs {
    /// Adds a run.
    pub fn add(&mut self, success: bool) {
        self.successes += u32::from(success);
        self.runs += 1;
    }
}

/// A verdict in the making.
#[derive(Clone, Debug)]
pub struct Decision {
    trust: Trust,
    runs: Runs,
}

impl Decision {
    /// Before the first run.
    pub fn new(trust: Trust) -> Self {
        Self { trust, runs: Runs::default() }
    }

    /// Takes in a run. `Some` is the verdict: is the candidate interesting?
    pub fn observe(&mut self, success: bool) -> Option<bool> {
        self.runs.add(success);
        match self.trust {
            Trust::Times(times) if success && self.runs.runs < times => None,
            Trust::Times(_) => Some(success),
            Trust::Any(times) if !success && self.runs.runs < times => None,
            Trust::Any(_) => Some(success),
            Trust::Rates(rates) => {
                let evidence = evidence(rates, self.runs);
                if evidence >= ((1.0 - FALSE_REJECTION) / FALSE_ACCEPTANCE).ln() {
                    return Some(true);
                }
                let rejects = evidence <= (FALSE_REJECTION / (1.0 - FALSE_ACCEPTANCE)).ln();
                (rejects || self.runs.runs >= MAX_RUNS).then_some(false)
            }
        }
    }

    /// The runs so far.
    pub fn runs(&self) -> Runs {
        self.runs
    }
}

/// The log-likelihood ratio of "interesting" against "not interesting".
fn evidence(rates: Rates, runs: Runs) -> f64 {
    let failures = f64::from(runs.runs - runs.successes);
    f64::from(runs.successes) * (rates.interesting / rates.uninteresting).ln()
        + failures * ((1.0 - rates.interesting) / (1.0 - rates.uninteresting)).ln()
}

/// How probable it is that a candidate is interesting after these runs, if it was as likely as not before them.
pub fn confidence(rates: Rates, runs: Runs) -> f64 {
    1.0 / (1.0 + (-evidence(rates, runs)).exp())
}

/// As in a journal: `3`, `any:20` or `rates:0.95,0.04`.
impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times}"),
            Self::Any(times) => write!(f, "any:{times}"),
            Self::Rates(Rates { interesting, uninteresting }) => write!(f, "rates:{interesting},{uninteresting}"),
        }
    }
}

/// A text that is no [`Trust`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a number of at least 1, any:N or auto")]
pub struct TrustError;

impl FromStr for Trust {
    type Err = TrustError;

    fn from_str(text: &str) -> Result<Self, TrustError> {
        let positive = |text: &str| text.parse::<u32>().ok().filter(|&times| times > 0).ok_or(TrustError);
        if let Some(times) = text.strip_prefix("any:") {
            return positive(times).map(Self::Any);
        }
        let Some(rates) = text.strip_prefix("rates:") else { return positive(text).map(Self::Times) };
        let (interesting, uninteresting) = rates.split_once(',').ok_or(TrustError)?;
        let rate = |text: &str| text.parse::<f64>().ok().filter(|rate| 0.0 < *rate && *rate < 1.0).ok_or(TrustError);
        Ok(Self::Rates(Rates { interesting: rate(interesting)?, uninteresting: rate(uninteresting)? }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a candidate that succeeds at this rate: the verdict and the number of runs.
    fn decide(rates: Rates, rate: f64, random: &mut fastrand::Rng) -> (bool, u32) {
        let mut decision = Decision::new(Trust::Rates(rates));
        loop {
            if let Some(verdict) = decision.observe(random.f64() < rate) {
                return (verdict, decision.runs().runs);
            }
        }
    }

    #[test]
    fn errors_are_as_rare_as_asked_for_and_clear_tests_need_few_runs() {
        let mut random = fastrand::Rng::with_seed(1);
        for (interesting, uninteresting, most_runs) in
            [(0.955, 0.045, 1.2), (0.5, 0.04, 7.0), (0.9, 0.3, 5.0), (0.5, 0.3, 45.0)]
        {
            let rates = Rates { interesting, uninteresting };
            let mut sample = |rate: f64| -> (f64, f64) {
                let all: Vec<(bool, u32)> = (0..20_000).map(|_| decide(rates, rate, &mut random)).collect();
                let accepted = all.iter().filter(|(verdict, _)| *verdict).count() as f64;
                (accepted / 2e4, all.iter().map(|(_, runs)| f64::from(*runs)).sum::<f64>() / 2e4)
            };
            let (false_yes, runs) = sample(uninteresting);
            assert!(false_yes <= 3e-4, "{rates:?}: {false_yes} false acceptances");
            assert!(runs <= most_runs, "{rates:?}: {runs} runs for an uninteresting candidate");
            let (yes, _) = sample(interesting);
            assert!(yes >= 1.0 - 1.5 * FALSE_REJECTION, "{rates:?}: {yes} of the interesting accepted");
        }
    }

    #[test]
    fn rows_of_successes_and_single_successes_are_counted() {
        let verdict = |trust: Trust, runs: &[bool]| {
            let mut decision = Decision::new(trust);
            runs.iter().map(|&run| decision.observe(run)).collect::<Vec<_>>()
        };
        assert_eq!(verdict(Trust::Times(1), &[false]), [Some(false)]);
        assert_eq!(verdict(Trust::Times(2), &[true, true]), [None, Some(true)]);
        assert_eq!(verdict(Trust::Times(3), &[true, false]), [None, Some(false)]);
        assert_eq!(verdict(Trust::Any(3), &[false, true]), [None, Some(true)]);
        assert_eq!(verdict(Trust::Any(2), &[false, false]), [None, Some(false)]);
    }

    #[test]
    fn repetitions_are_a_number_any_of_a_number_or_auto() {
        for (text, repeat) in [("auto", Repeat::Auto), ("3", Repeat::Times(3)), ("any:30", Repeat::Any(30))] {
            assert_eq!((text.parse(), repeat.to_string().as_str()), (Ok(repeat), text));
        }
        assert!(["0", "any:0", "often", "rates:0.9,0.1"].iter().all(|text| text.parse::<Repeat>().is_err()));
    }

    #[test]
    fn what_a_journal_says_is_read_again() {
        let rates = Rates { interesting: 21.0 / 22.0, uninteresting: 1.0 / 22.0 };
        for trust in [Trust::Times(1), Trust::Times(12), Trust::Any(30), Trust::Rates(rates)] {
            assert_eq!(trust.to_string().parse(), Ok(trust));
        }
        for wrong in ["", "0", "any:0", "any", "rates:0.5", "rates:1,0", "rates:x,0.5", "often"] {
            assert_eq!(wrong.parse::<Trust>(), Err(TrustError), "{wrong}");
        }
    }
}
