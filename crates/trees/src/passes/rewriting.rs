//! Rewriting: rules change a declaration together with its uses.
//!
//! Rules are data (`rules/`). What saves most tokens comes first. An edit of independent places is halved where it fails
//! as a whole. An edit after which the text is larger is made on trial: what it ends with is kept only if it is smaller.
//! A rule that keeps failing gets fewer tests.
//!
//! Promise: none, because the number of tests is limited. Cost: up to 24 tests for each rule that applies, and half as
//! many after every 24 failures in a row; up to 4 trials of 60 tests in a run.

use std::collections::HashMap;

use whittle_lists::{Algorithm, ProbabilityOptions};
use whittle_search::{Candidate, FirstOf, Halves, Search, Stop};

use crate::reduce::{Key, TreeAlgorithm, TreeFile, TreeOptions, TreeReducer};
use crate::rules::{Proposal, Reading, Replacement, RuleSet};
use crate::{Memory, Syntax, Workshop};

/// How many tokens a text may have: every rule is compared with every token. Not measured.
const MAX_TOKENS: usize = 20_000;

/// How many proposals of a rule are tested in a run while it works. Not measured.
const PROPOSALS_PER_RULE: usize = 24;

/// How many failures in a row halve the number of proposals of a rule. Not measured.
const FAILURES_TO_HALVE: u32 = 24;

/// How many bytes may be parsed to see what all proposals come to: beyond this, that takes minutes. Not measured.
const MAX_PARSED_BYTES: usize = 100_000_000;

/// How many edits are made on trial in a run, how many tokens they may add, and how many tests each may take.
/// Not measured.
const MAX_TRIALS: usize = 4;
const MAX_ADDED_TOKENS: u64 = 40;
const TRIAL_TESTS: u64 = 60;

/// Whether edits that make the text larger are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trials {
    Allowed,
    /// This is one.
    Inside,
}

/// A proposal with what it makes of the text.
struct Attempt {
    proposal: Proposal,
    text: Vec<u8>,
    tokens: u64,
    /// What is remembered if it fails: each of several independent replacements, or all together.
    keys: Vec<Key>,
}

/// Applies rules until none of them makes the text smaller.
pub(crate) fn rewriting(search: &mut Search, workshop: &Workshop, memory: Option<&Memory>) -> Result<(), Stop> {
    let own = Memory::default();
    run(search, workshop, memory.unwrap_or(&own), Trials::Allowed)
}

