//! [`Texts`]: the texts of a lexical rule in shortlex order (T-Rec, section 4.2), one at a time.
//!
//! For each length in turn, texts are enumerated depth-first. Only states that can reach the end with exactly the
//! number of characters left are entered, so every step leads to a text.

use whittle_search::{Alphabet, Context};

use crate::Bits;
use crate::automaton::Automaton;
use crate::lexical::chars_in;

/// The texts of a rule in shortlex order, up to a length.
#[derive(Clone, Debug)]
pub struct Texts<'a> {
    automaton: &'a Automaton,
    alphabet: &'a Alphabet,
    /// The states that reach the end after exactly this number of characters.
    ending_after: Vec<Bits>,
    length: usize,
    longest: usize,
    /// What precedes the texts.
    context: Context,
    open: Vec<Level>,
    text: Vec<char>,
}

/// How a text can continue at one position.
#[derive(Clone, Debug)]
struct Level {
    states: Vec<u32>,
    context: Context,
    /// The characters not yet tried, the next one last.
    chars: Vec<char>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(automaton: &'a Automaton, alphabet: &'a Alphabet, longest: usize) -> Self {
        let ending_after = vec![automaton.ending()];
        Self {
            automaton,
            alphabet,
            ending_after,
            length: 0,
            longest,
            context: Context::default(),
            open: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The same texts in the order they have after what precedes them.
    pub(crate) fn in_context(self, context: Context) -> Self {
        Self { context, ..self }
    }

    fn enter(&mut self, states: Vec<u32>, context: Context) {
        let left = self.length - self.text.len();
        let classes = self.automaton.classes(&states, &self.ending_after[left - 1]);
        let mut chars = if classes.is_empty() { Vec::new() } else { chars_in(&classes, self.alphabet, context) };
        chars.reverse();
        self.open.push(Level { states, context, chars });
    }

    fn begin_next_length(&mut self) {
        let shorter = &self.ending_after[self.length];
        let longer = self.automaton.leading_to(shorter, |_| true);
        self.ending_after.push(longer);
        self.length += 1;
        self.enter(self.automaton.starting(), self.context);
    }
}

impl Iterator for Texts<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            let Some(level) = self.open.last_mut() else {
                if self.length == self.longest {
                    return None;
                }
                self.begin_next_length();
                continue;
            };
            let Some(c) = level.chars.pop() else {
                self.open.pop();
                self.text.pop();
                continue;
            };
            if self.text.len() + 1 == self.length {
                return Some(self.text.iter().chain([&c]).collect());
            }
            let (states, context) = (self.automaton.after(&level.states, c), level.context.after(c));
            self.text.push(c);
            self.enter(states, context);
        }
    }
}
