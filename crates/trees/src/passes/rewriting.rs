//! Rewriting: rules change a declaration together with its uses.
//!
//! Rules are data (`rules/`). What saves most tokens comes first. An edit of independent places is halved where it fails
//! as a whole. An edit that saves no token is made on trial: what it ends with is kept only if it has fewer tokens.
//! A rule that keeps failing gets fewer tests. When late rules find nothing, the usual ones are tried once more in a text
//! in which no two declarations share a name.
//!
//! Promise: none, because the number of tests is limited. Cost: up to 24 tests for each rule that applies, and half as
//! many after every 24 failures in a row; up to 4 trials of 60 tests in a run, and one more for late rules.

use std::collections::HashMap;

use whittle_lists::{Algorithm, ProbabilityOptions};
use whittle_search::{Candidate, File, FirstOf, Halves, Search, Stop};

use crate::reduce::{Key, TreeAlgorithm, TreeFile, TreeOptions, TreeReducer};
use crate::rules::{Proposal, Reading, Replacement};
use crate::{Memory, Rule, RuleTier, Syntax, Workshop};

/// How many tokens a text may have: every rule is compared with every token. Not measured.
const MAX_TOKENS: usize = 4_000;

/// How many proposals of a rule are tested in a run while it works. Not measured.
const PROPOSALS_PER_RULE: usize = 24;

/// How many failures in a row halve the number of proposals of a rule. Not measured.
const FAILURES_TO_HALVE: u32 = 24;

/// How many bytes may be parsed to see what all proposals come to: beyond this, that takes many seconds. Not measured.
const MAX_PARSED_BYTES: usize = 20_000_000;

/// How many bytes may be parsed to find those of a rule's independent replacements that make a syntax error. Not measured.
const MAX_BYTES_CHECKED_APART: usize = 200_000;

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
pub(crate) fn rewriting(
    search: &mut Search,
    workshop: &Workshop,
    memory: Option<&Memory>,
    tier: RuleTier,
) -> Result<(), Stop> {
    let Some(syntax) = workshop.syntax.as_ref().filter(|syntax| !syntax.rules().is_empty()) else { return Ok(()) };
    let own = Memory::default();
    let pass = Pass { workshop, syntax, memory: memory.unwrap_or(&own), tier };
    let start = search.best().candidate.fingerprint();
    run(search, pass, Trials::Allowed)?;
    let is_last = tier != RuleTier::Usual && search.best().candidate.fingerprint() == start;
    if is_last { pass.with_names_apart(search) } else { Ok(()) }
}

fn run(search: &mut Search, pass: Pass<'_>, trials: Trials) -> Result<(), Stop> {
    let start = search.best().candidate.fingerprint();
    search.fixpoint(|search| {
        let base = search.best().candidate.clone();
        let Some(found) = pass.attempts(&base) else { return Ok(()) };
        for group in found.shrinking {
            if pass.report(search, &group, |search| pass.take_first(search, &group))? {
                return Ok(());
            }
        }
        for attempt in &found.divisible {
            if pass.report(search, std::slice::from_ref(attempt), |search| pass.take_parts(search, attempt))? {
                return Ok(());
            }
        }
        // After a change, other passes come first: what they find would seem to be due to the trial.
        let is_unchanged = base.fingerprint() == start;
        let growing = if trials == Trials::Allowed && is_unchanged { found.growing.as_slice() } else { &[] };
        for attempt in growing.iter().take(MAX_TRIALS) {
            if pass.report(search, std::slice::from_ref(attempt), |search| pass.on_trial(search, attempt))? {
                return Ok(());
            }
        }
        Ok(())
    })
}

/// What the rules are applied to, and which of them.
#[derive(Clone, Copy)]
struct Pass<'a> {
    workshop: &'a Workshop,
    syntax: &'a Syntax,
    memory: &'a Memory,
    /// Which rules are tried.
    tier: RuleTier,
}

