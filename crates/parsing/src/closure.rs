//! [`Closure`]: which states the alternatives of a decision reach without a token, each with its call stacks.
//!
//! A path that leaves the loop of operators of a rule, and comes to a loop of the same rule further out, does not take an
//! operator there that the inner loop could have taken: that derivation is there already, and it comes first. So operators
//! belong to the innermost operand that takes them, and expressions are not ambiguous.

use crate::hashing::{FastMap, FastSet};
use crate::network::{Network, Split, StateId, Step};
use crate::stacks::{ANY, OUTER, StackId, Stacks};
use crate::vocabulary::TokenType;

/// A state that an alternative leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Config {
    pub(crate) state: StateId,
    pub(crate) alternative: u16,
    pub(crate) stack: StackId,
}

/// What some states say about a decision.
pub(crate) enum Summary {
    Empty,
    One(u16),
    Several {
        /// Whether some states with their stacks are reached by several alternatives, and no state by one only.
        is_conflict: bool,
        /// The alternative that comes first wherever several reach the same state with the same stack, if it is the same
        /// everywhere.
        only_viable: Option<u16>,
    },
}

pub(crate) fn summary(configs: &[Config]) -> Summary {
    let Some(first) = configs.first() else { return Summary::Empty };
    if configs.iter().all(|config| config.alternative == first.alternative) {
        return Summary::One(first.alternative);
    }
    // In the order of states, then of stacks.
    let mut sorted: Vec<_> = configs.iter().map(|config| (config.state, config.stack, config.alternative)).collect();
    sorted.sort_unstable();
    let mut has_shared = false;
    let mut viable: Option<u16> = None;
    let mut is_same = true;
    for group in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        has_shared |= group.len() > 1;
        is_same &= viable.is_none_or(|viable| viable == group[0].2);
        viable = Some(group[0].2);
    }
    let has_single = sorted.chunk_by(|a, b| a.0 == b.0).any(|group| group.iter().all(|config| config.2 == group[0].2));
    Summary::Several { is_conflict: has_shared && !has_single, only_viable: viable.filter(|_| is_same) }
}

/// A place on a path without tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Path {
    config: Config,
    /// The last rule with operators whose loop the path left, and the lowest level that it left.
    left: Option<(u32, u16)>,
}

/// States by alternative, each with all stacks that it is reached with.
type Found = FastMap<(StateId, u16), Vec<StackId>>;

/// Each state with one set of stacks, in order.
fn merged(found: Found, stacks: &mut Stacks, frames: &[u32]) -> Vec<((StateId, u16), StackId)> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable();
    found.into_iter().map(|(key, mut sets)| (key, stacks.merge(&mut sets, frames))).collect()
}

