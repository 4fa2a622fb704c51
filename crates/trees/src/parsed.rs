//! [`Parsed`]: what the parser makes of a file, found out once and kept with the file's bytes.
//!
//! A long text is parsed in [`Pieces`] if that works, and the parser's trees are dropped. Others are parsed as a whole. What
//! edits left of a text is parsed from what is known of that one, which costs as much as the edits. The parser promises the
//! same tree as from scratch only if there are no errors. So short texts, and with them results, are parsed from scratch and
//! as a whole. Neither depends on how many workers there are: what a text was made from is part of the proposal.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use tree_sitter::{InputEdit, Point};
use whittle_grammars::Grammar;
use whittle_search::File;

use crate::concrete::ParserTree;
use crate::parse::Unparsed;
use crate::pieces::{IN_PIECES_ABOVE, Pieces};
use crate::rendered::{Change, Copies};
use crate::syntax::{Count, Errors, Syntax};
use crate::{Edits, Leaves, Tree, count_tokens};

/// Shorter texts are always parsed from scratch. Texts up to this length are parsed before every test, too.
const FROM_SCRATCH_BYTES: usize = 16 << 10;

/// How many bytes there are for each copy, at least: to mark a change, the parser goes over all elements of the lists
/// around it. Marking took a quarter of the time that candidates of preprocessed C++ cost with 256 bytes. This number is
/// not measured.
const BYTES_PER_COPY: usize = 4 << 10;

/// How many times more bytes must be left than were deleted: the parser visits every deleted node to mark it. Not
/// measured.
const LEFT_PER_DELETED: usize = 2;

/// How many short texts are remembered, a few hundred bytes each. Not measured.
const MAX_KNOWN_TEXTS: usize = 1 << 14;

/// What the parser made of short texts, by their digests. The same text is made again and again: by a scout, then by the
/// search, and by each scout that starts at the same place. It is parsed from scratch, so what is known of one file holds for
/// all with its text.
#[derive(Default)]
pub(crate) struct KnownTexts(Mutex<HashMap<u128, KnownText>>);

/// What is kept of a text, and its parse while somebody has it.
#[derive(Default)]
struct KnownText {
    facts: Arc<Facts>,
    parsed: Weak<Parsed>,
}

impl fmt::Debug for KnownTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KnownTexts")
    }
}

impl KnownTexts {
    /// What is known of a text, or what `make` makes of it.
    fn parsed(&self, digest: u128, make: impl FnOnce(Arc<Facts>) -> Parsed) -> Arc<Parsed> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if texts.len() >= MAX_KNOWN_TEXTS {
            texts.clear();
        }
        let KnownText { facts, parsed } = texts.entry(digest).or_default();
        parsed.upgrade().unwrap_or_else(|| {
            let made = Arc::new(make(Arc::clone(facts)));
            *parsed = Arc::downgrade(&made);
            made
        })
    }
}

/// What takes little memory of what the parser made of a text.
#[derive(Debug, Default)]
struct Facts {
    counted: OnceLock<Option<Count>>,
    errors: OnceLock<Option<Errors>>,
}

/// What the parser makes of a file.
pub(crate) struct Parsed {
    grammar: Arc<Grammar>,
    /// What the text was made from, until it is parsed.
    origin: Mutex<Option<Origin>>,
    found: OnceLock<Result<Found, Unparsed>>,
    facts: Arc<Facts>,
    /// What is known of a text that was made from another, until it has a tree.
    edited: Mutex<Option<(Pieces, Origin)>>,
    tree: OnceLock<(Tree, Option<Pieces>)>,
    /// Where each line begins.
    lines: OnceLock<Vec<u32>>,
}

