//! Carries out a plan: wires property, search, listeners and output together, and reports.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use whittle::output::{Output, keep_original};
use whittle::property::CommandProperty;
use whittle::search::{Candidate, Interrupter, Listener, Search, Setup, StartError, Stop, Verdict};
use whittle::strategy::Unfinished;

use super::exit::{Exit, Refusal};
use super::json::JsonLines;
use super::plan::{Plan, Voice};
use super::signals::SignalWatch;
use super::summary::{Dimensions, Summary};
use super::terminal::Terminal;

/// Reduces, prints the summary, and says how it ended.
pub(crate) fn run(plan: &Plan) -> Result<Exit> {
    let property = CommandProperty::new(plan.test.clone(), plan.timeout).context("cannot make a scratch folder")?;
    let property = Arc::new(property);
    let interrupter = Interrupter::default();
    // The thread that waits for signals may outlive this function; it must not keep the scratch folders alive.
    let killer = Arc::downgrade(&property);
    let abort = move || {
        if let Some(property) = killer.upgrade() {
            property.abort();
        }
    };
    let _signals = SignalWatch::start(interrupter.clone(), abort).context("cannot listen to signals")?;

    let output = Output::new(plan.output.clone(), Some(plan.input.permissions.clone()));
    let mut listeners: Vec<Box<dyn Listener>> = vec![Box::new(output.listener())];
    listeners.extend(json_lines(plan)?);
    listeners.extend(Terminal::new(plan.voice).map(|terminal| Box::new(terminal) as Box<dyn Listener>));

    let mut search = start(plan, &property, interrupter, listeners)?;
    let original = prepare_output(plan, &output, &search)?;
    let ended = plan.strategy.run(&mut search);
    let (exit, reason) = verdict_on(&ended);
    search.finish(&reason);

    let result = save(output, &search.best().candidate)?;
    let summary = Summary {
        from: Dimensions::of(&plan.input.candidate),
        to: Dimensions::of(&search.best().candidate),
        tally: search.tally(),
        elapsed: search.elapsed(),
        jobs: plan.jobs,
        result,
        reason,
    };
    report(plan, &summary, original);
    Ok(exit)
}

fn json_lines(plan: &Plan) -> Result<Option<Box<dyn Listener>>> {
    let Some(path) = &plan.json else { return Ok(None) };
    let file = File::create(path).map_err(|error| {
        let problem = format!("cannot write events to {}: {error}", path.display());
        Refusal::new(problem, "Give --json the path of a file that can be written.")
    })?;
    Ok(Some(Box::new(JsonLines::new(file))))
}

fn start(
    plan: &Plan,
    property: &Arc<CommandProperty>,
    interrupter: Interrupter,
    listeners: Vec<Box<dyn Listener>>,
) -> Result<Search> {
    let setup = Setup {
        jobs: plan.jobs,
        max_tests: plan.max_tests,
        max_time: plan.max_time,
        interrupter,
        listeners,
        ..Setup::default()
    };
    setup.start(property.clone(), plan.input.candidate.clone()).map_err(|error| match error {
        StartError::NotInteresting(verdict) => not_interesting(plan, property, verdict).into(),
        StartError::Stopped(Stop::Failed(reason)) => Refusal::new(reason, "Run the test by hand to see why.").into(),
        StartError::Stopped(stop) => anyhow::Error::new(stop).context("stopped before the input was tested"),
    })
}

/// Tells the user what the test did with the input.
fn not_interesting(plan: &Plan, property: &CommandProperty, verdict: Verdict) -> Refusal {
    let input = plan.input.path.display();
    let problem = format!("the input {input} is not interesting: {} does not succeed for it", plan.test_name);
    if verdict == Verdict::TimedOut {
        return Refusal::new(problem, "It did not end in time; give it longer with --timeout.");
    }
    let seen = match property.observe(&plan.input.candidate) {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            let text = String::from_utf8_lossy(&text);
            let lines: Vec<&str> = text.lines().take(10).collect();
            format!(
                "It ended with {}.{}{}",
                output.status,
                if lines.is_empty() { "" } else { " It printed:\n    " },
                lines.join("\n    ")
            )
        }
        Err(error) => format!("It could not be run again: {error}."),
    };
    let advice = "The test must exit with 0 for a folder that holds nothing but this file: does it use other files, \
                  or relative paths?";
    Refusal::new(problem, format!("{seen}\n  {advice}"))
}

/// Makes sure that the result can be written before any work is done.
fn prepare_output(plan: &Plan, output: &Output, search: &Search) -> Result<Option<PathBuf>> {
    let refuse = |error: std::io::Error| {
        let problem = format!("the result cannot be written to {}: {error}", output.path().display());
        Refusal::new(problem, "Check the folder, or choose another place with --output.")
    };
    let input = &search.best().candidate;
    let original = plan.in_place.then(|| keep_original(output.path(), input.files()[0].bytes()));
    let original = original.transpose().map_err(refuse)?;
    output.write(input).map_err(refuse)?;
    Ok(original)
}

fn verdict_on(ended: &Result<(), Unfinished>) -> (Exit, String) {
    match ended {
        Ok(()) => (Exit::Done, "nothing more can be removed".into()),
        Err(error @ (Unfinished::Stopped(Stop::Failed(_)) | Unfinished::TooLong(_))) => {
            (Exit::Internal, error.to_string())
        }
        Err(Unfinished::Stopped(stop)) => (Exit::Stopped, stop.to_string()),
    }
}

/// Writes the result for good; if its place fails, to the folder for temporary files, so that it is not lost.
fn save(output: Output, best: &Candidate) -> Result<PathBuf> {
    let path = output.path().to_owned();
    let Err(error) = output.finish(best) else { return Ok(path) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut refuge = tempfile::Builder::new()
        .prefix("whittle-result-")
        .suffix(&format!("-{name}"))
        .tempfile()
        .with_context(|| format!("cannot write the result to {}: {error}", path.display()))?;
    std::io::Write::write_all(&mut refuge, best.files()[0].bytes())?;
    let (_, kept) = refuge.keep()?;
    anyhow::bail!("cannot write the result to {}: {error}; it is in {}", path.display(), kept.display())
}

#[allow(clippy::print_stderr, reason = "the summary is for people, on standard error")]
fn report(plan: &Plan, summary: &Summary, original: Option<PathBuf>) {
    if plan.voice == Voice::Quiet {
        return;
    }
    if search_was_vain(summary) {
        eprintln!("warning: the empty file is interesting too: does the test check anything?");
    }
    eprintln!("{summary}");
    if let Some(original) = original {
        eprintln!("the input as it was is in {}", original.display());
    }
}

/// A test that accepts the empty file accepts anything, as a rule.
fn search_was_vain(summary: &Summary) -> bool {
    summary.to.is_empty() && !summary.from.is_empty()
}
