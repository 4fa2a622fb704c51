//! [`Part`]: rules in terms of a node's children.
//!
//! In a tree, hidden rules, supertypes and inlined rules have no node, aliases change a node's label, and bare patterns
//! leave no trace. Parts resolve all that: inlined rules are copied to where they are used, other hidden rules are
//! called, and every child has its label and field. Hidden rules that are left- or right-recursive become repetitions.
//! Separated lists are recognized (see `separated.rs`).

use std::collections::HashSet;

use crate::lexical::LexId;
use crate::rules::{FieldId, LabelId, Rule, RuleId, Source, SymbolId, ends_block};
use crate::separated;

/// The number of a part in its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub u32);

/// One part of a resolved rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing.
    Empty,
    /// One child of the node.
    Child {
        /// Its symbol before aliasing; `None` for an anonymous token.
        symbol: Option<SymbolId>,
        /// Its label.
        label: LabelId,
        /// Its field.
        field: Option<FieldId>,
        /// Its lexical rule, if it is a token.
        lexical: Option<LexId>,
        /// Whether no whitespace is allowed before it.
        immediate: bool,
    },
    /// A token without a node: a pattern, or a token of an external scanner.
    Silent {
        /// Its symbol, if it has one.
        symbol: Option<SymbolId>,
        /// Its lexical rule; `None` if only the external scanner knows it.
        lexical: Option<LexId>,
        /// Whether no whitespace is allowed before it.
        immediate: bool,
    },
    /// The children of a hidden rule; those without a field get this one.
    Call(SymbolId, Option<FieldId>),
    /// One after the other.
    Seq(Vec<PartId>),
    /// One of these.
    Choice(Vec<PartId>),
    /// This or nothing.
    Optional(PartId),
    /// Any number of these.
    Repeat {
        /// What is repeated.
        content: PartId,
        /// Whether there is at least one.
        at_least_one: bool,
    },
    /// Elements with separators between them.
    Separated {
        /// What is repeated.
        element: PartId,
        /// What is between two elements.
        separator: PartId,
        /// Whether a separator is allowed after the last element.
        trailing: bool,
        /// Whether there is at least one element.
        at_least_one: bool,
    },
}

/// The resolved rules of a grammar.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    parts: Vec<Part>,
    /// The resolved rule of each symbol.
    rules: Vec<Option<PartId>>,
    /// The labels that aliases give each symbol, besides its own.
    aliases: Vec<Vec<LabelId>>,
    /// Optionals whose content keeps a block from being empty.
    needed: HashSet<PartId>,
}

/// What surrounds a rule.
#[derive(Clone, Copy, Default)]
struct Context {
    alias: Option<LabelId>,
    /// Whether the alias is that of an inlined symbol: it then overrides aliases inside.
    forced: bool,
    field: Option<FieldId>,
}

impl Parts {
    pub(crate) fn resolve(source: &Source) -> Self {
        let mut parts = Self { aliases: vec![Vec::new(); source.symbols.len()], ..Self::default() };
        for index in 0..source.symbols.len() {
            let symbol = &source.symbols[index];
            let part = symbol.rule.map(|rule| parts.add_rule(source, rule, Context::default()));
            let id = SymbolId(index as u16);
            let part = part.map(|part| if symbol.hidden { parts.without_recursion(id, part) } else { part });
            parts.rules.push(part);
        }
        parts
    }

