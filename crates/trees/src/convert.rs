//! From the parser's tree to the normal form.
//!
//! Top-down and node by node: the children of a node are matched against its rule, and the part that a child fills
//! says which rule the child itself follows. Where they do not match, and where there is a syntax error among them,
//! the node becomes a plain list of its children, and what is below them is still guided by the syntax. Time and
//! memory are linear in the text; nesting costs no stack.

use std::borrow::Borrow;
use std::sync::Arc;

use tree_sitter::Language;
use whittle_grammars::{Bits, Child, FieldId, Grammar, LabelId, Matcher, Part, PartId, SymbolId};

use crate::children::{Kid, Kids};
use crate::concrete::{Cursor, Node, ParserTree};
use crate::draft::{Draft, DraftId};
use crate::parse::{Limits, parse};
use crate::tree::{Kind, Shape, Tree};

impl Tree {
    /// The normal form of a text; a generic tree if the text is too long or too hard for the parser.
    pub fn parse(text: impl Into<Vec<u8>>, language: &Language, grammar: &Arc<Grammar>) -> Self {
        Self::parse_within(text, language, grammar, Limits::default())
    }

    /// As [`Tree::parse`], with other limits.
    pub fn parse_within(text: impl Into<Vec<u8>>, language: &Language, grammar: &Arc<Grammar>, limits: Limits) -> Self {
        let text = text.into();
        match parse(&text, None, language, limits, None) {
            Ok(parsed) => Self::convert(text, ParserTree::from(parsed), grammar),
            Err(_) => Self::generic(text),
        }
    }

    /// The normal form of a text that has been parsed.
    ///
    /// A parser's tree that is handed over is dropped as soon as it has been read: it takes more memory than the rest.
    pub fn convert(text: impl Into<Vec<u8>>, parsed: impl Borrow<ParserTree>, grammar: &Arc<Grammar>) -> Self {
        let tables = Tables::new(parsed.borrow(), grammar);
        Self::convert_by(&tables, text.into(), parsed, grammar)
    }

    /// The same with the tables of the parser and the grammar, which take longer to make than the tree of a short text.
    pub(crate) fn convert_by(
        tables: &Tables,
        text: Vec<u8>,
        parsed: impl Borrow<ParserTree>,
        grammar: &Arc<Grammar>,
    ) -> Self {
        let (mut draft, root, shape) = Converter {
            text: &text,
            tables,
            grammar,
            matcher: Matcher::new(grammar, |label| tables.known.contains(usize::from(label.0))),
            draft: Draft::default(),
            work: Vec::new(),
            shape: Shape::default(),
        }
        .run(parsed.borrow());
        drop(parsed);
        draft.flatten_chains(grammar);
        draft.finish(text, root, Some(Arc::clone(grammar)), shape)
    }
}

/// How many tokens a parsed text has: the leaves that have a text, comments aside.
///
/// A string literal, or what is left of an error, counts as the parser's tree shows it.
pub fn count_tokens(parsed: &ParserTree) -> usize {
    let mut cursor = parsed.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        if !is_comment(&node) {
            if cursor.goto_first_child() {
                continue;
            }
            count += usize::from(node.start_byte() < node.end_byte());
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

/// Whether a node is a comment: it can be anywhere, and means nothing to the parser.
pub(crate) fn is_comment(node: &Node<'_>) -> bool {
    node.is_extra() && !node.is_error() && (node.child_count() == 0 || node.grammar_name().contains("comment"))
}

/// The parser's numbers as the grammar's.
#[derive(Debug)]
pub(crate) struct Tables {
    labels: Vec<LabelId>,
    /// The same as a set.
    known: Bits,
    fields: Vec<Option<FieldId>>,
    /// Whether every token is a node.
    shows_all: bool,
}

impl Tables {
    /// The tables of the parser that made a tree.
    pub(crate) fn new(parsed: &ParserTree, grammar: &Grammar) -> Self {
        match parsed {
            ParserTree::TreeSitter(tree) => Self::of_language(&tree.language(), grammar),
            ParserTree::RunTime(tree) => {
                let labels = tree.kinds().labels().iter().map(|(name, named)| grammar.label(name, *named));
                Self::of(labels, Vec::new(), true)
            }
        }
    }

    fn of(labels: impl Iterator<Item = Option<LabelId>>, fields: Vec<Option<FieldId>>, shows_all: bool) -> Self {
        let labels: Vec<LabelId> = labels.map(|label| label.unwrap_or(LabelId::UNKNOWN)).collect();
        let mut known = Bits::default();
        for label in labels.iter().filter(|&&label| label != LabelId::UNKNOWN) {
            known.insert(usize::from(label.0));
        }
        Self { labels, known, fields, shows_all }
    }

    fn of_language(language: &Language, grammar: &Grammar) -> Self {
        let label = |id: u16| {
            let name = language.node_kind_for_id(id)?;
            grammar.label(name, language.node_kind_is_named(id) || !language.node_kind_is_visible(id))
        };
        let field = |id: u16| grammar.field(language.field_name_for_id(id)?);
        let fields = (0..=language.field_count() as u16).map(field).collect();
        Self::of((0..language.node_kind_count() as u16).map(label), fields, false)
    }

    pub(crate) fn child(&self, cursor: &Cursor<'_>, with_field: bool) -> Child {
        let node = cursor.node();
        let label = |id: u16| self.labels.get(id as usize).copied().unwrap_or(LabelId::UNKNOWN);
        let field = if with_field { cursor.field_id() } else { None };
        let field = field.and_then(|id| self.fields.get(usize::from(id)).copied().flatten());
        Child { name: label(node.grammar_id()), label: label(node.kind_id()), field }
    }
}

/// A node whose children are still to be placed.
pub(crate) struct Work<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) draft: DraftId,
    /// Its name before aliasing.
    pub(crate) name: LabelId,
}

