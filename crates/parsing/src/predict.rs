//! Decides which way to go at a split, by as many tokens as it takes: adaptive LL(*) (Parr, Harwell and Fisher, *Adaptive
//! LL(\*) Parsing: The Power of Dynamic Analysis*, 2014).
//!
//! All alternatives are followed at once, as sets of states with their call stacks, until one alternative is left. First
//! as if any stack could be below the current rule (SLL): the sets then depend on the tokens only, and become states of a
//! deterministic automaton that is kept. If that does not settle it, again with the parser's real stack (LL), which finds
//! an alternative that parses the text if there is one. If several do to the end of the sets, the first one is taken.
//!
//! The worst case is a fourth power of the text; a budget of steps stands against that. On unambiguous grammars, and all
//! that programming languages are, decisions are lookups.

use crate::closure::{Closure, Config, Summary, summary};
use crate::hashing::FastMap;
use crate::network::{Network, StateId};
use crate::stacks::{ANY, OUTER, Stacks};
use crate::vocabulary::TokenType;

/// Bytes of kept states beyond which all are made anew, before the next parse.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// How often a decision may read the end of the text.
const MAX_ENDS: usize = 8;

/// Where the automaton of decisions goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// No alternative takes the token.
    Dead,
    To(u32),
    Decided(u16),
    /// Several alternatives go on in the same way; this is the first of them.
    First(u16),
    /// Several alternatives go on in the same way, as far as can be told without the stack.
    Conflict,
}

/// An edge that was worked out, and what that took. A parse pays for what it uses once, whether it was worked out by this
/// parse or by an earlier one: what a parse may do must not depend on what was parsed before.
#[derive(Clone, Copy, Debug)]
struct Known {
    edge: Edge,
    steps: u32,
    /// The last parse that paid for it.
    paid_by: u32,
}

/// Sets of configurations as states of a deterministic automaton, as far as they were needed.
#[derive(Clone, Debug, Default)]
struct Automaton {
    /// Whether stacks are the parser's own.
    is_full: bool,
    stacks: Stacks,
    states: Vec<Vec<Config>>,
    ids: FastMap<Vec<Config>, u32>,
    /// Edges that do not depend on the parser's stack.
    edges: FastMap<(u32, TokenType), Known>,
    /// Edges by the innermost frames that they depend on: the state, the token and those frames.
    framed: FastMap<Box<[u32]>, Known>,
    /// How many frames the edges of a state depend on.
    depths: FastMap<(u32, TokenType), Vec<u32>>,
    /// About how many bytes all of it takes.
    bytes: usize,
}

/// The place before a decision, as a state: this flag and the number of the split.
const START: u32 = 1 << 31;

/// What is kept between parses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PredictionCache {
    /// The number of the current parse.
    parse: u32,
    /// As if any stack could be below the current rule.
    local: Automaton,
    /// With the parser's own stack.
    full: Automaton,
}

/// The parser's place, as decisions see it.
pub(crate) struct Lookahead<'a> {
    pub(crate) network: &'a Network,
    pub(crate) types: &'a [TokenType],
    pub(crate) at: usize,
    /// Where each open rule returns to, the outermost first.
    pub(crate) frames: &'a [u32],
}

/// What a decision came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// This alternative.
    Take(u16),
    /// This alternative, because it is the first of several that take the same text.
    First(u16),
    /// No alternative takes the next token.
    None,
    /// It would take too many steps.
    TooHard,
}

impl Lookahead<'_> {
    fn token(&self, ahead: usize) -> TokenType {
        self.types.get(self.at + ahead).copied().unwrap_or(TokenType::EOF)
    }
}

impl PredictionCache {
    /// Prepares for a parse. What is kept is only dropped here, so that no parse pays for anything twice.
    pub(crate) fn begin(&mut self) {
        if self.local.bytes + self.local.stacks.bytes() + self.full.bytes + self.full.stacks.bytes() > MAX_KEPT_BYTES {
            *self = Self { parse: self.parse, ..Self::default() };
        }
        self.full.is_full = true;
        self.parse = self.parse.wrapping_add(1).max(1);
    }

    /// Decides at a split.
    pub(crate) fn decide(&mut self, look: &Lookahead<'_>, decision: StateId, budget: &mut u64) -> Decision {
        let local = self.local.decide(look, &[], decision, self.parse, budget);
        local.unwrap_or_else(|| {
            let full = self.full.decide(look, look.frames, decision, self.parse, budget);
            full.unwrap_or(Decision::TooHard)
        })
    }
}

