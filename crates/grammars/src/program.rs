//! Resolved rules compiled to instructions for [`Matcher`](crate::Matcher).
//!
//! One program holds all rules, with hidden rules as subroutines, so it is as long as the grammar. At a choice, a table
//! tells which alternatives can start with the next child, or be without a child.

use crate::facts::Facts;
use crate::parts::{Part, PartId, Parts};
use crate::rules::{LabelId, Source, SymbolId};

/// The number of an instruction.
pub(crate) type Place = u32;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// The next child fills this part.
    Child(PartId),
    /// A token without a node.
    Silent(PartId),
    /// Runs the rule of a hidden symbol first.
    Call(Place, PartId),
    Return,
    /// Continues at one of several places.
    Split(u32),
    Jump(Place),
    /// What follows belongs to this part,
    Open(PartId),
    /// up to here.
    Close,
}

/// A choice between alternatives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Split {
    /// Ranges of `places` by the label of the next child, in ascending order of labels.
    by_label: Vec<(LabelId, u32, u32)>,
    /// Where to continue, in order of preference.
    places: Vec<Place>,
    /// Where to continue for any other label, and when no child is left.
    otherwise: Vec<Place>,
    /// Whether it can be reached again before the next child.
    pub(crate) loops: bool,
}

impl Split {
    pub(crate) fn places(&self, label: Option<LabelId>) -> &[Place] {
        let found = label.and_then(|label| self.by_label.binary_search_by_key(&label, |entry| entry.0).ok());
        found.map_or(&self.otherwise, |index| {
            let (_, from, to) = self.by_label[index];
            &self.places[from as usize..to as usize]
        })
    }

    fn new(facts: &Facts, alternatives: &[(Place, Begin<'_>)], loops: bool) -> Self {
        let mut split = Self { loops, ..Self::default() };
        let childless = |part: &PartId| facts.childless[part.0 as usize];
        let empty = |begin: Begin<'_>| begin.iter().all(childless);
        let leading = |begin: Begin<'_>| begin.iter().take_while(|part| childless(part)).count() + 1;
        let begins = |begin: Begin<'_>, label: usize| {
            begin.iter().take(leading(begin)).any(|part| facts.first[part.0 as usize].contains(label))
        };
        let mut labels = crate::Bits::default();
        for &(_, begin) in alternatives {
            begin.iter().take(leading(begin)).for_each(|part| _ = labels.extend(&facts.first[part.0 as usize]));
        }
        for label in labels.iter() {
            let from = split.places.len() as u32;
            split.places.extend(alternatives.iter().filter(|(_, begin)| begins(begin, label)).map(|entry| entry.0));
            let others = alternatives.iter().rev().filter(|(_, begin)| !begins(begin, label) && empty(begin));
            split.places.extend(others.map(|entry| entry.0));
            split.by_label.push((LabelId(label as u16), from, split.places.len() as u32));
        }
        // The exit is the last alternative, and the best guess if no child fits.
        split.otherwise = alternatives.iter().rev().filter(|(_, begin)| empty(begin)).map(|entry| entry.0).collect();
        split
    }
}

/// The parts that an alternative starts with, in order.
type Begin<'a> = &'a [PartId];

#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) splits: Vec<Split>,
    /// Where each symbol's rule starts.
    entries: Vec<Option<Place>>,
}

impl Program {
    pub(crate) fn compile(source: &Source, parts: &Parts, facts: &Facts) -> Self {
        let mut compiler = Compiler { parts, facts, program: Self::default(), calls: Vec::new() };
        for index in 0..source.symbols.len() {
            let symbol = SymbolId(index as u16);
            let entry = parts.of_symbol(symbol).map(|part| {
                let entry = compiler.here();
                compiler.compile(part, source.symbol(symbol).hidden);
                compiler.push(Step::Return);
                entry
            });
            compiler.program.entries.push(entry);
        }
        let Compiler { mut program, calls, .. } = compiler;
        for (place, symbol, part) in calls {
            program.steps[place as usize] = match program.entries[symbol.0 as usize] {
                Some(entry) => Step::Call(entry, part),
                None => Step::Jump(place + 1),
            };
        }
        program
    }

    pub(crate) fn entry(&self, symbol: SymbolId) -> Option<Place> {
        self.entries[symbol.0 as usize]
    }
}

