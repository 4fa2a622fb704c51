//! The smallest sentence of each part: what replaces a subtree of which nothing is needed.
//!
//! Smallest means: the fewest tokens, then the flattest derivation, then the fewest identifiers (they would have to be
//! declared), then the shortest text, then the first alternative. It is a fixpoint like Knuth's generalization of
//! Dijkstra's algorithm. Only the choices are stored; a sentence is spelled out on request.

use crate::grammar::Grammar;
use crate::parts::{Part, PartId, Parts};
use crate::rules::Source;

/// A sentence as a list of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    texts: Vec<String>,
}

impl Sentence {
    /// The texts of the tokens, in order.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    tokens: u32,
    depth: u32,
    identifiers: u32,
    length: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Sentences {
    costs: Vec<Option<Cost>>,
    /// Which member of a choice is the smallest.
    chosen: Vec<u32>,
}

const NOTHING: Cost = Cost { tokens: 0, depth: 0, identifiers: 0, length: 0 };

impl Sentences {
    pub(crate) fn compute(source: &Source, parts: &Parts) -> Self {
        let mut sentences = Self { costs: vec![None; parts.len()], chosen: vec![0; parts.len()] };
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..parts.len() {
                let (cost, chosen) = sentences.estimate(source, parts, PartId(index as u32));
                let Some(cost) = cost else { continue };
                if sentences.costs[index].is_none_or(|known| cost < known) {
                    sentences.costs[index] = Some(cost);
                    sentences.chosen[index] = chosen;
                    changed = true;
                }
            }
        }
        sentences
    }

    fn estimate(&self, source: &Source, parts: &Parts, part: PartId) -> (Option<Cost>, u32) {
        let token = |lexical| {
            let text = source.lexical.smallest(lexical)?;
            Some(Cost { tokens: 1, depth: 1, identifiers: 0, length: text.len() as u32 })
        };
        let of = |part: PartId| self.costs[part.0 as usize];
        let cost = match parts.get(part) {
            Part::Empty | Part::Optional(_) => Some(NOTHING),
            Part::Child { symbol, lexical: Some(lexical), .. } => {
                let identifiers = u32::from(symbol.is_some() && *symbol == source.word);
                token(*lexical).map(|cost| Cost { identifiers, ..cost })
            }
            Part::Child { symbol: Some(symbol), .. } => {
                parts.of_symbol(*symbol).and_then(of).map(|cost| Cost { depth: cost.depth + 1, ..cost })
            }
            Part::Child { .. } => None,
            Part::Silent { lexical, .. } => lexical.map_or(Some(NOTHING), token),
            Part::Call(symbol, _) => parts.of_symbol(*symbol).map_or(Some(NOTHING), of),
            Part::Seq(members) => members.iter().try_fold(NOTHING, |sum, &member| {
                let cost = of(member)?;
                Some(Cost {
                    tokens: sum.tokens.saturating_add(cost.tokens),
                    depth: sum.depth.max(cost.depth),
                    identifiers: sum.identifiers.saturating_add(cost.identifiers),
                    length: sum.length.saturating_add(cost.length),
                })
            }),
            Part::Choice(members) => {
                let known = members.iter().enumerate().filter_map(|(at, &member)| Some((of(member)?, at as u32)));
                return known.min().map_or((None, 0), |(cost, at)| (Some(cost), at));
            }
            Part::Repeat { content, at_least_one } | Part::Separated { element: content, at_least_one, .. } => {
                if *at_least_one {
                    of(*content)
                } else {
                    Some(NOTHING)
                }
            }
        };
        (cost, 0)
    }

    /// Spells out the smallest sentence.
    pub(crate) fn of_part(&self, grammar: &Grammar, part: PartId) -> Option<Sentence> {
        self.costs[part.0 as usize]?;
        let mut sentence = Sentence::default();
        let mut left = vec![part];
        while let Some(part) = left.pop() {
            match grammar.part(part) {
                Part::Empty | Part::Optional(_) | Part::Silent { lexical: None, .. } => {}
                Part::Child { lexical: Some(lexical), .. } | Part::Silent { lexical: Some(lexical), .. } => {
                    sentence.texts.extend(grammar.lexical().smallest(*lexical));
                }
                Part::Child { symbol, .. } => left.extend(symbol.and_then(|symbol| grammar.parts.of_symbol(symbol))),
                Part::Call(symbol, _) => left.extend(grammar.parts.of_symbol(*symbol)),
                Part::Seq(members) => left.extend(members.iter().rev()),
                Part::Choice(members) => left.push(members[self.chosen[part.0 as usize] as usize]),
                Part::Repeat { content, at_least_one } | Part::Separated { element: content, at_least_one, .. } => {
                    left.extend(at_least_one.then_some(*content));
                }
            }
        }
        sentence.texts.retain(|text| !text.is_empty());
        Some(sentence)
    }
}
