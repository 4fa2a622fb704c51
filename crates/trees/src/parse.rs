//! The one place where a parser runs: a text becomes the parser's tree, or the reason why not.
//!
//! Parsers and their scanners are third-party C. So each runs within limits that count its work, not its time, and in a
//! [fence](crate::fence) for what the limits do not see. Whether a text is parsed depends on the text alone.
//!
//! A text that is not UTF-8 is read as if each byte that is not part of a character were one of Latin-1. That is what most
//! of these texts are, and no parser ever sees what is not a character. Offsets are those of the bytes.

#![allow(unsafe_code, reason = "the parser is left by a jump if it fails, which the safe interface does not allow for")]

use std::ffi::{c_char, c_void};
use std::fmt;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

use tree_sitter::{Language, Parser, Tree, ffi};

use crate::fence::{Fault, Left, Meter, fenced, give_back, thread_millis};

/// When a text is too much for the parser and gets a generic tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text that is parsed as a whole: the parser's tree takes up to 88 times its memory.
    pub bytes: usize,
    /// The longest text that is parsed in pieces: only their normal form stays, which takes 10 to 30 times their memory.
    pub bytes_in_pieces: usize,
    /// What the parser may do per byte, in units of a hundred operations, before it is stopped.
    pub operations_per_byte: usize,
    /// Milliseconds of processor time after which the parser counts as one that never ends, for any text. It gets
    /// 30 more for each KiB. The limits on work are reached in a fraction of it.
    pub millis: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 4 << 20, bytes_in_pieces: 40 << 20, operations_per_byte: 4, millis: 2000 }
    }
}

/// How many bytes the parser reads at a time.
const CHUNK: usize = 4096;

/// How many times the length of the text the parser may read: some scanners look ahead to the end from every token.
const READS: usize = 64;

/// Bytes that the parser may have in use for each byte of the text. With the normal form, a text of 200 KB takes less than
/// 200 times its memory. Tables of numbers that people keep need 86, minified JavaScript 75, other files 10 to 60, and lists
/// of one-digit numbers 150 to 220: as generic trees, they are lists too.
const MEMORY: usize = 88;

/// Bytes that are never too many: texts below 200 KB can have more for each byte. 170 KB of else-ifs in C need more than 16 MB.
const ENOUGH_MEMORY: usize = 17 << 20;

/// Bytes that the parser may allocate for each byte of the text, and for any text, those included that it frees again. Half
/// of the odd shapes of 50 KB need 130 for a byte, and nine of ten 440. It is what quadratic parts of the parser use, which
/// the operations do not count: 2,700 stray ends of comments in C, of 8 KB, allocate a gigabyte and take seconds.
const ALLOCATIONS: (usize, usize) = (1_000, 32 << 20);

/// Whether fences keep a record of the blocks that parsers have, so that those can be freed which are lost when one is left. This
/// makes parsing 7% slower, so it begins when one has lost much: few runs ever see such a text, and those that do see many.
static KEEPS_RECORDS: AtomicBool = AtomicBool::new(false);

/// Bytes that may be lost each time.
const LITTLE_LOST: i64 = 64 << 10;

/// With the time for any text, eight seconds for 200 KB: a parse below ten.
const MILLIS_PER_KIB: usize = 30;

/// What all attempts to parse one text may take together. A text is parsed in pieces, in larger ones, and as a whole if that does
/// not work out. Each attempt is limited by itself, but their sum must be, too.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    /// The processor time of the thread that makes the attempts.
    until_millis: i64,
    /// Bytes that only the stacks of parsers had that were left. Most of them are freed then, but not all: see [`Job::run`].
    lost: Arc<AtomicI64>,
}

impl Allowance {
    /// That of a text which could as well be parsed as a whole: all attempts get what that one gets.
    pub(crate) fn of(text: &[u8], limits: Limits) -> Self {
        Self { until_millis: thread_millis() + max_millis(text.len(), limits), lost: Arc::default() }
    }

    fn millis_left(&self) -> i64 {
        self.until_millis - thread_millis()
    }
}

/// Why a text was not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unparsed {
    /// It is longer than texts may be.
    TooLong,
    /// It has NUL bytes, which are the end of the text to scanners.
    HasNul,
    /// The parser was stopped after many times the work that a text of this length takes.
    TooHard,
    /// The parser failed.
    Failed(Fault),
}

impl fmt::Display for Unparsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("is not given texts of this length"),
            Self::HasNul => f.write_str("is not given texts with NUL bytes"),
            Self::TooHard => f.write_str("took too many steps"),
            Self::Failed(fault) => write!(f, "{fault}"),
        }
    }
}

