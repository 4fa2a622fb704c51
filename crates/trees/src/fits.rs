//! Which nodes may be hoisted or copied to which places.

use whittle_grammars::{Part, PartId};

use crate::tree::Kind;
use crate::{NodeId, Tree};

impl Tree {
    /// Whether `inner`, a descendant of `node`, can take its place.
    ///
    /// A node can stand where its symbol is expected, by itself or by rules of a single symbol. A list can take the
    /// place of a list, or of a list's element (it is then spliced), if the elements and the separators suit. What the
    /// grammar has no place for, beside a syntax error, can stand for any rule around it. What has all of the node's
    /// tokens is rejected: nothing would change.
    pub fn can_hoist(&self, inner: NodeId, node: NodeId) -> bool {
        inner != node
            && self.is_within(inner, node)
            && !self.has_all_tokens(inner, node)
            && self.suits_place(inner, node)
    }

    /// The same for a descendant that is known not to have all of the node's tokens.
    pub(crate) fn suits_place(&self, inner: NodeId, node: NodeId) -> bool {
        if self.grammar().is_none() {
            return self.symbol(inner).is_none();
        }
        if self.is_stray(inner) && self.kind(node) == Kind::Rule {
            return true;
        }
        if let Some(symbol) = self.symbol(inner).filter(|_| self.slot(node).is_some()) {
            return self.accepts(node, inner) && (self.symbol(node) == Some(symbol) || !self.is_flat(node));
        }
        self.is_list(inner) && (self.is_list(node) && self.suits(inner, node) || self.suits_splice(inner, node))
    }

    /// Whether the grammar has no place for a node, because there is a syntax error beside it or in it. Tokens without
    /// letters and digits are not meant: what is left of them alone is nothing.
    fn is_stray(&self, node: NodeId) -> bool {
        let has_word = || self.token_text(node).iter().any(u8::is_ascii_alphanumeric);
        let is_in_error = |list| self.slot(list).is_none() && self.is_list(list);
        self.slot(node).is_none()
            && self.parent(node).is_some_and(is_in_error)
            && (has_word() || self.kind(node) == Kind::Rule)
    }

    /// Whether `source`, which is elsewhere, can take the place of `node`.
    pub fn can_copy(&self, source: NodeId, node: NodeId) -> bool {
        let is_elsewhere = !self.is_within(source, node) && !self.is_within(node, source);
        is_elsewhere && self.accepts(node, source) && !self.is_flat(node)
    }

    /// Whether the grammar allows the symbol of `inner` in the place of a rule or a token.
    fn accepts(&self, node: NodeId, inner: NodeId) -> bool {
        let (Some(grammar), Some(symbol), Some(slot)) = (self.grammar(), self.symbol(inner), self.slot(node)) else {
            return false;
        };
        matches!(self.kind(node), Kind::Rule | Kind::Token { .. })
            && grammar.fits(slot, symbol)
            && !(grammar.word() == Some(symbol) && self.is_keyword(inner))
            && !self.is_group_with_tokens(node)
    }

    /// Whether the elements of `list`, which is below `element`, can take its place in the list around it.
    ///
    /// They can if they suit that list, and if both have the same separators, or none. An empty list suits too: the
    /// element is then deleted with its separator.
    pub fn can_splice(&self, list: NodeId, element: NodeId) -> bool {
        list != element
            && self.is_list(list)
            && self.is_within(list, element)
            && !self.has_all_tokens(list, element)
            && self.suits_splice(list, element)
    }

    /// The bodies of an element of a list: the outermost lists in it whose elements can take its place, and what can
    /// take it by itself, as a statement without braces, in text order.
    pub(crate) fn bodies(&self, element: NodeId) -> Vec<NodeId> {
        let mut bodies = Vec::new();
        let mut waiting: Vec<NodeId> = self.children(element).collect();
        waiting.reverse();
        while let Some(node) = waiting.pop() {
            let in_braces = || self.children(node).find(|&child| self.can_splice(child, element));
            if self.can_splice(node, element) {
                bodies.push(node);
            } else if self.kind(node) == Kind::Rule && self.can_hoist(node, element) {
                bodies.push(in_braces().unwrap_or(node));
            } else {
                let first = waiting.len();
                waiting.extend(self.children(node));
                waiting[first..].reverse();
            }
        }
        bodies
    }

    fn suits_splice(&self, list: NodeId, element: NodeId) -> bool {
        let outer = self.parent(element).filter(|&parent| self.is_list(parent));
        outer.is_some_and(|outer| self.grammar().is_none() || self.suits(list, outer))
    }

