//! What a set of rules can do to a text.
//!
//! Cost: for each rule, one attempt to match at each token; for each match of a declaration, one at each token for its
//! uses.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::matching::{Bindings, Match, match_at, matches_at};
use super::pattern::{Element, Pattern, Template};
use super::rewrite::{Replacement, rewritten};
use super::view::{Run, View};
use super::{Extent, Rule, RuleSet};
use crate::concrete::ParserTree;
use crate::names::{Names, apart};

/// A text that rules are applied to.
pub(crate) struct Reading<'a> {
    view: View<'a>,
    names: Names,
}

/// Replacements that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    /// The number of the rule in its set.
    pub(crate) rule: usize,
    pub(crate) replacements: Vec<Replacement>,
    /// Whether the replacements are independent of each other, so that some of them can be made without the others.
    pub(crate) is_divisible: bool,
}

/// How many matches of a rule are considered. Not measured.
const MAX_MATCHES: usize = 200;

/// How many matches that begin with the same token are considered, if it matters how long lists are. Not measured.
const MAX_ALTERNATIVES: usize = 12;

/// How many different matches of what a rule says is given are considered for a declaration. Not measured.
const MAX_GIVEN: usize = 3;

impl<'a> Reading<'a> {
    pub(crate) fn new(text: &'a [u8], parsed: &'a ParserTree, grammar: &str) -> Self {
        let view = View::of(text, parsed);
        let names = Names::of(&view, grammar);
        Self { view, names }
    }

    /// How many tokens the text has.
    pub(crate) fn tokens(&self) -> usize {
        self.view.tokens.len()
    }

    /// The text with a name of its own for every declaration, if some share one.
    pub(crate) fn apart(&self) -> Option<Vec<u8>> {
        apart(&self.view, &self.names)
    }

    /// All that the rules can do, in the order of the rules and of the text.
    pub(crate) fn proposals(&self, rules: &RuleSet) -> Vec<Proposal> {
        rules.iter().enumerate().flat_map(|(number, rule)| self.by_rule(number, rule)).collect()
    }

    fn by_rule(&self, number: usize, rule: &Rule) -> Vec<Proposal> {
        let Some((pattern, template)) = &rule.declaration else {
            let replacements = self.uses(rule, None);
            let proposal = Proposal { rule: number, replacements, is_divisible: true };
            return Some(proposal).filter(|proposal| !proposal.replacements.is_empty()).into_iter().collect();
        };
        let all = 0..self.view.tokens.len();
        let mut patterns = rule.uses.iter().map(|(use_, _)| use_).chain([pattern]);
        let most = if patterns.any(|pattern| pattern.lengths().next().is_some()) { MAX_ALTERNATIVES } else { 1 };
        let starts = all.filter(|&start| self.may_start(pattern, &Bindings::default(), start));
        let found =
            starts.flat_map(|start| matches_at(&self.view, &self.names, pattern, start, &Bindings::default(), most));
        let found = found.flat_map(|found| self.given(rule, found));
        let proposals = found.take(MAX_MATCHES).filter_map(|found| {
            let declaration = Replacement::new(&self.view, &self.names, &found, template);
            let uses = self.uses(rule, Some((&found, &declaration)));
            let replacements: Vec<Replacement> = std::iter::once(declaration).chain(uses).collect();
            (rule.is_use_optional || replacements.len() > 1).then_some(Proposal {
                rule: number,
                replacements,
                is_divisible: false,
            })
        });
        proposals.collect()
    }

    /// A match of a declaration with what the rule says is given: once for each different text that it binds.
    fn given(&self, rule: &Rule, found: Match) -> Vec<Match> {
        let Some(given) = &rule.given else { return vec![found] };
        let mut all: Vec<Match> = Vec::new();
        for given in self.matches(given, &found.bindings, 0..self.view.tokens.len()) {
            let is_apart = given.run.end <= found.run.start || given.run.start >= found.run.end;
            let is_same = |known: &Match| {
                let mut pairs = known.bindings.iter().zip(given.bindings.iter());
                pairs.all(|((_, known), (_, run))| self.view.is_same(known, run))
            };
            if is_apart && all.len() < MAX_GIVEN && !all.iter().any(is_same) {
                all.push(Match { run: found.run.clone(), bindings: given.bindings });
            }
        }
        all
    }

