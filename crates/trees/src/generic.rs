//! Trees of texts without a grammar: brackets, quotes, indentation, lines, separators and words; and of binary data:
//! chunks.
//!
//! Every level is a list, so everything can be deleted: lines with deeper lines below them, brackets with their
//! content, parts that end with a semicolon, parts between commas, words. Binary data and very long texts are cut into chunks
//! of chunks, down to bytes if they are short enough. Linear in time and memory: at most 150 times the text.

use crate::draft::{Draft, DraftId};
use crate::node::NONE;
use crate::tree::{Kind, Shape, Tree};

const LIST: Kind = Kind::List { separated: false, at_least_one: false };
/// The longest text that is cut into words, in bytes: their tree takes 24 times the memory of plain text.
const MAX_WORDS_BYTES: usize = 40 << 20;
/// How many pieces binary data is cut into at most, to bound the size of the tree. Not measured.
const PIECES: usize = 1 << 16;
/// How many pieces make a chunk, and how many chunks a larger one.
const CHUNK: usize = 64;

impl Tree {
    /// The tree of a text in no language, or of binary data.
    pub fn generic(text: impl Into<Vec<u8>>) -> Self {
        let text = text.into();
        let mut draft = Draft::default();
        let root = if Self::is_in_chunks(&text) {
            chunks(&mut draft, text.len())
        } else {
            Words::read(&text).build(&mut draft)
        };
        draft.finish(text, root, None, Shape::default())
    }

    /// Whether the generic tree of a text knows no words: it is binary data, or too long for them.
    pub fn is_in_chunks(text: &[u8]) -> bool {
        text.len() > MAX_WORDS_BYTES || text.contains(&0)
    }
}

fn chunks(draft: &mut Draft, len: usize) -> DraftId {
    let piece = len.div_ceil(PIECES).max(1);
    let starts = (0..len).step_by(piece);
    let mut level: Vec<DraftId> = starts.map(|start| draft.add_token(start, (start + piece).min(len), false)).collect();
    while level.len() > CHUNK {
        level = level.chunks(CHUNK).map(|chunk| draft.add_with(LIST, None, chunk)).collect();
    }
    draft.add_with(LIST, None, &level)
}

/// A word, a quoted text or a single other character.
#[derive(Clone, Copy)]
struct Word {
    start: u32,
    end: u32,
    /// The indentation of the line that it begins; [`NONE`]: it is within a line.
    indent: u32,
    /// Its other half, if it is a bracket that has one, else [`NONE`].
    partner: u32,
}

/// What a word ends or keeps apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    None,
    Comma,
    Semicolon,
}

impl Separator {
    fn of(byte: u8) -> Self {
        match byte {
            b',' => Self::Comma,
            b';' => Self::Semicolon,
            _ => Self::None,
        }
    }
}

struct Words<'t> {
    text: &'t [u8],
    words: Vec<Word>,
}

impl<'t> Words<'t> {
    fn read(text: &'t [u8]) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut brackets: Vec<(u8, u32)> = Vec::new();
        let (mut at, mut line_start, mut new_line) = (0, 0, true);
        while at < text.len() {
            let byte = text[at];
            if byte.is_ascii_whitespace() {
                at += 1;
                if byte == b'\n' {
                    (line_start, new_line) = (at, true);
                }
                continue;
            }
            let end = word_end(text, at);
            let (mut partner, number) = (NONE, words.len() as u32);
            if matches!(byte, b'(' | b'[' | b'{') {
                brackets.push((byte, number));
            } else if let Some(opening) = opening(byte)
                && let Some(&(_, open)) = brackets.last().filter(|bracket| bracket.0 == opening)
            {
                brackets.pop();
                words[open as usize].partner = number;
                partner = open;
            }
            let indent = if new_line { (at - line_start) as u32 } else { NONE };
            words.push(Word { start: at as u32, end: end as u32, indent, partner });
            new_line = false;
            at = end;
        }
        Self { text, words }
    }

    fn build(&self, draft: &mut Draft) -> DraftId {
        let mut levels = vec![Level::default()];
        for (index, word) in (0..).zip(&self.words) {
            let token = draft.add_token(word.start as usize, word.end as usize, false);
            if word.partner == NONE {
                if let Some(level) = levels.last_mut() {
                    let separator = Separator::of(self.text[word.start as usize]);
                    level.push(draft, (token, separator), word.indent);
                }
            } else if word.partner > index {
                levels.push(Level { bracket: Some((token, word.indent)), ..Level::default() });
            } else {
                let Some(mut level) = levels.pop() else { break };
                let content = level.finish(draft);
                let (open, indent) = level.bracket.unwrap_or((token, NONE));
                let group = draft.add_with(Kind::Rule, None, &[open, content, token]);
                if let Some(level) = levels.last_mut() {
                    level.push(draft, (group, Separator::None), indent);
                }
            }
        }
        levels.pop().unwrap_or_default().finish(draft)
    }
}

