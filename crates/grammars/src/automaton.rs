//! [`Automaton`]: one lexical rule as states, in the manner of Thompson, with marks where nodes of a lex tree begin
//! and end.
//!
//! Everything here takes time and memory in proportion to the text and the states, whatever the pattern: first it is
//! found which states can lead to the end, then a way is followed that stays among them.

use crate::Bits;
use crate::lexical::{LexId, Lexical, LexicalRules};

/// A repetition that is allowed more often than this is as good as one without limit.
const COPIES: u32 = 16;

#[derive(Clone, Debug)]
pub(crate) enum State {
    /// A character of these ranges leads to another state.
    Step { ranges: Vec<(char, char)>, to: u32 },
    /// One of these states, the first that works.
    Fork(Vec<u32>),
    /// A node of this rule begins.
    Open { rule: LexId, to: u32 },
    /// The node that was opened last ends.
    Close { to: u32 },
    /// The end of the text.
    End,
}

/// What is met on the way through a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Open(LexId),
    Close,
    Char(char),
}

/// One lexical rule as states.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    states: Vec<State>,
    start: u32,
    /// From which states each state is reached without a character.
    before: Vec<Vec<u32>>,
}

impl Automaton {
    pub(crate) fn new(rules: &LexicalRules, root: LexId) -> Self {
        let mut automaton = Self { states: vec![State::End], start: 0, before: Vec::new() };
        automaton.start = automaton.compile(rules, root, 0);
        automaton.before = vec![Vec::new(); automaton.states.len()];
        for state in 0..automaton.states.len() {
            for next in automaton.next_without_char(state as u32) {
                automaton.before[next as usize].push(state as u32);
            }
        }
        automaton
    }

    fn add(&mut self, state: State) -> u32 {
        self.states.push(state);
        self.states.len() as u32 - 1
    }

    /// The state that reads the rule and goes on with `to`.
    fn compile(&mut self, rules: &LexicalRules, rule: LexId, to: u32) -> u32 {
        let end = self.add(State::Close { to });
        let content = match rules.get(rule) {
            Lexical::Literal(text) => {
                text.chars().rev().fold(end, |to, c| self.add(State::Step { ranges: vec![(c, c)], to }))
            }
            Lexical::Class(ranges) => self.add(State::Step { ranges: ranges.clone(), to: end }),
            Lexical::Concat(parts) => parts.iter().rev().fold(end, |to, &part| self.compile(rules, part, to)),
            Lexical::Alternation(parts) => {
                let ways = parts.iter().map(|&part| self.compile(rules, part, end)).collect();
                self.add(State::Fork(ways))
            }
            &Lexical::Repeat { content, min, max } => self.compile_repeat(rules, content, min, max, end),
        };
        self.add(State::Open { rule, to: content })
    }

    fn compile_repeat(&mut self, rules: &LexicalRules, content: LexId, min: u32, max: Option<u32>, end: u32) -> u32 {
        let mut rest = end;
        if let Some(max) = max.filter(|&max| max <= COPIES) {
            for _ in min.min(max)..max {
                let once = self.compile(rules, content, rest);
                rest = self.add(State::Fork(vec![once, end]));
            }
        } else {
            rest = self.add(State::Fork(Vec::new()));
            let once = self.compile(rules, content, rest);
            self.states[rest as usize] = State::Fork(vec![once, end]);
        }
        (0..min.min(COPIES)).fold(rest, |rest, _| self.compile(rules, content, rest))
    }

    fn next_without_char(&self, state: u32) -> Vec<u32> {
        match &self.states[state as usize] {
            State::Fork(ways) => ways.clone(),
            State::Open { to, .. } | State::Close { to } => vec![*to],
            State::Step { .. } | State::End => Vec::new(),
        }
    }

    /// These states and those that lead to them without a character.
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

    /// The states that are at the end without a character.
    pub(crate) fn ending(&self) -> Bits {
        self.closed_backwards(vec![0])
    }

    /// The states from which one character that `is_read` leads to a state of `then`.
    pub(crate) fn leading_to(&self, then: &Bits, is_read: impl Fn(&[(char, char)]) -> bool) -> Bits {
        let leads = |state: &u32| match &self.states[*state as usize] {
            State::Step { ranges, to } => then.contains(*to as usize) && is_read(ranges),
            _ => false,
        };
        self.closed_backwards((0..self.states.len() as u32).filter(leads).collect())
    }

    /// The states at the beginning.
    pub(crate) fn starting(&self) -> Vec<u32> {
        vec![self.start]
    }

    /// The characters that lead from one of these states to one of `then`.
    pub(crate) fn ranges(&self, states: &[u32], then: &Bits) -> Vec<(char, char)> {
        let mut ranges = Vec::new();
        for state in self.steps_from(states) {
            if let State::Step { ranges: own, to } = &self.states[state as usize]
                && then.contains(*to as usize)
            {
                ranges.extend(own);
            }
        }
        ranges
    }

    /// The states to which a character leads from these.
    pub(crate) fn after(&self, states: &[u32], c: char) -> Vec<u32> {
        let mut reached = Vec::new();
        for state in self.steps_from(states) {
            if let State::Step { ranges, to } = &self.states[state as usize]
                && has_char(ranges, c)
                && !reached.contains(to)
            {
                reached.push(*to);
            }
        }
        reached
    }

    /// The states that read a character and are reached from these without one.
    fn steps_from(&self, states: &[u32]) -> Vec<u32> {
        let mut seen = Bits::default();
        let mut left = states.to_vec();
        let mut steps = Vec::new();
        while let Some(state) = left.pop() {
            if seen.insert(state as usize) {
                match &self.states[state as usize] {
                    State::Step { .. } => steps.push(state),
                    _ => left.extend(self.next_without_char(state)),
                }
            }
        }
        steps
    }

    /// What is met on the way through the text, `None` if the rule does not have it. Of several ways the first counts
    /// that the rule mentions, and repetitions take what they can get.
    pub(crate) fn way_through(&self, text: &str) -> Option<Vec<Mark>> {
        let chars: Vec<char> = text.chars().collect();
        let mut hopeful = vec![self.ending()];
        for &c in chars.iter().rev() {
            let then = &hopeful[hopeful.len() - 1];
            let states = self.leading_to(then, |ranges| has_char(ranges, c));
            hopeful.push(states);
        }
        hopeful.reverse();
        if !hopeful[0].contains(self.start as usize) {
            return None;
        }
        let mut marks = Vec::new();
        let mut state = self.start;
        for (at, &c) in chars.iter().enumerate() {
            let is_next = |state: u32| match &self.states[state as usize] {
                State::Step { ranges, to } => has_char(ranges, c) && hopeful[at + 1].contains(*to as usize),
                _ => false,
            };
            let State::Step { to, .. } = &self.states[self.walk(state, &mut marks, is_next)? as usize] else { break };
            marks.push(Mark::Char(c));
            state = *to;
        }
        self.walk(state, &mut marks, |state| state == 0)?;
        Some(marks)
    }

    /// Goes without characters to a state that `is_goal`, by the first way there is. No state is passed twice.
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
            match &self.states[state as usize] {
                State::Open { rule, .. } => marks.push(Mark::Open(*rule)),
                State::Close { .. } => marks.push(Mark::Close),
                _ => {}
            }
            left.extend(self.next_without_char(state).into_iter().rev().map(|next| (next, marks.len())));
        }
        None
    }
}

fn has_char(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|&(from, to)| (from..=to).contains(&c))
}