    pub(crate) fn get(&self, id: PartId) -> &Part {
        &self.parts[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    pub(crate) fn of_symbol(&self, symbol: SymbolId) -> Option<PartId> {
        self.rules[symbol.0 as usize]
    }

    /// The labels that aliases give each symbol, besides its own.
    pub(crate) fn aliases(&self) -> impl Iterator<Item = (SymbolId, &[LabelId])> {
        self.aliases.iter().enumerate().map(|(index, labels)| (SymbolId(index as u16), &labels[..]))
    }

    pub(crate) fn has_alias(&self, symbol: SymbolId, label: LabelId) -> bool {
        self.aliases[symbol.0 as usize].contains(&label)
    }

    pub(crate) fn add(&mut self, part: Part) -> PartId {
        self.parts.push(part);
        PartId(self.parts.len() as u32 - 1)
    }

    fn add_rule(&mut self, source: &Source, rule: RuleId, context: Context) -> PartId {
        let part = match source.rule(rule) {
            Rule::Blank => Part::Empty,
            Rule::Token { lexical, label, immediate } => match context.alias.or(*label) {
                Some(label) => Part::Child {
                    symbol: None,
                    label,
                    field: context.field,
                    lexical: Some(*lexical),
                    immediate: *immediate,
                },
                None => Part::Silent { symbol: None, lexical: Some(*lexical), immediate: *immediate },
            },
            Rule::Symbol(symbol) => return self.add_symbol(source, *symbol, context),
            Rule::Seq(members) => {
                let members = members.iter().map(|&member| self.add_rule(source, member, context)).collect();
                return self.add_seq(source, members);
            }
            Rule::Choice(members) => {
                Part::Choice(members.iter().map(|&member| self.add_rule(source, member, context)).collect())
            }
            Rule::Optional(content) => {
                let content = self.add_rule(source, *content, context);
                match self.get(content).clone() {
                    Part::Repeat { content, .. } => Part::Repeat { content, at_least_one: false },
                    Part::Separated { element, separator, trailing, .. } => {
                        Part::Separated { element, separator, trailing, at_least_one: false }
                    }
                    Part::Optional(_) => return content,
                    _ => Part::Optional(content),
                }
            }
            Rule::Repeat { content, at_least_one } => {
                let content = self.add_rule(source, *content, context);
                Part::Repeat { content, at_least_one: *at_least_one }
            }
            Rule::Field(field, content) => {
                return self.add_rule(source, *content, Context { field: Some(*field), ..context });
            }
            Rule::Alias(label, content) => {
                let context = if context.forced { context } else { Context { alias: Some(*label), ..context } };
                return self.add_rule(source, *content, context);
            }
        };
        self.add(part)
    }

    fn add_symbol(&mut self, source: &Source, id: SymbolId, context: Context) -> PartId {
        let symbol = source.symbol(id);
        if let (true, Some(rule)) = (symbol.inline, symbol.rule) {
            return self.add_rule(source, rule, Context { forced: context.alias.is_some(), ..context });
        }
        let (lexical, immediate) = match symbol.rule.map(|rule| source.rule(rule)) {
            Some(Rule::Token { lexical, immediate, .. }) => (Some(*lexical), *immediate),
            _ => (None, false),
        };
        if context.alias.is_none() && symbol.hidden {
            if !symbol.token {
                return self.add(Part::Call(id, context.field));
            }
            let silent = self.add(Part::Silent { symbol: Some(id), lexical, immediate });
            let Some(Rule::Token { label: Some(label), .. }) = symbol.rule.map(|rule| source.rule(rule)) else {
                return silent;
            };
            // Whether a literal that is a hidden rule has a node depends on the version of the generator.
            let part = Part::Child { symbol: None, label: *label, field: context.field, lexical, immediate };
            let shown = self.add(part);
            return self.add(Part::Choice(vec![shown, silent]));
        }
        if let Some(label) = context.alias.filter(|&label| !self.aliases[id.0 as usize].contains(&label)) {
            self.aliases[id.0 as usize].push(label);
        }
        let label = context.alias.unwrap_or(symbol.label);
        self.add(Part::Child { symbol: Some(id), label, field: context.field, lexical, immediate })
    }

    fn add_seq(&mut self, source: &Source, members: Vec<PartId>) -> PartId {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match self.get(member) {
                Part::Seq(inner) => flat.extend(inner.clone()),
                Part::Empty => {}
                _ => flat.push(member),
            }
        }
        self.require_a_statement(source, &flat);
        let mut members = separated::recognize(self, &flat);
        match members.len() {
            0 => self.add(Part::Empty),
            1 => members.remove(0),
            _ => self.add(Part::Seq(members)),
        }
    }

    /// Makes sure that a block delimited by indentation keeps at least one element, whatever its rule says.
    ///
    /// A repetition in it is never empty. An optional may be absent, where braces are allowed too, but is not deleted.
    fn require_a_statement(&mut self, source: &Source, members: &[PartId]) {
        for pair in members.windows(2) {
            let name = self.hidden_symbol(pair[1]).map(|symbol| source.symbol(symbol).name.as_str());
            if !name.is_some_and(ends_block) {
                continue;
            }
            match &mut self.parts[pair[0].0 as usize] {
                Part::Repeat { at_least_one, .. } => *at_least_one = true,
                Part::Optional(_) => _ = self.needed.insert(pair[0]),
                _ => {}
            }
        }
    }

    /// The symbol of a part that has no node of its own.
    pub(crate) fn hidden_symbol(&self, part: PartId) -> Option<SymbolId> {
        match *self.get(part) {
            Part::Silent { symbol, .. } => symbol,
            Part::Call(symbol, _) => Some(symbol),
            _ => None,
        }
    }

    /// Whether an optional must not be deleted where it is present.
    pub(crate) fn is_needed(&self, part: PartId) -> bool {
        self.needed.contains(&part)
    }

    /// `a → a x | y` becomes `y x*`, and `a → x a | y` becomes `x* y`.
    fn without_recursion(&mut self, symbol: SymbolId, part: PartId) -> PartId {
        let Part::Choice(members) = self.get(part).clone() else { return part };
        let is_itself =
            |parts: &Self, part: PartId| matches!(parts.get(part), Part::Call(called, _) if *called == symbol);
        for at_the_end in [false, true] {
            let mut recursive = Vec::new();
            let mut others = Vec::new();
            for &member in &members {
                match self.get(member) {
                    Part::Seq(inner) if inner.len() > 1 => {
                        let end = if at_the_end { inner.len() - 1 } else { 0 };
                        if is_itself(self, inner[end]) {
                            let mut rest = inner.clone();
                            rest.remove(end);
                            recursive.push(rest);
                        } else {
                            others.push(member);
                        }
                    }
                    _ => others.push(member),
                }
            }
            if recursive.is_empty() || others.is_empty() {
                continue;
            }
            let steps = recursive.into_iter().map(|rest| self.add_joined(rest, Part::Seq)).collect();
            let content = self.add_joined(steps, Part::Choice);
            let repeated = self.add(Part::Repeat { content, at_least_one: false });
            let base = self.add_joined(others, Part::Choice);
            return self.add(Part::Seq(if at_the_end { vec![repeated, base] } else { vec![base, repeated] }));
        }
        part
    }

    fn add_joined(&mut self, mut members: Vec<PartId>, join: fn(Vec<PartId>) -> Part) -> PartId {
        if members.len() == 1 { members.remove(0) } else { self.add(join(members)) }
    }
}