/// How a text was parsed.
enum Found {
    Whole(ParserTree),
    InPieces { count: Count, errors: Errors },
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
            found: OnceLock::new(),
            facts: Arc::default(),
            edited: Mutex::new(None),
            tree: OnceLock::new(),
            lines: OnceLock::new(),
        }
    }

    /// What is kept with a file; `None` if that is about another language.
    fn of<'f>(syntax: &Syntax, file: &'f File) -> Option<&'f Self> {
        let parsed: &Arc<Self> = file.memo(|| Self::begin(syntax, file))?;
        Some(&**parsed).filter(|parsed| Arc::ptr_eq(&parsed.grammar, syntax.grammar()))
    }

    fn begin(syntax: &Syntax, file: &File) -> Arc<Self> {
        if !is_short(file) {
            return Arc::new(Self::new(syntax, None));
        }
        syntax.known_texts().parsed(file.digest(), |facts| Self { facts, ..Self::new(syntax, None) })
    }

    fn found(&self, syntax: &Syntax, text: &[u8]) -> Result<&Found, Unparsed> {
        let made = self.found.get_or_init(|| {
            // Each attempt below may be the one that takes long.
            let attempts = (text.len() > IN_PIECES_ABOVE).then(|| syntax.for_attempts_at(text));
            let syntax = attempts.as_ref().unwrap_or(syntax);
            // Taken out, so that a file does not hold all that it ever was.
            let origin = self.origin.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (origin, old) = match origin {
                Some(origin) => match origin.edited(syntax, text) {
                    Some(old) => (None, Some(old)),
                    None => (Some(origin), None),
                },
                None => (None, None),
            };
            if let Some(whole) = old.and_then(|old| syntax.parse(text, Some(&old)).ok()) {
                return Ok(Found::Whole(whole));
            }
            match self.in_pieces(syntax, text, origin) {
                Some(found) => Ok(found),
                None => syntax.parse(text, None).map(Found::Whole),
            }
        });
        made.as_ref().map_err(|&reason| reason)
    }

    /// Parses a long text in pieces; `None` if that must be done as a whole.
    fn in_pieces(&self, syntax: &Syntax, text: &[u8], origin: Option<Origin>) -> Option<Found> {
        if text.len() <= IN_PIECES_ABOVE || !syntax.takes_in_pieces(text) {
            return None;
        }
        let found = |pieces: &Pieces| Found::InPieces { count: pieces.count(), errors: pieces.errors() };
        if let Some(origin) = origin
            && let Some(pieces) = origin.pieces(syntax, text)
        {
            let found = found(&pieces);
            *self.edited.lock().unwrap_or_else(PoisonError::into_inner) = Some((pieces, origin));
            return Some(found);
        }
        let (pieces, tree) = Pieces::parse(syntax, text)?;
        let found = found(&pieces);
        // It is set only here or after this.
        let _ = self.tree.set((tree, Some(pieces)));
        Some(found)
    }

    fn tree(&self, syntax: &Syntax, text: &[u8]) -> &Tree {
        let found = self.found(syntax, text);
        let make = || match found {
            Ok(Found::Whole(tree)) => (syntax.convert(text.to_vec(), tree), None),
            Ok(Found::InPieces { .. }) => {
                let edited = self.edited.lock().unwrap_or_else(PoisonError::into_inner).take();
                let assembled = edited.and_then(|(pieces, origin)| {
                    let (old, _) = Self::of(syntax, &origin.file)?.tree.get()?;
                    pieces.tree(syntax, text, old)
                });
                let made = assembled.or_else(|| Pieces::parse(syntax, text));
                made.map_or_else(|| (syntax.tree(text), None), |(pieces, tree)| (tree, Some(pieces)))
            }
            Err(_) => (Tree::generic(text), None),
        };
        &self.tree.get_or_init(make).0
    }
}

/// Whether a file is always parsed from scratch and as a whole.
fn is_short(file: &File) -> bool {
    file.bytes().len() <= FROM_SCRATCH_BYTES
}

impl Origin {
    /// The pieces of the text that was made from this one; `None` if this one has none or if that does not work out.
    fn pieces(&self, syntax: &Syntax, text: &[u8]) -> Option<Pieces> {
        let (_, pieces) = Parsed::of(syntax, &self.file)?.tree.get()?;
        pieces.as_ref()?.edited(syntax, self.file.bytes(), text, &self.copies)
    }

    /// Whether it pays to mark what changed.
    fn is_similar(&self, text: &[u8]) -> bool {
        let deleted = self.file.bytes().len() - self.copies.bytes();
        self.copies.len() <= text.len() / BYTES_PER_COPY && deleted.saturating_mul(LEFT_PER_DELETED) <= text.len()
    }

