//! [`Run`]: a reduction under way. Callers that do not drive the search themselves call [`Reduction::run`].

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use whittle_machines::{Basis, Fleet};
use whittle_property::{
    CommandProperty, CommandTest, Constants, CrewSetup, HelperProgram, Invocation, Repeated, ServerChecks, Trust,
};
use whittle_search::{Candidate, Fingerprint, Journal, Listener, Property, Search, Setup, StartError, Stop, Verdict};
use whittle_trees::{SyntaxCheck, Unparsed, Workshop};

use super::confirm::Confirmer;
use super::history::History;
use super::others::{Found, OtherBugs};
use super::preflight::{trivial, within};
use super::result_file::ResultFile;
use super::starting_point::{Notice, StartingPoint};
use super::well_formed::WellFormed;
use super::{Confirmation, End, JournalEnd, Judge, Outcome, Reduction, ReductionError, Source, measured};
use crate::external::{ExternalPasses, Surroundings};
use crate::strategy::{ProjectFacts, Strategy, Unfinished};
use crate::syntaxes::{SizeUnit, Syntaxes};

/// A reduction whose input was checked and whose search has started.
pub struct Run {
    began: Instant,
    search: Search,
    strategy: Strategy,
    workshops: Vec<Workshop>,
    facts: ProjectFacts,
    unit: SizeUnit,
    confirmer: Confirmer,
    result: ResultFile,
    journal: Option<Arc<Journal>>,
    found: Found,
    signature: Option<Vec<u8>>,
    notices: Vec<Notice>,
    syntaxes: Syntaxes,
    /// The command, if it is one that decides.
    test: Option<Arc<CommandTest>>,
    passes: ExternalPasses,
    fleet: Option<Arc<Fleet>>,
    /// What the search begins with after the input.
    earlier: Option<Candidate>,
}

impl Run {
    pub(super) fn start(mut reduction: Reduction) -> Result<Self, ReductionError> {
        let began = Instant::now();
        // What is learned about the input is dropped with the reduction, even if the caller keeps its bytes.
        let input = reduction.input.candidate().bare();
        reduction.input = reduction.input.with_candidate(input.clone());
        let syntaxes = reduction.syntaxes()?;
        let mut strategy = reduction.chosen_strategy(&syntaxes);
        strategy.trees.words = reduction.test_words();
        let judge = reduction.judge()?;
        let facts = reduction.facts(&judge);
        let test = if let Judge::Command(test) = &judge { Some(Arc::clone(test)) } else { None };
        let interrupter = reduction.interrupter.clone();
        let StartingPoint { binding, preflight, journal, resumed, earlier, mut notices } =
            within(reduction.max_time, interrupter.cancel(), |cancel| {
                reduction.starting_point(&judge, &syntaxes, cancel)
            })?;

        let passes = reduction.start_passes(test.as_deref(), began, resumed)?;
        strategy.steps.extend(passes.steps());
        let refusals = syntaxes.refusals(&input).into_iter();
        notices.extend(refusals.map(|(language, reason)| Notice::NotParsed { language, reason }));
        let measured = |candidate| measured(&syntaxes, &reduction.alphabet, &strategy, candidate);
        let first = measured(input.clone());
        let result = ResultFile::prepare(&reduction, &first, earlier.clone().map(measured), binding)?;
        let (history, found) = (History::default(), Found::default());
        let Constants { signature, trust, .. } = preflight.constants.clone();
        let (mut single, others, fleet) = reduction.property(judge, preflight.constants, &preflight.known, &found)?;
        if reduction.well_formed {
            single = Arc::new(WellFormed::new(single, syntaxes.measure(), &input));
        }
        let mut listeners: Vec<Box<dyn Listener>> = vec![Box::new(history.clone())];
        listeners.extend(result.listener().into_iter().chain(others).chain(std::mem::take(&mut reduction.listeners)));
        let setup = Setup {
            measure: syntaxes.measure(),
            alphabet: reduction.alphabet.clone(),
            order: strategy.order,
            layout: syntaxes.layout_for(&strategy),
            jobs: if fleet.is_some() { Fleet::max_jobs(reduction.jobs) } else { reduction.jobs },
            max_tests: reduction.max_tests,
            max_time: reduction.max_time.map(|limit| limit.saturating_sub(began.elapsed())),
            interrupter: interrupter.clone(),
            listeners,
            journal: journal.clone(),
            replay: preflight.known,
            simulation: None,
        };
        let property = Arc::new(Repeated::new(Arc::clone(&single), trust));
        let mut search = start_search(setup, property, input, resumed)?;
        notices.iter().for_each(|notice| search.notice(notice.to_string()));
        // A run that came to its end has no journal, but its result is a better start than the input.
        let earlier = earlier.filter(|_| reduction.resume && !resumed);
        begin_with(&mut search, earlier.as_ref());
        let check = SyntaxCheck::UpTo(reduction.check_up_to.unwrap_or(preflight.check_up_to));
        let (workshops, unit, jobs) = (syntaxes.workshops(check), syntaxes.unit(), reduction.jobs);
        let confirmer = Confirmer { first: first.bare(), history, single, trust, interrupter, jobs, confirmed: None };
        Ok(Self {
            began,
            search,
            strategy,
            workshops,
            facts,
            unit,
            confirmer,
            result,
            journal,
            found,
            signature,
            notices,
            syntaxes,
            test,
            passes,
            fleet,
            earlier,
        })
    }

