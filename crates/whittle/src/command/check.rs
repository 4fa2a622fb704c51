//! `whittle check`: is the input interesting and why, and is the test fit for a reduction?

use anyhow::Result;
use whittle::property::Survey;
use whittle::reduction::{Notice, check_test};
use whittle::search::{Candidate, Interrupter, Verdict};
use whittle::syntaxes::Syntaxes;

use super::args::CheckArgs;
use super::exit::Exit;
use super::explain::{ended, explained, printed};
use super::format::time;
use super::languages::{detection, language_in_use, language_missing};
use super::print::answer;
use super::signals::SignalWatch;
use super::subject::Subject;

/// Checks and prints; fails where a reduction would not start.
pub(crate) fn run(args: CheckArgs) -> Result<Exit> {
    let subject = Subject::resolve(args.test)?;
    let detection = detection(subject.input.candidate().files().iter().map(whittle::search::File::path))?;
    let syntaxes = Syntaxes::choose(&detection, subject.input.candidate())?;
    let test = subject.start_test(1)?;
    let interrupter = Interrupter::default();
    let _signals = SignalWatch::start(interrupter.clone(), &test, None)?;
    let checked = check_test(&test, subject.input.candidate(), args.runs, interrupter.cancel());
    let checked = checked.map_err(|error| explained(error, &subject))?;
    answer(&report(&subject, &syntaxes, &checked.survey));
    if let Some(notice) = language_missing(&detection, &syntaxes, subject.input.candidate()) {
        answer(&format!("warning: {notice}"));
    }
    for (language, reason) in syntaxes.refusals(subject.input.candidate()) {
        answer(&format!("warning: {}", Notice::NotParsed { language, reason }));
    }
    checked.trivial.iter().for_each(|(candidate, verdict)| answer(&report_trivial(candidate, *verdict)));
    // As for a reduction: flakiness that the user has not asked for is a mistake.
    let is_fit = checked.survey.is_stable() || subject.test.repeat.is_some();
    let is_always = |(_, verdict): &(Candidate, Verdict)| *verdict == Verdict::Interesting;
    let accepts_all = !checked.trivial.is_empty() && checked.trivial.iter().all(is_always);
    if accepts_all {
        answer("verdict: the test accepts everything that was tried, so it does not check for the bug");
    }
    Ok(if is_fit && !accepts_all { Exit::Done } else { Exit::Usage })
}

fn report(subject: &Subject, syntaxes: &Syntaxes, survey: &Survey) -> String {
    let mut lines = vec![
        format!("command: {}", subject.test.shown),
        format!("language: {}", language_in_use(syntaxes)),
        format!("asked:   {}", subject.test.command.criteria.conditions),
        format!("ended:   {}", ended(survey)),
    ];
    lines.extend(printed(&survey.first.observation));
    if let Some(signature) = &survey.signature {
        lines.push(format!("signature: {}", String::from_utf8_lossy(signature)));
    }
    let advice = match survey.is_stable() {
        true => String::new(),
        false => format!(": the test is flaky; use --repeat any:{} or --repeat auto", survey.runs_to_see_it()),
    };
    lines.push(format!("stable:  interesting in {} of {} runs{advice}", survey.interesting, survey.runs));
    let given = subject.test.command.timeout.is_some();
    let origin = if given { "as given" } else { "ten times the first run, at least 2 s" };
    lines.push(format!("timeout: {} ({origin})", time(survey.timeout)));
    lines.join("\n")
}

fn report_trivial(candidate: &Candidate, verdict: Verdict) -> String {
    let what = match candidate.byte_count() {
        0 if candidate.is_project() && candidate.files().is_empty() => "nothing: a project without files",
        0 if candidate.is_project() => "empty:   a project of empty files",
        _ if candidate.is_project() => "links:   a project of empty files and links",
        0 => "empty:   an empty file",
        _ => "byte:    a single line end",
    };
    match verdict {
        Verdict::Interesting => format!("{what} is interesting too: does the test check anything?"),
        _ => format!("{what} is not interesting, as it should be"),
    }
}
