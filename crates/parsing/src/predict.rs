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


use crate::hashing::{FastMap, FastSet};
use crate::network::{Network, Split, StateId, Step};
use crate::stacks::{ANY, OUTER, StackId, Stacks};
use crate::vocabulary::TokenType;

/// Bytes of kept states beyond which all are made anew.
const MAX_KEPT_BYTES: usize = 48 << 20;

/// How often a decision may read the end of the text.
const MAX_ENDS: usize = 8;

/// A state that an alternative leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Config {
    state: StateId,
    alternative: u16,
    stack: StackId,
}

/// Where the automaton of a decision goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// No alternative takes the token.
    Dead,
    To(u32),
    Decided(u16),
    /// Several alternatives go on in the same way, as far as can be told without the stack.
    Conflict,
}

/// Something that was worked out, and what that took. A parse pays for what it uses once, whether it was worked out by this
/// parse or by an earlier one: what a parse may do must not depend on what was parsed before.
#[derive(Clone, Copy, Debug)]
struct Known<T> {
    value: T,
    steps: u32,
    /// The last parse that paid for it.
    paid_by: u32,
}

impl<T: Copy> Known<T> {
    fn pay(&mut self, parse: u32, budget: &mut u64) -> T {
        if self.paid_by != parse {
            self.paid_by = parse;
            *budget = budget.saturating_sub(self.steps.into());
        }
        self.value
    }
}

/// The automata of decisions, as far as they were needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct PredictionCache {
    /// The number of the current parse.
    parse: u32,
    stacks: Stacks,
    states: Vec<Vec<Config>>,
    ids: FastMap<Vec<Config>, u32>,
    /// By decision.
    starts: FastMap<StateId, Known<u32>>,
    edges: FastMap<(u32, TokenType), Known<Edge>>,
    /// About how many bytes the states take.
    bytes: usize,
    /// For decisions with the real stack, cleared each time.
    transient: Stacks,
    /// What such decisions came to, by all that they looked at: the decision, the innermost frames, the tokens.
    with_stack: FastMap<Box<[u32]>, Known<Decision>>,
    /// How many frames and tokens each decision looked at.
    reaches: FastMap<StateId, Vec<(u16, u16)>>,
}

/// How many frames and tokens of a decision with the real stack are remembered, and how many combinations of these numbers.
const MAX_REACH: (usize, usize, usize) = (64, 64, 32);

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
        if self.bytes + self.edges.len() * 32 + self.stacks.bytes() > MAX_KEPT_BYTES {
            *self = Self { parse: self.parse, ..Self::default() };
        }
        self.parse = self.parse.wrapping_add(1).max(1);
    }

    /// Decides at a split.
    pub(crate) fn decide(&mut self, look: &Lookahead<'_>, decision: StateId, budget: &mut u64) -> Decision {
        let mut state = match self.starts.get_mut(&decision) {
            Some(known) => known.pay(self.parse, budget),
            None => self.start(look, decision, budget),
        };
        let mut ends = 0;
        for ahead in 0.. {
            let token = look.token(ahead);
            let edge = match self.edges.get_mut(&(state, token)) {
                Some(known) => known.pay(self.parse, budget),
                None => self.follow(look.network, state, token, budget),
            };
            if *budget == 0 {
                return Decision::TooHard;
            }
            match edge {
                Edge::Decided(alternative) => return Decision::Take(alternative),
                Edge::Dead if ahead == 0 => return Decision::None,
                // The parser goes on to the token that does not fit.
                Edge::Dead => return Decision::Take(first(&self.states[state as usize])),
                Edge::Conflict => return self.decide_with_stack(look, decision, budget),
                Edge::To(next) => {
                    ends += usize::from(token == TokenType::EOF);
                    if ends > MAX_ENDS {
                        return Decision::First(first(&self.states[next as usize]));
                    }
                    state = next;
                }
            }
        }
        Decision::TooHard
    }

    fn start(&mut self, look: &Lookahead<'_>, decision: StateId, budget: &mut u64) -> u32 {
        let before = *budget;
        let mut closure = Closure::new(look.network, &mut self.stacks, &[], budget);
        closure.begin(decision, ANY);
        let configs = closure.finish();
        let value = self.intern(configs);
        if *budget > 0 {
            self.starts.insert(decision, Known { value, steps: (before - *budget) as u32, paid_by: self.parse });
        }
        value
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

    fn follow(&mut self, network: &Network, state: u32, token: TokenType, budget: &mut u64) -> Edge {
        let before = *budget;
        let mut closure = Closure::new(network, &mut self.stacks, &[], budget);
        closure.step(&self.states[state as usize], token);
        let next = closure.finish();
        let value = match summary(&next) {
            Summary::Empty => Edge::Dead,
            Summary::One(alternative) => Edge::Decided(alternative),
            Summary::Several { is_conflict: true, .. } => Edge::Conflict,
            Summary::Several { .. } => Edge::To(self.intern(next)),
        };
        if *budget > 0 {
            let steps = (before - *budget) as u32;
            self.edges.insert((state, token), Known { value, steps, paid_by: self.parse });
        }
        value
    }

    /// Decides with the parser's own stack.
    fn decide_with_stack(&mut self, look: &Lookahead<'_>, decision: StateId, budget: &mut u64) -> Decision {
        for &(frames, tokens) in self.reaches.get(&decision).into_iter().flatten() {
            if let Some(known) = look
                .key(decision, frames.into(), tokens.into())
                .and_then(|key| self.with_stack.get_mut(&key[..]))
            {
                let value = known.pay(self.parse, budget);
                return if *budget == 0 { Decision::TooHard } else { value };
            }
        }
        let before = *budget;
        self.transient.clear();
        self.transient.deepest = look.frames.len();
        let (value, tokens) = look.follow_all(&mut self.transient, decision, budget);
        let frames = look.frames.len() - self.transient.deepest;
        if *budget > 0 && frames <= MAX_REACH.0 && tokens <= MAX_REACH.1 {
            let reaches = self.reaches.entry(decision).or_default();
            let reach = (frames as u16, tokens as u16);
            if !reaches.contains(&reach) && reaches.len() < MAX_REACH.2 {
                reaches.push(reach);
            }
            if reaches.contains(&reach)
                && let Some(key) = look.key(decision, frames, tokens)
            {
                self.bytes += key.len() * 4 + 64;
                let steps = (before - *budget) as u32;
                self.with_stack.insert(key, Known { value, steps, paid_by: self.parse });
            }
        }
        value
    }
}

