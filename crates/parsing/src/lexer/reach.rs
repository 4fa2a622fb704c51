//! Which rules of tokens can ever match, found by walking through all states of the deterministic automaton.
//!
//! A rule matches some text if it is the preferred one in a state that can be reached. All characters that the same sets
//! contain, of those that a state asks for, lead to the same state, so one of each such class is enough. Rules that use themselves have
//! endlessly many states; they are followed [`NESTING`] levels deep, and not judged themselves. A grammar with more than
//! [`MAX_STATES`] states is not judged at all: nothing is said that is not certain.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::nfa::State;
use super::{Config, DEAD, END, Lexer, LexerCache, Run};
use crate::hashing::FastSet;

/// How deep rules that use themselves are followed. Rules that take their texts away do so at small depths.
const NESTING: u32 = 2;

/// How many states of a mode are looked at. Of a hundred public grammars, the largest has 6,000.
const MAX_STATES: usize = 20_000;

/// What became of a rule of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Earlier rules, by their numbers, take all of its texts.
    Shadowed(Vec<u32>),
    /// No token leads to its mode.
    NoWay,
}

impl Lexer {
    /// The rules that can never match, by their numbers in the order of preference.
    pub(crate) fn unreachable(&self) -> HashMap<u32, Reach> {
        let classes = self.classes();
        let mut found = HashMap::new();
        let (mut open, mut entered) = (vec![0], BTreeSet::from([0]));
        let mut is_certain = true;
        while let Some(mode) = open.pop() {
            let Some(walk) = self.walk(mode, &classes) else {
                // Which modes follow is not known either.
                is_certain = false;
                continue;
            };
            for &ending in &walk.endings {
                let next = self.nfa.endings[ending as usize].modes.iter().filter_map(super::nfa::Turn::target);
                open.extend(next.filter(|mode| entered.insert(*mode)));
            }
            found.extend(walk.shadowed());
        }
        for mode in (0..self.nfa.starts.len() as u32).filter(|mode| is_certain && !entered.contains(mode)) {
            found.extend(self.rules_of(mode).into_iter().map(|rule| (rule, Reach::NoWay)));
        }
        found.retain(|rule, _| !self.nfa.recursive.contains(rule));
        found
    }

    /// One character of each class, and the sets that contain it, a bit each.
    fn classes(&self) -> Vec<Class> {
        let ends = self.nfa.sets.iter().flat_map(|set| set.ranges()).flat_map(|&(from, to)| [from, to + 1]);
        let starts: BTreeSet<u32> = ends.filter(|&c| c < END).collect();
        let mut classes: BTreeMap<Vec<u64>, u32> = BTreeMap::new();
        for c in starts {
            let sets = self.nfa.sets.iter().enumerate().filter(|(_, set)| set.contains(c));
            classes.entry(self.bits(sets.map(|(set, _)| set))).or_insert(c);
        }
        classes.into_iter().map(|(sets, character)| Class { sets, character }).collect()
    }

    /// Some sets, a bit each.
    fn bits(&self, sets: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut bits = vec![0; self.nfa.sets.len().div_ceil(64)];
        sets.for_each(|set| bits[set / 64] |= 1 << (set % 64));
        bits
    }

    /// One character of each class that a state tells apart.
    fn told_apart(&self, configs: &[Config], classes: &[Class]) -> Vec<u32> {
        let asked = self.bits(configs.iter().filter_map(|config| match self.nfa.states[config.state as usize] {
            State::Chars(set, _) => Some(set as usize),
            _ => None,
        }));
        let mut seen: FastSet<Vec<u64>> = FastSet::default();
        let mut is_new = |class: &&Class| {
            let sets: Vec<u64> = class.sets.iter().zip(&asked).map(|(sets, asked)| sets & asked).collect();
            sets.iter().any(|&word| word != 0) && seen.insert(sets)
        };
        classes.iter().filter(|class| is_new(class)).map(|class| class.character).collect()
    }

    /// All states of a mode; `None` if there are too many.
    fn walk(&self, mode: u32, classes: &[Class]) -> Option<Walk> {
        let mut cache = LexerCache::default();
        let mut run = Run { nfa: &self.nfa, cache: &mut cache, text: &[], reads: 0, nesting: NESTING };
        let mut walk = Walk::default();
        run.start(mode);
        let mut at = 0;
        while at < run.cache.states.len() {
            walk.see(self, &run, at);
            for c in self.told_apart(&run.cache.states[at].configs, classes) {
                run.step(at as u32, c);
            }
            // Nothing follows the end of a text.
            let end = run.step(at as u32, END);
            if end != DEAD {
                walk.see(self, &run, end as usize);
            }
            at += 1;
            if run.cache.states.len() > MAX_STATES {
                return None;
            }
        }
        Some(walk)
    }

    /// The numbers of the rules of a mode.
    fn rules_of(&self, mode: u32) -> BTreeSet<u32> {
        let (mut open, mut seen) = (self.nfa.starts[mode as usize].clone(), BTreeSet::new());
        let mut rules = BTreeSet::new();
        while let Some(state) = open.pop() {
            if !seen.insert(state) {
                continue;
            }
            match &self.nfa.states[state as usize] {
                State::Chars(_, next) | State::Eof(next) | State::Call { next, .. } => open.push(*next),
                State::Split { next, .. } => open.extend(next),
                State::Accept(ending) => drop(rules.insert(self.nfa.endings[*ending as usize].rule)),
                State::Return => {}
            }
        }
        rules
    }
}

/// Characters that the same sets contain.
struct Class {
    sets: Vec<u64>,
    /// One of them.
    character: u32,
}

/// What was seen on a walk.
#[derive(Default)]
struct Walk {
    /// The endings that are preferred somewhere.
    endings: BTreeSet<u32>,
    /// The rules that are preferred somewhere.
    winners: BTreeSet<u32>,
    /// For each rule, the rules that were preferred where it was complete.
    preferred: HashMap<u32, BTreeSet<u32>>,
}

impl Walk {
    fn see(&mut self, lexer: &Lexer, run: &Run<'_>, state: usize) {
        let state = &run.cache.states[state];
        let Some(preferred) = state.ending else { return };
        let rule_of = |ending: u32| lexer.nfa.endings[ending as usize].rule;
        self.endings.insert(preferred);
        self.winners.insert(rule_of(preferred));
        for config in &state.configs {
            if let State::Accept(ending) = lexer.nfa.states[config.state as usize] {
                self.preferred.entry(rule_of(ending)).or_default().insert(rule_of(preferred));
            }
        }
    }

    fn shadowed(self) -> impl Iterator<Item = (u32, Reach)> {
        let lost = self.preferred.into_iter().filter(move |(rule, _)| !self.winners.contains(rule));
        lost.map(|(rule, others)| (rule, Reach::Shadowed(others.into_iter().collect())))
    }
}