/// What can be tried, most tokens saved first.
struct Found {
    /// Grouped by rules.
    shrinking: Vec<Vec<Attempt>>,
    divisible: Vec<Attempt>,
    growing: Vec<Attempt>,
}

impl Pass<'_> {
    /// Reports attempts of one rule to listeners as a pass of its own, so that they can say what the rule is worth.
    fn report(
        &self,
        search: &mut Search,
        attempts: &[Attempt],
        body: impl FnOnce(&mut Search) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let Some(first) = attempts.first() else { return Ok(false) };
        search.pass(&format!("rule {}", self.rule_name(first.proposal.rule)), body)
    }

    /// The name of a rule, by which its failures are counted.
    fn rule_name(&self, number: usize) -> &str {
        self.syntax.rules().iter().nth(number).map_or("", |rule| &rule.name)
    }

    /// Counts how attempts of a rule ended.
    fn count(&self, attempt: &Attempt, works: bool) {
        self.memory.count(self.rule_name(attempt.proposal.rule), works);
    }

    /// What the rules can do to the file and has not failed yet; `None` if it is too much for the parser.
    fn attempts(&self, base: &Candidate) -> Option<Found> {
        let file = &base.files()[self.workshop.file];
        let (rules, before) = (self.syntax.rules(), self.syntax.count_of(file)?);
        let parsed = self.syntax.parse(file.bytes(), None).ok()?;
        let reading = Reading::new(file.bytes(), &parsed, self.syntax.name());
        if reading.tokens() > MAX_TOKENS {
            return None;
        }
        let mut proposals = reading.proposals(rules);
        proposals.retain_mut(|proposal| self.is_wanted(proposal.rule) && self.is_new(&reading, proposal));
        proposals.truncate(MAX_PARSED_BYTES / file.bytes().len().max(1));
        let measured = proposals.into_iter().filter_map(|mut proposal| {
            let is_unchecked = rules.iter().nth(proposal.rule).is_some_and(Rule::is_unchecked);
            // As files, since what a short one is parsed to is remembered: the text is made again, and tested.
            let made = |proposal: &Proposal| file.with_bytes(reading.text_of(proposal));
            let count =
                |made: &File| self.syntax.count_of(made).filter(|count| count.errors <= before.errors || is_unchecked);
            let mut result = made(&proposal);
            let mut counted = count(&result);
            if counted.is_none() && is_checked_apart(&proposal, file.bytes().len()) {
                let apart = |one: &Replacement| {
                    count(&made(&Proposal { replacements: vec![one.clone()], ..proposal })).is_some()
                };
                proposal.replacements.retain(apart);
                result = made(&proposal);
                counted = count(&result);
            }
            let (tokens, keys) = (counted?.tokens, keys(&reading, &proposal));
            let is_change = result.bytes() != file.bytes();
            is_change.then(|| Attempt { proposal, text: result.bytes().to_vec(), tokens, keys })
        });
        let is_small = |attempt: &Attempt| attempt.tokens <= before.tokens + MAX_ADDED_TOKENS;
        let mut all: Vec<Attempt> = measured.filter(is_small).collect();
        all.sort_by_key(|attempt| attempt.tokens);
        all.dedup_by(|a, b| a.text == b.text);
        self.limit(&mut all);
        // With as many tokens as before, a declaration elsewhere may be where other passes find less.
        let is_smaller = |attempt: &Attempt| {
            attempt.tokens < before.tokens || attempt.proposal.is_divisible && attempt.tokens == before.tokens
        };
        let (smaller, growing): (Vec<Attempt>, Vec<Attempt>) = all.into_iter().partition(is_smaller);
        let (divisible, shrinking) = smaller.into_iter().partition(|attempt| self.is_divided(attempt));
        Some(Found { shrinking: grouped(shrinking), divisible, growing })
    }

    fn is_wanted(&self, rule: usize) -> bool {
        self.syntax.rules().iter().nth(rule).is_some_and(|rule| self.tier.has(rule))
    }

    /// Whether a proposal is not known to fail. Independent replacements that are known to fail are left out.
    fn is_new(&self, reading: &Reading<'_>, proposal: &mut Proposal) -> bool {
        if proposal.is_divisible {
            let rule = proposal.rule;
            proposal.replacements.retain(|one| !self.memory.knows(key(reading, rule, std::slice::from_ref(one))));
            return !proposal.replacements.is_empty();
        }
        !self.memory.knows(key(reading, proposal.rule, &proposal.replacements))
    }

    /// Leaves as many attempts of each rule as its failures allow, those that save most.
    fn limit(&self, all: &mut Vec<Attempt>) {
        let mut left: HashMap<&str, usize> = HashMap::new();
        all.retain(|attempt| {
            let name = self.rule_name(attempt.proposal.rule);
            let allowed = || PROPOSALS_PER_RULE >> (self.memory.failures(name) / FAILURES_TO_HALVE).min(8);
            let left = left.entry(name).or_insert_with(|| allowed().max(1));
            let is_tried = *left > 0;
            *left = left.saturating_sub(1);
            is_tried
        });
    }

    /// Whether parts of an attempt are made where the whole fails. One that keeps failing is tried as a whole only.
    fn is_divided(&self, attempt: &Attempt) -> bool {
        let proposal = &attempt.proposal;
        let is_hopeful = self.memory.failures(self.rule_name(proposal.rule)) < FAILURES_TO_HALVE;
        proposal.is_divisible && proposal.replacements.len() > 1 && is_hopeful
    }

    /// Takes the first edit that works; whether there is one.
    fn take_first(&self, search: &mut Search, attempts: &[Attempt]) -> Result<bool, Stop> {
        let (base, file) = (search.best().candidate.clone(), self.workshop.file);
        let texts: Vec<Vec<u8>> = attempts.iter().map(|attempt| attempt.text.clone()).collect();
        let ended = search.run(FirstOf::new(texts), move |text| Some(base.with_bytes(file, text.clone())))?;
        let failed = &attempts[..ended.position().unwrap_or(attempts.len())];
        self.memory.remember(failed.iter().flat_map(|attempt| attempt.keys.iter().copied()));
        failed.iter().for_each(|attempt| self.count(attempt, false));
        ended.position().into_iter().for_each(|taken| self.count(&attempts[taken], true));
        Ok(ended.position().is_some())
    }

    /// Makes as many of the independent replacements as work; whether there are any.
    fn take_parts(&self, search: &mut Search, attempt: &Attempt) -> Result<bool, Stop> {
        let tests = search.tally().tests;
        let (base, file) = (search.best().candidate.clone(), self.workshop.file);
        let (syntax, all) = (self.syntax.clone(), attempt.proposal.clone());
        let errors = syntax.count_of(&base.files()[file]).map_or(0, |count| count.errors);
        let ended = search.run(Halves::new(all.replacements.len()), move |chosen| {
            let text = base.files()[file].bytes();
            let parsed = syntax.parse(text, None).ok()?;
            let replacements = chosen.iter().map(|&number| all.replacements[number].clone()).collect();
            let reading = Reading::new(text, &parsed, syntax.name());
            let text = reading.text_of(&Proposal { rule: all.rule, replacements, is_divisible: true });
            let candidate = base.with_bytes(file, text);
            let count = syntax.count_of(&candidate.files()[file]);
            count.is_none_or(|count| count.errors <= errors).then_some(candidate)
        })?;
        let works = !ended.accepted().is_empty();
        let failed = (0..).zip(&attempt.keys).filter(|(number, _)| !ended.accepted().contains(number));
        self.memory.remember(failed.map(|(_, &key)| key));
        let tries = if works { 1 } else { search.tally().tests - tests };
        (0..tries).for_each(|_| self.count(attempt, works));
        Ok(works)
    }

    /// Tries the usual rules where no two declarations share a name: what they move may not fit beside its namesake.
    fn with_names_apart(&self, search: &mut Search) -> Result<(), Stop> {
        let base = search.best().candidate.clone();
        let text = base.files()[self.workshop.file].bytes();
        let Ok(parsed) = self.syntax.parse(text, None) else { return Ok(()) };
        let reading = Reading::new(text, &parsed, self.syntax.name());
        let names_apart = if reading.tokens() > MAX_TOKENS { None } else { reading.apart() };
        let key = Key::of_look(base.fingerprint().0 as u64);
        let Some(names_apart) = names_apart.filter(|_| !self.memory.knows(key)) else { return Ok(()) };
        let start = base.with_bytes(self.workshop.file, names_apart);
        let tokens = search.best().size.units;
        let works = search.pass("names apart", |search| {
            search.trial(start, TRIAL_TESTS, |search| {
                let larger = search.best().clone();
                let own = Memory::default();
                let ended = run(search, Pass { memory: &own, tier: RuleTier::Usual, ..*self }, Trials::Inside);
                if search.best().size.units >= tokens {
                    search.step_back(larger);
                }
                ended
            })
        })?;
        self.memory.remember(Some(key).filter(|_| !works));
        Ok(())
    }

    /// Makes an edit that adds tokens, and reduces what comes of it.
    fn on_trial(&self, search: &mut Search, attempt: &Attempt) -> Result<bool, Stop> {
        let workshop = self.workshop;
        let start = search.best().candidate.with_bytes(workshop.file, attempt.text.clone());
        let lists = Algorithm::Probdd(ProbabilityOptions::default()).swept();
        let algorithm = TreeAlgorithm { reducer: TreeReducer::Perses, repeated: true, lists };
        let options = TreeOptions::default();
        let tokens = search.best().size.units;
        let works = search.trial(start, TRIAL_TESTS, |search| {
            let larger = search.best().clone();
            let ended = algorithm
                .run_again(search, TreeFile { workshop, memory: None, options: &options })
                .and_then(|()| run(search, Pass { memory: &Memory::default(), ..*self }, Trials::Inside));
            if search.best().size.units >= tokens {
                search.step_back(larger);
            }
            ended
        })?;
        self.memory.remember(attempt.keys.iter().copied().filter(|_| !works));
        self.count(attempt, works);
        Ok(works)
    }
}

