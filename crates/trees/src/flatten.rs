//! Recursive rules that only spell a list become lists: `a + b + c`, `if … else if … else …`, `a; b; c`.
//!
//! A rule of two operands and an operator whose first operand (or else its last one) is such a rule again is a chain.
//! So is a rule that may continue, after a token, with a rule of its own kind. The operands become the elements of one
//! list, and the tokens between them its separators, so that any element can be deleted. That is sound if every element
//! fits where the chain continues, and in the place of the whole chain. What is left is a chain again or a single
//! element, though precedence may group it differently.

use whittle_grammars::{Bits, Grammar, PartId};

use crate::draft::{Draft, DraftId};
use crate::tree::Kind;

/// A rule that continues with its own kind, taken apart.
struct Link {
    /// The part before it continues.
    head: Vec<DraftId>,
    separator: DraftId,
    rest: DraftId,
    /// The rule around both, as C's `else_clause`.
    clause: Option<DraftId>,
    /// Whether the separator may be last.
    trailing: bool,
}

impl Draft {
    /// Flattens all chains. Parents come before the nodes below them, so the first of a chain is its outermost.
    pub(crate) fn flatten_chains(&mut self, grammar: &Grammar) {
        let mut taken = vec![false; self.len()];
        for id in self.ids() {
            if taken[id.index()] || self.kind(id) != Kind::Rule {
                continue;
            }
            let operands =
                [true, false].into_iter().find_map(|leftmost| self.operands(grammar, id, leftmost, &mut taken));
            let (slot, items) = match operands {
                Some(items) => (items.first().and_then(|&first| self.slot(first)), items),
                None => match self.links(grammar, id, &mut taken) {
                    Some(items) => (self.slot(id), items),
                    None => continue,
                },
            };
            let list = self.add_with(Kind::List { separated: true, at_least_one: true }, slot, &items);
            self.set_children(id, &[list]);
        }
    }

    /// The operands and operators of a chain of at least three operands.
    fn operands(&self, grammar: &Grammar, top: DraftId, leftmost: bool, taken: &mut [bool]) -> Option<Vec<DraftId>> {
        let [mut left, mut operator, mut right] = self.operation(top)?;
        let (inner, other) = if leftmost { (left, right) } else { (right, left) };
        if self.symbol(inner) != self.symbol(top) || self.operation(inner).is_none() {
            return None;
        }
        // After deletions, any element may be where the chain continues, or alone in its place.
        let [top_units, inner_units, other_units] = [top, inner, other].map(|id| self.units(grammar, id));
        if !top_units?.includes(inner_units?) || !inner_units?.includes(other_units?) {
            return None;
        }
        // Rules of operations that are not all alike may have operands that are not: the type behind `instanceof`.
        let is_alike = |operation: &[DraftId; 3]| {
            let fits = |id| Some(inner_units?.includes(self.units(grammar, id)?));
            fits(operation[0]) == Some(true) && fits(operation[2]) == Some(true)
        };
        // From the outermost operation inwards; the items are put in text order at the end.
        let mut items = Vec::new();
        loop {
            let (next, last) = if leftmost { (left, right) } else { (right, left) };
            items.extend([last, operator]);
            let deeper = self.operation(next).filter(is_alike).filter(|_| self.symbol(next) == self.symbol(top));
            let Some(operation) = deeper else {
                items.push(next);
                break;
            };
            taken[next.index()] = true;
            [left, operator, right] = operation;
        }
        if leftmost {
            items.reverse();
        }
        Some(items)
    }

    /// The two operands and the operator of a node.
    fn operation(&self, id: DraftId) -> Option<[DraftId; 3]> {
        if self.kind(id) != Kind::Rule {
            return None;
        }
        let mut children = self.children(id);
        let operation = [children.next()?, children.next()?, children.next()?];
        let is_operand = |id: DraftId| self.symbol(id).is_some();
        let [left, operator, right] = operation;
        let fits = children.next().is_none() && is_operand(left) && self.is_bare(operator) && is_operand(right);
        fits.then_some(operation)
    }

