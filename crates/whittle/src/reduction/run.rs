//! [`Run`]: a reduction under way. Callers that do not drive the search themselves call [`Reduction::run`].

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use whittle_property::{CommandProperty, Constants, Rates, Repeated, Trust};
use whittle_search::{
    Cancel, Candidate, Interrupter, Journal, Listener, Measured, Property, Search, Setup, StartError, Stop, TestError,
    Verdict,
};
use whittle_trees::{SyntaxCheck, Workshop};

use super::earlier::Earlier;
use super::history::{History, HistoryFile};
use super::others::{Found, OtherBugs};
use super::preflight::{self, Preflight, within};
use super::reliability::{decide, measure_rates};
use super::resume::JournalPlace;
use super::{
    Confidence, Confirmation, End, JournalEnd, Judge, Outcome, Place, Reduction, ReductionError, Source, measured,
};
use crate::output::{Output, keep_original, save_elsewhere};
use crate::strategy::{Strategy, Unfinished};
use crate::syntaxes::{SizeUnit, Syntaxes};

/// A reduction whose input was checked and whose search has started.
pub struct Run {
    search: Search,
    strategy: Strategy,
    workshops: Vec<Workshop>,
    unit: SizeUnit,
    first: Measured,
    /// What an earlier run left as its result. A replay that is stopped before it gets there again must not replace it by
    /// something larger.
    floor: Option<Measured>,
    output: Option<Output>,
    original: Option<PathBuf>,
    journal: Option<Arc<Journal>>,
    found: Found,
    signature: Option<Vec<u8>>,
    notices: Vec<Notice>,
    history: History,
    /// Where the history goes, and what it is about.
    history_place: Option<(PathBuf, String)>,
    /// The property, one run a verdict.
    single: Arc<dyn Property>,
    trust: Trust,
    interrupter: Interrupter,
    jobs: usize,
}

/// Something that the caller may want to know before the search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Notice {
    /// An empty file is interesting, or a single line end.
    #[error("warning: an empty file or a single line end is interesting too: does the test check anything?")]
    AcceptsTrivial,
    /// There is no journal to resume.
    #[error("there is nothing to resume; starting from the beginning")]
    NothingToResume,
    /// The result of an earlier run is in place.
    #[error("the result of an earlier run is in place; only something smaller replaces it")]
    EarlierResult,
    /// There was a journal, and nobody asked to resume it.
    #[error("overwriting the journal of an earlier run that could have been resumed")]
    JournalOverwritten,
}

/// What a search starts from.
struct Departure {
    binding: Option<String>,
    preflight: Preflight,
    journal: Option<Arc<Journal>>,
    resumed: bool,
    /// A result of an earlier run that is in place.
    earlier: Option<Candidate>,
    notices: Vec<Notice>,
}

impl Run {
    pub(super) fn start(reduction: Reduction) -> Result<Self, ReductionError> {
        let began = Instant::now();
        let input = reduction.input.candidate().clone();
        let syntaxes = reduction.syntaxes()?;
        let mut strategy = reduction.chosen_strategy(&syntaxes);
        strategy.trees.gtr = reduction.gtr.clone();
        let judge = reduction.judge()?;
        let interrupter = reduction.interrupter.clone();
        let departure =
            within(reduction.max_time, interrupter.cancel(), |cancel| reduction.depart(&judge, &syntaxes, cancel));
        let Departure { binding, preflight, journal, resumed, earlier, notices } = departure?;

        let measured = |candidate| measured(&syntaxes, &reduction.alphabet, candidate);
        let first = measured(input.clone());
        let floor = earlier.clone().map(measured);
        let (output, original) = reduction.prepare_output(&first, floor.clone())?;
        let Constants { signature, trust, .. } = preflight.constants.clone();
        let history = History::default();
        let history_place = reduction.history_place().zip(binding);
        let found = Found::default();
        let (single, others) = reduction.property(judge, preflight.constants, &found);
        let check_up_to = reduction.check_up_to.unwrap_or(preflight.check_up_to);
        let workshops = syntaxes.workshops(SyntaxCheck::UpTo(check_up_to));

        let jobs = reduction.jobs;
        let mut listeners: Vec<Box<dyn Listener>> = Vec::new();
        listeners.extend(output.as_ref().map(|output| Box::new(output.listener()) as Box<dyn Listener>));
        listeners.push(Box::new(history.clone()));
        listeners.extend(others);
        listeners.extend(reduction.listeners);
        let setup = Setup {
            measure: syntaxes.measure(),
            alphabet: reduction.alphabet.clone(),
            jobs,
            max_tests: reduction.max_tests,
            max_time: reduction.max_time.map(|limit| limit.saturating_sub(began.elapsed())),
            interrupter: interrupter.clone(),
            listeners,
            journal: journal.clone(),
            replay: preflight.known,
        };
        let mut search =
            setup.start(Arc::new(Repeated::new(Arc::clone(&single), trust)), input).map_err(|error| match error {
                StartError::NotInteresting(_) => ReductionError::NoLongerInteresting,
                StartError::Stopped(stop) => stop.into(),
            })?;
        if resumed {
            // A resumed run believes the journal, but not blindly.
            let verdict = search.confirm()?;
            if verdict != Verdict::Interesting {
                return Err(ReductionError::NoLongerInteresting);
            }
        }
        for notice in &notices {
            search.notice(notice.to_string());
        }
        // A run that came to its end has no journal, but its result is a better start than the input.
        if let Some(candidate) = earlier.filter(|_| reduction.resume && !resumed) {
            search.attempt(candidate)?;
        }
        let unit = syntaxes.unit();
        Ok(Self {
            search,
            strategy,
            workshops,
            unit,
            first,
            floor,
            output,
            original,
            journal,
            found,
            signature,
            notices,
            history,
            history_place,
            single,
            trust,
            interrupter,
            jobs,
        })
    }