/// Whether replacements that make a syntax error are left out, so that the others can be tried.
fn is_checked_apart(proposal: &Proposal, bytes: usize) -> bool {
    let count = proposal.replacements.len();
    proposal.is_divisible && count > 1 && count * bytes <= MAX_BYTES_CHECKED_APART
}

/// Attempts by rules, in the order of the first of each rule.
fn grouped(attempts: Vec<Attempt>) -> Vec<Vec<Attempt>> {
    let mut groups: Vec<Vec<Attempt>> = Vec::new();
    for attempt in attempts {
        match groups.iter_mut().find(|group| group[0].proposal.rule == attempt.proposal.rule) {
            Some(group) => group.push(attempt),
            None => groups.push(vec![attempt]),
        }
    }
    groups
}

/// What is remembered if a proposal fails: each of several independent replacements, or all together.
fn keys(reading: &Reading<'_>, proposal: &Proposal) -> Vec<Key> {
    match proposal.is_divisible {
        true => {
            proposal.replacements.iter().map(|one| key(reading, proposal.rule, std::slice::from_ref(one))).collect()
        }
        false => vec![key(reading, proposal.rule, &proposal.replacements)],
    }
}

fn key(reading: &Reading<'_>, rule: usize, replacements: &[Replacement]) -> Key {
    Key::of_look(reading.look(rule, replacements))
}