pub(crate) struct Converter<'t, 'g> {
    pub(crate) text: &'t [u8],
    tables: &'t Tables,
    pub(crate) grammar: &'g Grammar,
    matcher: Matcher<'g>,
    pub(crate) draft: Draft,
    pub(crate) work: Vec<Work<'t>>,
    shape: Shape,
}

impl<'t, 'g> Converter<'t, 'g> {
    fn run(mut self, parsed: &'t ParserTree) -> (Draft, DraftId, Shape) {
        let mut cursor = parsed.walk();
        let root = self.tables.child(&cursor, true);
        let draft = self.draft.add(Kind::Rule, Some(self.grammar.start()), None);
        self.work.push(Work { node: parsed.root_node(), draft, name: root.name });
        let mut kids = Kids::default();
        let mut children = Vec::new();
        while let Some(work) = self.work.pop() {
            kids.collect(&mut cursor, work.node, self.tables);
            self.place(&work, &kids, &mut children);
        }
        (self.draft, draft, self.shape)
    }

    fn place(&mut self, work: &Work<'t>, kids: &Kids<'t>, children: &mut Vec<Child>) {
        children.clear();
        children.extend(kids.kids.iter().filter(|kid| !kid.extra).map(|kid| kid.child));
        let erroneous = work.node.is_error() || kids.kids.iter().any(|kid| kid.error);
        if !kids.kids.is_empty() {
            self.shape.rules += 1;
            self.shape.erroneous += usize::from(erroneous);
        }
        let placed = if erroneous { Vec::new() } else { self.derived(work, kids, children) };
        if placed.is_empty() {
            let placed = self.plain_list(work, kids);
            self.draft.set_children(work.draft, &placed);
        } else {
            self.shape.recovered += 1;
            self.draft.set_children(work.draft, &placed);
        }
    }

    /// The children by the derivation from the rule; empty if there is none.
    fn derived(&mut self, work: &Work<'t>, kids: &Kids<'t>, children: &[Child]) -> Vec<DraftId> {
        let known = self.draft.symbol(work.draft);
        let others = self.grammar.symbols_shown_as(work.name).filter(|&other| Some(other) != known);
        for symbol in known.into_iter().chain(others) {
            let Some(events) = self.matcher.derive(symbol, children) else { continue };
            self.draft.set_symbol(work.draft, symbol);
            return self.follow(work, kids, &events);
        }
        Vec::new()
    }

    fn plain_list(&mut self, work: &Work<'t>, kids: &Kids<'t>) -> Vec<DraftId> {
        let mut elements = Vec::with_capacity(kids.kids.len());
        let mut position = work.node.start_byte();
        for kid in &kids.kids {
            elements.extend(self.silent_token(position, kid.start()));
            if !kid.comment {
                elements.extend(self.node_of(kids, kid, None));
            }
            position = kid.end();
        }
        elements.extend(self.silent_token(position, work.node.end_byte()));
        if elements.is_empty() {
            return elements;
        }
        let list = Kind::List { separated: false, at_least_one: false };
        vec![self.draft.add_with(list, None, &elements)]
    }

    /// The node of a child that fills a part; its own children come later.
    pub(crate) fn node_of(&mut self, kids: &Kids<'t>, kid: &Kid, part: Option<PartId>) -> Option<DraftId> {
        let (symbol, is_immediate) = match part.map(|part| self.grammar.part(part)) {
            Some(&Part::Child { symbol, immediate, .. }) => (symbol, immediate),
            _ => (self.guess(kid.child.name), false),
        };
        if let Some(node) = kids.node(kid) {
            let draft = self.draft.add(Kind::Rule, symbol, part);
            self.work.push(Work { node, draft, name: kid.child.name });
            return Some(draft);
        }
        if kid.start() == kid.end() {
            return None;
        }
        let draft = self.draft.add(Kind::Token { immediate: is_immediate, silent: false }, symbol, part);
        self.draft.set_text(draft, kid.start(), kid.end());
        Some(draft)
    }

    fn guess(&self, name: LabelId) -> Option<SymbolId> {
        self.grammar.symbols_shown_as(name).next()
    }

    /// A token that the parser does not show, if that range has a text other than whitespace.
    pub(crate) fn silent_token(&mut self, from: usize, to: usize) -> Option<DraftId> {
        if self.tables.shows_all {
            return None;
        }
        let gap = &self.text[from.min(to)..to];
        let start = gap.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let end = gap.iter().rposition(|byte| !byte.is_ascii_whitespace())? + 1;
        Some(self.draft.add_token(from + start, from + end, true))
    }
}
