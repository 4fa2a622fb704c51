//! [`Pieces`]: a long text whose list of declarations or records is parsed piece by piece.
//!
//! A parser's tree takes 40 to 100 times the memory of its text, and most of that is gone once the normal form is made. So the
//! elements of the longest list are parsed some at a time: each part with what is around the list ([`Frame`]), and with one
//! element more than is taken from it, which shows where the last one ends. What edits left of a text keeps the pieces of
//! that text that did not change. Only the others are parsed, with one unchanged piece before and one element behind.
//!
//! Promise: without errors, tokens and tree are those of a parse of the whole text, except where the parser needs more than
//! the next element to read one. Errors are those of the parts. There are no pieces where one element is most of the text, or
//! where an error is around the list: such texts are parsed as a whole.
//!
//! Cost: that of parsing what changed. Memory: the normal form and the parser's tree of one part.

use std::ops::Range;
use std::sync::Arc;

use crate::concrete::ParserTree;
use crate::frame::Frame;
use crate::node::Node;
use crate::rendered::Copies;
use crate::syntax::{Count, Errors, Syntax};
use crate::tree::Shape;
use crate::{Kind, NodeId, Tree};

/// Shorter texts are parsed as a whole, in bytes: the memory is no matter then, and results are always parsed so.
pub(crate) const IN_PIECES_ABOVE: usize = 128 << 10;

/// How many bytes are parsed at a time. A part costs one element more and a parser.
const PART: usize = 64 << 10;

/// As many at most where there are errors: the parser may see an error because it does not see more.
const MAX_PART: usize = 256 << 10;

/// With fewer pieces, most edits would change most of the text.
const MIN_PIECES: usize = 8;

/// What is taken of a part with errors, at most: the rest may look different with more behind it.
const TAKEN: (usize, usize) = (3, 4);

/// A piece has so many bytes at least. Smaller ones would take memory, larger ones would be parsed more often.
const PIECE: usize = 2 << 10;

/// A text that is parsed in pieces.
pub(crate) struct Pieces {
    frame: Frame,
    /// Tokens around the list.
    around: u64,
    pieces: Vec<Piece>,
    /// What was parsed that is not in the tree of the text that this one was made from.
    parts: Vec<Part>,
}

/// Some elements of the list, with the separators behind them.
#[derive(Clone, Debug)]
struct Piece {
    /// Where its first token begins.
    start: u32,
    /// Where its first element ends.
    first_end: u32,
    tokens: u32,
    errors: Errors,
    /// Its nodes in the tree that it is in.
    nodes: Range<u32>,
    /// The number of the part whose tree that is.
    part: Option<u32>,
    /// Where its first token begins in the text of that tree.
    origin: u32,
}

impl Pieces {
    /// Parses a text; `None` if that must be done as a whole.
    pub(crate) fn parse(syntax: &Syntax, text: &[u8]) -> Option<(Self, Tree)> {
        let mut reader = Reader::new(syntax, text, Frame::of(text));
        let mut assembly: Option<Assembly> = None;
        let list = reader.frame.list(text);
        let mut pieces = reader.cover(list, None, |part, pieces| {
            let assembly = assembly.get_or_insert_with(|| Assembly::around(&part.tree, part.list));
            pieces.iter().for_each(|piece| assembly.add(&part.tree, part.list, piece));
        })?;
        let assembly = assembly.filter(|_| pieces.len() >= MIN_PIECES)?;
        let around = assembly.around_tokens();
        let mut first = assembly.list.0 + 1;
        for piece in &mut pieces {
            let len = piece.nodes.len() as u32;
            *piece = Piece { nodes: first..first + len, part: None, origin: piece.start, ..piece.clone() };
            first += len;
        }
        let tree = assembly.finish(syntax, text)?;
        Some((Self { frame: reader.frame, around, pieces, parts: Vec::new() }, tree))
    }

    /// Parses what changed of a text. `None` if that does not work out.
    pub(crate) fn edited(&self, syntax: &Syntax, old: &[u8], text: &[u8], copies: &Copies) -> Option<Self> {
        if !self.frame.is_around(old, text) {
            return None;
        }
        let list = self.frame.list(text);
        let mut reader = Reader::new(syntax, text, self.frame);
        let mut edited = Self { frame: self.frame, around: self.around, pieces: Vec::new(), parts: Vec::new() };
        let mut at = list.start;
        let mut is_done = false;
        let runs = self.kept_runs(old, text, copies);
        // What comes before the list, and is not in the frame, is not known to the pieces.
        let has_head = self.frame.is_empty() && self.around > 0;
        if has_head && !runs.first().is_some_and(|run| run.is_first) {
            return None;
        }
        for run in runs {
            let Run { pieces, shift, is_first, is_last } = run;
            let moved = |at: u32| (at as usize).wrapping_add_signed(shift);
            let next = &self.pieces[pieces.start];
            if !is_first {
                edited.read(&mut reader, at..moved(next.start), Some(moved(next.first_end)))?;
            }
            for piece in &self.pieces[pieces.clone()] {
                let (start, first_end) = (moved(piece.start) as u32, moved(piece.first_end) as u32);
                edited.pieces.push(Piece { start, first_end, part: None, origin: piece.start, ..piece.clone() });
            }
            is_done = is_last;
            at = if is_last { list.end } else { moved(self.pieces[pieces.end].start) };
        }
        if !is_done {
            edited.read(&mut reader, at..list.end, None)?;
        }
        Some(edited)
    }

