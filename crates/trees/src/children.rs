//! The children of one node, and the lists, optionals and slots into which their derivation puts them.

use whittle_grammars::{Child, Event, Part, PartId};

use crate::concrete::{Cursor, Node};
use crate::convert::{Converter, Tables, Work, is_comment};
use crate::draft::DraftId;
use crate::tree::Kind;

/// A child in the parser's tree.
#[derive(Clone, Copy)]
pub(crate) struct Kid<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) child: Child,
    /// Whether it is an extra between the children that the rule names.
    pub(crate) extra: bool,
    /// Whether it is an extra that is only whitespace or a comment.
    pub(crate) comment: bool,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'t> Kid<'t> {
    pub(crate) fn collect(cursor: &mut Cursor<'t>, parent: Node<'t>, tables: &Tables, kids: &mut Vec<Self>) {
        kids.clear();
        cursor.reset(parent);
        let mut more = cursor.goto_first_child();
        while more {
            let node = cursor.node();
            let extra = node.is_extra() || node.is_error();
            kids.push(Self {
                node,
                child: tables.child(cursor),
                extra,
                comment: extra && is_comment(&node),
                start: node.start_byte(),
                end: node.end_byte(),
            });
            more = cursor.goto_next_sibling();
        }
    }
}

/// A part that is open, and where its children begin among those placed so far.
struct Open {
    part: PartId,
    first: usize,
}

/// The children placed so far, and where in the text and among the children that is.
struct Progress<'k, 't> {
    kids: &'k [Kid<'t>],
    next: usize,
    position: usize,
    placed: Vec<DraftId>,
}

impl<'t> Converter<'t, '_> {
    /// Builds what the events of a derivation say.
    pub(crate) fn follow(&mut self, work: &Work<'t>, kids: &[Kid<'t>], events: &[Event]) -> Vec<DraftId> {
        let mut open: Vec<Open> = Vec::new();
        let mut progress =
            Progress { kids, next: 0, position: work.node.start_byte(), placed: Vec::with_capacity(kids.len()) };
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
        if let Some(kid) = progress.kids.get(progress.next) {
            progress.placed.extend(self.silent_token(progress.position, kid.start));
            progress.position = kid.start;
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
        let Some(kid) = progress.kids.get(progress.next) else { return };
        progress.placed.extend(self.node_of(kid, Some(part)));
        progress.position = kid.end;
        progress.next += 1;
    }

    /// Comments become whitespace; other extras can be deleted.
    fn place_extras(&mut self, progress: &mut Progress<'_, 't>) {
        while let Some(kid) = progress.kids.get(progress.next).filter(|kid| kid.extra) {
            progress.placed.extend(self.silent_token(progress.position, kid.start));
            if !kid.comment
                && let Some(extra) = self.node_of(kid, None)
            {
                progress.placed.push(self.draft.add_with(Kind::Optional, None, &[extra]));
            }
            progress.position = kid.end;
            progress.next += 1;
        }
    }

    /// A token without a node: the text besides whitespace, or the line end that it is.
    fn place_silent(&mut self, work: &Work<'t>, part: PartId, progress: &mut Progress<'_, 't>) {
        let Part::Silent { lexical, .. } = *self.grammar.part(part) else { return };
        let to = progress.kids.get(progress.next).map_or(work.node.end_byte(), |kid| kid.start);
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
