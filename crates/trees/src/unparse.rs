//! The text that edits leave of a tree.
//!
//! Without edits it is the parsed text, byte for byte. A place keeps the whitespace before it, whatever node is put
//! there. If a deleted token began a line and the next token does not, the line end is kept ([`Places`]). Where two
//! tokens would be read as another one, a space is put between them. Where indentation is syntax, a hoisted node is
//! moved by the difference of the columns; the text of tokens never changes. A list that must not be empty becomes its
//! smallest element.
//!
//! Cost: that of the edits, and a copy of the text. What has no edits is copied as a whole.

mod tokens;

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use whittle_grammars::{Part, PartId};

use crate::comments::Comments;
use crate::joins::TOKENS_BACK;
use crate::places::{Gap, Places, Reach};
use crate::rendered::{Copies, Rendered};
use crate::tree::Kind;
use crate::{Edit, Edits, NodeId, Tree};

impl Tree {
    /// The text that these edits leave. Comments belong to the token after them.
    pub fn unparse(&self, edits: &Edits) -> Vec<u8> {
        self.write(edits, Comments::default()).text
    }

    /// The same, but all comments stay: those of tokens that are left out come before the next one. Copies of other
    /// parts are not in text order; where there are some, comments belong to the token after them.
    pub fn unparse_with_comments(&self, edits: &Edits) -> Vec<u8> {
        self.render(edits).text
    }

    /// The same, and what of it is copied from the text.
    pub(crate) fn render(&self, edits: &Edits) -> Rendered {
        let has_copies = || edits.iter().any(|(_, edit)| matches!(edit, Edit::Copy(_)));
        let comments = if has_copies() { Comments::default() } else { Comments::of(self) };
        self.write(edits, comments)
    }

    fn write(&self, edits: &Edits, comments: Comments<'_>) -> Rendered {
        let mut writer = Writer {
            tree: self,
            edits,
            out: Vec::with_capacity(self.text().len()),
            copies: Copies::default(),
            last: Some(0),
            starts: Vec::new(),
            places: Places::new(self.text()),
            comments,
            depth: 0,
            dropped: BTreeSet::new(),
            emptied: HashSet::new(),
            indented: self.grammar().is_some_and(|grammar| grammar.has_indentation()),
            binary: self.grammar().is_none() && self.text().contains(&0),
        };
        writer.find_emptied();
        writer.run();
        // Candidates are kept for a while, and most of the text may be gone.
        writer.out.shrink_to_fit();
        Rendered { text: writer.out, copies: writer.copies }
    }
}

/// A range of nodes that is still to be written, moved by so many columns.
struct Stretch {
    nodes: Range<NodeId>,
    shift: isize,
    /// A node, moved by so many columns, beside which it begins a line.
    line_of: Option<(NodeId, isize)>,
}

struct Writer<'a> {
    tree: &'a Tree,
    edits: &'a Edits,
    out: Vec<u8>,
    /// What of it is copied from the text.
    copies: Copies,
    /// Where the last token that was written ends in the original text; `None`: it was not there.
    last: Option<u32>,
    /// Where the tokens begin that were written since the last whitespace.
    starts: Vec<usize>,
    /// The whitespace that deleted tokens left since then.
    places: Places<'a>,
    /// The comments that stay, whatever is left of the text around them.
    comments: Comments<'a>,
    /// Within how many others the stretch is that is being written.
    depth: usize,
    /// Separators that are deleted with their elements.
    dropped: BTreeSet<NodeId>,
    /// Lists that are hoisted although nothing is left of them.
    emptied: HashSet<NodeId>,
    /// Whether indentation is syntax.
    indented: bool,
    /// Whether this is binary data: there are no tokens to keep apart.
    binary: bool,
}

