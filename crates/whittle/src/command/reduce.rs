//! Carries out a plan: wires property, search, listeners and output together, and reports.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use whittle::output::{Output, keep_original, unfinished};
use whittle::property::{CommandProperty, CommandTest};
use whittle::search::{
    Cancel, Candidate, Interrupter, Journal, Listener, Measured, Search, Setup, StartError, Stop, Tally, Verdict,
};
use whittle::strategy::Unfinished;

use super::exit::{Exit, Refusal, StoppedEarly};
use super::json::JsonLines;
use super::others::{Found, OtherBugs, list};
use super::plan::{JOURNAL, Plan, Voice};
use super::preflight::{self, Preflight, within};
use super::print::tell;
use super::record;
use super::signals::SignalWatch;
use super::summary::Summary;
use super::terminal::Terminal;

/// Reduces, prints the summary, and says how it ended.
pub(crate) fn run(plan: &Plan) -> Result<Exit> {
    run_by(plan, &Cancel::new(), |search, ordinarily| ordinarily(search))
}

/// How a search goes on by the plan's strategy.
pub(crate) type Ordinarily<'a> = dyn Fn(&mut Search) -> Result<(), Unfinished> + 'a;

/// The same by other means, before the plan's strategy or in its place. `cancel` fires at the first signal.
pub(crate) fn run_by(
    plan: &Plan,
    cancel: &Cancel,
    reduce: impl FnOnce(&mut Search, &Ordinarily<'_>) -> Result<(), Unfinished>,
) -> Result<Exit> {
    let interrupter = Interrupter::default();
    let test = plan.subject.test(plan.jobs)?;
    let signals = SignalWatch::start(interrupter.clone(), cancel.clone(), &test, Some(unfinished(&plan.output)));
    let _signals = signals.context("cannot listen to signals")?;
    let ended = carry_out(plan, &test, (interrupter, cancel), reduce)?;
    report(plan, &ended);
    Ok(ended.exit)
}

/// How a reduction ended, and what it came to.
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    /// Why it ended.
    pub(crate) reason: String,
    pub(crate) first: Measured,
    pub(crate) best: Measured,
    pub(crate) tally: Tally,
    pub(crate) elapsed: Duration,
    /// Where the best is.
    pub(crate) result: PathBuf,
    /// What the signature captured from the input's run.
    pub(crate) signature: Option<Vec<u8>>,
    /// Whether the result was interesting once more; `None`: nobody asked.
    pub(crate) confirmed: Option<Result<Verdict, Stop>>,
    original: Option<PathBuf>,
    found: Found,
    journal: JournalEnd,
}

