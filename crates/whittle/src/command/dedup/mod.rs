//! `whittle dedup`: reduces every file of a folder, each by one worker, and groups what became equal.
//!
//! An input goes the way of `whittle reduce`, with its journal, in a folder of its own; what is done goes on record. So
//! whatever stops a run, the next one goes on from there. An input that fails is reported in the end and not recorded:
//! the next run tries it again, since the cause may be mended.

mod args;
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
use whittle::search::{Cancel, Interrupter, Journal, ResumeError, Verdict};

use super::exit::{Exit, StoppedEarly};
use super::plan::{JOURNAL, Plan};
use super::reduce::{Ended, carry_out};
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
    let cancel = Cancel::new();
    let sizes: Vec<u64> = job.inputs.iter().map(|input| input.bytes).collect();
    let test = job.manner.test(sizes.iter().copied().max().unwrap_or_default(), job.jobs)?;
    let signals = SignalWatch::start(Interrupter::default(), cancel.clone(), &test, None);
    let _signals = signals.context("cannot listen to signals")?;
    let progress = Progress::new(&sizes, job.quiet);
    let bench = Bench { job: &job, record: &record, test: &test, cancel: &cancel };
    let outcomes = work_off(&job, |input| {
        let outcome = bench.settle(input);
        progress.advance(input, &outcome);
        outcome
    });
    progress.end();
    let report = Report::of(&job, outcomes, began.elapsed());
    // What was found is told even where it cannot be written down.
    let written = report.write(&job);
    report.print(&job);
    written.map(|()| report.exit())
}

/// What became of an input.
pub(crate) enum Outcome {
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
fn work_off(job: &Job, body: impl Fn(&File) -> Outcome + Sync) -> Vec<Outcome> {
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
    fn settle(&self, input: &File) -> Outcome {
        if self.cancel.is_cancelled() {
            return Outcome::Unfinished;
        }
        match catch_unwind(AssertUnwindSafe(|| self.look_up_or_reduce(input))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) if self.cancel.is_cancelled() && error.is::<StoppedEarly>() => Outcome::Unfinished,
            Ok(Err(error)) => Outcome::Failed(format!("{error:#}")),
            Err(_) => Outcome::Failed("something failed inside Whittle; the message is above".into()),
        }
    }

    fn look_up_or_reduce(&self, input: &File) -> Result<Outcome> {
        let workplace = self.record.workplace(&input.name);
        let plan = self.job.plan(input, workplace.output())?;
        let binding = self.job.binding(&plan);
        if let Some((entry, text)) = self.record.find(&input.name, &binding) {
            return Ok(Outcome::Done { reduced: reduced(&plan, &entry, text), entry: Box::new(entry), known: true });
        }
        workplace.make().context("the result cannot be written")?;
        forget_other_journal(&plan);
        let ended = self.reduce(&plan).inspect_err(|_| workplace.clear_if_empty())?;
        if ended.exit == Exit::Stopped && self.cancel.is_cancelled() {
            return Ok(Outcome::Unfinished);
        }
        let (entry, text) = judge(input, &plan, binding, &ended)?;
        self.record.add(&input.name, &entry, &text)?;
        if ended.exit == Exit::Done {
            workplace.clear();
        }
        Ok(Outcome::Done { reduced: reduced(&plan, &entry, text), entry: Box::new(entry), known: false })
    }

    /// Reduces one input until the end or the first signal. It has a signal of its own, since its time limit is not that
    /// of the others.
    fn reduce(&self, plan: &Plan) -> Result<Ended> {
        let (interrupter, own) = (Interrupter::default(), Cancel::new());
        let (theirs, cancelled) = (interrupter.clone(), own.clone());
        let stop = move || {
            theirs.interrupt();
            cancelled.cancel();
        };
        self.cancel
            .watch(stop, || carry_out(plan, self.test, (interrupter, &own), |search, ordinarily| ordinarily(search)))
    }
}

/// The journal of a run with another input or test is of no use to this one.
fn forget_other_journal(plan: &Plan) {
    let path = plan.beside_output(JOURNAL);
    let found = Journal::resume(&path, &plan.subject.binding());
    if matches!(found, Err(ResumeError::OtherBinding { .. } | ResumeError::Foreign)) {
        // If it stays, the reduction refuses to resume it and says so.
        let _ = std::fs::remove_file(path);
    }
}

/// What goes on record, or why nothing does.
fn judge(input: &File, plan: &Plan, binding: String, ended: &Ended) -> Result<(Entry, Vec<u8>)> {
    if ended.exit == Exit::Internal {
        bail!("{}", ended.reason);
    }
    if matches!(ended.confirmed, Some(Ok(verdict)) if verdict != Verdict::Interesting) {
        bail!("the result was not interesting when it was tested once more: is the test flaky? See --repeat");
    }
    let text = ended.best.candidate.files()[0].bytes().to_vec();
    let in_tokens = plan.syntaxes.any();
    let entry = Entry {
        name: input.name.to_string_lossy().into_owned(),
        binding,
        result: fingerprint(&text),
        before: Dimensions::of(&ended.first, in_tokens),
        after: Dimensions::of(&ended.best, in_tokens),
        tests: ended.tally.tests,
        seconds: ended.elapsed.as_secs_f64(),
        signature: ended.signature.as_ref().map(|signature| String::from_utf8_lossy(signature).into_owned()),
        stopped: (ended.exit == Exit::Stopped).then(|| ended.reason.clone()),
    };
    Ok((entry, text))
}

fn reduced(plan: &Plan, entry: &Entry, text: Vec<u8>) -> Reduced {
    Reduced {
        name: entry.name.clone(),
        bytes: entry.before.bytes,
        shape: Shape::of(&text, plan.syntaxes.first()),
        signature: entry.signature.clone(),
        text,
    }
}