#[cfg(test)]
mod tests {
    use crate::reduce::testing::{ends_with, syntax, tests_of};
    use crate::{Memory, RuleTier, TreePass, Workshop};

    fn workshop(language: &str) -> Workshop {
        Workshop { syntax: Some(syntax(language)), ..Workshop::default() }
    }

    fn end(language: &str, text: &str, is_interesting: fn(&str) -> bool) -> String {
        let workshop = workshop(language);
        ends_with(text, is_interesting, |search| TreePass::Rewriting(RuleTier::Usual).run(search, &workshop, None))
    }

    #[test]
    fn a_declaration_and_its_uses_change_together() {
        let is_program = |text: &str| {
            text.contains("x + 1") && (text.contains("N::x") == text.contains("namespace N")) && text.contains("int x")
        };
        let text = "namespace N { int x; } int f() { return N::x + 1; }";
        assert_eq!(end("cpp", text, is_program).replace(' ', ""), "intx;intf(){returnx+1;}");
    }

    #[test]
    fn of_independent_places_those_that_work_are_replaced() {
        let is_text = |text: &str| text.contains("(= a false)") && text.contains('c') && text.contains('d');
        let text = "(assert (= a false))(assert (= c false))(assert (= d false))";
        let expected = "(assert (= a false))(assert (not c))(assert (not d))";
        assert_eq!(end("smtlib", text, is_text), expected);
    }