    /// The replacements of uses, at each token by the first pattern that matches there.
    fn uses(&self, rule: &Rule, declaration: Option<(&Match, &Replacement)>) -> Vec<Replacement> {
        let none = Bindings::default();
        let bindings = declaration.map_or(&none, |(found, _)| &found.bindings);
        let within = match (rule.extent, declaration) {
            (Extent::Inside, Some((found, _))) => found.run.clone(),
            _ => 0..self.view.tokens.len(),
        };
        let mut found: Vec<(usize, Match, &Template)> = Vec::new();
        for (order, (pattern, template)) in rule.uses.iter().enumerate() {
            for use_ in self.matches(pattern, bindings, within.clone()) {
                if declaration.is_none_or(|(found, kept)| is_apart(&use_.run, found, kept, pattern)) {
                    found.push((order, use_, template));
                }
            }
        }
        let stay = rule.stay.iter().flat_map(|pattern| self.matches(pattern, bindings, within.clone()));
        let stay: Vec<Run> = stay.map(|found| found.run).collect();
        found.retain(|(_, use_, _)| !stay.iter().any(|run| run.start <= use_.run.start && use_.run.end <= run.end));
        // Where several begin with the same token, the first pattern wins.
        found.sort_by_key(|(order, use_, _)| (use_.run.start, *order));
        found.dedup_by_key(|(_, use_, _)| use_.run.start);
        let count = if rule.extent == Extent::First { 1 } else { found.len() };
        let replaced =
            |(_, use_, template): (usize, Match, &Template)| Replacement::new(&self.view, &self.names, &use_, template);
        found.into_iter().take(count).map(replaced).collect()
    }

    fn matches(&self, pattern: &Pattern, bound: &Bindings, within: Run) -> Vec<Match> {
        let starts = within.filter(|&start| self.may_start(pattern, bound, start));
        starts.filter_map(|start| match_at(&self.view, &self.names, pattern, start, bound)).collect()
    }

    /// A quick look at the first token.
    fn may_start(&self, pattern: &Pattern, bound: &Bindings, start: usize) -> bool {
        match pattern.elements.first() {
            Some(Element::Text(text)) => text.starts_with(self.view.token(start)),
            Some(Element::One(name, _)) => {
                bound.get(name).is_none_or(|run| run.is_empty() || self.view.token(run.start) == self.view.token(start))
            }
            _ => false,
        }
    }

    /// The text after a proposal.
    pub(crate) fn text_of(&self, proposal: &Proposal) -> Vec<u8> {
        rewritten(&self.view, &proposal.replacements)
    }

    /// What replacements by a rule look like, with their surroundings: the nodes around all places.
    pub(crate) fn look(&self, rule: usize, replacements: &[Replacement]) -> u64 {
        let mut hasher = DefaultHasher::new();
        rule.hash(&mut hasher);
        for replacement in replacements {
            let around = self.view.around(&replacement.run);
            (replacement.run.start - around.start, replacement.run.len()).hash(&mut hasher);
            around.for_each(|token| self.view.token(token).hash(&mut hasher));
        }
        hasher.finish()
    }
}

/// Whether a use is no part of its declaration, or is in a part of it that stays. What the declaration binds for the
/// pattern of the use, as the name in it, is not a use.
fn is_apart(run: &Run, found: &Match, declaration: &Replacement, pattern: &Pattern) -> bool {
    if run.end <= found.run.start || run.start >= found.run.end {
        return true;
    }
    let is_within = |outer: &Run| outer.start <= run.start && run.end <= outer.end;
    let is_own = |outer: &Run| {
        let mut bound = found.bindings.iter().filter(|(_, bound)| *bound == outer);
        bound.any(|(name, _)| pattern.variables().any(|used| used == name))
    };
    declaration.kept().any(|outer| is_within(outer) && !is_own(outer))
}
