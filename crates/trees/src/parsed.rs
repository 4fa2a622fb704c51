//! [`Parsed`]: what the parser makes of a file, found out once and kept with the file's bytes.
//!
//! A large text that edits left of another is parsed from the parse of that one, which costs as much as the edits. The
//! parser promises the same tree as from scratch only if there are no errors. So short texts, and with them results, are
//! parsed from scratch. Neither depends on how many workers there are: what a text was made from is part of the
//! proposal.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tree_sitter::{InputEdit, Point};
use whittle_grammars::Grammar;
use whittle_search::File;

use crate::rendered::{Change, Copies};
use crate::syntax::{Count, Errors, Syntax};
use crate::{Tree, count_tokens};

/// Shorter texts are always parsed from scratch. Texts up to this length are parsed before every test, too.
const FROM_SCRATCH_BYTES: usize = 16 << 10;

/// How many bytes there are for each copy, at least: more changes cost as much as a parse from scratch. Not measured.
const BYTES_PER_COPY: usize = 256;

/// What the parser makes of a file.
pub(crate) struct Parsed {
    grammar: Arc<Grammar>,
    /// What the text was made from, until it is parsed.
    origin: Mutex<Option<Origin>>,
    /// `None` if the text is too much for the parser.
    parse: OnceLock<Option<tree_sitter::Tree>>,
    counted: OnceLock<Option<Count>>,
    tree: OnceLock<Tree>,
    /// Where each line begins.
    lines: OnceLock<Vec<u32>>,
}

/// The text that another was made from.
struct Origin {
    file: File,
    copies: Copies,
}

impl Parsed {
    fn new(syntax: &Syntax, origin: Option<Origin>) -> Self {
        Self {
            grammar: Arc::clone(syntax.grammar()),
            origin: Mutex::new(origin),
            parse: OnceLock::new(),
            counted: OnceLock::new(),
            tree: OnceLock::new(),
            lines: OnceLock::new(),
        }
    }

    /// What is kept with a file; `None` if that is about another language.
    fn of<'f>(syntax: &Syntax, file: &'f File) -> Option<&'f Self> {
        file.memo(|| Self::new(syntax, None)).filter(|parsed| Arc::ptr_eq(&parsed.grammar, syntax.grammar()))
    }

    fn parse(&self, syntax: &Syntax, text: &[u8]) -> Option<&tree_sitter::Tree> {
        let made = self.parse.get_or_init(|| {
            // Taken out, so that a file does not hold all that it ever was.
            let origin = self.origin.lock().unwrap_or_else(PoisonError::into_inner).take();
            let old = origin.and_then(|origin| origin.edited(syntax, text));
            old.and_then(|old| syntax.parse(text, Some(&old))).or_else(|| syntax.parse(text, None))
        });
        made.as_ref()
    }
}

impl Origin {
    /// The parse of the other text, with the parts marked that changed.
    fn edited(&self, syntax: &Syntax, text: &[u8]) -> Option<tree_sitter::Tree> {
        let parsed = Parsed::of(syntax, &self.file)?;
        let old = self.file.bytes();
        let mut tree = parsed.parse(syntax, old)?.clone();
        let lines = parsed.lines.get_or_init(|| {
            let ends = (0..).zip(old).filter(|&(_, &byte)| byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _): (u32, _)| at + 1)).collect()
        });
        // From the end to the beginning, so that what is still to come keeps its place.
        for Change { from, to } in self.copies.changes(old.len(), text.len()).into_iter().rev() {
            let (start, end) = (point(lines, from.start), point(lines, from.end));
            tree.edit(&InputEdit {
                start_byte: from.start,
                old_end_byte: from.end,
                new_end_byte: from.start + to.len(),
                start_position: start,
                old_end_position: end,
                new_end_position: behind(start, &text[to]),
            });
        }
        Some(tree)
    }
}

/// Line and column of a place.
fn point(lines: &[u32], at: usize) -> Point {
    let row = lines.partition_point(|&start| start as usize <= at) - 1;
    Point::new(row, at - lines[row] as usize)
}

/// Where a text ends that begins at a place.
fn behind(start: Point, text: &[u8]) -> Point {
    match text.iter().rposition(|&byte| byte == b'\n') {
        None => Point::new(start.row, start.column + text.len()),
        Some(last) => {
            let rows = text.iter().filter(|&&byte| byte == b'\n').count();
            Point::new(start.row + rows, text.len() - last - 1)
        }
    }
}

impl Syntax {
    /// Notes that the text of `file` was made from that of `origin`.
    pub(crate) fn note_origin(&self, file: &File, origin: &File, copies: Copies) {
        let len = file.bytes().len();
        if len > FROM_SCRATCH_BYTES && copies.len() <= len / BYTES_PER_COPY {
            file.memo(|| Parsed::new(self, Some(Origin { file: origin.clone(), copies })));
        }
    }

    /// The normal form of a file, as [`Syntax::tree`]; made once.
    pub fn tree_of(&self, file: &File) -> Tree {
        let Some(parsed) = Parsed::of(self, file) else { return self.tree(file.bytes()) };
        let make = || match parsed.parse(self, file.bytes()) {
            Some(tree) => Tree::convert(file.bytes(), tree, self.grammar()),
            None => Tree::generic(file.bytes()),
        };
        parsed.tree.get_or_init(make).clone()
    }

    /// Tokens and errors of a file, as [`Syntax::count`]; counted once.
    pub fn count_of(&self, file: &File) -> Option<Count> {
        let Some(parsed) = Parsed::of(self, file) else { return self.count(file.bytes()) };
        *parsed.counted.get_or_init(|| {
            let tree = parsed.parse(self, file.bytes())?;
            Some(Count { tokens: count_tokens(tree) as u64, errors: Errors::of(tree).count() })
        })
    }

    /// The errors of a file, as [`Syntax::errors`]; it is parsed once.
    pub fn errors_of(&self, file: &File) -> Option<Errors> {
        let Some(parsed) = Parsed::of(self, file) else { return self.errors(file.bytes()) };
        parsed.parse(self, file.bytes()).map(Errors::of)
    }
}
