//! The children of one node, and the lists, optionals and slots into which their derivation puts them.

use whittle_grammars::{Child, Event, Part, PartId};

use crate::concrete::{Cursor, Node};
use crate::convert::{Converter, Tables, Work, is_comment};
use crate::draft::DraftId;
use crate::node::NONE;
use crate::tree::Kind;

/// The memory of more children than this is not kept for the next node.
const MAX_KEPT_KIDS: usize = 1000;

/// The fields of more children than this are not asked for: finding one takes time by the nesting of hidden nodes, which some
/// rules make as deep as the list is long (MLIR: 19 s for 200 KB). Matching takes any field then.
const MAX_WITH_FIELDS: usize = 20_000;

/// The children of a node in the parser's tree. A node of the parser takes 32 bytes, so only those are kept that have
/// children themselves.
#[derive(Default)]
pub(crate) struct Kids<'t> {
    pub(crate) kids: Vec<Kid>,
    inner: Vec<Node<'t>>,
}

/// A child in the parser's tree.
#[derive(Clone, Copy)]
pub(crate) struct Kid {
    pub(crate) child: Child,
    /// Whether it is an extra between the children that the rule names.
    pub(crate) extra: bool,
    /// Whether it is an extra that is only whitespace or a comment.
    pub(crate) comment: bool,
    pub(crate) error: bool,
    start: u32,
    end: u32,
    /// Its place among those that have children, if it has some.
    inner: u32,
}

impl Kid {
    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }
}

impl<'t> Kids<'t> {
    /// Forgets those that there are, and takes the children of `parent`.
    pub(crate) fn collect(&mut self, cursor: &mut Cursor<'t>, parent: Node<'t>, tables: &Tables) {
        if self.kids.capacity() > MAX_KEPT_KIDS {
            *self = Self::default();
        }
        self.kids.clear();
        self.inner.clear();
        self.kids.reserve_exact(parent.child_count());
        let with_fields = parent.child_count() <= MAX_WITH_FIELDS;
        cursor.reset(parent);
        let mut more = cursor.goto_first_child();
        while more {
            let node = cursor.node();
            let extra = node.is_extra() || node.is_error();
            let inner = if node.child_count() > 0 { self.inner.len() as u32 } else { NONE };
            self.inner.extend((inner != NONE).then_some(node));
            self.kids.push(Kid {
                child: tables.child(cursor, with_fields),
                extra,
                comment: extra && is_comment(&node),
                error: node.is_error(),
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                inner,
            });
            more = cursor.goto_next_sibling();
        }
    }

    /// The node of a child that has children.
    pub(crate) fn node(&self, kid: &Kid) -> Option<Node<'t>> {
        self.inner.get(kid.inner as usize).copied()
    }
}

/// A part that is open, and where its children begin among those placed so far.
struct Open {
    part: PartId,
    first: usize,
}

/// The children placed so far, and where in the text and among the children that is.
struct Progress<'k, 't> {
    all: &'k Kids<'t>,
    next: usize,
    position: usize,
    placed: Vec<DraftId>,
}

impl Progress<'_, '_> {
    /// The child that comes next.
    fn kid(&self) -> Option<&Kid> {
        self.all.kids.get(self.next)
    }
}

