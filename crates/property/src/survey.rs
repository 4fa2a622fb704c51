//! The checks before a reduction: is the input interesting, always, how long does that take, and does the test accept
//! anything?

use std::panic::resume_unwind;
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use whittle_search::{Cancel, Candidate, TestError};

use crate::command::{CommandTest, Observed};
use crate::conditions::{Ending, Unmet};
use crate::constants::Constants;
use crate::trust::Trust;

/// How long the first run may take if nobody has said how long a test may take.
pub const FIRST_RUN_LIMIT: Duration = Duration::from_secs(600);

/// No timeout is shorter than this unless the user asks for it.
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(2);

/// What was found out about the input.
#[derive(Debug)]
pub struct Survey {
    /// The first run.
    pub first: Observed,
    /// Why the input is not interesting, if the first run was not.
    pub objection: Option<Objection>,
    /// How often the command was run.
    pub runs: u32,
    /// How often the input was interesting.
    pub interesting: u32,
    /// The timeout to be used.
    pub timeout: Duration,
    /// What the signature captured.
    pub signature: Option<Vec<u8>>,
    /// What it captured in another run, if that was not the same.
    pub other_signature: Option<Vec<u8>>,
}

/// Why a candidate is not interesting.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Objection {
    /// The cheap check says no.
    #[error("the validity check rejects it")]
    Invalid,
    /// A condition is not met.
    #[error("{0}")]
    Unmet(Unmet),
    /// There is nothing that could be compared later.
    #[error("the signature is not in its output")]
    NoSignature,
}

impl Survey {
    /// Runs the command `runs` times on `input`, once alone and then `jobs` times at once. A timeout that the command
    /// has is used as it is; else it follows from the first run.
    pub fn take(
        test: &CommandTest,
        input: &Candidate,
        runs: u32,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Self, TestError> {
        let timeout = test.command().timeout;
        let first_limit = timeout.unwrap_or(FIRST_RUN_LIMIT);
        let (first, objection, signature) = look(test, input, first_limit, cancel)?;
        let timeout = timeout.unwrap_or_else(|| (first.elapsed * 10).max(SHORTEST_TIMEOUT));
        let mut survey = Self { first, objection, runs: 1, interesting: 0, timeout, signature, other_signature: None };
        survey.interesting += u32::from(survey.objection.is_none());
        // A flaky test may have failed the first time; a test that took all its time is not waited for again.
        if survey.first.observation.ending == Ending::TimedOut {
            return Ok(survey);
        }
        let others = vec![input; runs.saturating_sub(1) as usize];
        for look in at_once(&others, jobs, |input| look(test, input, timeout, cancel)) {
            let (_, objection, signature) = look?;
            survey.runs += 1;
            if objection.is_some() {
                continue;
            }
            if survey.interesting == 0 || survey.signature == signature {
                survey.interesting += 1;
                survey.signature = signature;
            } else {
                survey.other_signature = signature;
            }
        }
        Ok(survey)
    }

    /// Whether all runs agreed.
    pub fn is_stable(&self) -> bool {
        self.interesting == 0 || self.interesting == self.runs
    }

    /// How many runs show the bug at least once, with a probability of 99%, if each shows it as often as those on the input.
    pub fn runs_to_see_it(&self) -> u32 {
        let missed = 1.0 - f64::from(self.interesting) / f64::from(self.runs);
        (0.01f64.ln() / missed.ln()).ceil().clamp(1.0, 1000.0) as u32
    }

    /// What holds for a run in which one success is enough.
    pub fn constants(&self) -> Constants {
        Constants { timeout: self.timeout, trust: Trust::default(), signature: self.signature.clone() }
    }
}

/// Calls `body` for each item on up to `jobs` threads, and gives the answers in the order of the items.
pub fn at_once<T: Sync, R: Send>(items: &[T], jobs: usize, body: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let chunks = items.chunks(jobs.max(1));
    let run_chunk = |chunk: &[T]| -> Vec<R> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = chunk.iter().map(|item| scope.spawn(|| body(item))).collect();
            let join = |thread: ScopedJoinHandle<'_, R>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            threads.into_iter().map(join).collect()
        })
    };
    chunks.flat_map(run_chunk).collect()
}

type Look = (Observed, Option<Objection>, Option<Vec<u8>>);

fn look(test: &CommandTest, candidate: &Candidate, timeout: Duration, cancel: &Cancel) -> Result<Look, TestError> {
    let check = test.check_validity(candidate, timeout, cancel)?;
    let valid = check.is_none_or(|check| check.observation.ending == Ending::Exited(0));
    let observed = test.observe(candidate, timeout, cancel)?;
    let criteria = test.criteria();
    let signature =
        criteria.conditions.signature.as_ref().and_then(|signature| signature.capture(&observed.observation));
    let objection = if !valid {
        Some(Objection::Invalid)
    } else if let Err(unmet) = criteria.conditions.judge(&observed.observation) {
        Some(Objection::Unmet(unmet))
    } else if criteria.conditions.signature.is_some() && signature.is_none() {
        Some(Objection::NoSignature)
    } else {
        None
    };
    Ok((observed, objection, signature))
}
