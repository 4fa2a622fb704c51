//! [`Cursor`]: a place in a grammar file, and the small things that are read there. The notations share it.

use std::sync::Arc;

use crate::description::Place;
use crate::problem::{Fault, Problem};

/// Where a reader is in a file.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    file: Arc<str>,
    /// The last place asked for, so that the next one is not counted from the start.
    counted: std::cell::Cell<(usize, Place)>,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(file: &str, text: &'t str) -> Self {
        let start = (0, Place { line: 1, column: 1 });
        Self { text, at: 0, file: file.into(), counted: start.into() }
    }

    pub(crate) fn file(&self) -> Arc<str> {
        Arc::clone(&self.file)
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Goes back to an offset that was there before.
    pub(crate) fn rewind(&mut self, offset: usize) {
        self.at = offset;
    }

    pub(crate) fn since(&self, offset: usize) -> &'t str {
        &self.text[offset..self.at]
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Line and column of the current place.
    pub(crate) fn place(&self) -> Place {
        let (from, mut place) = self.counted.get();
        let (from, start) = if from <= self.at { (from, place) } else { (0, Place { line: 1, column: 1 }) };
        place = start;
        for c in self.text[from..self.at].chars() {
            match c {
                '\n' => place = Place { line: place.line + 1, column: 1 },
                _ => place.column += 1,
            }
        }
        self.counted.set((self.at, place));
        place
    }

    pub(crate) fn problem(&self, fault: Fault) -> Problem {
        self.problem_at(self.place(), fault)
    }

    /// A range of characters with both ends, which must be in order.
    pub(crate) fn range(&self, place: Place, from: u32, to: u32) -> Result<(u32, u32), Problem> {
        let shown = |code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        let backward = || self.problem_at(place, Fault::BackwardRange(shown(from), shown(to)));
        if from <= to { Ok((from, to)) } else { Err(backward()) }
    }

    pub(crate) fn problem_at(&self, place: Place, fault: Fault) -> Problem {
        Problem { file: self.file(), place, fault }
    }

    pub(crate) fn expected<T>(&self, what: &'static str) -> Result<T, Problem> {
        Err(self.problem(Fault::Expected(what)))
    }

    /// Reads a text if it is next.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    pub(crate) fn need(&mut self, text: &'static str) -> Result<(), Problem> {
        if self.eat(text) { Ok(()) } else { self.expected(text) }
    }

    /// Reads up to a text and the text itself.
    pub(crate) fn skip_past(&mut self, text: &str, what: &'static str) -> Result<(), Problem> {
        match self.rest().find(text) {
            Some(found) => self.at += found + text.len(),
            None => return Err(self.problem(Fault::Unclosed(what))),
        }
        Ok(())
    }

    pub(crate) fn skip_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Skips whitespace, and the comments of C.
    pub(crate) fn skip_space(&mut self) -> Result<(), Problem> {
        loop {
            self.skip_while(|c| c.is_whitespace() || c == '\u{feff}');
            if self.rest().starts_with("//") {
                self.skip_while(|c| c != '\n');
            } else if self.eat("/*") {
                self.skip_past("*/", "a comment")?;
            } else {
                return Ok(());
            }
        }
    }

    /// Whether a name is next.
    pub(crate) fn is_at_name(&self) -> bool {
        self.peek().is_some_and(|c| c.is_alphabetic() || c == '_')
    }

    /// Reads a name.
    pub(crate) fn name(&mut self) -> Result<&'t str, Problem> {
        if !self.is_at_name() {
            return self.expected("a name");
        }
        Ok(self.skip_while(|c| c.is_alphanumeric() || c == '_'))
    }

    /// Reads a word if it is next, and nothing else of its letters follows.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let from = self.at;
        if self.is_at_name() && self.skip_while(|c| c.is_alphanumeric() || c == '_') == word {
            return true;
        }
        self.at = from;
        false
    }
}
