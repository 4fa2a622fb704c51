//! [`Automaton`]: one lexical rule as an automaton that marks where nodes of a lex tree start and end.
//!
//! All operations take time and memory in proportion to the text and the number of states, whatever the pattern. They
//! first find which states can lead to the end, then follow a path among those.

use crate::Bits;
use crate::lexical::{LexId, LexicalRules, has_char};
use crate::nfa::{Marks, Nfa, State};

/// The state at the end of the text.
const END: u32 = 0;

/// What a path through the automaton passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Open(LexId),
    Close,
    Char(char),
}

/// One lexical rule as an automaton.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    nfa: Nfa,
    start: u32,
    /// The states from which each state is reached without reading a character.
    before: Vec<Vec<u32>>,
}

impl Automaton {
    pub(crate) fn new(rules: &LexicalRules, root: LexId) -> Self {
        let mut nfa = Nfa::new(Marks::On);
        nfa.add(State::End);
        let start = nfa.compile(rules, root, END);
        let mut before = vec![Vec::new(); nfa.len() as usize];
        for state in 0..nfa.len() {
            for &next in nfa.next_without_char(state) {
                before[next as usize].push(state);
            }
        }
        Self { nfa, start, before }
    }

    /// These states and those that lead to them without reading a character.
    fn closed_backwards(&self, states: Vec<u32>) -> Bits {
        let mut closed = Bits::default();
        let mut left = states;
        while let Some(state) = left.pop() {
            if closed.insert(state as usize) {
                left.extend(&self.before[state as usize]);
            }
        }
        closed
    }

    /// The states that reach the end without reading a character.
    pub(crate) fn ending(&self) -> Bits {
        self.closed_backwards(vec![END])
    }

    /// The states from which one character leads to a state in `then`; `is_read` filters the ranges of characters.
    pub(crate) fn leading_to(&self, then: &Bits, is_read: impl Fn(&[(char, char)]) -> bool) -> Bits {
        let leads = |state: &u32| match self.nfa.get(*state) {
            State::Step { ranges, to } => then.contains(*to as usize) && is_read(ranges),
            _ => false,
        };
        self.closed_backwards((0..self.nfa.len()).filter(leads).collect())
    }

    /// The states at the start of a text.
    pub(crate) fn starting(&self) -> Vec<u32> {
        vec![self.start]
    }

    /// The classes of characters that lead from one of these states to a state in `then`.
    pub(crate) fn classes(&self, states: &[u32], then: &Bits) -> Vec<&[(char, char)]> {
        let steps = self.nfa.steps_from(states);
        let class_of = |state: u32| match self.nfa.get(state) {
            State::Step { ranges, to } if then.contains(*to as usize) => Some(ranges.as_slice()),
            _ => None,
        };
        steps.into_iter().filter_map(class_of).collect()
    }

    /// The states to which a character leads from these.
    pub(crate) fn after(&self, states: &[u32], c: char) -> Vec<u32> {
        self.nfa.after(states, c)
    }

    /// The path of a text through the automaton, `None` if the rule does not match it. Of several paths it takes the
    /// alternative that the rule mentions first, and repetitions are greedy.
    pub(crate) fn path(&self, text: &str) -> Option<Vec<Mark>> {
        let chars: Vec<char> = text.chars().collect();
        let mut leading = vec![self.ending()];
        for &c in chars.iter().rev() {
            let then = &leading[leading.len() - 1];
            let states = self.leading_to(then, |ranges| has_char(ranges, c));
            leading.push(states);
        }
        leading.reverse();
        if !leading[0].contains(self.start as usize) {
            return None;
        }
        let mut marks = Vec::new();
        let mut state = self.start;
        for (at, &c) in chars.iter().enumerate() {
            let is_next = |state: u32| match self.nfa.get(state) {
                State::Step { ranges, to } => has_char(ranges, c) && leading[at + 1].contains(*to as usize),
                _ => false,
            };
            let State::Step { to, .. } = self.nfa.get(self.walk(state, &mut marks, is_next)?) else { break };
            marks.push(Mark::Char(c));
            state = *to;
        }
        self.walk(state, &mut marks, |state| state == END)?;
        Some(marks)
    }

    /// Goes to a state that `is_goal` without reading characters, by the first path found. Visits no state twice.
    fn walk(&self, from: u32, marks: &mut Vec<Mark>, is_goal: impl Fn(u32) -> bool) -> Option<u32> {
        let mut seen = Bits::default();
        let mut left = vec![(from, marks.len())];
        while let Some((state, passed)) = left.pop() {
            if !seen.insert(state as usize) {
                continue;
            }
            marks.truncate(passed);
            if is_goal(state) {
                return Some(state);
            }
            match self.nfa.get(state) {
                State::Open { rule, .. } => marks.push(Mark::Open(*rule)),
                State::Close { .. } => marks.push(Mark::Close),
                _ => {}
            }
            left.extend(self.nfa.next_without_char(state).iter().rev().map(|&next| (next, marks.len())));
        }
        None
    }
}