impl Lookahead<'_> {
    /// A decision with some of the innermost frames and some tokens; `None` if there are fewer frames.
    fn key(&self, decision: StateId, frames: usize, tokens: usize) -> Option<Box<[u32]>> {
        let outer = self.frames.len().checked_sub(frames)?;
        let head = [decision, frames as u32, tokens as u32];
        let ahead = (0..tokens).map(|ahead| u32::from(self.token(ahead).0));
        Some(head.into_iter().chain(self.frames[outer..].iter().copied()).chain(ahead).collect())
    }

    /// Follows all alternatives with the parser's own stack. Also tells how many tokens it looked at.
    fn follow_all(&self, stacks: &mut Stacks, decision: StateId, budget: &mut u64) -> (Decision, usize) {
        let mut closure = Closure::new(self.network, stacks, self.frames, budget);
        closure.begin(decision, OUTER | (self.frames.len() as u32 - 1));
        let mut configs = closure.finish();
        let mut ends = 0;
        for ahead in 0.. {
            let token = self.token(ahead);
            let mut closure = Closure::new(self.network, stacks, self.frames, budget);
            closure.step(&configs, token);
            let next = closure.finish();
            if *budget == 0 {
                break;
            }
            ends += usize::from(token == TokenType::EOF);
            let decided = match summary(&next) {
                Summary::Empty if ahead == 0 => Decision::None,
                Summary::Empty => Decision::Take(first(&configs)),
                Summary::One(alternative) => Decision::Take(alternative),
                Summary::Several { only_viable: Some(alternative), .. } => Decision::First(alternative),
                Summary::Several { .. } if ends > MAX_ENDS => Decision::First(first(&next)),
                Summary::Several { .. } => {
                    configs = next;
                    continue;
                }
            };
            return (decided, ahead + 1);
        }
        (Decision::TooHard, 0)
    }
}

/// The first alternative of some states.
fn first(configs: &[Config]) -> u16 {
    configs.iter().map(|config| config.alternative).min().unwrap_or(0)
}

enum Summary {
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

fn summary(configs: &[Config]) -> Summary {
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
struct Closure<'a> {
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
    fn new(network: &'a Network, stacks: &'a mut Stacks, frames: &'a [u32], budget: &'a mut u64) -> Self {
        let (seen, open, found) = (FastSet::default(), Vec::new(), FastMap::default());
        Self { network, stacks, frames, budget, seen, open, found }
    }

    fn finish(self) -> Vec<Config> {
        let merged = merged(self.found, self.stacks, self.frames);
        merged.into_iter().map(|((state, alternative), stack)| Config { state, alternative, stack }).collect()
    }

    /// All alternatives of a decision.
    fn begin(&mut self, decision: StateId, stack: StackId) {
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
    fn step(&mut self, configs: &[Config], token: TokenType) {
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
        } else if config.stack & OUTER != 0 {
            let frame = (config.stack & !OUTER) as usize;
            self.stacks.deepest = self.stacks.deepest.min(frame);
            if frame > 0 {
                self.open.push(to(self.frames[frame], OUTER | (frame as u32 - 1)));
            }
        } else {
            for index in 0..self.stacks.tops(config.stack).len() {
                let (state, stack) = self.stacks.tops(config.stack)[index];
                self.open.push(to(state, stack));
            }
        }
    }
}