impl Automaton {
    /// Decides at a split; `None` if that takes the parser's own stack.
    fn decide(
        &mut self,
        look: &Lookahead<'_>,
        frames: &[u32],
        decision: StateId,
        parse: u32,
        budget: &mut u64,
    ) -> Option<Decision> {
        let mut step = Stepping { network: look.network, frames, parse, budget };
        let Edge::To(mut state) = self.edge(START | decision, TokenType::EOF, &mut step) else {
            return Some(Decision::TooHard);
        };
        let mut ends = 0;
        for ahead in 0.. {
            let token = look.token(ahead);
            let edge = self.edge(state, token, &mut step);
            if *step.budget == 0 {
                return Some(Decision::TooHard);
            }
            match edge {
                Edge::Decided(alternative) => return Some(Decision::Take(alternative)),
                Edge::First(alternative) => return Some(Decision::First(alternative)),
                Edge::Dead if ahead == 0 => return Some(Decision::None),
                // The parser goes on to the token that does not fit.
                Edge::Dead => return Some(Decision::Take(first(&self.states[state as usize]))),
                Edge::Conflict => return None,
                Edge::To(next) => {
                    ends += usize::from(token == TokenType::EOF);
                    if ends > MAX_ENDS {
                        return Some(Decision::First(first(&self.states[next as usize])));
                    }
                    state = next;
                }
            }
        }
        Some(Decision::TooHard)
    }

    /// The edge of a state for a token, as it is known or worked out.
    fn edge(&mut self, state: u32, token: TokenType, step: &mut Stepping<'_>) -> Edge {
        if let Some(known) = self.edges.get_mut(&(state, token)) {
            return step.pay(known);
        }
        for &depth in self.depths.get(&(state, token)).into_iter().flatten() {
            if let Some(key) = framed_key(state, token, depth as usize, step.frames)
                && let Some(known) = self.framed.get_mut(&key)
            {
                return step.pay(known);
            }
        }
        let before = *step.budget;
        self.stacks.deepest = 0;
        let edge = self.follow(state, token, step);
        if *step.budget == 0 {
            return edge;
        }
        let known = Known { edge, steps: (before - *step.budget) as u32, paid_by: step.parse };
        let depth = self.stacks.deepest;
        self.bytes += 48 + depth * 4;
        if depth == 0 {
            self.edges.insert((state, token), known);
        } else if let Some(key) = framed_key(state, token, depth, step.frames) {
            self.framed.insert(key, known);
            let depths = self.depths.entry((state, token)).or_default();
            if !depths.contains(&(depth as u32)) {
                depths.push(depth as u32);
            }
        }
        edge
    }

    fn follow(&mut self, state: u32, token: TokenType, step: &mut Stepping<'_>) -> Edge {
        let mut closure = Closure::new(step.network, &mut self.stacks, step.frames, step.budget);
        if state & START != 0 {
            closure.begin(state & !START, if self.is_full { OUTER } else { ANY });
            let configs = closure.finish();
            return Edge::To(self.intern(configs));
        }
        closure.step(&self.states[state as usize], token);
        let next = closure.finish();
        match summary(&next) {
            Summary::Empty => Edge::Dead,
            Summary::One(alternative) => Edge::Decided(alternative),
            Summary::Several { only_viable: Some(alternative), .. } if self.is_full => Edge::First(alternative),
            Summary::Several { is_conflict: true, .. } if !self.is_full => Edge::Conflict,
            Summary::Several { .. } => Edge::To(self.intern(next)),
        }
    }

    fn intern(&mut self, configs: Vec<Config>) -> u32 {
        if let Some(&state) = self.ids.get(&configs) {
            return state;
        }
        let state = self.states.len() as u32;
        self.bytes += 2 * size_of_val(&configs[..]) + 64;
        self.ids.insert(configs.clone(), state);
        self.states.push(configs);
        state
    }
}

/// A state and a token with some of the innermost frames; `None` if there are fewer.
fn framed_key(state: u32, token: TokenType, depth: usize, frames: &[u32]) -> Option<Box<[u32]>> {
    let outer = frames.len().checked_sub(depth)?;
    Some([state, token.0.into(), depth as u32].into_iter().chain(frames[outer..].iter().copied()).collect())
}

/// What the steps of a decision share.
struct Stepping<'a> {
    network: &'a Network,
    frames: &'a [u32],
    parse: u32,
    budget: &'a mut u64,
}

impl Stepping<'_> {
    fn pay(&mut self, known: &mut Known) -> Edge {
        if known.paid_by != self.parse {
            known.paid_by = self.parse;
            *self.budget = self.budget.saturating_sub(known.steps.into());
        }
        known.edge
    }
}

/// The first alternative of some states.
fn first(configs: &[Config]) -> u16 {
    configs.iter().map(|config| config.alternative).min().unwrap_or(0)
}
