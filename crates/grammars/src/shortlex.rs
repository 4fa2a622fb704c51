//! [`Texts`]: the texts of a lexical rule in shortlex order (T-Rec, section 4.2), one at a time.
//!
//! Of each length in turn, all texts are gone through depth-first. Only states from which the end can be reached with
//! exactly as many characters as are left are entered, so every step leads to a text.

use crate::Bits;
use crate::alphabet::{Alphabet, Place};
use crate::automaton::Automaton;

/// The texts of a rule in shortlex order, up to a length.
#[derive(Clone, Debug)]
pub struct Texts<'a> {
    automaton: &'a Automaton,
    alphabet: &'a Alphabet,
    /// The states that are at the end after exactly so many characters.
    ending_after: Vec<Bits>,
    length: usize,
    longest: usize,
    /// Where a text begins.
    place: Place,
    open: Vec<Level>,
    text: Vec<char>,
}

/// Where a text can go on.
#[derive(Clone, Debug)]
struct Level {
    states: Vec<u32>,
    place: Place,
    /// The characters that have not been tried, the next one last.
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
            place: Place::default(),
            open: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The same texts as they are ordered where they begin at that place.
    pub(crate) fn beginning_at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    fn enter(&mut self, states: Vec<u32>, place: Place) {
        let left = self.length - self.text.len();
        let ranges = self.automaton.ranges(&states, &self.ending_after[left - 1]);
        let mut chars = if ranges.is_empty() { Vec::new() } else { self.alphabet.chars_in(&ranges, place) };
        chars.reverse();
        self.open.push(Level { states, place, chars });
    }

    fn begin_next_length(&mut self) {
        let shorter = &self.ending_after[self.length];
        let longer = self.automaton.leading_to(shorter, |_| true);
        self.ending_after.push(longer);
        self.length += 1;
        self.enter(self.automaton.starting(), self.place);
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
            let (states, place) = (self.automaton.after(&level.states, c), level.place.after(c));
            self.text.push(c);
            self.enter(states, place);
        }
    }
}
