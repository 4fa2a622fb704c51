//! `whittle reduce`: carries out a plan and reports.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::output::{replace_file, save_elsewhere, unfinished};
use whittle::property::{CommandTest, Survey, arguments};
use whittle::reduction::{Confidence, Confirmation, End, JournalEnd, Notice, Outcome, Run};
use whittle::search::{Candidate, Interrupter, Listener, Stop};
use whittle::strategy::Unfinished;

use super::exit::{Exit, Refusal};
use super::explain::explained;
use super::format::count;
use super::formatting::formatted;
use super::gtr;
use super::json::JsonLines;
use super::languages::language_in_use;
use super::live::{self, Live};
use super::machines;
use super::needed::Needed;
use super::plan::{Plan, Voice};
use super::print::{hand_over, is_stdout, tell};
use super::report::{About, Report};
use super::shell::shell_words;
use super::signals::SignalWatch;
use super::summary::Summary;
use super::terminal::Terminal;

/// Reduces, prints the summary, and says how it ended.
pub(crate) fn run(plan: &Plan) -> Result<Exit> {
    let mut watched = Watched::start(plan, Interrupter::default())?;
    let ended = watched.run.reduce();
    watched.finish(plan, ended)
}

/// A run with a terminal, and with signals that end it.
pub(crate) struct Watched {
    pub(crate) run: Run,
    test: Arc<CommandTest>,
    interrupter: Interrupter,
    report: Option<Report>,
    _signals: SignalWatch,
}

impl Watched {
    /// Checks the input and starts the search. The first signal fires `interrupter`.
    pub(crate) fn start(plan: &Plan, interrupter: Interrupter) -> Result<Self> {
        let test = plan.subject.start_test(plan.jobs)?;
        let signals = SignalWatch::start(interrupter.clone(), &test, Some(unfinished(&plan.output)));
        let signals = signals.context("cannot listen to signals")?;
        let report = plan.report.as_ref().map(|path| page(plan, path)).transpose()?;
        let run = start(plan, &test, interrupter.clone(), report.clone())?;
        Ok(Self { run, test, interrupter, report, _signals: signals })
    }

    /// Confirms and writes the result, and prints the summary.
    pub(crate) fn finish(self, plan: &Plan, ended: Result<(), Unfinished>) -> Result<Exit> {
        let outcome = self.run.finish(ended).map_err(|error| explained(error, &plan.subject))?;
        let Self { test, interrupter, report: page, .. } = self;
        let wanted = !interrupter.is_interrupted();
        let formatted = plan.format.as_ref().filter(|_| wanted).map(|command| {
            let formatted = formatted(command, &outcome, &test, interrupter.cancel())?;
            if let Some(path) = &outcome.output {
                replace_file(path, formatted.files()[0].bytes(), None, true)?;
            }
            Ok(formatted)
        });
        if plan.is_to_stdout() {
            let laid_out = formatted.as_ref().and_then(|formatted: &Result<Candidate>| formatted.as_ref().ok());
            let bytes = laid_out.map_or(outcome.bytes(), |formatted| formatted.files()[0].bytes());
            hand_over(bytes).or_else(|error| keep_unwritten(plan, &outcome, error))?;
        }
        if plan.voice != Voice::Quiet {
            report(plan, &outcome);
        }
        // That something was not done which was asked for is an error.
        let is_worth_saying = |formatted: &&Result<Candidate>| plan.voice != Voice::Quiet || formatted.is_err();
        formatted.iter().filter(is_worth_saying).for_each(|formatted| tell(&format_line(formatted)));
        if plan.explain && wanted {
            explain(plan, &outcome, &test, (&interrupter, page.as_ref()))?;
        }
        Ok(exit_of(&outcome.end))
    }
}