struct Compiler<'a> {
    parts: &'a Parts,
    facts: &'a Facts,
    program: Program,
    /// Calls whose target is not yet known.
    calls: Vec<(Place, SymbolId, PartId)>,
}

impl Compiler<'_> {
    fn here(&self) -> Place {
        self.program.steps.len() as Place
    }

    fn push(&mut self, step: Step) -> Place {
        self.program.steps.push(step);
        self.here() - 1
    }

    fn split_at(&mut self, place: Place, alternatives: &[(Place, Begin<'_>)], loops: bool) {
        self.program.splits.push(Split::new(self.facts, alternatives, loops));
        self.program.steps[place as usize] = Step::Split(self.program.splits.len() as u32 - 1);
    }

    /// `in_slot`: whether the surrounding part already marks its start and end.
    fn compile(&mut self, part: PartId, in_slot: bool) {
        match self.parts.get(part) {
            Part::Empty => {}
            Part::Child { .. } => {
                self.push(Step::Child(part));
            }
            Part::Silent { .. } => {
                self.push(Step::Silent(part));
            }
            Part::Call(symbol, _) => self.marked(part, !in_slot, |compiler| {
                let place = compiler.push(Step::Return);
                compiler.calls.push((place, *symbol, part));
            }),
            Part::Seq(members) => members.iter().for_each(|&member| self.compile(member, false)),
            Part::Choice(members) => self.marked(part, !in_slot, |compiler| compiler.choice(members)),
            Part::Optional(content) => self.marked(part, true, |compiler| {
                let split = compiler.push(Step::Return);
                let body = compiler.here();
                compiler.compile(*content, false);
                let exit = compiler.here();
                compiler.split_at(split, &[(body, &[*content]), (exit, &[])], false);
            }),
            Part::Repeat { content, at_least_one } => self.marked(part, true, |compiler| {
                if *at_least_one {
                    compiler.element(*content);
                }
                let split = compiler.push(Step::Return);
                let body = compiler.here();
                compiler.element(*content);
                compiler.push(Step::Jump(split));
                let exit = compiler.here();
                compiler.split_at(split, &[(body, &[*content]), (exit, &[])], true);
            }),
            Part::Separated { element, separator, trailing, at_least_one } => self.marked(part, true, |compiler| {
                let start = (!at_least_one).then(|| compiler.push(Step::Return));
                let list = compiler.here();
                compiler.slot(*element);
                let next = compiler.push(Step::Return);
                let body = compiler.here();
                compiler.slot(*separator);
                compiler.slot(*element);
                compiler.push(Step::Jump(next));
                let end = compiler.here();
                compiler.split_at(next, &[(body, &[*separator, *element]), (end, &[])], true);
                if *trailing {
                    let split = compiler.push(Step::Return);
                    let body = compiler.here();
                    compiler.slot(*separator);
                    let exit = compiler.here();
                    compiler.split_at(split, &[(body, &[*separator]), (exit, &[])], false);
                }
                let exit = compiler.here();
                if let Some(start) = start {
                    compiler.split_at(start, &[(list, &[part]), (exit, &[])], false);
                }
            }),
        }
    }

    fn choice(&mut self, members: &[PartId]) {
        let split = self.push(Step::Return);
        let mut alternatives = Vec::with_capacity(members.len());
        let mut ends = Vec::with_capacity(members.len());
        for member in members {
            alternatives.push((self.here(), std::slice::from_ref(member)));
            self.compile(*member, true);
            ends.push(self.push(Step::Return));
        }
        let exit = self.here();
        for end in ends {
            self.program.steps[end as usize] = Step::Jump(exit);
        }
        self.split_at(split, &alternatives, false);
    }

    /// An element of a repetition: a single child needs no marks.
    fn element(&mut self, part: PartId) {
        if matches!(self.parts.get(part), Part::Child { .. }) {
            self.compile(part, true);
        } else {
            self.slot(part);
        }
    }

    fn slot(&mut self, part: PartId) {
        self.marked(part, true, |compiler| compiler.compile(part, true));
    }

    fn marked(&mut self, part: PartId, marked: bool, compile: impl FnOnce(&mut Self)) {
        if marked {
            self.push(Step::Open(part));
        }
        compile(self);
        if marked {
            self.push(Step::Close);
        }
    }
}