/// What is within one pair of brackets.
#[derive(Default)]
struct Level {
    bracket: Option<(DraftId, u32)>,
    /// The line that is being read.
    line: Vec<(DraftId, Separator)>,
    indent: u32,
    /// Lines that may get deeper ones below them, from the outermost: the indentation, and the lines below so far.
    blocks: Vec<(u32, Vec<DraftId>)>,
}

impl Level {
    fn push(&mut self, draft: &mut Draft, item: (DraftId, Separator), indent: u32) {
        if indent != NONE {
            self.end_line(draft);
            self.indent = indent;
        }
        self.line.push(item);
    }

    fn end_line(&mut self, draft: &mut Draft) {
        if self.line.is_empty() {
            return;
        }
        let line = statements(draft, &std::mem::take(&mut self.line));
        self.fold(draft, self.indent);
        self.blocks.push((self.indent, vec![line]));
    }

    /// Puts the lines that are deeper than `indent` below the one before them.
    fn fold(&mut self, draft: &mut Draft, indent: u32) {
        while let Some((deepest, _)) = self.blocks.last()
            && *deepest > indent
            && self.blocks.len() > 1
        {
            let deeper = self.blocks.len() - self.blocks.iter().rev().take_while(|block| block.0 == *deepest).count();
            if deeper == 0 {
                break;
            }
            let lines: Vec<DraftId> = self.blocks.drain(deeper..).map(|block| with_block(draft, &block.1)).collect();
            let below = draft.add_with(LIST, None, &lines);
            if let Some(block) = self.blocks.last_mut() {
                block.1.push(below);
            }
        }
    }

    fn finish(&mut self, draft: &mut Draft) -> DraftId {
        self.end_line(draft);
        self.fold(draft, 0);
        let lines: Vec<DraftId> = self.blocks.drain(..).map(|block| with_block(draft, &block.1)).collect();
        draft.add_with(LIST, None, &lines)
    }
}

/// A line as the parts that end with a semicolon.
fn statements(draft: &mut Draft, line: &[(DraftId, Separator)]) -> DraftId {
    let parts: Vec<DraftId> =
        line.split_inclusive(|item| item.1 == Separator::Semicolon).map(|part| elements(draft, part)).collect();
    with_block(draft, &parts)
}

/// Part of a line as what commas keep apart. Where nothing is between two commas, they are words like any others.
fn elements(draft: &mut Draft, part: &[(DraftId, Separator)]) -> DraftId {
    let is_comma = |item: &(DraftId, Separator)| item.1 == Separator::Comma;
    let ids = |items: &[(DraftId, Separator)]| items.iter().map(|item| item.0).collect::<Vec<_>>();
    let between: Vec<&[(DraftId, Separator)]> = part.split(is_comma).collect();
    if between.len() == 1 || between.iter().any(|element| element.is_empty()) {
        return with_block(draft, &ids(part));
    }
    let mut commas = part.iter().filter(|item| is_comma(item)).map(|item| item.0);
    let mut children = Vec::new();
    for element in between {
        children.push(with_block(draft, &ids(element)));
        children.extend(commas.next());
    }
    draft.add_with(Kind::List { separated: true, at_least_one: false }, None, &children)
}

fn with_block(draft: &mut Draft, line: &[DraftId]) -> DraftId {
    match line {
        [single] => *single,
        _ => draft.add_with(LIST, None, line),
    }
}

fn opening(byte: u8) -> Option<u8> {
    match byte {
        b')' => Some(b'('),
        b']' => Some(b'['),
        b'}' => Some(b'{'),
        _ => None,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}

fn word_end(text: &[u8], start: usize) -> usize {
    let byte = text[start];
    if is_word(byte) {
        return text[start..].iter().position(|&byte| !is_word(byte)).map_or(text.len(), |len| start + len);
    }
    if matches!(byte, b'"' | b'\'' | b'`') {
        let mut at = start + 1;
        while at < text.len() && text[at] != b'\n' {
            match text[at] {
                b'\\' => at += 2,
                quote if quote == byte => return at + 1,
                _ => at += 1,
            }
        }
    }
    start + 1
}