/// Says what each token of the result is needed for, to the user and in the report.
fn explain(
    plan: &Plan,
    outcome: &Outcome,
    test: &Arc<CommandTest>,
    (interrupter, page): (&Interrupter, Option<&Report>),
) -> Result<()> {
    let best = &outcome.best.candidate;
    let timeout = Survey::take(test, best, 1, 1, interrupter.cancel())?.timeout;
    let needed = Needed::find(test, best, &plan.language, timeout, (plan.jobs, interrupter))?;
    if let Some(page) = page {
        page.explain(outcome.bytes(), &needed.tokens);
    }
    tell(&format!("\n{}", needed.to_string().trim_end()));
    Ok(())
}

fn format_line(formatted: &Result<Candidate>) -> String {
    match formatted {
        Ok(candidate) => format!("format:  the result is laid out, {} bytes", count(candidate.byte_count())),
        Err(error) => format!("warning: the result is not laid out: {error:#}"),
    }
}

/// Keeps a result that standard output does not take, so that it is not lost.
fn keep_unwritten(plan: &Plan, outcome: &Outcome, error: std::io::Error) -> Result<()> {
    let kept = save_elsewhere(&plan.subject.path, &outcome.best.candidate).context("cannot keep the result")?;
    Err(error).with_context(|| format!("cannot write the result to standard output; it is in {}", kept.display()))
}

fn start(plan: &Plan, test: &Arc<CommandTest>, interrupter: Interrupter, report: Option<Report>) -> Result<Run> {
    let mut reduction = plan.reduction(test).interrupter(interrupter.clone());
    if let Some(listener) = json_lines(plan)? {
        reduction = reduction.listener(listener);
    }
    if let Some(report) = report {
        reduction = reduction.listener(Box::new(report));
    }
    if let Some(progress) = progress(plan, test, interrupter)? {
        reduction = reduction.listener(progress);
    }
    if plan.voice == Voice::Verbose {
        tell(&format!("language: {}", language_in_use(&plan.syntaxes)));
    }
    let mut run = reduction.start().map_err(|error| explained(error, &plan.subject))?;
    plan.notices.iter().for_each(|notice| run.search().notice(notice));
    Ok(run)
}

/// What shows how the run goes on.
fn progress(plan: &Plan, test: &Arc<CommandTest>, interrupter: Interrupter) -> Result<Option<Box<dyn Listener>>> {
    if plan.voice == Voice::Live && std::io::stderr().is_terminal() {
        let watched = live::Watched {
            name: plan.subject.path.display().to_string(),
            unit: plan.syntaxes.unit(),
            jobs: plan.jobs,
            syntax: plan.syntaxes.first().cloned(),
            test: Arc::clone(test),
            interrupter,
            output: if plan.is_to_stdout() { plan.subject.path.clone() } else { plan.output.clone() },
        };
        return Ok(Some(Box::new(Live::start(watched).context("cannot take the screen for --live")?)));
    }
    if plan.voice == Voice::Live {
        tell("--live needs a terminal at standard error; progress is printed in lines");
    }
    let view = plan.machines.as_ref().map(|machines| machines.view.clone());
    let terminal = Terminal::new(plan.voice, plan.syntaxes.unit(), test.running(), view);
    Ok(terminal.map(|terminal| Box::new(terminal) as Box<dyn Listener>))
}

/// The page of `--report`. That it can be written is known before the first test.
fn page(plan: &Plan, path: &Path) -> Result<Report> {
    if is_stdout(path) {
        return Err(Refusal::new("a report cannot go to standard output", "Pass --report the path of a file.").into());
    }
    fs::write(path, "").map_err(|error| {
        let problem = format!("cannot write a report to {}: {error}", path.display());
        Refusal::new(problem, "Pass --report the path of a file that can be written.")
    })?;
    Ok(Report::new(path.to_owned(), about(plan)))
}

