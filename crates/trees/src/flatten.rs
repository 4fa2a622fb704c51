//! Recursive rules that only spell a list, made lists: `a + b + c`.
//!
//! A rule of two operands and an operator whose first operand (or else whose last one) is such a rule again is a chain.
//! Its operands become the elements of one list, its operators the separators, so that any operand can go. That is
//! sound where every operand can stand where the chain goes on, and there in the chain's own place; whatever is left between operators is an expression
//! again, though precedence may group it otherwise.

use whittle_grammars::Grammar;

use crate::draft::{Draft, DraftId};
use crate::tree::Kind;

impl Draft {
    /// Flattens all chains. Parents come before the nodes below them, so the first of a chain is its outermost.
    pub(crate) fn flatten_chains(&mut self, grammar: &Grammar) {
        let mut taken = vec![false; self.len()];
        for id in self.ids() {
            if taken[id.index()] {
                continue;
            }
            for leftmost in [true, false] {
                if let Some(items) = self.chain(grammar, id, leftmost, &mut taken) {
                    let slot = items.first().and_then(|&first| self.slot(first));
                    let list = self.add_with(Kind::List { separated: true, at_least_one: true }, slot, &items);
                    self.set_children(id, &[list]);
                    break;
                }
            }
        }
    }

    /// The operands and operators of a chain of at least three operands.
    fn chain(&self, grammar: &Grammar, top: DraftId, leftmost: bool, taken: &mut [bool]) -> Option<Vec<DraftId>> {
        let [mut left, mut operator, mut right] = self.operation(top)?;
        let (inner, other) = if leftmost { (left, right) } else { (right, left) };
        if self.symbol(inner) != self.symbol(top) || self.operation(inner).is_none() {
            return None;
        }
        // What stood elsewhere in the chain may come to stand where it goes deeper, and then alone in its place.
        let units = |id: DraftId| Some(grammar.unit_symbols(self.slot(id)?));
        if !units(top)?.includes(units(inner)?) || !units(inner)?.includes(units(other)?) {
            return None;
        }
        // From the outermost operation inwards; the items are put in text order at the end.
        let mut items = Vec::new();
        loop {
            let (next, last) = if leftmost { (left, right) } else { (right, left) };
            items.extend([last, operator]);
            let deeper = self.operation(next).filter(|_| self.symbol(next) == self.symbol(top));
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
        let is_operator = |id: DraftId| matches!(self.kind(id), Kind::Token { .. }) && self.symbol(id).is_none();
        let [left, operator, right] = operation;
        let fits = children.next().is_none() && is_operand(left) && is_operator(operator) && is_operand(right);
        fits.then_some(operation)
    }
}
