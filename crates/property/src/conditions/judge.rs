//! The conditions on a run, and the judgement of a run by them.
//!
//! How a run must end:
//! - `exits`, `signals` and `timeout_is_interesting` name endings; if any of them is given, one of those endings is
//!   asked for. So `timeout_is_interesting` alone asks for a timeout, and with exit status 0 for either.
//! - If nothing at all is given, exit status 0 is asked for.
//! - If only conditions on the output are given, every exit status and every signal will do, but no timeout.
//! - A run that was killed because it printed too much is never interesting.
//!
//! All conditions on the output must hold besides, also for a timeout: on what was printed until then.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::exit_set::ExitSet;
use super::likeness::Likeness;
use super::observation::{Ending, Observation, Stream};
use super::pattern::Pattern;
use super::signal_name::SignalName;
use super::signature::Signature;
use super::unmet::{Endings, Unmet};

/// What makes a run interesting. The default asks for exit status 0.
///
/// [`Display`](fmt::Display) writes a fingerprint: one line, equal for conditions that ask the same in another order,
/// different for conditions that ask something else.
///
/// ```
/// use whittle_property::conditions::{Conditions, Ending, Observation};
///
/// let crash = Conditions {
///     signals: vec!["SEGV".parse()?],
///     stderr: vec!["internal compiler error".parse()?],
///     ..Conditions::default()
/// };
/// let run = Observation { ending: Ending::Signalled(11), stdout: Vec::new(), stderr: b"Segmentation fault".to_vec() };
/// assert_eq!(crash.judge(&run).unwrap_err().to_string(), "stderr does not match /internal compiler error/");
/// assert_eq!(crash.to_string(), r#"signal SEGV; stderr "internal compiler error""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Conditions {
    /// Accepted exit statuses.
    pub exits: Option<ExitSet>,
    /// Accepted signals.
    pub signals: Vec<SignalName>,
    /// Whether a timeout is accepted.
    pub timeout_is_interesting: bool,
    /// Patterns that must all match standard output.
    pub stdout: Vec<Pattern>,
    /// Patterns that must all match standard error.
    pub stderr: Vec<Pattern>,
    /// Patterns of which none may match standard output.
    pub not_stdout: Vec<Pattern>,
    /// Patterns of which none may match standard error.
    pub not_stderr: Vec<Pattern>,
    /// What standard error must be similar to.
    pub stderr_like: Option<Likeness>,
    /// What must stay as it is for the input. That there is such a thing in the output is a condition too.
    pub signature: Option<Signature>,
}

impl Conditions {
    /// Whether a run is interesting; if not, the first condition that it does not meet.
    pub fn judge(&self, run: &Observation) -> Result<(), Unmet> {
        self.judge_ending(run.ending)?;
        for (stream, patterns) in [(Stream::Stdout, &self.stdout), (Stream::Stderr, &self.stderr)] {
            if let Some(pattern) = patterns.iter().find(|pattern| !pattern.is_match(run.printed(stream))) {
                return Err(Unmet::NoMatch { stream, pattern: pattern.clone() });
            }
        }
        for (stream, patterns) in [(Stream::Stdout, &self.not_stdout), (Stream::Stderr, &self.not_stderr)] {
            if let Some(pattern) = patterns.iter().find(|pattern| pattern.is_match(run.printed(stream))) {
                return Err(Unmet::Match { stream, pattern: pattern.clone() });
            }
        }
        match &self.stderr_like {
            Some(likeness) => likeness
                .check(&run.stderr)
                .map_err(|similarity| Unmet::Unlike { similarity, asked: likeness.threshold() }),
            None => Ok(()),
        }
    }

    /// Whether a judgement looks at what a run printed; if not, nothing needs to be captured.
    pub fn needs_output(&self) -> bool {
        let patterns = [&self.stdout, &self.stderr, &self.not_stdout, &self.not_stderr];
        self.signature.is_some() || self.stderr_like.is_some() || patterns.iter().any(|patterns| !patterns.is_empty())
    }

    fn judge_ending(&self, ending: Ending) -> Result<(), Unmet> {
        match (ending, self.endings()) {
            (Ending::OverLimit, _) => Err(Unmet::OverLimit),
            (Ending::TimedOut, _) if !self.timeout_is_interesting => Err(Unmet::TimedOut),
            (_, Some(asked)) if !asked.contains(ending) => Err(Unmet::Ending { ending, asked }),
            _ => Ok(()),
        }
    }

    /// The endings that are asked for, or none if every exit status and every signal will do.
    fn endings(&self) -> Option<Endings> {
        let nothing_asked = self.exits.is_none() && self.signals.is_empty() && !self.timeout_is_interesting;
        let exits = match self.exits {
            None if nothing_asked && self.needs_output() => return None,
            None if nothing_asked => Some(ExitSet::SUCCESS),
            exits => exits,
        };
        let mut signals = self.signals.clone();
        signals.sort_unstable();
        signals.dedup();
        Some(Endings { exits, signals, timeout: self.timeout_is_interesting })
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.endings() {
            Some(endings) => write!(f, "{endings}")?,
            None => f.write_str("any exit status or signal")?,
        }
        for (name, patterns) in [
            ("stdout", &self.stdout),
            ("stderr", &self.stderr),
            ("not stdout", &self.not_stdout),
            ("not stderr", &self.not_stderr),
        ] {
            let mut patterns: Vec<&str> = patterns.iter().map(Pattern::as_str).collect();
            patterns.sort_unstable();
            patterns.dedup();
            patterns.iter().try_for_each(|pattern| write!(f, "; {name} {pattern:?}"))?;
        }
        self.stderr_like.iter().try_for_each(|likeness| write!(f, "; stderr like {likeness}"))
    }
}

#[cfg(test)]
mod tests;
