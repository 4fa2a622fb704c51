//! Failures in words: what was wrong, and what to do about it.

use whittle::ReductionError;
use whittle::property::conditions::{Ending, Observation, Stream, Unmet};
use whittle::property::{Invocation, Objection, Survey};
use whittle::search::ResumeError;

use super::exit::{Refusal, StoppedEarly};
use super::format::time;
use super::subject::{Subject, no_helpers};

/// How many lines of output are shown.
const LINES: usize = 10;

/// What went wrong with a reduction, and what to do about it.
pub(crate) fn explained(error: ReductionError, subject: &Subject) -> anyhow::Error {
    let input = subject.path.display();
    let (problem, remedy) = match error {
        ReductionError::Unmet(survey) => return not_interesting(subject, &survey).into(),
        ReductionError::Flaky(survey) => return flaky(&survey).into(),
        ReductionError::Stopped(stop) => return StoppedEarly(stop.to_string()).into(),
        ReductionError::Helpers(error) => return no_helpers(&error).into(),
        ReductionError::Test(reason) if subject.test.is_server() => (reason, SERVER),
        ReductionError::Machines(_) => (error.to_string(), "Check TEST and --with."),
        ReductionError::Test(reason) => (reason, "Run the test by hand to see why."),
        ReductionError::NoLongerInteresting | ReductionError::NotInteresting(_) => (
            format!("the input {input} is no longer interesting"),
            "Look at it with whittle check; without --resume, a reduction starts from the beginning.",
        ),
        ReductionError::Indistinct(_) => (error.to_string(), "Let the test check for the bug itself."),
        ReductionError::Busy(_) => (error.to_string(), "Wait until it ends, or choose another place with --output."),
        ReductionError::Occupied(_) => {
            (error.to_string(), "Choose another place with --output, or replace it with --force.")
        }
        ReductionError::Output { .. } => {
            (error.to_string(), "Check the folder, or choose another place with --output.")
        }
        ReductionError::Resume { path, error: ResumeError::OtherBinding { .. }, differs } => (
            format!("--resume: {} belongs to a run with another {}", path.display(), differs.join(" and ")),
            "Run it as it was started, or start from the beginning without --resume.",
        ),
        ReductionError::Resume { path, error, .. } => (
            format!("--resume: {}: {error}", path.display()),
            "Move it away, or start from the beginning without --resume.",
        ),
        error => return error.into(),
    };
    Refusal::new(problem, remedy).into()
}

/// What a server that does not serve may have missed.
const SERVER: &str = "Run it by hand: it prints the line ready, then reads the path of a candidate from each line and answers \
    yes or no (docs/servers.md). It runs in a scratch folder, so name its files by absolute paths, or as in {cwd}/server.js.";

fn flaky(survey: &Survey) -> Refusal {
    if let (Some(one), Some(other)) = (&survey.signature, &survey.other_signature) {
        let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
        let problem = format!("the signature of the input differs from run to run: {one:?}, then {other:?}");
        return Refusal::new(problem, "Let --signature capture only what stays the same.");
    }
    let problem =
        format!("the test is flaky: the input was interesting in {} of {} runs", survey.interesting, survey.runs);
    let remedy = format!(
        "Make the test deterministic, or run it several times for each candidate: --repeat any:{} if it never reports the bug \
         falsely (one success is enough), --repeat auto to measure how often it errs; --repeat 1 continues anyway.",
        survey.runs_to_see_it()
    );
    Refusal::new(problem, remedy)
}

/// What to say to a user whose input is not interesting: what ran, how it ended, what it printed, what is likely wrong.
fn not_interesting(subject: &Subject, survey: &Survey) -> Refusal {
    let why = survey.objection.as_ref().map(ToString::to_string).unwrap_or_default();
    let problem = format!("the input {} is not interesting: {why}", subject.path.display());
    let mut text = vec![format!("command: {}", subject.test.shown), format!("ended:   {}", ended(survey))];
    text.extend(printed(&survey.first.observation));
    text.push("likely causes:".into());
    text.extend(causes(subject, survey).into_iter().map(|cause| format!("- {cause}")));
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
fn causes(subject: &Subject, survey: &Survey) -> Vec<String> {
    let observation = &survey.first.observation;
    let text = [observation.stdout.as_slice(), observation.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&text);
    let is_script = matches!(subject.test.command.criteria.command, Invocation::Script(_));
    let name = subject.path.file_name().unwrap_or_default().to_string_lossy();
    let mut causes = Vec::new();
    match observation.ending {
        Ending::TimedOut => causes.push("it runs into the time limit: raise it with --timeout".to_owned()),
        Ending::OverLimit => causes.push("it prints more than allowed: raise the limit with --output-limit".to_owned()),
        Ending::Exited(127) => {
            causes.push("a program that it calls is not on PATH, or is called by a relative path".into());
        }
        Ending::Exited(126) => causes.push("a program that it calls is not executable".into()),
        Ending::Exited(status @ 129..=192) if !subject.test.command.criteria.conditions.signals.is_empty() => {
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
        causes.push("it lacks permission for a file that it needs".into());
    }
    if causes.is_empty() {
        causes.extend(survey.objection.as_ref().and_then(|objection| failed_condition(objection, observation)));
    }
    if is_script && causes.is_empty() {
        causes.push(format!("it looks for the file elsewhere: in its folder, the candidate is called {name}"));
        causes.push("it reports success with another exit status: 0 means interesting".into());
    }
    if subject.test.is_server() && causes.is_empty() {
        causes.push(
            "the server answered no, or ended without an answer: run it by hand, and give it the input's path".into(),
        );
    }
    if !is_script && causes.is_empty() {
        causes.push(
            "the conditions do not match what happens; compare them with how it ended and what it printed".into(),
        );
    }
    causes
}

/// What to look at if it is not the ending that is wrong.
fn failed_condition(objection: &Objection, observation: &Observation) -> Option<String> {
    Some(match objection {
        Objection::Invalid => "the command of --valid does not exit with 0: run it by hand on the input".into(),
        Objection::NoSignature => "--signature matches nothing in the output: compare it with what was printed".into(),
        Objection::Unmet(Unmet::NoMatch { stream, pattern }) => {
            let other = match stream {
                Stream::Stdout => Stream::Stderr,
                Stream::Stderr => Stream::Stdout,
            };
            if pattern.is_match(observation.printed(other)) {
                format!("the text is on the other stream: ask for it with --{other}")
            } else {
                format!("--{stream} asks for another text: compare {pattern} with what was printed")
            }
        }
        Objection::Unmet(Unmet::Match { stream, pattern }) => {
            format!("--not-{stream} forbids what the input makes it print: make {pattern} more specific")
        }
        Objection::Unmet(Unmet::Unlike { .. }) => {
            "the file of --stderr-like was recorded from another run: record it again, or lower --similarity".into()
        }
        Objection::Unmet(_) => return None,
    })
}