/// What can be reached without tokens.
pub(crate) struct Closure<'a> {
    network: &'a Network,
    stacks: &'a mut Stacks,
    frames: &'a [u32],
    budget: &'a mut u64,
    seen: FastSet<Path>,
    open: Vec<Path>,
    /// The states before a token.
    found: Found,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(network: &'a Network, stacks: &'a mut Stacks, frames: &'a [u32], budget: &'a mut u64) -> Self {
        let (seen, open, found) = (FastSet::default(), Vec::new(), FastMap::default());
        Self { network, stacks, frames, budget, seen, open, found }
    }

    pub(crate) fn finish(self) -> Vec<Config> {
        let merged = merged(self.found, self.stacks, self.frames);
        merged.into_iter().map(|((state, alternative), stack)| Config { state, alternative, stack }).collect()
    }

    /// All alternatives of a decision.
    pub(crate) fn begin(&mut self, decision: StateId, stack: StackId) {
        let network = self.network;
        let Step::Split(split) = network.step(decision) else { return };
        for (index, &state) in split.next.iter().enumerate() {
            let alternative = index as u16;
            let back = Config { state: decision, alternative, stack };
            let is_exit = split.exit == Some(alternative);
            if split.exit.is_some() && !is_exit {
                // A round of a loop that reads nothing leads nowhere.
                self.seen.insert(Path { config: back, left: None });
            }
            let left = if is_exit { self.level_left(split, None) } else { None };
            self.open.push(Path { config: Config { state, alternative, stack }, left });
            self.run();
        }
    }

    /// What is behind a token.
    pub(crate) fn step(&mut self, configs: &[Config], token: TokenType) {
        let mut moved: Found = FastMap::default();
        for config in configs {
            if let Step::Token(set, next) = *self.network.step(config.state)
                && self.network.has(set, token)
            {
                moved.entry((next, config.alternative)).or_default().push(config.stack);
            }
        }
        for ((state, alternative), stack) in merged(moved, self.stacks, self.frames) {
            self.open.push(Path { config: Config { state, alternative, stack }, left: None });
            self.run();
        }
    }

    fn run(&mut self) {
        while let Some(path) = self.open.pop() {
            *self.budget = self.budget.saturating_sub(1);
            if *self.budget == 0 {
                return self.open.clear();
            }
            if let Step::Token(..) = self.network.step(path.config.state) {
                self.find(path.config);
            } else if !self.is_covered(path) && self.seen.insert(path) {
                self.expand(path);
            }
        }
    }

    /// Whether the same state was seen with any stack, which includes this one.
    fn is_covered(&self, path: Path) -> bool {
        let any = |left| Path { config: Config { stack: ANY, ..path.config }, left };
        path.config.stack != ANY && (self.seen.contains(&any(path.left)) || self.seen.contains(&any(None)))
    }

    fn find(&mut self, config: Config) {
        let stacks = self.found.entry((config.state, config.alternative)).or_default();
        if stacks.last() != Some(&config.stack) {
            stacks.push(config.stack);
        }
    }

    fn expand(&mut self, path: Path) {
        let network = self.network;
        let config = path.config;
        match network.step(config.state) {
            Step::Token(..) => {}
            Step::Wrap(next) => self.open.push(Path { config: Config { state: *next, ..config }, ..path }),
            Step::Call { rule, next } => {
                // A call at the end of a rule returns to where the rule does.
                let is_last = matches!(network.step(*next), Step::End(_)) && config.stack != ANY;
                let stack = if is_last { config.stack } else { self.stacks.push(*next, config.stack, self.frames) };
                let state = network.rules[*rule as usize].start;
                self.open.push(Path { config: Config { state, stack, ..config }, left: None });
            }
            Step::Split(split) => self.expand_split(path, split),
            Step::End(rule) => self.expand_end(path, *rule),
        }
    }

    fn expand_split(&mut self, path: Path, split: &Split) {
        for (index, &state) in split.next.iter().enumerate().rev() {
            let is_exit = split.exit == Some(index as u16);
            let left = match (is_exit, split.operators) {
                (true, Some(_)) => self.level_left(split, path.left),
                (false, Some(operators)) => {
                    let operators = &self.network.operators[operators as usize];
                    // The loop that was left takes this operator too, and comes first.
                    if path.left.is_some_and(|(definition, level)| {
                        definition == operators.definition && operators.precedences[index] >= level
                    }) {
                        continue;
                    }
                    None
                }
                (_, None) => path.left,
            };
            self.open.push(Path { config: Config { state, ..path.config }, left });
        }
    }

    /// What is left by leaving the loop of a split.
    fn level_left(&self, split: &Split, left: Option<(u32, u16)>) -> Option<(u32, u16)> {
        let operators = &self.network.operators[split.operators? as usize];
        let level = match left {
            Some((definition, level)) if definition == operators.definition => level.min(operators.level),
            _ => operators.level,
        };
        Some((operators.definition, level))
    }

    fn expand_end(&mut self, path: Path, rule: u32) {
        let Path { config, left } = path;
        let to = |state, stack| Path { config: Config { state, stack, ..config }, left };
        if config.stack == ANY {
            let network = self.network;
            // Any of the calls of the rule.
            self.open.extend(network.rules[rule as usize].returns.iter().map(|&state| to(state, ANY)));
        } else if let Some((state, below)) = self.stacks.popped(config.stack, self.frames) {
            self.open.push(to(state, below));
        } else if config.stack & OUTER == 0 {
            for index in 0..self.stacks.tops(config.stack).len() {
                let (state, stack) = self.stacks.tops(config.stack)[index];
                self.open.push(to(state, stack));
            }
        }
    }
}