/// Reduces without a word at the end. The `interrupter` ends the search; `cancel` ends what runs before there is one.
pub(crate) fn carry_out(
    plan: &Plan,
    test: &Arc<CommandTest>,
    (interrupter, cancel): (Interrupter, &Cancel),
    reduce: impl FnOnce(&mut Search, &Ordinarily<'_>) -> Result<(), Unfinished>,
) -> Result<Ended> {
    let began = Instant::now();
    let input = &plan.subject.input;
    let measure = plan.syntaxes.measure();
    let measured =
        |candidate: Candidate| Measured { size: measure(&candidate), letters: plan.letters.clone(), candidate };
    let first = measured(input.candidate.clone());
    let terminal = Terminal::new(plan.voice, first.size.units, plan.unit_name());
    let departure = within(plan.max_time, cancel, || depart(plan, test, terminal.as_ref(), cancel));
    let Departure { preflight, journal, resumed } = departure?;

    let floor = if resumed { earlier_result(plan, &preflight).map(&measured) } else { None };
    let signature = preflight.constants.signature.clone();
    let property = Arc::new(CommandProperty::new(Arc::clone(test), preflight.constants, plan.jobs));
    let stamp = plan.in_place.then(|| input.stamp.clone());
    let output = Output::new(plan.output.clone(), Some(input.permissions.clone()), stamp, floor.clone());
    let found = Found::default();
    let others = plan.others.clone().map(|folder| OtherBugs::new(folder, Arc::clone(&property), Arc::clone(&found)));
    let mut listeners: Vec<Box<dyn Listener>> = vec![Box::new(output.listener())];
    listeners.extend(others.map(|others| Box::new(others) as Box<dyn Listener>));
    listeners.extend(json_lines(plan)?);
    listeners.extend(terminal.map(|terminal| Box::new(terminal) as Box<dyn Listener>));

    let workshops = plan.gtr.equip(plan.syntaxes.workshops(plan.check_up_to.unwrap_or(preflight.check_up_to)));
    let setup = Setup {
        measure: Arc::clone(&measure),
        letters: plan.letters.clone(),
        jobs: plan.jobs,
        max_tests: plan.max_tests,
        max_time: plan.max_time.map(|limit| limit.saturating_sub(began.elapsed())),
        interrupter,
        listeners,
        journal: journal.clone(),
        replay: preflight.known,
    };
    let original = prepare_output(plan, &output, &first)?;
    let mut search = start(plan, setup, property)?;
    if resumed {
        confirm_input(plan, &mut search)?;
    }
    let ended = reduce(&mut search, &|search| plan.strategy.run(search, &workshops));
    let confirmed = confirm_result(plan, &mut search);
    let (exit, reason) = verdict_on(plan, &ended);
    search.finish(&reason);

    let result = save(output, search.best())?;
    let best = floor.filter(|floor| floor.is_smaller_than(search.best())).unwrap_or_else(|| search.best().clone());
    let (tally, elapsed, journal) = (search.tally(), search.elapsed(), end_journal(journal, exit));
    Ok(Ended { exit, reason, first, best, tally, elapsed, result, signature, confirmed, original, found, journal })
}

/// What an earlier run left as its result, if the journal knows it as interesting. A replay that is stopped before it
/// gets there again must not replace it by something larger.
fn earlier_result(plan: &Plan, preflight: &Preflight) -> Option<Candidate> {
    let bytes = std::fs::read(&plan.output).ok()?;
    let candidate = plan.subject.input.candidate.with_bytes(0, bytes);
    let known = (candidate.fingerprint(), Verdict::Interesting);
    preflight.known.contains(&known).then_some(candidate)
}

/// What a search starts from.
struct Departure {
    preflight: Preflight,
    journal: Option<Arc<Journal>>,
    resumed: bool,
}

/// Takes up an earlier run if that is wanted and there is one; else checks the input and starts a journal.
fn depart(plan: &Plan, test: &Arc<CommandTest>, terminal: Option<&Terminal>, cancel: &Cancel) -> Result<Departure> {
    let say = |text: &str| {
        if let Some(terminal) = terminal {
            terminal.say(text);
        }
    };
    if plan.resume {
        if let Some(resumed) = record::resume(plan)? {
            return Ok(Departure { preflight: resumed.preflight, journal: Some(resumed.journal), resumed: true });
        }
        say("there is nothing to resume; starting afresh");
    }
    let preflight = preflight::run(&plan.subject, &plan.syntaxes, test, plan.jobs, cancel)?;
    if preflight.accepts_trifles {
        say("warning: an empty file or a single line end is interesting too: does the test check anything?");
    }
    // One without a word in it, of a run that was killed at its start, would have been of no use.
    let has_journal = std::fs::metadata(plan.beside_output(JOURNAL)).is_ok_and(|journal| journal.len() > 0);
    if !plan.in_place && !plan.resume && has_journal {
        say("the journal of an earlier run is written over; --resume would have gone on from it");
    }
    let journal = record::start(plan, &preflight)?;
    Ok(Departure { preflight, journal, resumed: false })
}

enum JournalEnd {
    Gone,
    Kept,
    Failed(String),
}

fn json_lines(plan: &Plan) -> Result<Option<Box<dyn Listener>>> {
    let Some(path) = &plan.json else { return Ok(None) };
    let file = File::create(path).map_err(|error| {
        let problem = format!("cannot write events to {}: {error}", path.display());
        Refusal::new(problem, "Give --json the path of a file that can be written.")
    })?;
    Ok(Some(Box::new(JsonLines::new(file))))
}

fn start(plan: &Plan, setup: Setup, property: Arc<CommandProperty>) -> Result<Search> {
    setup.start(property, plan.subject.input.candidate.clone()).map_err(|error| match error {
        StartError::NotInteresting(_) => no_longer_interesting(plan).into(),
        StartError::Stopped(stop) => stopped_early(stop),
    })
}

/// A resumed run believes the journal, but not blindly.
fn confirm_input(plan: &Plan, search: &mut Search) -> Result<()> {
    match search.confirm() {
        Ok(Verdict::Interesting) => Ok(()),
        Ok(_) => Err(no_longer_interesting(plan).into()),
        Err(stop) => Err(stopped_early(stop)),
    }
}

fn stopped_early(stop: Stop) -> anyhow::Error {
    match stop {
        Stop::Failed(reason) => Refusal::new(reason, "Run the test by hand to see why.").into(),
        stop => StoppedEarly(stop.to_string()).into(),
    }
}

fn no_longer_interesting(plan: &Plan) -> Refusal {
    let problem = format!("the input {} is not interesting any more", plan.subject.input.path.display());
    Refusal::new(problem, "Look at it with whittle check; without --resume, a reduction starts afresh.")
}

/// Tests the result once more, unless it is the input, which was tested several times.
fn confirm_result(plan: &Plan, search: &mut Search) -> Option<Result<Verdict, Stop>> {
    (search.best().candidate != plan.subject.input.candidate).then(|| search.confirm())
}

/// Makes sure that the result can be written before any work is done.
fn prepare_output(plan: &Plan, output: &Output, input: &Measured) -> Result<Option<PathBuf>> {
    let refuse = |error: std::io::Error| {
        let problem = format!("the result cannot be written to {}: {error}", output.path().display());
        Refusal::new(problem, "Check the folder, or choose another place with --output.")
    };
    let original = plan.in_place.then(|| keep_original(output.path(), input.candidate.files()[0].bytes()));
    let original = original.transpose().map_err(refuse)?;
    output.write(input).map_err(refuse)?;
    Ok(original)
}

fn verdict_on(plan: &Plan, ended: &Result<(), Unfinished>) -> (Exit, String) {
    match ended {
        Ok(()) if plan.strategy.is_fixpoint() => (Exit::Done, "nothing more can be removed".into()),
        Ok(()) => (Exit::Done, "the one pass that was asked for is over".into()),
        Err(error @ (Unfinished::Stopped(Stop::Failed(_)) | Unfinished::TooLong(_))) => {
            (Exit::Internal, error.to_string())
        }
        Err(Unfinished::Stopped(stop)) => (Exit::Stopped, stop.to_string()),
    }
}

/// Writes the result for good; if its place fails, to the folder for temporary files, so that it is not lost.
fn save(output: Output, best: &Measured) -> Result<PathBuf> {
    let path = output.path().to_owned();
    let Err(error) = output.finish(best) else { return Ok(path) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut refuge = tempfile::Builder::new()
        .prefix("whittled-")
        .suffix(&format!("-{name}"))
        .tempfile()
        .with_context(|| format!("cannot write the result to {}: {error}", path.display()))?;
    std::io::Write::write_all(&mut refuge, best.candidate.files()[0].bytes())?;
    let (_, kept) = refuge.keep()?;
    anyhow::bail!("cannot write the result to {}: {error}; it is in {}", path.display(), kept.display())
}

/// A run that came to its end leaves no journal.
fn end_journal(journal: Option<Arc<Journal>>, exit: Exit) -> JournalEnd {
    let Some(journal) = journal else { return JournalEnd::Gone };
    if exit == Exit::Done {
        let _ = journal.remove();
        return JournalEnd::Gone;
    }
    journal.failed().map_or(JournalEnd::Kept, |error| JournalEnd::Failed(error.to_string()))
}

fn report(plan: &Plan, ended: &Ended) {
    say(plan, &Summary { ended, unit: plan.unit_name(), jobs: plan.jobs }.to_string());
    plan.gtr.report().iter().for_each(|line| say(plan, line));
    list(&ended.found).iter().for_each(|line| say(plan, line));
    if let Some(original) = &ended.original {
        say(plan, &format!("input:   as it was, in {}", original.display()));
    }
    match &ended.journal {
        JournalEnd::Gone => {}
        JournalEnd::Kept => say(plan, "resume:  the same command with --resume goes on from here"),
        JournalEnd::Failed(error) => say(plan, &format!("warning: this run cannot be resumed: {error}")),
    }
    match &ended.confirmed {
        None | Some(Ok(Verdict::Interesting) | Err(Stop::Interrupted | Stop::MaxTime)) => {}
        Some(Ok(_)) => {
            say(
                plan,
                "warning: the result was not interesting when it was tested once more: is the test flaky? See --repeat",
            );
        }
        Some(Err(stop)) => say(plan, &format!("warning: the result could not be tested once more: {stop}")),
    }
}

fn say(plan: &Plan, text: &str) {
    if plan.voice != Voice::Quiet {
        tell(text);
    }
}
