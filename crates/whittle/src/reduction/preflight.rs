//! The checks before a reduction: the input is interesting, every time, and the property does not accept everything.

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use whittle_property::{CommandProperty, CommandTest, Constants, Rates, Repeat, Repeated, Survey, Trust, at_once};
use whittle_search::{Cancel, Candidate, File, Fingerprint, Property, TestError, Verdict};

use super::reliability::measure_rates;
use super::{Judge, Notice, ReductionError};
use crate::syntaxes::Syntaxes;

/// Runs of a command on the input before a reduction: enough to see most flaky tests, few enough to pay.
const INPUT_RUNS: u32 = 3;

/// Runs on the input of a test that is known to be flaky: a bug that shows in every fifth run shows in 10 of them with a
/// probability of 0.9.
const RARE_BUG_RUNS: u32 = 10;

/// What parsing may cost, as a share of a test's time: most proposals parse, so there is little to gain.
const PARSING_SHARE: f64 = 0.03;

/// Candidates of up to this many bytes are always parsed before they are tested: it takes a millisecond at most, and
/// small texts are where it helps most.
const ALWAYS_PARSED_BYTES: usize = 16 << 10;

/// What is known before the first candidate is tested.
#[derive(Debug)]
pub(super) struct Preflight {
    /// What was measured for a command; other properties have no use for it.
    pub(super) constants: Constants,
    /// Verdicts that need not be found again.
    pub(super) known: Vec<(Fingerprint, Verdict)>,
    /// Up to how many bytes a candidate is parsed before it is tested.
    pub(super) check_up_to: usize,
    /// Whether a nearly empty file is interesting.
    pub(super) accepts_trivial: bool,
    /// How often the bug shows, if it does not in every run.
    pub(super) shows_rarely: Option<Notice>,
}

/// Calls `body`, and cancels what it runs after `limit`, or when `outer` fires.
pub(super) fn within<T>(limit: Option<Duration>, outer: &Cancel, body: impl FnOnce(&Cancel) -> T) -> T {
    let cancel = Cancel::new();
    let (from_outside, from_clock) = (cancel.clone(), cancel.clone());
    let (done, over) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        if let Some(limit) = limit {
            scope.spawn(move || {
                if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    from_clock.cancel();
                }
            });
        }
        let result = outer.watch(move || from_outside.cancel(), || body(&cancel));
        drop(done);
        result
    })
}

/// Tests the input, or says why it cannot be reduced.
pub(super) fn check(
    judge: &Judge,
    input: &Candidate,
    repeat: Option<Repeat>,
    syntaxes: &Syntaxes,
    jobs: usize,
    cancel: &Cancel,
) -> Result<Preflight, ReductionError> {
    let mut shows_rarely = None;
    let (mut constants, elapsed) = match judge {
        Judge::Command(test) => {
            let survey = survey(test, input, repeat, jobs, cancel)?;
            if repeat.is_none() && !survey.is_stable() {
                return Err(ReductionError::Flaky(Box::new(survey)));
            }
            if let (Some(Repeat::Any(times)), false) = (repeat, survey.is_stable()) {
                let Survey { interesting, runs, .. } = survey;
                shows_rarely = Some(Notice::ShowsRarely { interesting, runs, times });
            }
            (survey.constants(), survey.first.elapsed)
        }
        Judge::Property(property) if repeat.is_none() => {
            (Constants::default(), test_once(property.as_ref(), input, cancel)?)
        }
        Judge::Property(_) => (Constants::default(), Duration::ZERO),
    };
    let single = judge.single(&constants, jobs);
    constants.trust = match repeat {
        None => Trust::default(),
        Some(Repeat::Times(times)) => Trust::Times(times),
        Some(Repeat::Any(times)) => Trust::Any(times),
        Some(Repeat::Auto) => Trust::Rates(rates(single.as_ref(), input, jobs, cancel)?),
    };
    let trivial = judge_trivial(&Repeated::new(single, constants.trust), input, jobs, cancel)?;
    let accepts_trivial = trivial.iter().any(|(_, verdict)| *verdict == Verdict::Interesting);
    let mut known = vec![(input.fingerprint(), Verdict::Interesting)];
    known.extend(trivial.iter().map(|(candidate, verdict)| (candidate.fingerprint(), *verdict)));
    let check_up_to = check_up_to(syntaxes, input, elapsed);
    Ok(Preflight { constants, known, check_up_to, accepts_trivial, shows_rarely })
}