    /// Parses a range of the text up to the next element that is known.
    fn read(&mut self, reader: &mut Reader<'_>, range: Range<usize>, known: Option<usize>) -> Option<()> {
        let parts = &mut self.parts;
        let pieces = reader.cover(range, known, |part, pieces| {
            pieces.iter_mut().for_each(|piece| piece.part = Some(parts.len() as u32));
            parts.push(part);
        })?;
        self.pieces.extend(pieces);
        Some(())
    }

    /// The pieces that are still there, in runs. The last piece of a run is not in it, unless it is the last of all: what
    /// is behind it has changed.
    fn kept_runs(&self, old: &[u8], text: &[u8], copies: &Copies) -> Vec<Run> {
        let (old_list, list) = (self.frame.list(old), self.frame.list(text));
        let mut runs = Vec::new();
        for (from, to) in copies.iter() {
            let shift = to as isize - from.start as isize;
            let first = self.pieces.partition_point(|piece| (piece.start as usize) < from.start);
            let behind = self.pieces.partition_point(|piece| piece.start as usize <= from.end);
            let ends_list = from.end >= old_list.end && old_list.end.checked_add_signed(shift) == Some(list.end);
            let is_last = behind == self.pieces.len() && ends_list;
            // What begins in the copy does not end in it, but the one before that does.
            let pieces = first..if is_last { behind } else { behind.saturating_sub(2) };
            let is_first = first == 0 && shift == 0 && from.start <= list.start;
            if !pieces.is_empty() {
                runs.push(Run { pieces, shift, is_first, is_last });
            }
        }
        runs
    }

    /// Its tokens and errors.
    pub(crate) fn count(&self) -> Count {
        let tokens = self.pieces.iter().map(|piece| u64::from(piece.tokens)).sum::<u64>();
        Count { tokens: self.around + tokens, errors: self.errors().count() }
    }

    /// Its errors.
    pub(crate) fn errors(&self) -> Errors {
        self.pieces.iter().fold(Errors::default(), |sum, piece| sum + piece.errors)
    }

    /// The tree of this text, with what has not changed from the tree of the one that it was made from; and the pieces of
    /// that tree.
    pub(crate) fn tree(&self, syntax: &Syntax, text: &[u8], old: &Tree) -> Option<(Self, Tree)> {
        let old_list = self.frame.find(old)?;
        let mut assembly = Assembly::around(old, old_list);
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let first = assembly.nodes.len() as u32;
            let (tree, list) = match piece.part {
                Some(part) => (&self.parts[part as usize].tree, self.parts[part as usize].list),
                None => (old, old_list),
            };
            assembly.add(tree, list, piece);
            let nodes = first..assembly.nodes.len() as u32;
            pieces.push(Piece { nodes, part: None, origin: piece.start, ..piece.clone() });
        }
        let tree = assembly.finish(syntax, text)?;
        Some((Self { frame: self.frame, around: self.around, pieces, parts: Vec::new() }, tree))
    }
}

/// Pieces that are still there, one behind the other.
struct Run {
    pieces: Range<usize>,
    /// How far they have moved.
    shift: isize,
    /// Whether nothing before them has changed.
    is_first: bool,
    /// Whether nothing behind them has changed.
    is_last: bool,
}

/// A part of the list that was parsed, with what is around the list.
struct Part {
    tree: Tree,
    list: NodeId,
    /// Where the errors are.
    errors: Vec<(usize, Errors)>,
    groups: Vec<Group>,
    /// How far it is from a place in this text to the same place in the whole one.
    shift: usize,
}

/// An element and the separator behind it, as places in the text of a part.
struct Group {
    nodes: Range<u32>,
    /// Where its first token begins, if it has one.
    start: Option<usize>,
    /// Where its element ends.
    end: usize,
}

