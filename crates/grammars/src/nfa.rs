//! [`Nfa`]: lexical rules compiled to a nondeterministic finite automaton, after Thompson (CACM 1968).
//!
//! Two automata are built on it: one for a single rule, with marks for the nodes of a lex tree (`automaton.rs`), and
//! one for all tokens of a grammar (`scan.rs`). Simulation takes time in proportion to the text and the number of
//! states.

use crate::Bits;
use crate::lexical::{LexId, Lexical, LexicalRules, has_char};

/// Repetitions are copied up to this often. A higher maximum counts as unlimited, which keeps automata small.
const MAX_COPIES: u32 = 16;

#[derive(Clone, Debug)]
pub(crate) enum State {
    /// A character in these ranges leads to another state.
    Step { ranges: Vec<(char, char)>, to: u32 },
    /// Any of these states, in order of preference.
    Fork(Vec<u32>),
    /// A node of this rule starts.
    Open { rule: LexId, to: u32 },
    /// The node that was opened last ends.
    Close { to: u32 },
    /// The end of the text.
    End,
}

/// Whether an automaton marks where nodes of a lex tree start and end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Marks {
    On,
    #[default]
    Off,
}

/// States that refer to each other by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nfa {
    states: Vec<State>,
    marks: Marks,
}

impl Nfa {
    pub(crate) fn new(marks: Marks) -> Self {
        Self { states: Vec::new(), marks }
    }

    pub(crate) fn get(&self, state: u32) -> &State {
        &self.states[state as usize]
    }

    /// How many states there are. They are numbered from 0.
    pub(crate) fn len(&self) -> u32 {
        self.states.len() as u32
    }

    pub(crate) fn add(&mut self, state: State) -> u32 {
        self.states.push(state);
        self.len() - 1
    }

    /// Adds states that read a rule and continue with `to`. Returns the first of them.
    pub(crate) fn compile(&mut self, rules: &LexicalRules, rule: LexId, to: u32) -> u32 {
        let end = match self.marks {
            Marks::On => self.add(State::Close { to }),
            Marks::Off => to,
        };
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
        match self.marks {
            Marks::On => self.add(State::Open { rule, to: content }),
            Marks::Off => content,
        }
    }

    fn compile_repeat(&mut self, rules: &LexicalRules, content: LexId, min: u32, max: Option<u32>, end: u32) -> u32 {
        let mut rest = end;
        if let Some(max) = max.filter(|&max| max <= MAX_COPIES) {
            for _ in min.min(max)..max {
                let once = self.compile(rules, content, rest);
                rest = self.add(State::Fork(vec![once, end]));
            }
        } else {
            rest = self.add(State::Fork(Vec::new()));
            let once = self.compile(rules, content, rest);
            self.states[rest as usize] = State::Fork(vec![once, end]);
        }
        (0..min.min(MAX_COPIES)).fold(rest, |rest, _| self.compile(rules, content, rest))
    }

    /// The states that follow one without reading a character, in order of preference.
    pub(crate) fn next_without_char(&self, state: u32) -> &[u32] {
        match self.get(state) {
            State::Fork(ways) => ways,
            State::Open { to, .. } | State::Close { to } => std::slice::from_ref(to),
            State::Step { .. } | State::End => &[],
        }
    }

    /// The states that read a character and are reached from these without one.
    pub(crate) fn steps_from(&self, states: &[u32]) -> Vec<u32> {
        let mut seen = Bits::default();
        let mut left = states.to_vec();
        let mut steps = Vec::new();
        while let Some(state) = left.pop() {
            if seen.insert(state as usize) {
                match self.get(state) {
                    State::Step { .. } => steps.push(state),
                    _ => left.extend(self.next_without_char(state)),
                }
            }
        }
        steps
    }

    /// The states to which a character leads from these.
    pub(crate) fn after(&self, states: &[u32], c: char) -> Vec<u32> {
        self.reached(&self.steps_from(states), c)
    }

    /// The states to which a character leads from these, which all read one.
    pub(crate) fn reached(&self, steps: &[u32], c: char) -> Vec<u32> {
        let mut reached = Vec::new();
        for &state in steps {
            if let State::Step { ranges, to } = self.get(state)
                && has_char(ranges, c)
                && !reached.contains(to)
            {
                reached.push(*to);
            }
        }
        reached
    }
}