    /// The search, for callers that reduce by other means before or in place of the strategy.
    pub fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    /// Runs the strategy; again if verdicts of other machines turn out to be wrong.
    pub fn reduce(&mut self) -> Result<(), Unfinished> {
        loop {
            let ended = self.strategy.run_with(&mut self.search, &self.workshops, &self.facts);
            // What ends early by the clock, or for lack of machines, ends at once.
            let is_final = matches!(ended, Ok(()) | Err(Unfinished::Stopped(Stop::MaxTests(_))));
            if let Some(fleet) = self.fleet.as_ref().filter(|_| is_final) {
                let result = &self.search.best().candidate;
                let is_confirmed = fleet.settle(result, self.confirmer.interrupter.cancel());
                self.confirmer.confirmed = is_confirmed.then(|| result.fingerprint());
            }
            let is_withdrawn = matches!(ended, Err(Unfinished::Stopped(Stop::Withdrawn)));
            if is_withdrawn || (is_final && self.search.must_start_over()) {
                self.start_over()?;
                continue;
            }
            ended?;
            // A skipped pass may have something left to find: the run can be resumed.
            return if self.search.has_skipped() { Err(Stop::Skipped.into()) } else { Ok(()) };
        }
    }

    /// Begins again with what is still known.
    fn start_over(&mut self) -> Result<(), Stop> {
        self.search.start_over().map_err(|error| match error {
            StartError::Stopped(stop) => stop,
            StartError::NotInteresting(_) => Stop::Failed("the input is not interesting any more".to_owned()),
        })?;
        begin_with(&mut self.search, self.earlier.as_ref());
        Ok(())
    }

    /// Confirms the result and writes it for good. `ended` says how the search ended.
    pub fn finish(mut self, ended: Result<(), Unfinished>) -> Result<Outcome, ReductionError> {
        self.test.iter().for_each(|test| test.use_fresh_servers());
        if self.is_server() {
            // The last test is by a new server.
            self.confirmer.confirmed = None;
        }
        // What is handed over holds on this machine.
        let machines = self.fleet.as_ref().map(|fleet| {
            fleet.retire();
            fleet.report()
        });
        let confirmation = self.confirmer.confirm(&mut self.search);
        let end = End::new(ended, self.strategy.is_fixpoint());
        self.notice_faults();
        self.notice_leaks(&confirmation);
        self.search.finish(&end.to_string());
        let Confirmer { first, history, .. } = self.confirmer;
        let (best, output) = self.result.finish(self.search.best().clone(), &first, &history)?;
        if end.is_complete() {
            self.passes.forget();
        }
        Ok(Outcome {
            journal: end_journal(self.journal, &end),
            notices: self.notices,
            first,
            best,
            unit: self.unit,
            end,
            confirmation,
            tally: self.search.tally(),
            elapsed: self.began.elapsed(),
            searching: self.search.elapsed(),
            output,
            originals: self.result.originals,
            machines,
            signature: self.signature,
            other_bugs: self.found.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect(),
        })
    }
}

impl Run {
    /// Which candidates are parsed ahead depends on the number of workers. So this comes at the end, and says no more than
    /// what happened at all.
    fn notice_faults(&mut self) {
        for (language, fault) in self.syntaxes.faults() {
            let refused = Notice::NotParsed { language: language.clone(), reason: Unparsed::Failed(fault) };
            if !self.notices.contains(&refused) {
                let notice = Notice::ParserFailed { language, fault };
                self.search.notice(notice.to_string());
                self.notices.push(notice);
            }
        }
    }
}

impl Run {
    fn is_server(&self) -> bool {
        self.test.as_ref().is_some_and(|test| matches!(test.criteria().command, Invocation::Server(..)))
    }

    /// The last test is by a new server too.
    fn notice_leaks(&mut self, confirmation: &Confirmation) {
        let Some(test) = self.test.as_ref().filter(|_| self.is_server()) else { return };
        let ServerChecks { mut made, mut failed } = test.server_checks();
        made += 1;
        failed += u64::from(matches!(confirmation, Confirmation::SteppedBack { .. }));
        if failed > 0 {
            let notice = Notice::ServerLeaks { made, failed };
            self.search.notice(notice.to_string());
            self.notices.push(notice);
        }
    }
}