impl Part {
    /// The groups of a tree's list.
    fn groups(tree: &Tree, list: NodeId) -> Vec<Group> {
        let is_separated = matches!(tree.kind(list), Kind::List { separated: true, .. });
        let children: Vec<NodeId> = tree.children(list).collect();
        let group = |nodes: &[NodeId]| {
            let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
            let start = tree.first_token(first).map(|token| tree.token_range(token).start);
            let end = tree.inner.nodes[tree.end(first).index() - 1].end as usize;
            Group { nodes: first.0..tree.end(last).0, start, end }
        };
        children.chunks(if is_separated { 2 } else { 1 }).map(group).collect()
    }

    /// Whether a piece can begin with a group: it has a token, and there is no error in it or in the group before.
    fn is_border(&self, group: usize) -> bool {
        let before = self.groups[group.saturating_sub(1)].start.unwrap_or_default();
        let Group { start, end, .. } = self.groups[group];
        start.is_some() && !self.errors.iter().any(|(place, _)| (before..=end).contains(place))
    }

    /// How many groups can be taken if more text follows.
    fn taken(&self) -> Option<usize> {
        let end = self.tree.text().len();
        let most = if self.errors.is_empty() { end } else { end / TAKEN.1 * TAKEN.0 };
        let is_within = |group: &usize| self.groups[*group].start.is_some_and(|start| start < most);
        (1..self.groups.len()).rev().find(|group| is_within(group) && self.is_border(*group))
    }

    /// The first groups as pieces.
    fn pieces(&self, taken: usize) -> Vec<Piece> {
        let mut borders: Vec<usize> = Vec::new();
        for group in 0..taken {
            let start = |group: usize| self.groups[group].start.unwrap_or(self.groups[group].end);
            let is_long = borders.last().is_none_or(|&border| start(group) >= start(border) + PIECE);
            if borders.is_empty() || is_long && self.is_border(group) {
                borders.push(group);
            }
        }
        let ends = borders.iter().skip(1).copied().chain([taken]);
        borders.iter().zip(ends).map(|(&border, end)| self.piece(border..end)).collect()
    }

    fn piece(&self, groups: Range<usize>) -> Piece {
        let first = &self.groups[groups.start];
        let nodes = first.nodes.start..self.groups[groups.end - 1].nodes.end;
        let shown = |node: &u32| matches!(self.tree.kind(NodeId(*node)), Kind::Token { silent: false, .. });
        let start = first.start.unwrap_or(first.end);
        let from = if groups.start == 0 { 0 } else { start };
        let to = self.groups.get(groups.end).and_then(|next| next.start).unwrap_or(usize::MAX);
        let errors = self.errors.iter().filter(|(place, _)| (from..to).contains(place));
        Piece {
            start: (start + self.shift) as u32,
            first_end: (first.end + self.shift) as u32,
            tokens: nodes.clone().filter(shown).count() as u32,
            errors: errors.fold(Errors::default(), |sum, (_, errors)| sum + *errors),
            nodes,
            part: None,
            origin: start as u32,
        }
    }
}

/// Parses parts of a text.
struct Reader<'a> {
    syntax: &'a Syntax,
    text: &'a [u8],
    frame: Frame,
    /// How many bytes are parsed at a time.
    bytes: usize,
}

impl<'a> Reader<'a> {
    fn new(syntax: &'a Syntax, text: &'a [u8], frame: Frame) -> Self {
        Self { syntax, text, frame, bytes: PART }
    }

    fn part(&self, range: Range<usize>) -> Option<Part> {
        let shift = range.start - self.frame.before;
        let behind = &self.text[self.text.len() - self.frame.after..];
        let text = [&self.text[..self.frame.before], &self.text[range], behind].concat();
        let parsed = self.syntax.parse(&text, None).ok()?;
        let ParserTree::TreeSitter(_) = parsed else { return None };
        let errors = Errors::places(&parsed);
        let tree = self.syntax.convert(text, parsed);
        let list = self.frame.find(&tree)?;
        let groups = Part::groups(&tree, list);
        Some(Part { tree, list, errors, groups, shift })
    }

    /// Parses a range, part by part, and gives each to `take` with its pieces. If it is known that an element begins where
    /// the range ends, it is also known where that ends.
    fn cover(
        &mut self,
        range: Range<usize>,
        known: Option<usize>,
        mut take: impl FnMut(Part, &mut [Piece]),
    ) -> Option<Vec<Piece>> {
        let mut covered = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let cut = self.cut(at..range.end);
            let end = cut.or(known).unwrap_or(range.end);
            if end - at > (2 * MAX_PART).max(self.text.len() / 2) {
                return None;
            }
            let part = self.part(at..end)?;
            let taken = match cut {
                _ if !part.errors.is_empty() && !self.frame.is_empty() => return None,
                Some(_) if !part.errors.is_empty() && self.bytes < MAX_PART => None,
                Some(_) => part.taken(),
                None => Some(self.all_but_known(&part, range.end, known)?),
            };
            let Some(taken) = taken else {
                self.bytes *= 2;
                continue;
            };
            let next = part.groups.get(taken).and_then(|group| group.start);
            at = next.map_or(range.end, |start| start + part.shift);
            let mut pieces = part.pieces(taken);
            take(part, &mut pieces);
            covered.extend(pieces);
        }
        Some(covered)
    }

    /// The number of groups before the one that is known, which must be the last.
    fn all_but_known(&self, part: &Part, start: usize, known: Option<usize>) -> Option<usize> {
        let Some(end) = known else { return Some(part.groups.len()) };
        let last = part.groups.len().checked_sub(1)?;
        let group = &part.groups[last];
        let is_same = group.start.map(|at| at + part.shift) == Some(start) && group.end + part.shift == end;
        (is_same && part.is_border(last)).then_some(last)
    }

    /// Where the next part ends, if not at the end.
    fn cut(&self, range: Range<usize>) -> Option<usize> {
        let is_short = range.len() <= self.bytes + self.bytes / 2;
        if is_short { None } else { self.frame.cut(self.text, range, self.bytes) }
    }
}

