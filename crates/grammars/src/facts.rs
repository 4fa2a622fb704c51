//! Facts derived from the rules: which parts can be empty, what they start with, which symbols can fill them alone.
//!
//! All are least fixpoints over the parts. Each round visits all parts, innermost first; a few rounds are enough.

use crate::Bits;
use crate::parts::{Part, PartId, Parts};
use crate::rules::{Source, is_indentation, starts_block};

#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Which parts can be empty.
    pub(crate) nullable: Vec<bool>,
    /// Which parts can be without a child.
    pub(crate) childless: Vec<bool>,
    /// The labels that a part's first child can have.
    pub(crate) first: Vec<Bits>,
    /// The symbols that can fill a part alone.
    pub(crate) units: Vec<Bits>,
}

impl Facts {
    pub(crate) fn compute(source: &Source, parts: &Parts) -> Self {
        let count = parts.len();
        let mut facts = Self {
            nullable: vec![false; count],
            childless: vec![false; count],
            first: vec![Bits::default(); count],
            units: vec![Bits::default(); count],
        };
        let indented = source.externals.iter().any(|name| is_indentation(name));
        while (0..count).fold(false, |changed, index| facts.mark_empty(source, indented, parts, index) | changed) {}
        while (0..count).fold(false, |changed, index| facts.grow(source, parts, index) | changed) {}
        facts
    }

    fn mark_empty(&mut self, source: &Source, indented: bool, parts: &Parts, index: usize) -> bool {
        let (mut nullable, mut childless) = (self.nullable[index], self.childless[index]);
        let both = |facts: &Self, part: PartId| (facts.nullable[part.0 as usize], facts.childless[part.0 as usize]);
        let (text, child) = match parts.get(PartId(index as u32)) {
            Part::Empty | Part::Optional(_) => (true, true),
            Part::Child { .. } => (false, false),
            Part::Silent { symbol, lexical, .. } => {
                let starts_block = || symbol.is_some_and(|symbol| starts_block(&source.symbol(symbol).name));
                (indented && lexical.is_none() && !starts_block(), true)
            }
            Part::Call(symbol, _) => parts.of_symbol(*symbol).map_or((true, true), |part| both(self, part)),
            Part::Seq(members) => members.iter().fold((true, true), |(text, child), &member| {
                let inner = both(self, member);
                (text && inner.0, child && inner.1)
            }),
            Part::Choice(members) => members.iter().fold((false, false), |(text, child), &member| {
                let inner = both(self, member);
                (text || inner.0, child || inner.1)
            }),
            Part::Repeat { content, at_least_one } | Part::Separated { element: content, at_least_one, .. } => {
                let inner = both(self, *content);
                (inner.0 || !at_least_one, inner.1 || !at_least_one)
            }
        };
        nullable |= text;
        childless |= child;
        let changed = nullable != self.nullable[index] || childless != self.childless[index];
        self.nullable[index] = nullable;
        self.childless[index] = childless;
        changed
    }

    fn grow(&mut self, source: &Source, parts: &Parts, index: usize) -> bool {
        let mut first = std::mem::take(&mut self.first[index]);
        let mut units = std::mem::take(&mut self.units[index]);
        let mut changed = false;
        let mut add = |facts: &Self, part: PartId, into_first: bool, into_units: bool| {
            changed |= into_first && first.extend(&facts.first[part.0 as usize]);
            changed |= into_units && units.extend(&facts.units[part.0 as usize]);
        };
        match parts.get(PartId(index as u32)) {
            Part::Empty | Part::Silent { .. } => {}
            Part::Child { symbol, label, .. } => {
                if let Some(symbol) = *symbol {
                    if let Some(rule) = parts.of_symbol(symbol).filter(|_| !source.symbol(symbol).token) {
                        add(self, rule, false, true);
                    }
                    changed |= units.insert(symbol.0 as usize);
                }
                changed |= first.insert(label.0 as usize);
            }
            Part::Call(symbol, _) => {
                if let Some(part) = parts.of_symbol(*symbol) {
                    add(self, part, true, true);
                }
            }
            Part::Seq(members) => {
                let needed = members.iter().filter(|part| !self.nullable[part.0 as usize]).count();
                let mut leading = true;
                for &member in members {
                    let nullable = self.nullable[member.0 as usize];
                    add(self, member, leading, needed == 0 || (needed == 1 && !nullable));
                    leading &= self.childless[member.0 as usize];
                }
            }
            Part::Choice(members) => members.iter().for_each(|&member| add(self, member, true, true)),
            Part::Optional(content) | Part::Repeat { content, .. } => add(self, *content, true, true),
            Part::Separated { element, separator, .. } => {
                add(self, *element, true, true);
                add(self, *separator, self.childless[element.0 as usize], false);
            }
        }
        self.first[index] = first;
        self.units[index] = units;
        changed
    }
}