    /// The parse of the other text as a whole, with the parts marked that changed; `None` if there is none, if either text
    /// is not UTF-8, or if a change cuts a character: a parser must not begin to read within one. Only tree-sitter parses
    /// from an older parse.
    fn edited(&self, syntax: &Syntax, text: &[u8]) -> Option<ParserTree> {
        let parsed = Parsed::of(syntax, &self.file)?;
        let Some(Ok(Found::Whole(ParserTree::TreeSitter(tree)))) = parsed.found.get() else { return None };
        if !self.is_similar(text) {
            return None;
        }
        let old = self.file.bytes();
        let changes = self.copies.changes(old.len(), text.len());
        let (characters, old_characters) = (std::str::from_utf8(text).ok()?, std::str::from_utf8(old).ok()?);
        let is_cut = |Change { from, to }: &Change| {
            let is_whole = |text: &str, range: &Range<usize>| text.get(range.clone()).is_some();
            !is_whole(old_characters, from) || !is_whole(characters, to)
        };
        if changes.iter().any(is_cut) {
            return None;
        }
        let mut tree = tree.clone();
        let lines = parsed.lines.get_or_init(|| {
            let ends = (0..).zip(old).filter(|&(_, &byte)| byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _): (u32, _)| at + 1)).collect()
        });
        // From the end to the beginning, so that what is still to come keeps its place.
        for Change { from, to } in changes.into_iter().rev() {
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
        Some(tree.into())
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
    /// What edits leave of a file. It is parsed from what is known of that file.
    pub fn edited(&self, file: &File, edits: &Edits) -> File {
        let rendered = self.tree_of(file).render(edits);
        let left = file.with_bytes(rendered.text);
        self.note_origin(&left, file, rendered.copies);
        left
    }

    /// Notes that the text of `file` was made from that of `origin`.
    pub(crate) fn note_origin(&self, file: &File, origin: &File, copies: Copies) {
        if !is_short(file) {
            file.memo(|| Arc::new(Parsed::new(self, Some(Origin { file: origin.clone(), copies }))));
        }
    }

    /// Has a file count as too long to be parsed, unless it could be parsed as a whole.
    pub fn leave_unparsed(&self, file: &File) {
        if !self.takes_whole(file.bytes()) {
            let found = OnceLock::from(Err(Unparsed::TooLong));
            file.memo(|| Arc::new(Parsed { found, ..Parsed::new(self, None) }));
        }
    }

    /// The normal form of a file, as [`Syntax::tree`]; made once.
    pub fn tree_of(&self, file: &File) -> Tree {
        match Parsed::of(self, file) {
            Some(parsed) => parsed.tree(self, file.bytes()).clone(),
            None => self.tree(file.bytes()),
        }
    }

    /// Tokens and errors of a file, as [`Syntax::count`]; counted once.
    pub fn count_of(&self, file: &File) -> Option<Count> {
        let Some(parsed) = Parsed::of(self, file) else { return self.count(file.bytes()) };
        *parsed.facts.counted.get_or_init(|| match parsed.found(self, file.bytes()).ok()? {
            Found::Whole(tree) => {
                let errors = *parsed.facts.errors.get_or_init(|| Some(Errors::of(tree)));
                Some(Count { tokens: count_tokens(tree) as u64, errors: errors?.count() })
            }
            Found::InPieces { count, .. } => Some(*count),
        })
    }

    /// The errors of a file, as [`Syntax::errors`]; it is parsed once.
    pub fn errors_of(&self, file: &File) -> Option<Errors> {
        let Some(parsed) = Parsed::of(self, file) else { return self.errors(file.bytes()) };
        *parsed.facts.errors.get_or_init(|| {
            parsed.found(self, file.bytes()).ok().map(|found| match found {
                Found::Whole(tree) => Errors::of(tree),
                Found::InPieces { errors, .. } => *errors,
            })
        })
    }

    /// The normal form of a file, as [`Syntax::tree`] has it: never from what another was.
    pub fn tree_from_scratch(&self, file: &File) -> Tree {
        if is_short(file) { self.tree_of(file) } else { self.tree(file.bytes()) }
    }

    /// What the parser takes for tokens in a file, as [`Syntax::leaves`]; a short one is parsed once.
    pub fn leaves_of(&self, file: &File) -> Option<Leaves> {
        let Some(parsed) = Parsed::of(self, file).filter(|_| is_short(file)) else { return self.leaves(file.bytes()) };
        match parsed.found(self, file.bytes()) {
            Ok(Found::Whole(tree)) => Some(Leaves::of(tree)),
            _ => None,
        }
    }

    /// Why a file is not parsed, if it is not. It is parsed once.
    pub fn refusal_of(&self, file: &File) -> Option<Unparsed> {
        match Parsed::of(self, file) {
            Some(parsed) => parsed.found(self, file.bytes()).err(),
            None => self.parse(file.bytes(), None).err(),
        }
    }
}

