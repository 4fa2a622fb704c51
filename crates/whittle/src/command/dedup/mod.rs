//! `whittle dedup`: reduces every file of a folder, each by one worker, and groups what became equal.
//!
//! Each input is reduced as by `whittle reduce`, with a journal, in a folder of its own, and recorded when it is done. So
//! a run that was stopped is continued by the next one. An input that fails is reported and not recorded: the next run
//! tries it again, since the cause may be fixed by then.

mod args;
mod bugs;
mod farm;
mod job;
mod progress;
mod record;
mod report;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use whittle::dedup::{Reduced, Shape};
use whittle::property::CommandTest;
use whittle::reduction::{Confirmation, End, Outcome, discard_foreign_journal};
use whittle::search::{Cancel, Candidate, Interrupter};

use super::exit::{Exit, StoppedEarly};
use super::explain::explained;
use super::plan::{JOURNAL, Plan};
use super::print::tell;
use super::signals::SignalWatch;
pub(crate) use args::DedupArgs;
use job::{File, Job};
use progress::Progress;
use record::{Dimensions, Entry, Record, fingerprint};
use report::Report;

/// Reduces all inputs, prints the groups, and says how it ended.
pub(crate) fn run(args: DedupArgs) -> Result<Exit> {
    let began = Instant::now();
    let job = Job::resolve(args)?;
    let record = Record::open(&job.output)?;
    let interrupter = Interrupter::default();
    let sizes: Vec<u64> = job.inputs.iter().map(|input| input.bytes).collect();
    let test = job.test.start(sizes.iter().copied().max().unwrap_or_default(), job.jobs)?;
    let signals = SignalWatch::start(interrupter.clone(), &test, None);
    let _signals = signals.context("cannot listen to signals")?;
    let progress = Progress::new(&sizes, job.quiet);
    let bench = Bench { job: &job, record: &record, test: &test, cancel: interrupter.cancel() };
    let outcomes = work_off(&job, |input| {
        let outcome = bench.settle(input);
        progress.advance(input, &outcome);
        outcome
    });
    progress.end();
    let report = Report::of(&job, outcomes, began.elapsed());
    // What was found is printed even where it cannot be written to a file.
    let written = report.write(&job).and_then(|()| bugs::write(&report, &job, &test, interrupter.cancel()));
    report.print(&job);
    written.map(|bugs| {
        if !bugs.is_empty() && !job.quiet {
            tell(&format!("bugs:    {} in {}", bugs.len(), job.output.join("bugs").display()));
        }
        report.exit()
    })
}

/// What became of an input.
pub(crate) enum Settled {
    Done {
        entry: Box<Entry>,
        reduced: Reduced,
        /// Whether an earlier run had done it.
        known: bool,
    },
    /// Why it could not be reduced.
    Failed(String),
    /// The whole run was stopped before.
    Unfinished,
}

/// Calls `body` for every input on several threads; the answers are in the order of the inputs.
fn work_off(job: &Job, body: impl Fn(&File) -> Settled + Sync) -> Vec<Settled> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = job.inputs.get(index) else { break };
            let outcome = body(input);
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((index, outcome));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..job.jobs.min(job.inputs.len()) {
            scope.spawn(work);
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// What all workers share.
struct Bench<'a> {
    job: &'a Job,
    record: &'a Record,
    test: &'a Arc<CommandTest>,
    /// Fires at the first signal.
    cancel: &'a Cancel,
}

impl Bench<'_> {
    /// Finds out what becomes of an input. Nothing that happens to it stops the others.
    fn settle(&self, input: &File) -> Settled {
        if self.cancel.is_cancelled() {
            return Settled::Unfinished;
        }
        match catch_unwind(AssertUnwindSafe(|| self.look_up_or_reduce(input))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) if self.cancel.is_cancelled() && error.is::<StoppedEarly>() => Settled::Unfinished,
            Ok(Err(error)) => Settled::Failed(format!("{error:#}")),
            Err(_) => Settled::Failed("something failed inside Whittle; the message is above".into()),
        }
    }

    fn look_up_or_reduce(&self, input: &File) -> Result<Settled> {
        let workplace = self.record.workplace(&input.name);
        let plan = self.job.plan(input, workplace.output())?;
        let binding = self.job.binding(&plan);
        if let Some((entry, text)) = self.record.find(&input.name, &binding) {
            return Ok(Settled::Done { reduced: reduced(&plan, &entry, text), entry: Box::new(entry), known: true });
        }
        workplace.make().context("the result cannot be written")?;
        discard_foreign_journal(&plan.beside_output(JOURNAL), &plan.subject.binding(plan.well_formed));
        let outcome = self.reduce(&plan).inspect_err(|_| workplace.clear_if_empty())?;
        if matches!(outcome.end, End::Stopped(_)) && self.cancel.is_cancelled() {
            return Ok(Settled::Unfinished);
        }
        let (entry, text) = judge(input, &plan, binding, &outcome)?;
        self.record.add(&input.name, &entry, &text)?;
        if outcome.end.is_complete() {
            workplace.clear();
        }
        Ok(Settled::Done { reduced: reduced(&plan, &entry, text), entry: Box::new(entry), known: false })
    }

    /// Reduces one input until the end or the first signal. It has an interrupter of its own, since its time limit is not
    /// that of the others.
    fn reduce(&self, plan: &Plan) -> Result<Outcome> {
        let interrupter = Interrupter::default();
        let reduction = plan.reduction(self.test).interrupter(interrupter.clone());
        let outcome = self.cancel.watch(move || interrupter.interrupt(), || reduction.run());
        outcome.map_err(|error| explained(error, &plan.subject))
    }
}

/// What goes on record, or why nothing does.
fn judge(input: &File, plan: &Plan, binding: String, outcome: &Outcome) -> Result<(Entry, Vec<u8>)> {
    if let End::Failed(error) = &outcome.end {
        bail!("{error}");
    }
    if matches!(outcome.confirmation, Confirmation::SteppedBack { .. }) {
        bail!("the result was not interesting when it was tested once more. Is the test flaky? See --repeat");
    }
    let text = text_of(&outcome.best.candidate);
    let in_tokens = plan.syntaxes.any();
    let entry = Entry {
        name: input.name.to_string_lossy().into_owned(),
        binding,
        result: fingerprint(&text),
        before: Dimensions::of(&outcome.first, in_tokens),
        after: Dimensions::of(&outcome.best, in_tokens),
        tests: outcome.tally.tests,
        seconds: outcome.elapsed.as_secs_f64(),
        signature: outcome.signature.as_ref().map(|signature| String::from_utf8_lossy(signature).into_owned()),
        stopped: matches!(outcome.end, End::Stopped(_)).then(|| outcome.end.to_string()),
    };
    Ok((entry, text))
}

/// What is compared: the only file, or a listing of a project.
fn text_of(candidate: &Candidate) -> Vec<u8> {
    if !candidate.is_project() {
        return candidate.files().first().map(|file| file.bytes().to_vec()).unwrap_or_default();
    }
    let listed = candidate.files().iter().flat_map(|file| {
        let head = format!("==> {} <==\n", file.path().display()).into_bytes();
        [head, file.bytes().to_vec(), b"\n".to_vec()]
    });
    listed.flatten().collect()
}

fn reduced(plan: &Plan, entry: &Entry, text: Vec<u8>) -> Reduced {
    Reduced {
        name: entry.name.clone(),
        bytes: entry.before.bytes,
        // A listing is in no language.
        shape: Shape::of(&text, plan.syntaxes.first().filter(|_| !plan.subject.input.candidate().is_project())),
        signature: entry.signature.clone(),
        text,
    }
}
