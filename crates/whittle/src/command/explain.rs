//! Why an input is not interesting, in words: what was run, how it ended, what it printed, and what is likely wrong.

use whittle::property::conditions::{Ending, Observation};
use whittle::property::{Invocation, Survey};

use super::exit::Refusal;
use super::format::time;
use super::subject::Subject;

/// How many lines of output are shown.
const LINES: usize = 10;

/// What to tell a user whose input is not interesting.
pub(crate) fn not_interesting(subject: &Subject, survey: &Survey) -> Refusal {
    let why = survey.objection.as_ref().map(ToString::to_string).unwrap_or_default();
    let problem = format!("the input {} is not interesting: {why}", subject.input.path.display());
    let mut text = vec![format!("command: {}", subject.manner.shown), format!("ended:   {}", ended(survey))];
    text.extend(printed(&survey.first.observation));
    text.push("likely causes:".into());
    text.extend(causes(subject, &survey.first.observation).into_iter().map(|cause| format!("- {cause}")));
    Refusal::new(problem, text.join("\n  "))
}

/// How the first run ended, and after what time.
pub(crate) fn ended(survey: &Survey) -> String {
    format!("{} after {}", survey.first.observation.ending, time(survey.first.elapsed))
}

/// The first lines of what a command printed, one string each.
pub(crate) fn printed(observation: &Observation) -> Vec<String> {
    let text = [observation.stdout.as_slice(), observation.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(|line| format!("  {}", line.chars().take(200).collect::<String>()));
    let mut shown: Vec<String> = lines.by_ref().take(LINES).collect();
    let more = lines.count();
    if more > 0 {
        shown.push(format!("  ... and {more} more lines"));
    }
    let head = if shown.is_empty() { "printed: nothing" } else { "printed:" };
    std::iter::once(head.to_owned()).chain(shown).collect()
}

/// What usually is wrong when a test behaves like this, the likeliest first.
fn causes(subject: &Subject, observation: &Observation) -> Vec<String> {
    let text = [observation.stdout.as_slice(), observation.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text);
    let is_script = matches!(subject.manner.criteria.command, Invocation::Script(_));
    let name = subject.input.path.file_name().unwrap_or_default().to_string_lossy();
    let mut causes = Vec::new();
    match observation.ending {
        Ending::TimedOut => causes.push("it takes longer than it may: give it more with --timeout".to_owned()),
        Ending::OverLimit => causes.push("it prints more than it may: give it more with --output-limit".to_owned()),
        Ending::Exited(127) => {
            causes.push("a program that it calls is not on PATH, or is called by a relative path".into());
        }
        Ending::Exited(126) => causes.push("a program that it calls is not executable".into()),
        Ending::Exited(status @ 129..=192) if !subject.manner.criteria.conditions.signals.is_empty() => {
            causes
                .push(format!("a shell turned the signal into exit status {status}: ask for it with --exit {status}"));
        }
        _ => {}
    }
    if text.contains("No such file or directory") || text.contains("cannot open") {
        causes.push(format!(
            "it needs a file that is not there: it runs in a folder that holds {name} and nothing else, so name other \
             files by absolute paths"
        ));
    }
    if text.contains("Permission denied") {
        causes.push("it may not use a file that it needs".into());
    }
    if is_script && causes.is_empty() {
        causes.push(format!("it looks for the file elsewhere: in its folder, the candidate is called {name}"));
        causes.push("it says yes with another exit status: 0 means interesting".into());
    }
    if !is_script && causes.is_empty() {
        causes.push("the conditions ask for something else than what happens; look at how it ended and printed".into());
    }
    causes
}
