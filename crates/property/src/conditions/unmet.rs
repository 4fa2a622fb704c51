//! Which condition a run does not meet, in words for people.

use std::fmt;

use super::exit_set::ExitSet;
use super::observation::{Ending, Stream};
use super::pattern::Pattern;
use super::signal_name::SignalName;
use super::similarity::Similarity;

/// The endings that are asked for: any of them will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endings {
    pub(super) exits: Option<ExitSet>,
    pub(super) signals: Vec<SignalName>,
    pub(super) timeout: bool,
}

impl Endings {
    pub(super) fn contains(&self, ending: Ending) -> bool {
        match ending {
            Ending::Exited(status) => self.exits.is_some_and(|exits| exits.contains(status)),
            Ending::Signalled(number) => self.signals.contains(&SignalName::from_raw(number)),
            Ending::TimedOut => self.timeout,
            Ending::OverLimit => false,
        }
    }
}

impl fmt::Display for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exits = self.exits.iter().map(|exits| format!("exit status {exits}"));
        let signals = (!self.signals.is_empty()).then(|| format!("signal {}", alternatives(&self.signals)));
        let timeout = self.timeout.then(|| "a timeout".to_owned());
        f.write_str(&exits.chain(signals).chain(timeout).collect::<Vec<_>>().join(" or "))
    }
}

fn alternatives(signals: &[SignalName]) -> String {
    signals.iter().map(SignalName::to_string).collect::<Vec<_>>().join(" or ")
}

/// The first condition that a run does not meet. Its text is for people, without a full stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unmet {
    /// The run ended in another way than asked for.
    #[error("{}", another_ending(*.ending, .asked))]
    Ending {
        /// How it ended.
        ending: Ending,
        /// How it should have ended.
        asked: Endings,
    },
    /// The run was killed at its time limit, and that is not what is asked for.
    #[error("timed out")]
    TimedOut,
    /// The run was killed because it printed more than it may.
    #[error("printed more than the output limit")]
    OverLimit,
    /// A pattern that must match does not.
    #[error("{stream} does not match {pattern}")]
    NoMatch {
        /// Where it was searched.
        stream: Stream,
        /// The pattern.
        pattern: Pattern,
    },
    /// A pattern that must not match does.
    #[error("{stream} matches {pattern}, which it must not")]
    Match {
        /// Where it was found.
        stream: Stream,
        /// The pattern.
        pattern: Pattern,
    },
    /// Standard error is not similar enough to the recorded one.
    #[error("stderr is {} similar to the recorded one; {asked} is asked for", rounded_down(*.similarity))]
    Unlike {
        /// How similar it is.
        similarity: Similarity,
        /// How similar it must be.
        asked: Similarity,
    },
}

fn another_ending(ending: Ending, asked: &Endings) -> String {
    match (ending, asked) {
        (Ending::Exited(_), Endings { exits: Some(exits), signals, timeout: false }) if signals.is_empty() => {
            format!("{ending}, expected {}", exits.spelled_out())
        }
        (Ending::Signalled(_), Endings { exits: None, signals, timeout: false }) => {
            format!("{ending}, not {}", alternatives(signals))
        }
        _ => format!("{ending}, but {asked} is asked for"),
    }
}

/// So that what is not enough never looks like the threshold.
fn rounded_down(similarity: Similarity) -> String {
    format!("{:.2}", (similarity.value() * 100.0 + 1e-9).floor() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_joined_by_or() {
        let signals = vec!["SEGV".parse().unwrap(), "ABRT".parse().unwrap()];
        let endings = Endings { exits: Some(ExitSet::SUCCESS), signals, timeout: true };
        assert_eq!(endings.to_string(), "exit status 0 or signal SEGV or ABRT or a timeout");
    }

    #[test]
    fn a_similarity_that_is_not_enough_is_shown_below_the_threshold() {
        for (similarity, shown) in [("0.7999", "0.79"), ("0.29", "0.29"), ("0.435", "0.43"), ("0", "0.00")] {
            assert_eq!(rounded_down(similarity.parse().unwrap()), shown);
        }
    }
}
