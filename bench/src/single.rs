//! One run: a fresh copy of the subject, a reducer in it, and its result.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::clock;
use crate::outcome::{End, Outcome};
use crate::property::{self, Places};
use crate::recount;
use crate::reducers::Task;
use crate::session::Contestant;
use crate::size::Size;
use crate::subject::Subject;
use crate::watch::{Ending, Limits, Watch};

/// How much of the output of a failed reducer to keep.
const NOTE_CHARS: usize = 300;

/// One reducer on one subject, and which repetition this is.
pub(crate) struct Run<'a> {
    pub(crate) subject: &'a Subject,
    pub(crate) contestant: &'a Contestant,
    pub(crate) round: u32,
}

impl Run<'_> {
    /// Whether this run need not be made, because a result belongs to it.
    pub(crate) fn is_of(&self, outcome: &Outcome, jobs: u16, limits: Limits) -> bool {
        let names = (outcome.reducer.as_str(), outcome.subject.as_str(), outcome.round);
        names == (self.contestant.reducer.name().as_str(), self.subject.name.as_str(), self.round)
            && outcome.version == self.contestant.version
            && outcome.fingerprint == self.subject.fingerprint
            && outcome.jobs == jobs
            && outcome.holds_within(limits)
    }
}

/// What all runs share.
pub(crate) struct Bench {
    pub(crate) watch: Watch,
    /// The program that wraps tests: a copy of this one.
    pub(crate) tester: PathBuf,
    pub(crate) jobs: u16,
    /// Where to keep results.
    pub(crate) keep: Option<PathBuf>,
    /// Where and with what all runs are made.
    pub(crate) stamp: String,
}

impl Bench {
    /// Makes a run in an empty folder.
    pub(crate) fn make(&self, run: &Run<'_>, folder: &Path) -> Result<Outcome> {
        let places = self.prepare(run.subject, folder).with_context(|| format!("the subject {}", run.subject.name))?;
        let task = Task { subject: run.subject, places: &places, jobs: self.jobs };
        let mut call = run.contestant.reducer.call(&task)?;
        call.command.current_dir(places.work()).env("TMPDIR", places.temporary());

        let begin = clock::now();
        let ending = self.watch.run(&mut call.command, &places.output())?;
        let end = clock::now();

        let tally = places.log().tally(begin, end)?;
        let verdict = Verdict::of(run.subject, &places, &ending, &call.result)?;
        if let (Some(folder), Some(text)) = (&self.keep, &verdict.text) {
            let name = recount::name_of(&run.subject.name, &run.contestant.reducer.name(), &run.subject.input);
            fs::write(folder.join(name), text)?;
        }
        Ok(Outcome {
            subject: run.subject.name.clone(),
            fingerprint: run.subject.fingerprint.clone(),
            language: run.subject.language_name().into(),
            reducer: run.contestant.reducer.name(),
            version: run.contestant.version.clone(),
            round: run.round,
            jobs: self.jobs,
            limit_seconds: self.watch.limits.wall.as_secs_f64(),
            cpu_limit_seconds: self.watch.limits.cpu.map(|cpu| cpu.as_secs_f64()),
            end: verdict.end,
            note: verdict.note,
            input: run.subject.size,
            result: verdict.size,
            rechecked: verdict.rechecked,
            runs: tally.runs,
            wall_seconds: clock::seconds(end - begin),
            property_seconds: tally.property_seconds,
            cpu_seconds: ending.cpu_seconds,
            memory_bytes: ending.peak_memory,
            stamp: self.stamp.clone(),
            curve: tally.curve,
        })
    }

    /// Copies a subject to an empty folder, and checks that it triggers its bug there.
    pub(crate) fn prepare(&self, subject: &Subject, folder: &Path) -> Result<Places> {
        let places = Places::new(folder.canonicalize()?);
        copy_folder(&subject.folder, &places.subject())?;
        fs::create_dir(places.work())?;
        fs::create_dir(places.temporary())?;
        let text = fs::read(places.subject().join(&subject.input))?;
        // Written, not copied: a subject may be read-only, but many reducers overwrite their input.
        fs::write(places.work().join(&subject.input), &text)?;
        property::write_script(&places, &self.tester, subject)?;
        if !property::check(&places, &subject.input, &text)? {
            bail!("its own test rejects the input; is its tool installed?");
        }
        Ok(places)
    }
}

/// How to judge a result.
struct Verdict {
    end: End,
    note: String,
    size: Size,
    rechecked: bool,
    /// The result, if there is one.
    text: Option<Vec<u8>>,
}

impl Verdict {
    fn of(subject: &Subject, places: &Places, ending: &Ending, result: &Path) -> Result<Self> {
        let size = |text: &[u8]| Size::of(text, subject.language);
        let mut note = ending.complaint().unwrap_or_default();
        if ending.status.is_some() && note.is_empty() {
            match fs::read(result) {
                Ok(text) if property::check(places, &subject.input, &text)? => {
                    return Ok(Self { end: End::Finished, note, size: size(&text), rechecked: true, text: Some(text) });
                }
                Ok(_) => note = "its result is not interesting".into(),
                Err(error) => note = format!("it left no result: {error}"),
            }
        }
        let end = if ending.status.is_some() { End::Failed } else { End::Stopped };
        if end == End::Failed {
            note.push_str(&last_words(places));
        }
        match places.best().read() {
            Some(text) => {
                let rechecked = property::check(places, &subject.input, &text)?;
                Ok(Self { end, note, size: size(&text), rechecked, text: Some(text) })
            }
            None => Ok(Self { end, note, size: subject.size, rechecked: true, text: None }),
        }
    }
}

/// The end of what the reducer printed, in one line.
fn last_words(places: &Places) -> String {
    let printed = fs::read(places.output()).unwrap_or_default();
    let words: Vec<String> = String::from_utf8_lossy(&printed).split_whitespace().map(str::to_owned).collect();
    let line: Vec<char> = words.join(" ").chars().collect();
    let last: String = line[line.len().saturating_sub(NOTE_CHARS)..].iter().collect();
    if last.is_empty() { last } else { format!(": {last}") }
}

/// Copies a folder with everything in it; the copy can be written to.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            let mode = fs::metadata(&target)?.permissions().mode();
            fs::set_permissions(&target, fs::Permissions::from_mode(mode | 0o600))?;
        }
    }
    Ok(())
}