#[cfg(test)]
mod tests {
    use whittle_languages::Language;
    use whittle_search::Candidate;

    use super::*;
    use crate::Edit;
    use crate::reduce::testing::syntax;
    use crate::tree::Kind;

    /// The sample of a language, as often as it takes to be parsed from what it was.
    fn long_sample(language: &Language) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../languages/samples");
        let mut paths = language.extensions.iter().map(|extension| format!("{folder}/{}.{extension}", language.name));
        let sample = paths.find_map(|path| std::fs::read_to_string(path).ok()).expect("there is a sample");
        format!("{sample}\n").repeat(2 * FROM_SCRATCH_BYTES / sample.len())
    }

    #[test]
    fn a_parse_from_what_a_text_was_is_that_from_scratch() {
        let mut compared = 0;
        for name in ["c", "cpp", "javascript", "python", "rust", "java", "css", "json"] {
            let syntax = syntax(name);
            let base = Candidate::single("file", long_sample(Language::by_name(name).unwrap()).into_bytes());
            let tree = syntax.tree_of(&base.files()[0]);
            let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { at_least_one: false, .. }));
            let elements: Vec<_> = lists.flat_map(|list| tree.elements(list).collect::<Vec<_>>()).collect();
            let mut random = fastrand::Rng::with_seed(11);
            for _ in 0..5 {
                let few = random.usize(1..6);
                let edits: Edits = (0..few).map(|_| (elements[random.usize(..elements.len())], Edit::Delete)).collect();
                let file = &syntax.edited(&base.files()[0], &edits);
                assert_eq!(file.bytes(), tree.unparse_with_comments(&edits));
                let from_scratch = syntax.count(file.bytes());
                if from_scratch.is_some_and(|count| count.errors == 0) {
                    assert_eq!(syntax.count_of(file), from_scratch, "{name}: {edits:?}");
                    let trees = [syntax.tree_of(file), syntax.tree(file.bytes())].map(|tree| tree.to_string());
                    assert!(trees[0] == trees[1], "{name}: {edits:?}");
                    compared += usize::from(file.bytes().len() > FROM_SCRATCH_BYTES);
                }
            }
        }
        assert!(compared > 20, "only {compared} texts were compared");
    }

    #[test]
    fn a_file_is_parsed_once_and_forgets_what_it_was() {
        let syntax = syntax("json");
        let text = format!("[{}0]", "1, ".repeat(FROM_SCRATCH_BYTES));
        let base = Candidate::single("file", text.into_bytes());
        let tree = syntax.tree_of(&base.files()[0]);
        let list = tree.nodes().find(|&node| matches!(tree.kind(node), Kind::List { separated: true, .. })).unwrap();
        let rendered = tree.render(&std::iter::once((tree.elements(list).nth(5).unwrap(), Edit::Delete)).collect());
        assert_eq!(rendered.copies.len(), 2, "what is not changed is copied as a whole");
        let candidate = base.with_bytes(0, rendered.text);
        let file = &candidate.files()[0];
        syntax.note_origin(file, &base.files()[0], rendered.copies);
        let parsed = Parsed::of(&syntax, file).unwrap();
        assert!(parsed.origin.lock().unwrap().is_some());
        assert_eq!(syntax.count_of(file), syntax.count(file.bytes()));
        assert!(parsed.origin.lock().unwrap().is_none());
    }

    #[test]
    fn places_have_lines_and_columns() {
        let lines = [0, 3, 4];
        assert_eq!(
            [0, 2, 3, 4, 9].map(|at| point(&lines, at)),
            [(0, 0), (0, 2), (1, 0), (2, 0), (2, 5)].map(|(row, column)| Point::new(row, column))
        );
        assert_eq!(behind(Point::new(2, 5), b"ab"), Point::new(2, 7));
        assert_eq!(behind(Point::new(2, 5), b"a\n\nbcd"), Point::new(4, 3));
    }
}
