//! `whittle check`: is the input interesting and why, and is the test fit for a reduction?

use std::sync::Arc;

use anyhow::Result;
use whittle::property::{CommandTest, Survey};
use whittle::search::{Cancel, Interrupter, Verdict};

use super::args::CheckArgs;
use super::exit::Exit;
use super::explain::{ended, not_interesting, printed};
use super::format::time;
use super::preflight::{cannot_run, judge_trifles};
use super::print::answer;
use super::signals::SignalWatch;
use super::subject::Subject;

/// Checks and prints; fails where a reduction would not start.
pub(crate) fn run(args: CheckArgs) -> Result<Exit> {
    let subject = Subject::resolve(args.test)?;
    let test = subject.test(1)?;
    let cancel = Cancel::new();
    let _signals = SignalWatch::start(Interrupter::default(), cancel.clone(), &test, None)?;
    let input = &subject.input.candidate;
    // One at a time, so that the times are those of a test alone.
    let survey = Survey::take(&test, input, subject.manner.timeout, (args.runs, 1), &cancel).map_err(cannot_run)?;
    if survey.interesting == 0 {
        return Err(not_interesting(&subject, &survey).into());
    }
    answer(&report(&subject, &survey));
    answer(&report_trifles(&subject, &test, &survey, &cancel)?);
    // As for a reduction: a flaky test is one that the user knows of, or a mistake.
    Ok(if survey.is_stable() || subject.manner.repeat.is_some() { Exit::Done } else { Exit::Usage })
}

fn report(subject: &Subject, survey: &Survey) -> String {
    let mut lines = vec![
        format!("command: {}", subject.manner.shown),
        format!("asked:   {}", subject.manner.criteria.conditions),
        format!("ended:   {}", ended(survey)),
    ];
    lines.extend(printed(&survey.first.observation));
    if let Some(signature) = &survey.signature {
        lines.push(format!("signature: {}", String::from_utf8_lossy(signature)));
    }
    let advice = match survey.is_stable() {
        true => String::new(),
        false => format!(": the test is flaky; use --repeat {}", survey.repeat()),
    };
    lines.push(format!("stable:  interesting in {} of {} runs{advice}", survey.interesting, survey.runs));
    let origin = if subject.manner.timeout.is_some() { "as given" } else { "ten times the first run, at least 2 s" };
    lines.push(format!("timeout: {} ({origin})", time(survey.timeout)));
    lines.join("\n")
}

fn report_trifles(subject: &Subject, test: &Arc<CommandTest>, survey: &Survey, cancel: &Cancel) -> Result<String> {
    let trifles = judge_trifles(subject, test, &survey.constants(1), 1, cancel)?;
    let lines = trifles.iter().map(|(candidate, verdict)| {
        let what = if candidate.byte_count() == 0 { "empty:   an empty file" } else { "byte:    a single line end" };
        match verdict {
            Verdict::Interesting => format!("{what} is interesting too: does the test check anything?"),
            _ => format!("{what} is not interesting, as it should be"),
        }
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
