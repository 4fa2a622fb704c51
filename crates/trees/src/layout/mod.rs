//! Canonical layout: the whitespace that a formatter would leave, as a function of the tokens.
//!
//! One printer for each kind of language ([`style`]). It decides where lines begin, where a space stands between two
//! tokens on a line, and how far lines are indented. Whitespace inside of tokens, in literals and before tokens that
//! must follow directly is content, and stays.
//!
//! Promise: for texts with the same tokens in the same tree, the printed text is the same, apart from line breaks that
//! are syntax in the language. The printer does not check how its text is parsed: a grammar may give whitespace a
//! meaning that only its external scanner knows. Callers apply what keeps the [`Skeleton`].

mod atoms;
mod breaks;
mod indents;
mod printer;
mod skeleton;
mod spaces;
mod style;

use std::ops::Range;

pub use skeleton::Skeleton;
pub(crate) use style::{Lines, Style};

use crate::Tree;

/// Whitespace, and what it is in canonical layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it is in the text; empty where there is none.
    pub range: Range<usize>,
    /// The canonical whitespace.
    pub text: String,
}

impl Tree {
    /// The whitespace that differs from the canonical layout, in text order. Texts without a grammar have no layout.
    pub fn misplaced_whitespace(&self) -> Vec<Gap> {
        let Some(grammar) = self.grammar() else { return Vec::new() };
        let mut gaps = printer::print(self, grammar);
        gaps.retain(|gap| self.text()[gap.range.clone()] != *gap.text.as_bytes());
        gaps
    }
}

#[cfg(test)]
mod tests;
