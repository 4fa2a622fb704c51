//! Records a run, and replays a script if there is one.
//!
//! A step is matched to the n-th step of the same kind and site within the scope that its own scope is matched to. So
//! after a removal the rest still aligns, and steps that got out of alignment are aligned again after their scope. A
//! matched draw has the recorded output if that is still possible, whatever its place in the list.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::error::TraceError;
use crate::recorder::{Outcome, Recorder, Site, Sites, Step};
use crate::script::{Drawn, Script};

/// What the numbers of a draw stand for.
#[derive(Clone, Copy)]
pub(crate) enum Outputs<'a> {
    /// Nothing is known: a number stands for itself.
    Unknown,
    /// The numbers from this one on.
    From(u64),
    /// Items with these fingerprints.
    Each(&'a dyn Fn(u64) -> u64),
}

impl Outputs<'_> {
    fn of(self, value: u64) -> Option<u64> {
        match self {
            Self::Unknown => None,
            Self::From(low) => Some(low.wrapping_add(value)),
            Self::Each(fingerprint) => Some(fingerprint(value)),
        }
    }

    /// The number up to `max` with the recorded output, or the recorded number if there is no output.
    fn find(self, drawn: Drawn, max: u64) -> Option<u64> {
        let found = match (self, drawn.output) {
            (Self::Unknown, _) | (_, None) => drawn.value,
            (Self::From(low), Some(output)) => output.wrapping_sub(low),
            (Self::Each(fingerprint), Some(output)) => {
                let here = drawn.value <= max && fingerprint(drawn.value) == output;
                let mut all = 0..=max;
                return if here { Some(drawn.value) } else { all.find(|value| fingerprint(*value) == output) };
            }
        };
        Some(found).filter(|found| *found <= max)
    }
}

/// What the environment asks for.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) record: PathBuf,
    pub(crate) replay: Option<PathBuf>,
    pub(crate) misfit: Option<OsString>,
    pub(crate) budget: Option<OsString>,
}

/// A recorded run.
#[derive(Debug)]
pub(crate) struct Player {
    recorder: Recorder,
    pub(crate) sites: Sites,
    script: Option<Script>,
    halts: bool,
    budget: u64,
    draws: u64,
    misaligned: u64,
    /// What each open scope is matched to, the whole run first.
    open: Vec<Option<u32>>,
}

impl Player {
    pub(crate) fn new(wanted: Wanted) -> Result<Self, TraceError> {
        let mut sites = Sites::default();
        let script = wanted.replay.map(|path| read(path, &mut sites)).transpose()?;
        let budget = wanted.budget.map_or(Ok(u64::MAX), |text| {
            let text = text.to_string_lossy().into_owned();
            text.parse().map_err(|_| TraceError::Budget(text))
        })?;
        if wanted.record.extension().is_some_and(|extension| extension == "jsonl") {
            return Err(TraceError::Form(wanted.record));
        }
        let recorder = Recorder::create(&wanted.record).map_err(|error| TraceError::Record(wanted.record, error))?;
        let halts = wanted.misfit.is_some_and(|word| word == "halt");
        let open = vec![script.as_ref().map(|_| Script::ROOT)];
        Ok(Self { recorder, sites, script, halts, budget, draws: 0, misaligned: 0, open })
    }

    /// Opens a scope. Returns its depth.
    pub(crate) fn enter(&mut self, step: Step, site: Site) -> usize {
        let fitting = self.fit(step, site);
        self.open.push(fitting);
        self.recorder.open(step, site, &self.sites);
        self.open.len() - 1
    }

    /// Closes the scope of this depth, with all scopes that a panic left open in it.
    pub(crate) fn leave(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.recorder.close();
            self.close();
        }
    }

    /// Draws a number from 0 to `max`, from `own` if there is no script.
    pub(crate) fn draw(&mut self, site: Site, max: u64, outputs: Outputs<'_>, own: impl FnOnce() -> u64) -> u64 {
        self.draws += 1;
        if self.draws > self.budget {
            self.stop(Outcome::OverBudget, 0);
        }
        let value = if self.script.is_some() { self.scripted(site, max, outputs) } else { own() };
        self.recorder.draw(site, max, value, outputs.of(value), &self.sites);
        value
    }

    /// The number with the output in the script, or the nearest that is possible.
    fn scripted(&mut self, site: Site, max: u64, outputs: Outputs<'_>) -> u64 {
        let fitting = self.fit(Step::Draw, site);
        let Some(script) = &self.script else { return 0 };
        let drawn = fitting.and_then(|number| script.drawn(number));
        match drawn.and_then(|drawn| outputs.find(drawn, max)) {
            Some(value) => value,
            _ if self.halts => self.stop(Outcome::Halted, fitting.unwrap_or_default()),
            _ => {
                self.misaligned += 1;
                drawn.map_or_else(|| script.default_value(site), |drawn| drawn.value).min(max)
            }
        }
    }

    /// The step of the script that matches this one.
    fn fit(&mut self, step: Step, site: Site) -> Option<u32> {
        let scope = self.open.last().copied().flatten()?;
        match self.script.as_mut()?.next(scope, step, site) {
            None if self.halts => self.stop(Outcome::Halted, scope),
            fitting => fitting,
        }
    }

    /// Ends a scope. Under `halt` all its steps must have occurred.
    fn close(&mut self) {
        let scope = self.open.pop().flatten().filter(|_| self.halts);
        if let Some(missing) = scope.zip(self.script.as_ref()).and_then(|(scope, script)| script.missing(scope)) {
            self.stop(Outcome::Halted, missing);
        }
    }

    /// Exits the program: its output is not needed.
    fn stop(&mut self, outcome: Outcome, node: u32) -> ! {
        self.recorder.end(outcome, self.misaligned, node);
        std::process::exit(0)
    }

    /// Ends the run.
    pub(crate) fn finish(&mut self) {
        self.leave(1);
        self.close();
        self.recorder.end(Outcome::Complete, self.misaligned, 0);
    }
}

fn read(path: PathBuf, sites: &mut Sites) -> Result<Script, TraceError> {
    match fs::read(&path) {
        Ok(bytes) => Script::read(&bytes, sites).ok_or(TraceError::Form(path)),
        Err(error) => Err(TraceError::Replay(path, error)),
    }
}
