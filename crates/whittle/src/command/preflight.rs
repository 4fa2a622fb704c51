//! The checks before a reduction: the input is interesting, always, and the test does not accept anything.

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::Result;
use whittle::property::{CommandProperty, CommandTest, Constants, Survey, at_once};
use whittle::search::{Cancel, Candidate, Fingerprint, Property, TestError, Verdict};
use whittle::syntaxes::Syntaxes;

use super::exit::{Refusal, StoppedEarly};
use super::explain::not_interesting;
use super::subject::Subject;
use super::test_args::Repeat;

/// How often the input is tested before a reduction: enough to see most flaky tests, few enough to pay.
const RUNS: u32 = 3;

/// What parsing may cost, as a share of a test's time: most of what is proposed is fine, so there is little to gain.
const PARSING_SHARE: f64 = 0.03;

/// Up to how many bytes a candidate is parsed whatever that costs: a millisecond at most, and small texts are where it
/// helps most.
const ALWAYS_CHECKED: usize = 16 << 10;

/// How often it is tested to measure how flaky the test is.
const MEASURING_RUNS: u32 = 10;

/// What is known before the first candidate is tested.
#[derive(Debug)]
pub(crate) struct Preflight {
    pub(crate) constants: Constants,
    /// Verdicts that need not be found again.
    pub(crate) known: Vec<(Fingerprint, Verdict)>,
    /// Up to how many bytes a candidate is parsed before it is tested.
    pub(crate) check_up_to: usize,
    /// Whether files with next to nothing in them are interesting.
    pub(crate) accepts_trifles: bool,
}

/// Calls `body`, and cancels what it runs after `limit`.
pub(crate) fn within<T>(limit: Option<Duration>, cancel: &Cancel, body: impl FnOnce() -> T) -> T {
    let Some(limit) = limit else { return body() };
    let (done, over) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        });
        let result = body();
        drop(done);
        result
    })
}

/// Surveys the input, or says why it cannot be reduced.
pub(crate) fn run(
    subject: &Subject,
    syntaxes: &Syntaxes,
    test: &Arc<CommandTest>,
    jobs: usize,
    cancel: &Cancel,
) -> Result<Preflight> {
    let runs = if subject.manner.repeat == Some(Repeat::Auto) { MEASURING_RUNS } else { RUNS };
    let input = &subject.input.candidate;
    let survey = Survey::take(test, input, subject.manner.timeout, (runs, jobs), cancel).map_err(cannot_run)?;
    if survey.interesting == 0 {
        return Err(not_interesting(subject, &survey).into());
    }
    let repeat = match subject.manner.repeat {
        Some(Repeat::Times(times)) => times,
        Some(Repeat::Auto) => survey.repeat(),
        None if survey.is_stable() => 1,
        None => return Err(flaky(&survey).into()),
    };
    let constants = survey.constants(repeat);
    let trifles = judge_trifles(subject, test, &constants, jobs, cancel)?;
    let accepts_trifles = trifles.iter().any(|(_, verdict)| *verdict == Verdict::Interesting);
    let mut known = vec![(input.fingerprint(), Verdict::Interesting)];
    known.extend(trifles.iter().map(|(candidate, verdict)| (candidate.fingerprint(), *verdict)));
    let check_up_to = check_up_to(syntaxes, input, survey.first.elapsed);
    Ok(Preflight { constants, known, check_up_to, accepts_trifles })
}

/// How long a candidate may be to be parsed in the share of a test's time that is granted.
fn check_up_to(syntaxes: &Syntaxes, input: &Candidate, test: Duration) -> usize {
    let bytes_per_second = input.byte_count() as f64 / parsing_takes(syntaxes, input).as_secs_f64().max(1e-9);
    ((bytes_per_second * test.as_secs_f64() * PARSING_SHARE) as usize).max(ALWAYS_CHECKED)
}

fn parsing_takes(syntaxes: &Syntaxes, input: &Candidate) -> Duration {
    let began = Instant::now();
    syntaxes.measure()(input);
    began.elapsed()
}

/// The verdicts on [`trifles`].
pub(crate) fn judge_trifles(
    subject: &Subject,
    test: &Arc<CommandTest>,
    constants: &Constants,
    jobs: usize,
    cancel: &Cancel,
) -> Result<Vec<(Candidate, Verdict)>> {
    let property = CommandProperty::new(Arc::clone(test), constants.clone(), jobs);
    let trifles = trifles(&subject.input.candidate);
    let tested = at_once(&trifles, jobs, |candidate| property.test(candidate, cancel));
    trifles.into_iter().zip(tested).map(|(trifle, tested)| Ok((trifle, tested.map_err(cannot_run)?.verdict))).collect()
}

/// The empty file and one of a single byte, which a test that checks anything rejects. What is no smaller than the
/// input itself is left out.
fn trifles(input: &Candidate) -> Vec<Candidate> {
    let size = input.byte_count();
    let trifles = [Vec::new(), b"\n".to_vec()].into_iter().filter(|bytes| (bytes.len() as u64) < size);
    trifles.map(|bytes| input.with_bytes(0, bytes)).collect()
}

/// A test that cannot be run, or was cancelled by the user.
pub(crate) fn cannot_run(error: TestError) -> anyhow::Error {
    match error {
        TestError::Failed(reason) => Refusal::new(reason, "Run the test by hand to see why.").into(),
        TestError::Cancelled => StoppedEarly("stopped by a signal or a time limit".into()).into(),
    }
}

fn flaky(survey: &Survey) -> Refusal {
    if let (Some(one), Some(other)) = (&survey.signature, &survey.other_signature) {
        let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
        let problem = format!("the signature of the input differs from run to run: {one:?}, then {other:?}");
        return Refusal::new(problem, "Let --signature capture only what stays the same.");
    }
    let problem =
        format!("the test is flaky: the input was interesting in {} of {} runs", survey.interesting, survey.runs);
    let remedy = format!(
        "Make the test the same every time; or let it succeed several times in a row, here --repeat {} (--repeat auto \
         measures it, --repeat 1 goes on regardless).",
        survey.repeat()
    );
    Refusal::new(problem, remedy)
}