    fn is_list(&self, node: NodeId) -> bool {
        matches!(self.kind(node), Kind::List { .. })
    }

    /// Whether the node has no token outside of `inner`.
    fn has_all_tokens(&self, inner: NodeId, node: NodeId) -> bool {
        let has_none =
            |mut nodes: std::ops::Range<u32>| !nodes.any(|id| matches!(self.kind(NodeId(id)), Kind::Token { .. }));
        has_none(node.0..inner.0) && has_none(self.end(inner).0..self.end(node).0)
    }

    /// Whether a group has tokens of its own, as a statement with its semicolon: they must stay, even where a line end
    /// would be enough.
    fn is_group_with_tokens(&self, node: NodeId) -> bool {
        let is_bare = |child: NodeId| matches!(self.kind(child), Kind::Token { .. }) && self.symbol(child).is_none();
        self.symbol(node).is_none() && self.children(node).any(is_bare)
    }

    /// Whether a node begins a line, but no deeper than what it belongs to, as YAML's sequences may.
    ///
    /// That depends on the kind of the node: others are recognized by their depth.
    fn is_flat(&self, node: NodeId) -> bool {
        let is_indented = self.grammar().is_some_and(|grammar| grammar.has_indentation());
        let in_list = self.parent(node).is_none_or(|parent| self.is_list(parent));
        let Some(first) = self.first_token(node).filter(|_| is_indented && !in_list) else { return false };
        let whitespace = self.whitespace(first);
        let Some(line) = whitespace.iter().rposition(|&byte| byte == b'\n') else { return false };
        let column = whitespace.len() - line - 1;
        let mut above = std::iter::successors(self.parent(node), |&node| self.parent(node));
        let owner = above.find_map(|node| self.first_token(node).filter(|&token| token != first));
        owner.is_some_and(|owner| {
            let before = &self.text()[..self.node(owner).start() as usize];
            before.len().checked_sub(column).is_some_and(|from| !before[from..].contains(&b'\n'))
        })
    }

    /// Whether the elements of one list can be elements of another.
    fn suits(&self, inner: NodeId, outer: NodeId) -> bool {
        let (lists, slots) = ([inner, outer], (self.slot(inner), self.slot(outer)));
        let (Some(grammar), (Some(inner), Some(outer))) = (self.grammar(), slots) else { return false };
        let are_equal = |a: PartId, b: PartId| grammar.part(a) == grammar.part(b);
        let suits = |inner: PartId, outer: PartId| {
            let units = grammar.unit_symbols(inner);
            let includes = || !units.is_empty() && grammar.unit_symbols(outer).includes(units);
            are_equal(inner, outer) || is_single(grammar, inner) && includes()
        };
        match (grammar.part(inner), grammar.part(outer)) {
            (&Part::Repeat { content: inner, .. }, &Part::Repeat { content: outer, .. }) => suits(inner, outer),
            (
                &Part::Separated { element: inner, separator: between, .. },
                &Part::Separated { element: outer, separator, .. },
            ) => are_equal(between, separator) && suits(inner, outer),
            // Operands are alike; but what goes on after `else` is not like what it goes on from.
            _ => {
                let has_operands =
                    |list| self.elements(list).next().map(|first| self.slot(first)) == Some(self.slot(list));
                inner == outer && lists.into_iter().all(has_operands)
            }
        }
    }
}

/// Whether a part has one symbol at a time: the symbols that can stand for it alone are then all there is to it.
fn is_single(grammar: &whittle_grammars::Grammar, part: PartId) -> bool {
    visit_parts(part, |part, left| match grammar.part(part) {
        Part::Child { .. } => true,
        Part::Choice(members) => {
            left.extend(members);
            true
        }
        Part::Call(symbol, _) => {
            let called = grammar.rule_part(*symbol);
            left.extend(called);
            called.is_some()
        }
        _ => false,
    })
}

/// Goes through a part and those that a visit adds to what is left, the last of them first, each once. `false` if a
/// visit was, which ends it.
pub(crate) fn visit_parts(part: PartId, mut visit: impl FnMut(PartId, &mut Vec<PartId>) -> bool) -> bool {
    let mut left = vec![part];
    let mut seen = Vec::new();
    while let Some(part) = left.pop() {
        if !seen.contains(&part) {
            seen.push(part);
            if !visit(part, &mut left) {
                return false;
            }
        }
    }
    true
}