/// The parser's tree; from an older one whose changed parts are marked, if there is one. That one, too, must be of a text
/// in UTF-8, and no change may begin or end within a character. A text whose time is over counts as one on which the
/// parser does not come to an end.
pub(crate) fn parse(
    text: &[u8],
    old: Option<&Tree>,
    language: &Language,
    limits: Limits,
    allowance: Option<&Allowance>,
) -> Result<Tree, Unparsed> {
    if text.len() > limits.bytes {
        return Err(Unparsed::TooLong);
    }
    if text.contains(&0) {
        return Err(Unparsed::HasNul);
    }
    let millis = max_millis(text.len(), limits);
    let millis = allowance.map_or(millis, |allowance| millis.min(allowance.millis_left()));
    if millis <= 0 {
        return Err(Unparsed::Failed(Fault::Hung));
    }
    let lost = allowance.map_or(0, |allowance| allowance.lost.load(Relaxed));
    let mut job = Job::new(text, old, language, limits, millis, lost)?;
    let parsed = job.run();
    if let Some(allowance) = allowance {
        allowance.lost.fetch_add(job.lost, Relaxed);
    }
    parsed
}

/// So many for each byte of a text, and so many for any text.
fn at_most((per_byte, any): (usize, usize), len: usize) -> i64 {
    (any + len * per_byte) as i64
}

fn max_live(len: usize) -> i64 {
    (len * MEMORY).max(ENOUGH_MEMORY) as i64
}

/// The processor time that a parse of so many bytes may take.
fn max_millis(len: usize, limits: Limits) -> i64 {
    (limits.millis + (len >> 10) * MILLIS_PER_KIB) as i64
}

/// A parser that is left within an allocation loses what only its stack refers to. So that comes later than where it stops by
/// itself.
fn max_live_in_allocations(max_live: i64) -> i64 {
    max_live / 4 * 5
}

/// One parse, as the functions see it that tree-sitter calls.
struct Job<'t> {
    parser: *mut ffi::TSParser,
    old: *mut ffi::TSTree,
    text: &'t [u8],
    is_utf8: bool,
    /// What is left of the limits; at zero the parser has to stop.
    operations: usize,
    chunks: usize,
    /// The bytes in use at which the parser has to stop.
    max_live: i64,
    meter: Meter,
    tree: *mut ffi::TSTree,
    /// The bytes that only the parser's stack had when it was left.
    lost: i64,
}

impl<'t> Job<'t> {
    fn new(
        text: &'t [u8],
        old: Option<&Tree>,
        language: &Language,
        limits: Limits,
        max_millis: i64,
        lost: i64,
    ) -> Result<Self, Unparsed> {
        let mut parser = Parser::new();
        parser.set_language(language).map_err(|_| Unparsed::TooHard)?;
        let is_utf8 = std::str::from_utf8(text).is_ok();
        let max_live = (max_live(text.len()) - lost).max(0);
        Ok(Self {
            parser: parser.into_raw(),
            old: old.filter(|_| is_utf8).map_or(ptr::null_mut(), |old| old.clone().into_raw()),
            text,
            is_utf8,
            operations: 1000 + text.len().saturating_mul(limits.operations_per_byte),
            chunks: 1000 + text.len() / CHUNK * READS,
            max_live,
            meter: Meter::new(max_live_in_allocations(max_live), max_millis, KEEPS_RECORDS.load(Relaxed)),
            tree: ptr::null_mut(),
            lost: 0,
        })
    }

    fn run(&mut self) -> Result<Tree, Unparsed> {
        let left = self.fenced(run_parser, self.parser.cast()).err();
        let is_greedy = left.map_or_else(|| self.is_greedy(), |left| left.fault == Fault::Greedy);
        let is_exhausted = self.is_exhausted();
        // What a crash leaves behind is lost: it may be in any state.
        if left.is_none_or(|left| left.is_orderly) {
            self.delete_parser(left.is_some());
        }
        self.meter.forget_blocks();
        // SAFETY: both are trees of tree-sitter, and this is the one place that frees them.
        let (tree, _) = unsafe { (owned(self.tree), owned(self.old)) };
        if is_greedy {
            drop(tree);
            give_back();
            return Err(Unparsed::Failed(Fault::Greedy));
        }
        match left {
            Some(left) => Err(Unparsed::Failed(left.fault)),
            None => tree.filter(|_| !is_exhausted).ok_or(Unparsed::TooHard),
        }
    }

    /// Deletes the parser, and what only its stack had if it was left.
    fn delete_parser(&mut self, was_left: bool) {
        let live = std::mem::take(&mut self.meter.live);
        // Some scanners fail at their end.
        let deleted = self.fenced(delete_parser, ptr::null_mut());
        if !was_left || deleted.is_err() {
            return;
        }
        self.lost = (live + self.meter.live).max(0);
        // SAFETY: there is no tree, and a parser changes nothing of an older one. Nobody else can have these blocks.
        unsafe { self.meter.free_blocks() };
        if self.lost > LITTLE_LOST {
            KEEPS_RECORDS.store(true, Relaxed);
        }
    }