    /// The elements and separators of a rule that continues with its own kind.
    ///
    /// There are at least three elements, or two if deleting an optional would leave a separator.
    fn links(&mut self, grammar: &Grammar, top: DraftId, taken: &mut [bool]) -> Option<Vec<DraftId>> {
        let mut links = vec![self.link(top)?];
        let mut last = links[0].rest;
        while self.kind(last) == Kind::Optional || self.symbol(last) == self.symbol(top) {
            let Some(link) = self.link(last) else { break };
            // Also if nothing comes of it: a chain is looked at once, not from each of its links.
            taken[last.index()] = true;
            last = link.rest;
            links.push(link);
        }
        // The clauses end here: what was in them is in the list.
        links.iter().filter_map(|link| link.clause).for_each(|clause| taken[clause.index()] = true);
        let is_long = links.len() > 1 || links[0].trailing;
        if !is_long || !links.iter().all(|link| self.is_sound(grammar, top, link, last)) {
            return None;
        }
        let mut items = Vec::with_capacity(2 * links.len() + 1);
        for link in links {
            let element = match link.head[..] {
                [single] => single,
                _ => self.add_with(Kind::Rule, None, &link.head),
            };
            items.extend([element, link.separator]);
        }
        items.push(last);
        Some(items)
    }

    /// A node as a rule that continues: `x (sep rest)?`, with a rule around `sep rest` perhaps, or `x sep rest?`.
    fn link(&self, id: DraftId) -> Option<Link> {
        let mut head: Vec<DraftId> = self.children(id).collect();
        let last = head.pop().filter(|&last| self.kind(last) == Kind::Optional)?;
        let is_clause = |id: DraftId| {
            let mut children = self.children(id);
            let begins = self.kind(id) == Kind::Rule && children.next().is_some_and(|first| self.is_bare(first));
            begins && children.count() == 1
        };
        let mut tail: Vec<DraftId> = self.children(last).collect();
        // After a token it is no clause that follows, but what the token leads to.
        let is_led = head.last().is_some_and(|&before| self.is_bare(before));
        let clause = tail.first().copied().filter(|&first| tail.len() == 1 && !is_led && is_clause(first));
        if let Some(clause) = clause {
            tail = self.children(clause).collect();
        }
        let (separator, rest, trailing) = match tail[..] {
            [separator, rest] => (separator, rest, false),
            [rest] => (head.pop()?, rest, true),
            // The rule is hidden where it goes on.
            _ => (head.pop()?, last, true),
        };
        let fits = !head.is_empty() && self.is_bare(separator);
        fits.then_some(Link { head, separator, rest, clause, trailing })
    }

    /// Whether the first part of a link, and the last element, fit alone in the place of the whole chain.
    fn is_sound(&self, grammar: &Grammar, top: DraftId, link: &Link, last: DraftId) -> bool {
        let (Some(place), Some(last_place), Some(symbol)) = (self.slot(top), self.slot(last), self.symbol(last)) else {
            return false;
        };
        let goes_on = || self.symbol(top).is_some_and(|symbol| grammar.fits(last_place, symbol));
        let includes = |outer: PartId, inner: PartId| grammar.unit_symbols(outer).includes(grammar.unit_symbols(inner));
        match link.head[..] {
            [single] => {
                let head = self.slot(single).filter(|_| self.symbol(single).is_some());
                includes(place, last_place) && head.is_some_and(|head| includes(last_place, head))
            }
            // Without what it goes on with, it is still what it was.
            _ => !link.trailing && goes_on() && grammar.fits(place, symbol),
        }
    }

    /// The symbols that fit the place of a node.
    fn units<'g>(&self, grammar: &'g Grammar, id: DraftId) -> Option<&'g Bits> {
        Some(grammar.unit_symbols(self.slot(id)?))
    }

    fn is_bare(&self, id: DraftId) -> bool {
        matches!(self.kind(id), Kind::Token { .. }) && self.symbol(id).is_none()
    }
}