impl<'t> Converter<'t, '_> {
    /// Builds what the events of a derivation say.
    pub(crate) fn follow(&mut self, work: &Work<'t>, kids: &Kids<'t>, events: &[Event]) -> Vec<DraftId> {
        let mut open: Vec<Open> = Vec::new();
        let mut progress = Progress {
            all: kids,
            next: 0,
            position: work.node.start_byte(),
            placed: Vec::with_capacity(kids.kids.len()),
        };
        for &event in events {
            match event {
                Event::Open(part) => open.push(Open { part, first: progress.placed.len() }),
                Event::Close => {
                    let Some(closed) = open.pop() else { continue };
                    self.close(&closed, open.last(), &mut progress.placed);
                }
                Event::Silent(part) => self.place_silent(work, part, &mut progress),
                Event::Child(part) => {
                    let before = progress.placed.len();
                    self.place_what_no_rule_tells(&mut progress);
                    self.begin_behind(&mut open, before, progress.placed.len());
                    self.place_child(part, &mut progress);
                }
            }
        }
        self.place_extras(&mut progress);
        progress.placed.extend(self.silent_token(progress.position, work.node.end_byte()));
        progress.placed
    }

    /// Extras, and texts without a node such as the backslash at the end of a Python line, up to the next child.
    fn place_what_no_rule_tells(&mut self, progress: &mut Progress<'_, 't>) {
        self.place_extras(progress);
        if let Some(start) = progress.kid().map(Kid::start) {
            progress.placed.extend(self.silent_token(progress.position, start));
            progress.position = start;
        }
    }

    /// A part that would begin with an extra begins behind it: else its only child would not be known to fill it.
    /// Exceptions are optionals, which are deleted with the extra, and elements, which must alternate with separators.
    fn begin_behind(&self, open: &mut [Open], before: usize, behind: usize) {
        for index in (0..open.len()).rev() {
            let can_go =
                matches!(self.grammar.part(open[index].part), Part::Optional(_)) || self.is_list(open[index].part);
            let is_element = index.checked_sub(1).is_some_and(|outer| self.is_list(open[outer].part));
            if can_go || is_element || open[index].first < before {
                return;
            }
            open[index].first = behind;
        }
    }

    fn is_list(&self, part: PartId) -> bool {
        matches!(self.grammar.part(part), Part::Repeat { .. } | Part::Separated { .. })
    }

    fn place_child(&mut self, part: PartId, progress: &mut Progress<'_, 't>) {
        let Some(&kid) = progress.kid() else { return };
        progress.placed.extend(self.node_of(progress.all, &kid, Some(part)));
        progress.position = kid.end();
        progress.next += 1;
    }

    /// Comments become whitespace; other extras can be deleted.
    fn place_extras(&mut self, progress: &mut Progress<'_, 't>) {
        while let Some(&kid) = progress.kid().filter(|kid| kid.extra) {
            progress.placed.extend(self.silent_token(progress.position, kid.start()));
            if !kid.comment
                && let Some(extra) = self.node_of(progress.all, &kid, None)
            {
                progress.placed.push(self.draft.add_with(Kind::Optional, None, &[extra]));
            }
            progress.position = kid.end();
            progress.next += 1;
        }
    }

    /// A token without a node: the text besides whitespace, or the line end that it is.
    fn place_silent(&mut self, work: &Work<'t>, part: PartId, progress: &mut Progress<'_, 't>) {
        let Part::Silent { lexical, .. } = *self.grammar.part(part) else { return };
        let to = progress.kid().map_or(work.node.end_byte(), Kid::start);
        if let Some(token) = self.silent_token(progress.position, to) {
            progress.placed.push(token);
            progress.position = to;
        } else if lexical.is_some_and(|lexical| self.grammar.lexical().has_char(lexical, '\n'))
            && let Some(at) = self.text[progress.position..to].iter().position(|&byte| byte == b'\n')
        {
            let end = progress.position + at + 1;
            let is_crlf = at > 0 && self.text[end - 2] == b'\r';
            let start = end - 1 - usize::from(is_crlf);
            progress.placed.push(self.draft.add_token(start, end, true));
            progress.position = end;
        }
    }

    fn close(&mut self, closed: &Open, outer: Option<&Open>, placed: &mut Vec<DraftId>) {
        let (part, children) = (closed.part, &placed[closed.first..]);
        let in_list = |open: &Open| match self.grammar.part(open.part) {
            Part::Repeat { .. } => Some(false),
            Part::Separated { .. } => Some(true),
            _ => None,
        };
        let kind = match *self.grammar.part(part) {
            Part::Repeat { at_least_one, .. } => Kind::List { separated: false, at_least_one },
            Part::Separated { at_least_one, .. } => Kind::List { separated: true, at_least_one },
            Part::Optional(_) if !self.grammar.must_stay(part) => Kind::Optional,
            _ => {
                match (children, outer.and_then(in_list)) {
                    // An element can go already; that it is optional too says nothing more.
                    ([single], Some(_)) if matches!(self.draft.kind(*single), Kind::Optional) => {
                        let bare = self.without_optional(*single, part);
                        placed.truncate(closed.first);
                        placed.push(bare);
                    }
                    ([single], _) => self.draft.set_slot(*single, part),
                    // An empty element keeps elements and separators in step.
                    ([], Some(true)) | ([_, ..], Some(_)) => {
                        let group = self.draft.add_with(Kind::Rule, Some(part), children);
                        placed.truncate(closed.first);
                        placed.push(group);
                    }
                    _ => {}
                }
                return;
            }
        };
        let node = match (kind, children) {
            // An empty element keeps elements and separators in step.
            (Kind::Optional, []) if outer.and_then(in_list) == Some(true) => {
                Some(self.draft.add_with(Kind::Rule, Some(part), &[]))
            }
            _ if children.iter().all(|&child| self.is_empty_group(child)) => None,
            // The only element of a list that must have one is as good as the list.
            (Kind::List { at_least_one: true, .. }, [single]) => Some(*single),
            (Kind::Optional, [single]) if matches!(self.draft.kind(*single), Kind::Optional) => Some(*single),
            (Kind::Optional, [single]) if matches!(self.draft.kind(*single), Kind::List { .. }) => {
                if let Kind::List { separated, .. } = self.draft.kind(*single) {
                    self.draft.set_kind(*single, Kind::List { separated, at_least_one: false });
                }
                Some(*single)
            }
            _ => Some(self.draft.add_with(kind, Some(part), children)),
        };
        placed.truncate(closed.first);
        placed.extend(node);
    }

    fn without_optional(&mut self, optional: DraftId, part: PartId) -> DraftId {
        let mut children = self.draft.children(optional);
        let (first, second) = (children.next(), children.next());
        drop(children);
        match (first, second) {
            (Some(single), None) => {
                self.draft.set_slot(single, part);
                single
            }
            _ => {
                self.draft.set_kind(optional, Kind::Rule);
                optional
            }
        }
    }

    fn is_empty_group(&self, id: DraftId) -> bool {
        matches!(self.draft.kind(id), Kind::Rule)
            && self.draft.symbol(id).is_none()
            && self.draft.children(id).next().is_none()
    }
}
