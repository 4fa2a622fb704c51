//! The checks before a reduction: the input is interesting, always, and the test does not accept anything.

use std::sync::Arc;

use anyhow::Result;
use whittle::property::{CommandProperty, CommandTest, Constants, Survey};
use whittle::search::{Cancel, Candidate, Fingerprint, Property, TestError, Verdict};

use super::exit::Refusal;
use super::explain::not_interesting;
use super::subject::Subject;
use super::test_args::Repeat;

/// How often the input is tested before a reduction: enough to see most flaky tests, few enough to pay.
const RUNS: u32 = 3;

/// How often it is tested to measure how flaky the test is.
const MEASURING_RUNS: u32 = 10;

/// What is known before the first candidate is tested.
#[derive(Debug)]
pub(crate) struct Preflight {
    pub(crate) constants: Constants,
    /// Verdicts that need not be found again.
    pub(crate) known: Vec<(Fingerprint, Verdict)>,
}

/// Surveys the input, or says why it cannot be reduced.
pub(crate) fn run(subject: &Subject, test: &Arc<CommandTest>, cancel: &Cancel) -> Result<Preflight> {
    let runs = if subject.repeat == Some(Repeat::Auto) { MEASURING_RUNS } else { RUNS };
    let survey = Survey::take(test, &subject.input.candidate, subject.timeout, runs, cancel).map_err(cannot_run)?;
    if survey.interesting == 0 {
        return Err(not_interesting(subject, &survey).into());
    }
    let repeat = match subject.repeat {
        Some(Repeat::Times(times)) => times,
        Some(Repeat::Auto) => survey.repeat(),
        None if survey.is_stable() => 1,
        None => return Err(flaky(&survey).into()),
    };
    let constants = survey.constants(repeat);
    let property = CommandProperty::new(Arc::clone(test), constants.clone(), 1);
    let mut known = vec![(subject.input.candidate.fingerprint(), Verdict::Interesting)];
    for candidate in trifles(&subject.input.candidate) {
        let tested = property.test(&candidate, cancel).map_err(cannot_run)?;
        known.push((candidate.fingerprint(), tested.verdict));
    }
    Ok(Preflight { constants, known })
}

/// The empty file and one of a single byte, which a test that checks anything rejects. What is no smaller than the
/// input itself is left out.
pub(crate) fn trifles(input: &Candidate) -> impl Iterator<Item = Candidate> + '_ {
    let size = input.byte_count();
    [Vec::new(), b"\n".to_vec()]
        .into_iter()
        .filter(move |bytes| (bytes.len() as u64) < size)
        .map(|bytes| input.with_bytes(0, bytes))
}

/// A test that cannot be run, or was cancelled by the user.
pub(crate) fn cannot_run(error: TestError) -> anyhow::Error {
    match error {
        TestError::Failed(reason) => Refusal::new(reason, "Run the test by hand to see why.").into(),
        TestError::Cancelled => anyhow::Error::new(super::exit::Interrupted),
    }
}

fn flaky(survey: &Survey) -> Refusal {
    let problem =
        format!("the test is flaky: the input was interesting in {} of {} runs", survey.interesting, survey.runs);
    let remedy = format!(
        "Make the test the same every time; or let it succeed several times in a row, here --repeat {} (--repeat auto \
         measures it, --repeat 1 goes on regardless).",
        survey.repeat()
    );
    Refusal::new(problem, remedy)
}