/// Starts the search. A resumed run believes the journal, but not blindly: it tests the input once more.
fn start_search(
    setup: Setup,
    property: Arc<dyn Property>,
    input: Candidate,
    resumed: bool,
) -> Result<Search, ReductionError> {
    let mut search = setup.start(property, input).map_err(|error| match error {
        StartError::NotInteresting(_) => ReductionError::NoLongerInteresting,
        StartError::Stopped(stop) => stop.into(),
    })?;
    if resumed && search.confirm()? != Verdict::Interesting {
        return Err(ReductionError::NoLongerInteresting);
    }
    Ok(search)
}

/// Tests a better start than the input. If a limit stops this test, it stops the first one of the strategy too.
fn begin_with(search: &mut Search, earlier: Option<&Candidate>) {
    if let Some(candidate) = earlier {
        let _ = search.attempt(candidate.clone());
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

/// What tests candidates, one run a verdict; what keeps those that show other bugs; and the machines that help.
type Tester = (Arc<dyn Property>, Option<Box<dyn Listener>>, Option<Arc<Fleet>>);

impl Reduction {
    /// The words of the test; none if it is not a command.
    fn test_words(&self) -> Vec<String> {
        let source = match &self.property {
            Source::Property(_) => return Vec::new(),
            Source::Command(command) => command.source(),
            Source::Test(test) => test.command().source(),
        };
        let words = source.split(|character: char| !character.is_alphanumeric() && !"_$".contains(character));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Helpers for passes by other programs, with the limits of the test.
    fn start_passes(
        &self,
        test: Option<&CommandTest>,
        began: Instant,
        resumes: bool,
    ) -> Result<ExternalPasses, ReductionError> {
        if self.passes.is_empty() {
            return Ok(ExternalPasses::default());
        }
        let command = test.map(CommandTest::command);
        let helper = command.and_then(|command| command.helper.clone());
        let setup = CrewSetup {
            helper: helper.map_or_else(HelperProgram::this, Ok)?,
            scratch: command.and_then(|command| command.scratch.clone()),
            room: (self.input.candidate().byte_count(), self.jobs as u64),
            memory_limit: command.and_then(|command| command.memory_limit),
            warm: Arc::new([]),
        };
        let answers = self.journal.clone().map(|journal| {
            let mut path = journal.into_os_string();
            path.push(".answers");
            path.into()
        });
        let around = Surroundings {
            setup,
            limits: self.pass_limits,
            jobs: self.jobs,
            cancel: self.interrupter.cancel().clone(),
            deadline: self.max_time.and_then(|limit| began.checked_add(limit)),
            answers,
            resumes,
        };
        ExternalPasses::start(&self.passes, &around)
    }

    fn judge(&self) -> Result<Judge, ReductionError> {
        let bytes = self.input.candidate().byte_count();
        Ok(match &self.property {
            Source::Property(property) => Judge::Property(Arc::clone(property)),
            Source::Command(command) => Judge::Command(command.as_ref().clone().start(bytes, self.jobs)?),
            Source::Test(test) => Judge::Command(Arc::clone(test)),
        })
    }

    /// Who tests candidates.
    fn property(
        &self,
        judge: Judge,
        constants: Constants,
        known: &[(Fingerprint, Verdict)],
        found: &Found,
    ) -> Result<Tester, ReductionError> {
        let test = match judge {
            Judge::Property(property) => return Ok((property, None, None)),
            Judge::Command(test) => test,
        };
        let is_stable = constants.trust == Trust::default();
        let property = Arc::new(CommandProperty::new(test, constants, self.jobs));
        let others = self.other_bugs.clone().map(|folder| {
            let (property, found) = (Arc::clone(&property), Arc::clone(found));
            Box::new(OtherBugs { folder, property, found, written: HashSet::new() }) as Box<dyn Listener>
        });
        let Some(machines) = &self.machines else { return Ok((property, others, None)) };
        let input = self.input.candidate().clone();
        // What the checks before found out here must hold on every machine.
        let of = |candidate: Candidate| {
            let fingerprint = candidate.fingerprint();
            known.iter().find(|(known, _)| *known == fingerprint).map(|(_, verdict)| (candidate, *verdict))
        };
        let known = std::iter::once(input.clone()).chain(trivial(&input).into_iter().take(1)).filter_map(of).collect();
        let basis = Basis { local: property, jobs: self.jobs, input, known, is_stable };
        let fleet = Arc::new(Fleet::start(machines, basis).map_err(ReductionError::Machines)?);
        Ok((Arc::clone(&fleet) as Arc<dyn Property>, others, Some(fleet)))
    }
}