    #[test]
    fn a_place_where_a_rule_makes_a_syntax_error_is_left_out() {
        let is_text = |text: &str| {
            text.contains("(_ BitVec 8)") && (text.contains("(= x (_ bv7 8))") || text.contains("(= x #x00)"))
        };
        let text = "(declare-const x (_ BitVec 8))(assert (= x (_ bv7 8)))";
        let expected = "(declare-const x (_ BitVec 8))(assert (= x #x00))";
        assert_eq!(end("smtlib", text, is_text), expected);
    }

    #[test]
    fn an_edit_that_adds_tokens_is_kept_if_the_result_is_smaller() {
        // Both calls need the long body, of which only the number matters in the end.
        let is_program = |text: &str| {
            let inlined = text.matches("40").count() == 2;
            inlined
                || text.contains("int g(int x) { return x * 40 + 5 * (x + 1) + 6 * (x + 2); }")
                    && text.contains("g(1) + g(2)")
        };
        let text = "int g(int x) { return x * 40 + 5 * (x + 1) + 6 * (x + 2); } int f() { return g(1) + g(2); }";
        let end = end("c", text, is_program);
        assert!(!end.contains("int g") && end.len() < text.len(), "{end}");
    }

    #[test]
    fn what_moves_beside_its_namesake_gets_another_name() {
        // Outside of the struct, no name may be declared twice.
        let is_program = |text: &str| {
            let names: Vec<&str> =
                text.split("int ").skip(1).filter_map(|rest| rest.split([';', '(']).next()).collect();
            let is_declared_once = |name: &&str| names.iter().filter(|other| *other == name).count() == 1;
            let is_struct = text.contains("struct") && text.matches('.').count() == 2;
            let are_variables = !text.contains("struct") && names.iter().all(is_declared_once);
            text.contains('+') && text.contains("b() {") && (is_struct || are_variables)
        };
        let text = "struct { int a; int b; } a; int b() { return a.a + a.b; }";
        for language in ["c", "cpp"] {
            let workshop = workshop(language);
            let end =
                ends_with(text, is_program, |search| TreePass::Rewriting(RuleTier::Late).run(search, &workshop, None));
            assert!(!end.contains("struct") && end.contains("int b()"), "{language}: {end}");
        }
    }

    #[test]
    fn what_failed_is_not_tried_again_where_nothing_changed() {
        let (workshop, memory) = (workshop("cpp"), Memory::default());
        let text = "namespace N { int x; } int f() { return N::x; }";
        let asked = |text: &'static str| {
            tests_of(
                text,
                move |asked| asked == text,
                |search| TreePass::Rewriting(RuleTier::Usual).run(search, &workshop, Some(&memory)),
            )
        };
        assert!(!asked(text).is_empty());
        assert_eq!(asked(text), [""; 0]);
        assert!(!asked("namespace N { int x, y; } int f() { return N::x; }").is_empty());
    }
}