    /// The search, for callers that reduce by other means before or in place of the strategy.
    pub fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    /// Runs the strategy.
    pub fn reduce(&mut self) -> Result<(), Unfinished> {
        self.strategy.run(&mut self.search, &self.workshops)
    }

    /// Confirms the result and writes it for good. `ended` says how the search ended.
    pub fn finish(mut self, ended: Result<(), Unfinished>) -> Result<Outcome, ReductionError> {
        let confirmation = self.confirm();
        let end = End::new(ended, self.strategy.is_fixpoint());
        self.search.finish(&end.to_string());
        let best = self.search.best().clone();
        let output = self.output.take().map(|output| save(output, &best)).transpose()?;
        let kept = self.floor.take().filter(|floor| floor.is_smaller_than(&best));
        if kept.is_none() {
            self.write_history(&best);
        }
        let best = kept.unwrap_or(best);
        let other_bugs = self.found.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        Ok(Outcome {
            journal: end_journal(self.journal, &end),
            notices: self.notices,
            first: self.first,
            best,
            unit: self.unit,
            end,
            confirmation,
            tally: self.search.tally(),
            elapsed: self.search.elapsed(),
            output,
            original: self.original,
            signature: self.signature,
            other_bugs,
        })
    }

    /// Keeps what led to the result. If that fails, the result is there all the same.
    fn write_history(&self, best: &Measured) {
        if let Some((path, binding)) = &self.history_place {
            let tests = self.search.tally().tests;
            let _ = HistoryFile::new(binding.clone(), &self.first, &self.history, best, tests).write(path);
        }
    }

    /// Tests the result once more, unless it is the input, which was tested before. A result that does not hold is
    /// replaced by an earlier one that does: a run must not end with less than it had.
    fn confirm(&mut self) -> Confirmation {
        if self.search.best().candidate == self.first.candidate {
            return Confirmation::NotNeeded;
        }
        let confirmed = match (self.search.confirm(), self.trust) {
            (Err(stop), _) => return Confirmation::Unknown(stop),
            (Ok(Verdict::Interesting), Trust::Rates(rates)) => self.weigh(rates),
            (Ok(Verdict::Interesting), _) => return Confirmation::Confirmed(None),
            (Ok(_), _) => Ok(None),
        };
        match confirmed {
            Ok(Some(confidence)) => Confirmation::Confirmed(Some(confidence)),
            Ok(None) => self.step_back().unwrap_or_else(|error| Confirmation::Unknown(stop_of(error))),
            Err(error) => Confirmation::Unknown(stop_of(error)),
        }
    }

    /// What more runs say about the best; `None` if they say that it is not interesting.
    fn weigh(&self, rates: Rates) -> Result<Option<Confidence>, TestError> {
        let (holds, confidence) =
            decide(self.single.as_ref(), &self.search.best().candidate, rates, self.interrupter.cancel())?;
        Ok(holds.then_some(confidence))
    }

    /// Makes the smallest earlier candidate that holds the best.
    fn step_back(&mut self) -> Result<Confirmation, TestError> {
        let cancel = self.interrupter.cancel();
        let rejected = self.search.best().candidate.clone();
        let rates = match self.trust {
            Trust::Rates(rates) => rates,
            _ => measure_rates(self.single.as_ref(), &self.first.candidate, self.jobs, cancel)?,
        };
        let earlier = self.history.smallest_first().into_iter().map(|accepted| accepted.best);
        let earlier = earlier.filter(|best| best.candidate != rejected);
        for candidate in earlier.chain([self.first.clone()]) {
            let (holds, confidence) = decide(self.single.as_ref(), &candidate.candidate, rates, cancel)?;
            if holds {
                self.search.step_back(candidate);
                return Ok(Confirmation::SteppedBack { rejected, confidence: Some(confidence) });
            }
        }
        self.search.step_back(self.first.clone());
        Ok(Confirmation::SteppedBack { rejected, confidence: None })
    }
}

impl Reduction {
    fn judge(&self) -> Result<Judge, ReductionError> {
        let bytes = self.input.candidate().byte_count();
        Ok(match &self.property {
            Source::Property(property) => Judge::Property(Arc::clone(property)),
            Source::Command(command) => Judge::Command(command.as_ref().clone().start(bytes, self.jobs)?),
            Source::Test(test) => Judge::Command(Arc::clone(test)),
        })
    }