/// A tree that is put together from pieces.
struct Assembly {
    nodes: Vec<Node>,
    list: NodeId,
    /// Where the last token ends.
    end: u32,
    /// The nodes behind the list, the number of the first one in their tree, and the length of the text of that.
    behind: (Vec<Node>, u32, usize),
    /// How many nodes were in the list of that tree, itself included.
    before: u32,
    is_separated: bool,
    /// Whether all lists have been of the same kind.
    is_sound: bool,
}

impl Assembly {
    /// With the nodes of a tree that are around its list.
    fn around(tree: &Tree, list: NodeId) -> Self {
        let (nodes, end) = (&tree.inner.nodes, tree.end(list));
        Self {
            nodes: nodes[..=list.index()].to_vec(),
            list,
            end: nodes[list.index()].end,
            behind: (nodes[end.index()..].to_vec(), end.0, tree.text().len()),
            before: tree.node(list).size(),
            is_separated: is_separated(tree, list),
            is_sound: true,
        }
    }

    /// How many tokens are around the list.
    fn around_tokens(&self) -> u64 {
        let shown = |node: &&Node| matches!(node.kind(), Kind::Token { silent: false, .. });
        let before = self.nodes[..=self.list.index()].iter().filter(shown).count();
        (before + self.behind.0.iter().filter(shown).count()) as u64
    }

    /// Adds a piece that is in a tree with this list.
    fn add(&mut self, tree: &Tree, list: NodeId, piece: &Piece) {
        let nodes = &tree.inner.nodes[piece.nodes.start as usize..piece.nodes.end as usize];
        if self.nodes.capacity() - self.nodes.len() < nodes.len() {
            // Not twice as much: it is most of the memory that a tree takes.
            self.nodes.reserve_exact(nodes.len() + self.nodes.len() / 4);
        }
        self.is_sound &= self.is_separated == is_separated(tree, list);
        if tree.slot(list).is_none() {
            // With an error among them, elements follow no rule.
            let link = self.nodes[self.list.index()].link;
            self.nodes[self.list.index()] = tree.node(list).moved(link, self.nodes[self.list.index()].end, 0);
        }
        let first = self.nodes.len() as u32;
        let parent = |link: u32| if link == list.0 { self.list.0 } else { link - piece.nodes.start + first };
        for node in nodes {
            let moved = node.moved(parent(node.link), self.end, piece.start.wrapping_sub(piece.origin));
            self.end = moved.end;
            self.nodes.push(moved);
        }
    }

    /// The tree; `None` if the pieces do not go together.
    fn finish(mut self, syntax: &Syntax, text: &[u8]) -> Option<Tree> {
        let len = self.nodes.len() as u32 - self.list.0;
        self.nodes[self.list.index()].extent = len;
        let mut above = self.nodes[self.list.index()].link;
        while let Some(node) = self.nodes.get_mut(above as usize) {
            node.extent = node.extent - self.before + len;
            above = node.link;
        }
        let (behind, old_first, old_len) = std::mem::take(&mut self.behind);
        let (first, shift) = (self.nodes.len() as u32, (text.len() as u32).wrapping_sub(old_len as u32));
        for node in &behind {
            let link = if node.link < old_first { node.link } else { node.link - old_first + first };
            let moved = node.moved(link, self.end, shift);
            self.end = moved.end;
            self.nodes.push(moved);
        }
        self.nodes.shrink_to_fit();
        self.is_sound.then(|| {
            let grammar = Arc::clone(syntax.grammar());
            Tree::of_nodes(text.to_vec(), self.nodes, Some(grammar), Shape::default())
        })
    }
}

fn is_separated(tree: &Tree, list: NodeId) -> bool {
    matches!(tree.kind(list), Kind::List { separated: true, .. })
}

#[cfg(test)]
mod tests;