fn survey(
    test: &CommandTest,
    input: &Candidate,
    repeat: Option<Repeat>,
    jobs: usize,
    cancel: &Cancel,
) -> Result<Survey, ReductionError> {
    let runs = match repeat {
        // A bug that shows rarely may not show in the first runs.
        Some(Repeat::Any(times)) => times.max(INPUT_RUNS),
        Some(Repeat::Auto) => RARE_BUG_RUNS,
        Some(Repeat::Times(_)) | None => INPUT_RUNS,
    };
    let survey = Survey::take(test, input, runs, jobs, cancel)?;
    if survey.interesting == 0 { Err(ReductionError::Unmet(Box::new(survey))) } else { Ok(survey) }
}

/// How often a test errs; an error if its successes say nothing.
fn rates(single: &dyn Property, input: &Candidate, jobs: usize, cancel: &Cancel) -> Result<Rates, ReductionError> {
    let rates = measure_rates(single, input, jobs, cancel)?;
    if rates.are_apart() { Ok(rates) } else { Err(ReductionError::Indistinct(rates)) }
}

fn test_once(property: &dyn Property, input: &Candidate, cancel: &Cancel) -> Result<Duration, ReductionError> {
    let tested = property.test(input, cancel)?;
    match tested.verdict {
        Verdict::Interesting => Ok(tested.elapsed),
        verdict => Err(ReductionError::NotInteresting(verdict)),
    }
}

/// The verdicts on files with next to nothing in them, which a property that checks anything rejects.
pub(super) fn judge_trivial(
    property: &dyn Property,
    input: &Candidate,
    jobs: usize,
    cancel: &Cancel,
) -> Result<Vec<(Candidate, Verdict)>, TestError> {
    let trivial = trivial(input);
    let tested = at_once(&trivial, jobs, |candidate| property.test(candidate, cancel));
    trivial.into_iter().zip(tested).map(|(candidate, tested)| Ok((candidate, tested?.verdict))).collect()
}

/// The input with its only file empty, and with a single line end in it; a project with no files, and with nothing in its
/// files. What is not smaller than the input itself is left out.
pub(super) fn trivial(input: &Candidate) -> Vec<Candidate> {
    if input.is_project() {
        let emptied = |file: &File| if file.kind().has_content() { file.with_bytes(Vec::new()) } else { file.clone() };
        let trivial = [input.with_files([]), input.with_files(input.files().iter().map(emptied))];
        return trivial.into_iter().filter(|candidate| candidate != input).collect();
    }
    let size = input.files().first().map_or(0, |file| file.bytes().len());
    let trivial = [Vec::new(), b"\n".to_vec()].into_iter().filter(|bytes| bytes.len() < size);
    trivial.map(|bytes| input.with_bytes(0, bytes)).collect()
}

/// How long a candidate may be to be parsed in the share of a test's time that is granted.
fn check_up_to(syntaxes: &Syntaxes, input: &Candidate, test: Duration) -> usize {
    let bytes_per_second = input.byte_count() as f64 / parsing_takes(syntaxes, input).as_secs_f64().max(1e-9);
    ((bytes_per_second * test.as_secs_f64() * PARSING_SHARE) as usize).max(ALWAYS_PARSED_BYTES)
}

fn parsing_takes(syntaxes: &Syntaxes, input: &Candidate) -> Duration {
    let began = Instant::now();
    syntaxes.measure()(input);
    began.elapsed()
}

/// What was found out about a command and an input, without a reduction.
#[derive(Debug)]
pub struct Checked {
    /// The runs on the input.
    pub survey: Survey,
    /// The verdicts on an empty file and on a single line end: a good test accepts neither.
    pub trivial: Vec<(Candidate, Verdict)>,
}

/// Runs a command on the input `runs` times, one after the other so that times are those of a test alone, and on trivial
/// files. Fails if the input is never interesting.
pub fn check_test(
    test: &Arc<CommandTest>,
    input: &Candidate,
    runs: u32,
    cancel: &Cancel,
) -> Result<Checked, ReductionError> {
    let survey = Survey::take(test, input, runs, 1, cancel)?;
    if survey.interesting == 0 {
        return Err(ReductionError::Unmet(Box::new(survey)));
    }
    let property = CommandProperty::new(Arc::clone(test), survey.constants(), 1);
    let trivial = judge_trivial(&property, input, 1, cancel)?;
    Ok(Checked { survey, trivial })
}
