//! How likely proposals are to succeed, from counts alone.
//!
//! What is tested ahead depends on it, and so does the time that a search takes; what it accepts does not.

use std::collections::HashMap;

/// What is known of a proposal before it is tested: the pass, and how the last proposals of this run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Context {
    pass: u32,
    /// One bit each, the last one lowest, below a bit that marks the beginning of the run.
    history: u32,
}

/// Successes and failures in each context.
#[derive(Clone, Debug, Default)]
pub(crate) struct Odds {
    passes: Vec<String>,
    pass: u32,
    counts: HashMap<Context, Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    successes: f64,
    tests: f64,
}

/// How many of the last outcomes matter: the longest history that is counted by itself.
const HISTORY_BITS: u32 = 6;

/// How many tests a shorter history is worth as evidence for a longer one.
const PRIOR_TESTS: f64 = 4.0;

/// The share of proposals that succeed where nothing was tested yet.
const PRIOR_ODDS: f64 = 0.15;

impl Context {
    /// The context after an outcome.
    pub(crate) fn after(self, success: bool) -> Self {
        let history = (self.history << 1) | u32::from(success);
        let overflow = history >> (HISTORY_BITS + 1);
        Self {
            history: if overflow == 0 { history } else { (history & ((1 << HISTORY_BITS) - 1)) | (1 << HISTORY_BITS) },
            ..self
        }
    }

    /// From the least to the most that is known: the pass alone, then with ever longer histories.
    fn levels(self) -> impl Iterator<Item = Self> {
        let bits = self.history.checked_ilog2().unwrap_or(0);
        let shortened = move |len: u32| Self { history: (self.history & ((1 << len) - 1)) | (1 << len), ..self };
        (0..=bits).map(shortened)
    }
}

impl Odds {
    /// The context of the first proposal of a run in this pass.
    pub(crate) fn start(&self) -> Context {
        Context { pass: self.pass, history: 1 }
    }

    /// Which pass is next.
    pub(crate) fn enter(&mut self, pass: &str) -> u32 {
        let known = self.passes.iter().position(|known| known == pass);
        let number = known.unwrap_or_else(|| {
            self.passes.push(pass.to_owned());
            self.passes.len() - 1
        });
        std::mem::replace(&mut self.pass, number as u32 + 1)
    }

    /// Back to the pass around it.
    pub(crate) fn leave(&mut self, outer: u32) {
        self.pass = outer;
    }

    /// How likely a proposal is to succeed.
    pub(crate) fn of(&self, context: Context) -> f64 {
        std::iter::once(Context::default()).chain(context.levels()).fold(PRIOR_ODDS, |shorter, context| {
            let counts = self.counts.get(&context).copied().unwrap_or_default();
            (counts.successes + PRIOR_TESTS * shorter) / (counts.tests + PRIOR_TESTS)
        })
    }

    /// Learns how a proposal ended.
    pub(crate) fn learn(&mut self, context: Context, success: bool) {
        for context in std::iter::once(Context::default()).chain(context.levels()) {
            let counts = self.counts.entry(context).or_default();
            counts.tests += 1.0;
            counts.successes += f64::from(success);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_follow_the_counts_of_a_pass_and_of_what_came_before() {
        let mut odds = Odds::default();
        let outer = odds.enter("alternating");
        let mut context = odds.start();
        for number in 0..200 {
            odds.learn(context, number % 2 == 0);
            context = context.after(number % 2 == 0);
        }
        assert!(odds.of(context) > 0.9, "a failure is followed by a success");
        assert!(odds.of(context.after(true)) < 0.1, "and a success by a failure");
        odds.leave(outer);
        odds.enter("new");
        assert!((0.4..0.6).contains(&odds.of(odds.start())), "a new pass begins with the odds of all");
    }

    #[test]
    fn a_context_keeps_only_the_last_outcomes() {
        let outcomes = |outcomes: &[bool]| outcomes.iter().fold(Odds::default().start(), |all, &one| all.after(one));
        let last = [true, false, false, true, true, false];
        let more: Vec<bool> = [&[false, true, true], &last[..]].concat();
        assert_eq!(outcomes(&more), outcomes(&last));
        assert_ne!(outcomes(&last), outcomes(&last[1..]));
        assert_eq!(outcomes(&last).levels().count(), 1 + last.len());
    }
}