    /// The property of the run, one run a verdict, and what keeps candidates that show other bugs, if that is wanted.
    fn property(
        &self,
        judge: Judge,
        constants: Constants,
        found: &Found,
    ) -> (Arc<dyn Property>, Option<Box<dyn Listener>>) {
        let test = match judge {
            Judge::Property(property) => return (property, None),
            Judge::Command(test) => test,
        };
        let property = Arc::new(CommandProperty::new(test, constants, self.jobs));
        let others = self.other_bugs.clone().map(|folder| {
            let (property, found) = (Arc::clone(&property), Arc::clone(found));
            Box::new(OtherBugs { folder, property, found }) as Box<dyn Listener>
        });
        (property, others)
    }

    /// Takes up an earlier run if that is wanted and there is one; else checks the input and starts a journal.
    fn depart(&self, judge: &Judge, syntaxes: &Syntaxes, cancel: &Cancel) -> Result<Departure, ReductionError> {
        let binding = self.binding(judge)?;
        let earlier = match self.earlier(binding.as_deref())? {
            Earlier::Free => None,
            Earlier::Result(candidate) => Some(candidate),
        };
        let place = self.journal_place(binding.as_deref());
        if self.resume {
            let resumed = place.as_ref().map(JournalPlace::resume).transpose()?.flatten();
            if let Some((journal, preflight)) = resumed {
                let (journal, notices) = (Some(journal), Vec::new());
                return Ok(Departure { binding, preflight, journal, resumed: true, earlier, notices });
            }
        }
        let preflight = preflight::check(judge, self.input.candidate(), self.repeat, syntaxes, self.jobs, cancel)?;
        let is_overwritten = !self.resume && place.as_ref().is_some_and(JournalPlace::is_occupied);
        let notices = [
            (self.resume && earlier.is_none(), Notice::NothingToResume),
            (!self.resume && earlier.is_some(), Notice::EarlierResult),
            (preflight.accepts_trivial, Notice::AcceptsTrivial),
            (is_overwritten, Notice::JournalOverwritten),
        ];
        let notices = notices.into_iter().filter(|(applies, _)| *applies).map(|(_, notice)| notice).collect();
        let journal = place.map(|place| place.start(&preflight)).transpose()?;
        Ok(Departure { binding, preflight, journal, resumed: false, earlier, notices })
    }

    fn history_place(&self) -> Option<PathBuf> {
        match &self.output {
            Some(Place::Beside(output)) if self.history => Some(HistoryFile::place(output)),
            _ => None,
        }
    }

    fn journal_place(&self, binding: Option<&str>) -> Option<JournalPlace> {
        let (path, binding) = (self.journal.clone()?, binding?.to_owned());
        let output = match &self.output {
            Some(Place::Beside(output) | Place::InPlace(output)) => output.clone(),
            None => path.clone(),
        };
        Some(JournalPlace { path, binding, output })
    }

    /// Makes sure that the result can be written before any work is done. Gives the output, and where the original is if
    /// the output takes its place.
    fn prepare_output(
        &self,
        input: &Measured,
        floor: Option<Measured>,
    ) -> Result<(Option<Output>, Option<PathBuf>), ReductionError> {
        let Some(place) = &self.output else { return Ok((None, None)) };
        let origin = self.input.origin();
        let (path, stamp) = match place {
            Place::Beside(path) => (path, None),
            Place::InPlace(path) => (path, origin.map(|origin| origin.stamp.clone())),
        };
        let refuse = |error| ReductionError::Output { path: path.clone(), error };
        let output = Output::new(path.clone(), origin.map(|origin| origin.permissions.clone()), stamp, floor);
        let original = match place {
            Place::InPlace(path) => Some(keep_original(path, input.candidate.files()[0].bytes()).map_err(refuse)?),
            Place::Beside(_) => None,
        };
        output.write(input).map_err(refuse)?;
        Ok((Some(output), original))
    }
}

fn stop_of(error: TestError) -> Stop {
    match error {
        TestError::Cancelled => Stop::Interrupted,
        TestError::Failed(reason) => Stop::Failed(reason),
    }
}

/// Writes the result for good; if its place fails, to the folder for temporary files, so that it is not lost.
fn save(output: Output, best: &Measured) -> Result<PathBuf, ReductionError> {
    let path = output.path().to_owned();
    let Err(error) = output.finish(best) else { return Ok(path) };
    match save_elsewhere(&path, &best.candidate) {
        Ok(kept) => Err(ReductionError::Misplaced { path, error, kept }),
        Err(_) => Err(ReductionError::Output { path, error }),
    }
}

/// A run that came to its end leaves no journal.
fn end_journal(journal: Option<Arc<Journal>>, end: &End) -> JournalEnd {
    let Some(journal) = journal else { return JournalEnd::Gone };
    if end.is_complete() {
        let _ = journal.remove();
        return JournalEnd::Gone;
    }
    journal.failed().map_or(JournalEnd::Kept, |error| JournalEnd::Failed(error.to_string()))
}