impl Writer<'_> {
    fn run(&mut self) {
        let end = NodeId(self.tree.len() as u32);
        let mut stretches = vec![Stretch { nodes: self.tree.root()..end, shift: 0, line_of: None }];
        while let Some(Stretch { nodes, shift, line_of }) = stretches.pop() {
            self.depth = stretches.len();
            if let Some((place, shift)) = line_of {
                self.begin_line(nodes.start, place, shift);
            }
            let mut at = nodes.start;
            while at < nodes.end {
                let untouched = self.untouched(at..nodes.end);
                if !untouched.is_empty() {
                    at = untouched.end;
                    self.write_untouched(untouched, shift);
                    continue;
                }
                self.places.arrive(at, self.depth);
                let after = self.tree.end(at);
                match self.edit(at) {
                    Some(Edit::Delete | Edit::Drop) => self.skip(at, shift),
                    None if self.dropped.contains(&at) => self.skip(at, shift),
                    Some(Edit::Smallest) => self.write_smallest(at, self.tree.slot(at), shift),
                    Some(Edit::Zero) => self.write_instead(at, shift, ["0"]),
                    Some(Edit::Hoist(inner)) if self.emptied.contains(&inner) => self.write_emptied(at, shift),
                    Some(Edit::Hoist(inner) | Edit::Copy(inner)) => {
                        self.drop_trailing(inner);
                        stretches.push(Stretch { nodes: after..nodes.end, shift, line_of: None });
                        self.put_in_place(at, shift);
                        let columns = if self.indented { self.tree.columns_between(inner, at) } else { 0 };
                        let shift = shift + columns;
                        stretches.push(Stretch { nodes: inner..self.tree.end(inner), shift, line_of: None });
                        break;
                    }
                    Some(Edit::Dissolve) => {
                        let line_of = Some((at, shift)).filter(|_| after < nodes.end);
                        stretches.push(Stretch { nodes: after..nodes.end, shift, line_of });
                        self.put_in_place(at, shift);
                        let bodies = self.tree.bodies(at).into_iter().enumerate().rev();
                        stretches.extend(bodies.map(|(number, body)| Stretch {
                            nodes: body..self.tree.end(body),
                            shift: shift + if self.indented { self.tree.columns_between(body, at) } else { 0 },
                            line_of: (number > 0).then_some((at, shift)),
                        }));
                        break;
                    }
                    None => {
                        at = self.enter(at, shift);
                        continue;
                    }
                }
                at = after;
            }
        }
        let gap = Gap { range: self.tree.tail(), shift: 0 };
        self.write_comments(gap.range.end, &gap);
        self.write_whitespace(&self.below(gap));
    }

    /// The nodes from the first of these on, with all that is below them, in which nothing changes. Empty if something
    /// changes in the first one.
    fn untouched(&self, nodes: Range<NodeId>) -> Range<NodeId> {
        let at = nodes.start;
        let changes = [self.edits.first_from(at), self.dropped.range(at..).next().copied()];
        let Some(change) = changes.into_iter().flatten().min().filter(|&change| change < nodes.end) else {
            return nodes;
        };
        // The node beside `at` that holds the change: forward over siblings or up from the change, whichever is nearer.
        let (mut sibling, mut above) = (at, change);
        loop {
            if change < self.tree.end(sibling) {
                return at..sibling;
            }
            sibling = self.tree.end(sibling);
            match self.tree.parent(above).filter(|&parent| parent >= at) {
                Some(parent) => above = parent,
                None => return at..above,
            }
        }
    }

    /// Writes nodes in which nothing changes. Only the place of the first token may have changed, and only the last ones
    /// matter to the next.
    fn write_untouched(&mut self, nodes: Range<NodeId>, shift: isize) {
        let tree = self.tree;
        let mut tokens = (nodes.start.0..nodes.end.0).map(NodeId).filter(|&id| {
            self.places.arrive(id, self.depth);
            tree.is_token(id)
        });
        let Some(first) = tokens.next() else { return };
        drop(tokens);
        self.write_token(first, shift);
        let after_first = first.0 + 1..nodes.end.0;
        if shift != 0 && self.indented {
            after_first.map(NodeId).filter(|&id| tree.is_token(id)).for_each(|token| self.write_token(token, shift));
            return;
        }
        let backwards = after_first.rev().map(NodeId).filter(|&id| tree.is_token(id));
        let last: Vec<NodeId> = backwards.take(TOKENS_BACK).collect();
        let Some(&tail) = last.last() else { return };
        let between = tree.node(first).end as usize..tree.gap(tail).start;
        if !between.is_empty() {
            self.comments.up_to(between.end, &between);
            self.last = Some(between.end as u32);
            self.starts.clear();
            self.copy(between);
        }
        last.into_iter().rev().for_each(|token| self.write_token(token, shift));
    }

    /// Copies a range of the text.
    fn copy(&mut self, range: Range<usize>) {
        self.copies.add(range.clone(), self.out.len());
        self.out.extend_from_slice(&self.tree.text()[range]);
    }

    /// Writes the comments before a place that are not in the whitespace which is written there.
    fn write_comments(&mut self, before: usize, gap: &Gap) {
        for comment in self.comments.up_to(before, &gap.range) {
            if !self.out.last().is_none_or(u8::is_ascii_whitespace) {
                self.separate();
            }
            self.copy(comment);
            self.starts.clear();
            self.last = None;
        }
    }

    /// The edit of a node; only what is below a node can be hoisted to it, and only what is elsewhere can be copied.
    fn edit(&self, node: NodeId) -> Option<Edit> {
        let tree = self.tree;
        self.edits.get(node).filter(|edit| match *edit {
            Edit::Hoist(inner) => inner != node && tree.is_within(inner, node),
            Edit::Copy(source) => !tree.is_within(source, node) && self.ends(source),
            Edit::Delete | Edit::Drop | Edit::Dissolve | Edit::Smallest | Edit::Zero => true,
        })
    }

    /// Whether what is copied has no edits other than copies of what has none, so that no copy is within a copy of
    /// itself.
    fn ends(&self, source: NodeId) -> bool {
        let is_plain = |source: NodeId| !self.edits.any_in(source..self.tree.end(source));
        let mut edits = self.edits.within(source..self.tree.end(source));
        edits.all(|(_, edit)| matches!(edit, Edit::Copy(inner) if is_plain(inner)))
    }

    /// Leaves out a node. An element of a separated list is deleted with a separator, whose whitespace counts.
    fn skip(&mut self, node: NodeId, shift: isize) {
        let tree = self.tree;
        let list = tree.parent(node).filter(|&list| matches!(tree.kind(list), Kind::List { separated: true, .. }));
        if list.is_some() && self.is_gone(node) {
            return;
        }
        if let Some(first) = tree.first_token(node) {
            let reach = self.begun_by(node);
            self.places.skip(self.gap(first, shift), reach);
        }
    }

    /// What comes next takes the place of a node.
    fn put_in_place(&mut self, node: NodeId, shift: isize) {
        if let Some(first) = self.tree.first_token(node) {
            let reach = self.begun_by(node).unwrap_or(Reach { end: self.tree.end(node), depth: self.depth });
            self.places.put_instead(self.gap(first, shift), reach);
        }
    }

    /// Begins a line with a node as with a place, unless the node begins one itself: where a line end ends statements,
    /// those of two bodies would be read as one.
    fn begin_line(&mut self, node: NodeId, place: NodeId, shift: isize) {
        let begins_line = |node: NodeId| {
            let token = self.tree.first_token(node);
            token.is_some_and(|token| self.tree.whitespace(token).contains(&b'\n'))
        };
        if begins_line(node) {
            return;
        }
        if !begins_line(place) {
            self.out.push(b'\n');
            self.starts.clear();
        }
        self.put_in_place(place, shift);
    }

    /// How far the largest node around this one reaches that begins with the same token, if there is one.
    fn begun_by(&self, node: NodeId) -> Option<Reach> {
        let mut largest = node;
        while let Some(around) = self.tree.parent(largest)
            && !(around.0..largest.0).any(|id| self.tree.is_token(NodeId(id)))
        {
            largest = around;
        }
        (largest != node).then(|| Reach { end: self.tree.end(largest), depth: self.depth })
    }

    /// Finds the hoisted lists of which nothing is left, from the last to the first: one may be inside another.
    fn find_emptied(&mut self) {
        for (_, edit) in self.edits.iter().rev() {
            if let Edit::Hoist(inner) = edit
                && matches!(self.tree.kind(inner), Kind::List { .. })
                && self.tree.elements(inner).all(|element| self.is_gone(element))
            {
                self.emptied.insert(inner);
            }
        }
    }

    /// Whether the place of an element stays empty.
    fn is_gone(&self, element: NodeId) -> bool {
        match self.edit(element) {
            Some(Edit::Delete) => true,
            Some(Edit::Hoist(inner)) => self.emptied.contains(&inner),
            // What is dropped leaves its place, and the separators around it.
            Some(Edit::Dissolve | Edit::Smallest | Edit::Zero | Edit::Drop | Edit::Copy(_)) | None => false,
        }
    }

    /// Writes the smallest sentence that must be in the place of a node of which nothing is left.
    fn write_emptied(&mut self, node: NodeId, shift: isize) {
        if matches!(self.tree.kind(node), Kind::List { at_least_one: true, .. }) {
            self.write_smallest(node, self.tree.slot(node), shift);
        } else {
            self.skip(node, shift);
        }
    }

    /// Leaves out the separator after the last element of a list that is hoisted: its new place has its own.
    fn drop_trailing(&mut self, list: NodeId) {
        if matches!(self.tree.kind(list), Kind::List { separated: true, .. })
            && let Some(separator) = self.tree.children(list).skip(1).step_by(2).last()
            && self.tree.end(separator) == self.tree.end(list)
        {
            self.dropped.insert(separator);
        }
    }

    /// Decides which separators of a list are deleted, and returns the node to continue with. A list that may not be
    /// empty, but is, is written here. In a separated list, the first element that is left moves to the place of the
    /// first one.
    fn enter(&mut self, node: NodeId, shift: isize) -> NodeId {
        let tree = self.tree;
        let inside = NodeId(node.0 + 1);
        let Kind::List { separated, .. } = tree.kind(node) else { return inside };
        if !self.edits.any_in(inside..tree.end(node)) {
            return inside;
        }
        let children: Vec<NodeId> = tree.children(node).collect();
        let step = if separated { 2 } else { 1 };
        let Some(first) = children.iter().step_by(step).position(|&element| !self.is_gone(element)) else {
            match tree.kind(node) {
                Kind::List { separated: false, at_least_one: false } => {
                    children.iter().for_each(|&element| self.skip(element, shift));
                }
                _ => self.write_emptied(node, shift),
            }
            return tree.end(node);
        };
        if !separated {
            return inside;
        }
        let first = first * 2;
        if first > 0 {
            self.put_in_place(node, shift);
        }
        for (index, &separator) in children.iter().enumerate().skip(first + 1).step_by(2) {
            // Each element after the first has its separator before it; a trailing one stays.
            if children.get(index + 1).is_some_and(|&element| self.is_gone(element)) {
                self.dropped.insert(separator);
            }
        }
        children[first]
    }

    fn write_smallest(&mut self, node: NodeId, part: Option<PartId>, shift: isize) {
        let sentence = part.zip(self.tree.grammar()).and_then(|(part, grammar)| {
            let part = match *grammar.part(part) {
                Part::Repeat { content, .. } | Part::Separated { element: content, .. } => content,
                _ => part,
            };
            grammar.smallest_sentence_of_part(part)
        });
        match sentence {
            Some(sentence) => self.write_instead(node, shift, sentence.texts()),
            None => self.skip(node, shift),
        }
    }
}