    fn fenced(&mut self, body: unsafe extern "C" fn(*mut c_void), lexer: *mut c_void) -> Result<(), Left> {
        let job = ptr::from_mut(self);
        // SAFETY: the bodies take a job, and own nothing. A parser begins with its lexer, and lives on behind the call.
        unsafe { fenced(body, job.cast(), &raw mut (*job).meter, lexer) }
    }

    /// Whether a limit on work is reached.
    fn is_exhausted(&self) -> bool {
        let is_much = self.meter.allocated > at_most(ALLOCATIONS, self.text.len());
        self.operations == 0 || self.chunks == 0 || is_much || self.is_greedy()
    }

    /// Whether more memory is in use than may be.
    fn is_greedy(&self) -> bool {
        self.meter.live > self.max_live
    }

    /// What is read at an offset. A scanner that reads on and on comes to an end too, and the parser stops next.
    fn chunk(&mut self, offset: usize) -> &[u8] {
        self.chunks = self.chunks.saturating_sub(1);
        let rest = self.text.get(offset..).filter(|_| self.chunks > 0).unwrap_or_default();
        &rest[..between_characters(rest, CHUNK)]
    }
}

/// # Safety
///
/// A tree must be owned by nobody else.
unsafe fn owned(tree: *mut ffi::TSTree) -> Option<Tree> {
    // SAFETY: it is not null.
    (!tree.is_null()).then(|| unsafe { Tree::from_raw(tree) })
}

/// The last place up to `most` where no character is cut. If one is cut, tree-sitter asks for it again, and if there is
/// nothing to read any more, it reads all the same.
fn between_characters(text: &[u8], most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let is_inside = |at: &usize| text[*at] & 0xc0 == 0x80;
    (most - 3..=most).rev().find(|at| !is_inside(at)).unwrap_or(most)
}

unsafe extern "C" fn run_parser(job: *mut c_void) {
    // SAFETY: it is the job that `Job::fenced` was called on. Nothing here has to be dropped.
    unsafe {
        let job_at = job.cast::<Job<'_>>();
        let is_utf8 = (*job_at).is_utf8;
        let input = ffi::TSInput {
            payload: job,
            read: Some(read),
            encoding: if is_utf8 { ffi::TSInputEncodingUTF8 } else { ffi::TSInputEncodingCustom },
            decode: if is_utf8 { None } else { Some(decode) },
        };
        let options = ffi::TSParseOptions { payload: job, progress_callback: Some(has_to_stop) };
        (*job_at).tree = ffi::ts_parser_parse_with_options((*job_at).parser, (*job_at).old, input, options);
    }
}

unsafe extern "C" fn delete_parser(job: *mut c_void) {
    // SAFETY: as above; nobody uses the parser any more.
    unsafe { ffi::ts_parser_delete((*job.cast::<Job<'_>>()).parser) };
}

unsafe extern "C" fn read(job: *mut c_void, offset: u32, _: ffi::TSPoint, len: *mut u32) -> *const c_char {
    // SAFETY: as above, and the text outlives the parse.
    unsafe {
        let chunk = (*job.cast::<Job<'_>>()).chunk(offset as usize);
        *len = chunk.len() as u32;
        chunk.as_ptr().cast()
    }
}

unsafe extern "C" fn has_to_stop(state: *mut ffi::TSParseState) -> bool {
    // SAFETY: tree-sitter hands over what the options have.
    unsafe {
        let job = (*state).payload.cast::<Job<'_>>();
        (*job).operations = (*job).operations.saturating_sub(1);
        (*job).is_exhausted()
    }
}

unsafe extern "C" fn decode(text: *const u8, len: u32, character: *mut i32) -> u32 {
    // SAFETY: tree-sitter hands over a part of a chunk.
    unsafe {
        let (first, bytes) = first_character(std::slice::from_raw_parts(text, len as usize));
        *character = first as i32;
        bytes
    }
}

/// The first character of a text and how many bytes it has; that of Latin-1 where there is none in UTF-8.
fn first_character(text: &[u8]) -> (u32, u32) {
    let start = &text[..text.len().min(4)];
    let valid = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    match (valid.chars().next(), start) {
        (Some(character), _) => (character as u32, character.len_utf8() as u32),
        (None, [byte, ..]) => (u32::from(*byte), 1),
        (None, []) => (0, 1),
    }
}

#[cfg(test)]
mod tests;