fn run(search: &mut Search, workshop: &Workshop, memory: &Memory, trials: Trials) -> Result<(), Stop> {
    let Some(syntax) = workshop.syntax.as_ref().filter(|syntax| !syntax.rules().is_empty()) else { return Ok(()) };
    search.fixpoint(|search| {
        let base = search.best().candidate.clone();
        let Some(found) = attempts(syntax, workshop.file, &base, memory) else { return Ok(()) };
        let Found { shrinking, divisible, growing } = found;
        if take_first(search, workshop.file, syntax, memory, shrinking)? {
            return Ok(());
        }
        for attempt in divisible {
            if take_parts(search, workshop.file, syntax, memory, &attempt)? {
                return Ok(());
            }
        }
        if trials == Trials::Allowed {
            for attempt in growing.into_iter().take(MAX_TRIALS) {
                if on_trial(search, workshop, memory, &attempt)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// What can be tried, most tokens saved first.
struct Found {
    shrinking: Vec<Attempt>,
    divisible: Vec<Attempt>,
    growing: Vec<Attempt>,
}

/// What the rules can do to a file and has not failed yet; `None` if it is too much for the parser.
fn attempts(syntax: &Syntax, file: usize, base: &Candidate, memory: &Memory) -> Option<Found> {
    let file = &base.files()[file];
    let (rules, before) = (syntax.rules(), syntax.count_of(file)?);
    let parsed = syntax.parse(file.bytes(), None)?;
    let reading = Reading::new(file.bytes(), &parsed, syntax.name());
    if reading.tokens() > MAX_TOKENS {
        return None;
    }
    let key = |rule: usize, replacements: &[Replacement]| Key::of_look(reading.look(rule, replacements));
    let keys = |proposal: &Proposal| match proposal.is_divisible {
        true => proposal.replacements.iter().map(|one| key(proposal.rule, std::slice::from_ref(one))).collect(),
        false => vec![key(proposal.rule, &proposal.replacements)],
    };
    let mut proposals = reading.proposals(rules);
    proposals.retain_mut(|proposal| {
        if proposal.is_divisible {
            let rule = proposal.rule;
            proposal.replacements.retain(|one| !memory.knows(key(rule, std::slice::from_ref(one))));
        }
        !proposal.replacements.is_empty() && !keys(proposal).iter().all(|&key| memory.knows(key))
    });
    proposals.truncate(MAX_PARSED_BYTES / file.bytes().len().max(1));
    let measured = proposals.into_iter().filter_map(|proposal| {
        let text = reading.text_of(&proposal);
        let count = syntax.count(&text).filter(|count| count.errors <= before.errors)?;
        let keys = keys(&proposal);
        Some(Attempt { proposal, text, tokens: count.tokens, keys }).filter(|attempt| attempt.text != file.bytes())
    });
    let mut all: Vec<Attempt> = measured.filter(|attempt| attempt.tokens <= before.tokens + MAX_ADDED_TOKENS).collect();
    all.sort_by_key(|attempt| attempt.tokens);
    all.dedup_by(|a, b| a.text == b.text);
    let mut left: HashMap<usize, usize> = HashMap::new();
    all.retain(|attempt| {
        let rule = attempt.proposal.rule;
        let allowed = || PROPOSALS_PER_RULE >> (memory.failures(&rule_name(rules, rule)) / FAILURES_TO_HALVE).min(8);
        let left = left.entry(rule).or_insert_with(|| allowed().max(1));
        let is_tried = *left > 0;
        *left = left.saturating_sub(1);
        is_tried
    });
    let (smaller, growing): (Vec<Attempt>, Vec<Attempt>) =
        all.into_iter().partition(|attempt| attempt.tokens <= before.tokens);
    // One that keeps failing is tried as a whole only.
    let is_hopeful = |rule: usize| memory.failures(&rule_name(rules, rule)) < FAILURES_TO_HALVE;
    let is_divisible = |attempt: &Attempt| {
        let proposal = &attempt.proposal;
        proposal.is_divisible && proposal.replacements.len() > 1 && is_hopeful(proposal.rule)
    };
    let (divisible, shrinking) = smaller.into_iter().partition(is_divisible);
    Some(Found { shrinking, divisible, growing })
}

/// The name of a rule, by which its failures are counted.
fn rule_name(rules: &RuleSet, number: usize) -> String {
    rules.iter().nth(number).map(|rule| rule.name.clone()).unwrap_or_default()
}

/// Takes the first edit that works; whether there is one.
fn take_first(
    search: &mut Search,
    file: usize,
    syntax: &Syntax,
    memory: &Memory,
    attempts: Vec<Attempt>,
) -> Result<bool, Stop> {
    let base = search.best().candidate.clone();
    let texts: Vec<Vec<u8>> = attempts.iter().map(|attempt| attempt.text.clone()).collect();
    let ended = search.run(FirstOf::new(texts), move |text| Some(base.with_bytes(file, text.clone())))?;
    let taken = ended.position();
    let failed = &attempts[..taken.unwrap_or(attempts.len())];
    memory.remember(failed.iter().flat_map(|attempt| attempt.keys.iter().copied()));
    for attempt in failed {
        memory.count(&rule_name(syntax.rules(), attempt.proposal.rule), false);
    }
    if let Some(taken) = taken {
        memory.count(&rule_name(syntax.rules(), attempts[taken].proposal.rule), true);
    }
    Ok(taken.is_some())
}

/// Makes as many of the independent replacements as work; whether there are any.
fn take_parts(
    search: &mut Search,
    file: usize,
    syntax: &Syntax,
    memory: &Memory,
    attempt: &Attempt,
) -> Result<bool, Stop> {
    let tests = search.tally().tests;
    let base = search.best().candidate.clone();
    let (own, all) = (syntax.clone(), attempt.proposal.clone());
    let errors = syntax.count_of(&base.files()[file]).map_or(0, |count| count.errors);
    let ended = search.run(Halves::new(all.replacements.len()), move |chosen| {
        let text = base.files()[file].bytes();
        let parsed = own.parse(text, None)?;
        let replacements = chosen.iter().map(|&number| all.replacements[number].clone()).collect();
        let reading = Reading::new(text, &parsed, own.name());
        let text = reading.text_of(&Proposal { rule: all.rule, replacements, is_divisible: true });
        let candidate = base.with_bytes(file, text);
        own.count_of(&candidate.files()[file]).is_none_or(|count| count.errors <= errors).then_some(candidate)
    })?;
    let works = !ended.accepted().is_empty();
    let failed = (0..).zip(&attempt.keys).filter(|(number, _)| !ended.accepted().contains(number));
    memory.remember(failed.map(|(_, &key)| key));
    let name = rule_name(syntax.rules(), attempt.proposal.rule);
    let tries = if works { 1 } else { search.tally().tests - tests };
    (0..tries).for_each(|_| memory.count(&name, works));
    Ok(works)
}

/// Makes an edit that adds tokens, and reduces what comes of it.
fn on_trial(search: &mut Search, workshop: &Workshop, memory: &Memory, attempt: &Attempt) -> Result<bool, Stop> {
    let start = search.best().candidate.with_bytes(workshop.file, attempt.text.clone());
    let lists = Algorithm::Probdd(ProbabilityOptions::default()).swept();
    let algorithm = TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists };
    let options = TreeOptions::default();
    let works = search.trial(start, TRIAL_TESTS, |search| {
        algorithm.run_again(search, TreeFile { workshop, memory: None, options: &options })?;
        run(search, workshop, &Memory::default(), Trials::Inside)
    })?;
    memory.remember(attempt.keys.iter().copied().filter(|_| !works));
    if let Some(syntax) = &workshop.syntax {
        memory.count(&rule_name(syntax.rules(), attempt.proposal.rule), works);
    }
    Ok(works)
}