/// What is known before the run.
fn about(plan: &Plan) -> About {
    let words: Vec<String> = arguments().iter().map(|word| word.to_string_lossy().into_owned()).collect();
    About {
        input: plan.subject.path.display().to_string(),
        language: language_in_use(&plan.syntaxes),
        unit: plan.syntaxes.unit().to_string(),
        command: shell_words(&words),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn json_lines(plan: &Plan) -> Result<Option<Box<dyn Listener>>> {
    let Some(path) = &plan.json else { return Ok(None) };
    let lines = JsonLines::open(path, about(plan)).map_err(|error| {
        let problem = format!("cannot write events to {}: {error}", path.display());
        Refusal::new(problem, "Pass --json the path of a file that can be written, or - for standard output.")
    })?;
    Ok(Some(Box::new(lines)))
}

/// The exit status for the end of a reduction.
pub(crate) fn exit_of(end: &End) -> Exit {
    match end {
        End::Complete | End::OnePass => Exit::Done,
        End::Stopped(_) => Exit::Stopped,
        End::Failed(_) => Exit::Internal,
    }
}

fn report(plan: &Plan, outcome: &Outcome) {
    let language = language_in_use(&plan.syntaxes);
    let elsewhere = outcome.machines.as_ref().map_or(0, |report| report.slots);
    tell(&Summary { outcome, language: &language, jobs: plan.jobs + elsewhere }.to_string());
    outcome.machines.iter().for_each(|report| tell(&machines::summary(report)));
    gtr::report(&plan.gtr).iter().for_each(|line| tell(line));
    for other in &outcome.other_bugs {
        let (path, signature) = (other.path.display(), String::from_utf8_lossy(&other.signature));
        tell(&format!("other:   {path} ({} bytes, {signature})", count(other.bytes)));
    }
    for original in &outcome.originals {
        tell(&format!("input:   the original is in {}", original.display()));
    }
    if outcome.notices.contains(&Notice::EarlierResult) {
        tell("hint:    --force starts over and replaces the earlier result");
    }
    let is_elsewhere = plan.machines.as_ref().is_some_and(|machines| machines.only);
    if matches!(outcome.end, End::Failed(_)) && !is_elsewhere {
        tell("hint:    run the test by hand to see why; --scratch chooses another place for scratch folders");
    }
    match &outcome.journal {
        JournalEnd::Gone => {}
        JournalEnd::Kept => tell("resume:  run the same command with --resume to continue"),
        JournalEnd::Failed(error) => tell(&format!("warning: this run cannot be resumed: {error}")),
    }
    match &outcome.confirmation {
        Confirmation::NotNeeded
        | Confirmation::Confirmed(None)
        | Confirmation::Unknown(Stop::Interrupted | Stop::MaxTime) => {}
        Confirmation::Confirmed(Some(confidence)) => tell(&format!("confirmed: {}", worded(confidence))),
        Confirmation::SteppedBack { confidence, .. } => {
            tell(&format!("warning: {}", stepped_back(confidence.as_ref())));
        }
        Confirmation::Unknown(stop) => tell(&format!("warning: the result could not be tested once more: {stop}")),
    }
}

/// What to say about a result that a last test rejected.
fn stepped_back(confidence: Option<&Confidence>) -> String {
    let rejected = "the last candidate was not interesting when it was tested once more: the test is flaky";
    match confidence {
        Some(confidence) => format!(
            "{rejected}. The result is the smallest earlier candidate that holds ({}). Run again with --repeat auto",
            worded(confidence)
        ),
        None => format!("{rejected}, and no earlier candidate holds. The result is the input"),
    }
}

/// `interesting in 9 of 9 runs, confidence 99.9994% (the test misses the bug in 5%, invents it in 5% of its runs)`.
fn worded(confidence: &Confidence) -> String {
    let Confidence { runs, rates } = confidence;
    // Rounded down, so that no number of runs becomes certainty.
    let percent = (confidence.probability() * 1e6).floor().min(999_999.0) / 1e4;
    format!(
        "interesting in {} of {} runs, confidence {percent}% (error rates: {:.0}% missed, {:.0}% false)",
        runs.successes,
        runs.runs,
        100.0 * (1.0 - rates.interesting),
        100.0 * rates.uninteresting,
    )
}
