//! Walks the network over the tokens and builds the tree, with a stack of its own: nesting costs none of the machine's.
//!
//! What does not parse is skipped. Where a token does not fit, the parser looks for the first token at which it can go on:
//! in a loop of an open rule, or behind an open rule; the innermost first. Brackets are skipped with what is in them. What
//! was skipped becomes an error node in the innermost rule, and the rules that are left are closed as they are.

use whittle_grammars::Bits;

use crate::lexer::{Token, TooHard};
use crate::network::{Network, Split, StateId, Step};
use crate::predict::{Decision, Lookahead, PredictionCache};
use crate::tree::{NodeId, NodeKind, ParseTree};
use crate::vocabulary::{TokenType, Vocabulary};

/// Steps of decisions for each token, and for any text. Ordinary texts need a few hundred for the first tokens of each kind,
/// and then none.
const BUDGET: (u64, u64) = (3_000, 30_000_000);

/// How many of the open rules are looked at to find where to go on after an error.
const MAX_SYNC_FRAMES: usize = 200;

#[derive(Clone, Copy, Debug)]
struct Frame {
    rule: u32,
    /// Where its nodes begin among those that have no parent yet.
    first: u32,
    /// The last loop that it entered.
    anchor: Option<StateId>,
}

/// One parse.
pub(crate) struct Parser<'a> {
    network: &'a Network,
    vocabulary: &'a Vocabulary,
    cache: &'a mut PredictionCache,
    tokens: Vec<Token>,
    types: Vec<TokenType>,
    /// Characters that are no token, in the order of the text.
    strays: Vec<Token>,
    next_stray: usize,
    at: usize,
    frames: Vec<Frame>,
    /// Where each frame returns to.
    returns: Vec<u32>,
    /// Nodes without a parent.
    pending: Vec<NodeId>,
    tree: ParseTree,
    budget: u64,
    /// The loops that were entered since the last token, each with its frame.
    entered: Vec<(u32, StateId)>,
    /// The token of the last error.
    last_error: Option<usize>,
    /// The bracket that closes each bracket; made at the first error.
    partners: Option<Vec<u32>>,
    /// Decisions that were settled by the order of alternatives: the open rules' frame, and the token.
    ambiguous: Vec<(u32, usize)>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(
        network: &'a Network,
        vocabulary: &'a Vocabulary,
        cache: &'a mut PredictionCache,
        all: Vec<Token>,
    ) -> Self {
        let (strays, tokens): (Vec<_>, Vec<_>) = all.into_iter().partition(|token| token.kind == TokenType::ERROR);
        let types: Vec<_> = tokens.iter().map(|token| token.kind).collect();
        let budget = BUDGET.1 + BUDGET.0 * types.len() as u64;
        cache.begin();
        Self {
            network,
            vocabulary,
            cache,
            tokens,
            types,
            strays,
            next_stray: 0,
            at: 0,
            frames: vec![Frame { rule: u32::MAX, first: 0, anchor: None }],
            returns: vec![u32::MAX],
            pending: Vec::new(),
            tree: ParseTree::default(),
            budget,
            entered: Vec::new(),
            last_error: None,
            partners: None,
            ambiguous: Vec::new(),
        }
    }

    /// Parses all tokens.
    pub(crate) fn run(&mut self) -> Result<ParseTree, TooHard> {
        let mut state = self.network.start;
        loop {
            state = match self.network.step(state) {
                Step::Token(set, next) => {
                    if !self.network.has(*set, self.token()) {
                        self.recover(state)
                    } else if self.frames.len() == 1 {
                        return Ok(self.finish());
                    } else {
                        self.shift();
                        *next
                    }
                }
                Step::Call { rule, next } => {
                    self.frames.push(Frame { rule: *rule, first: self.pending.len() as u32, anchor: None });
                    self.returns.push(*next);
                    self.network.rules[*rule as usize].start
                }
                Step::Wrap(next) => {
                    let frame = self.frames[self.frames.len() - 1];
                    self.close(frame);
                    *next
                }
                Step::End(_) => self.end(),
                Step::Split(split) => {
                    if split.exit.is_some()
                        && let Some(frame) = self.frames.last_mut()
                    {
                        frame.anchor = Some(state);
                    }
                    match self.decide(state)? {
                        Some(alternative) => {
                            split.next[usize::from(self.without_empty_round(state, split, alternative))]
                        }
                        None => self.recover(state),
                    }
                }
            };
        }
    }

    /// The decisions that were settled by the order of alternatives: the syntax rule, and the place in the text.
    pub(crate) fn ambiguous(&self) -> Vec<(u32, usize)> {
        let place = |at: usize| self.tokens.get(at).map_or(self.last_end(), |token| token.start) as usize;
        self.ambiguous.iter().map(|&(rule, at)| (rule, place(at))).collect()
    }

    fn token(&self) -> TokenType {
        self.types.get(self.at).copied().unwrap_or(TokenType::EOF)
    }

    fn decide(&mut self, state: StateId) -> Result<Option<u16>, TooHard> {
        let look = Lookahead { network: self.network, types: &self.types, at: self.at, frames: &self.returns };
        match self.cache.decide(&look, state, &mut self.budget) {
            Decision::Take(alternative) => Ok(Some(alternative)),
            Decision::First(alternative) => {
                self.tree.count_ambiguity();
                // Parts of rules have no node of their own; their rule is around them.
                let shown = |frame: &Frame| self.network.rules.get(frame.rule as usize).and_then(|rule| rule.shown);
                self.ambiguous.extend(self.frames.iter().rev().find_map(shown).map(|rule| (rule, self.at)));
                Ok(Some(alternative))
            }
            Decision::None => Ok(None),
            Decision::TooHard => Err(TooHard),
        }
    }

    /// The alternative, or the way out of a loop whose last round read nothing. Only loops around what can be empty do that.
    fn without_empty_round(&mut self, state: StateId, split: &Split, alternative: u16) -> u16 {
        let Some(exit) = split.exit.filter(|&exit| exit != alternative) else { return alternative };
        let round = (self.frames.len() as u32, state);
        if self.entered.contains(&round) {
            return exit;
        }
        self.entered.push(round);
        alternative
    }

    fn shift(&mut self) {
        if let Some(&token) = self.tokens.get(self.at) {
            self.entered.clear();
            self.add_strays(token.start);
            let leaf = self.tree.add_leaf(NodeKind::Token(token.kind), token.start, token.end);
            self.pending.push(leaf);
            self.at += 1;
        }
    }

    /// Adds the characters before a place that are no token.
    fn add_strays(&mut self, before: u32) {
        while let Some(stray) = self.strays.get(self.next_stray).filter(|stray| stray.start < before) {
            let leaf = self.tree.add_leaf(NodeKind::Error, stray.start, stray.end);
            self.pending.push(leaf);
            self.tree.count_error();
            self.next_stray += 1;
        }
    }

    /// Leaves the current rule. Returns the state behind its call.
    fn end(&mut self) -> StateId {
        match (self.frames.pop(), self.returns.pop()) {
            (Some(frame), Some(state)) => {
                self.close(frame);
                state
            }
            _ => self.network.start,
        }
    }

    /// Makes a node of all that a frame has so far.
    fn close(&mut self, frame: Frame) {
        if let Some(shown) = self.network.rules[frame.rule as usize].shown {
            let place = self.tokens.get(self.at).map_or_else(|| self.last_end(), |token| token.start);
            let first = frame.first as usize;
            let node = self.tree.add(NodeKind::Rule(shown as u16), &self.pending[first..], place);
            self.pending.truncate(first);
            self.pending.push(node);
        }
    }

    fn last_end(&self) -> u32 {
        self.tokens.last().map_or(0, |token| token.end)
    }

    fn finish(&mut self) -> ParseTree {
        self.add_strays(u32::MAX);
        // What came behind the start rule belongs to it: the tree has one root.
        let all = match self.pending[..] {
            [only] if matches!(self.tree.kind(only), NodeKind::Rule(_)) => None,
            _ => Some(
                self.pending
                    .iter()
                    .flat_map(|&node| match self.tree.kind(node) {
                        NodeKind::Rule(_) => self.tree.children(node).to_vec(),
                        _ => vec![node],
                    })
                    .collect::<Vec<_>>(),
            ),
        };
        let root = match all {
            None => self.pending[0],
            Some(children) => self.tree.add(NodeKind::Rule(self.network.root as u16), &children, 0),
        };
        let mut tree = std::mem::take(&mut self.tree);
        tree.set_root(root);
        tree.shrink();
        tree
    }

    /// Skips what does not fit. Returns the state to go on in.
    fn recover(&mut self, state: StateId) -> StateId {
        self.tree.count_error();
        let points = self.points(state);
        let from = self.at;
        let mut to = from;
        // The same token twice means that going on there did not help.
        let is_stuck = self.last_error == Some(from);
        if is_stuck {
            to = self.behind(to);
        }
        // Behind the start rule there is no other place than this one.
        let behind_all = if self.frames.len() == 1 { state } else { self.returns[1] };
        let goal = loop {
            let token = self.types.get(to).copied().unwrap_or(TokenType::EOF);
            if is_stuck && to >= self.types.len() {
                break (0, behind_all);
            }
            if let Some(point) = points.iter().find(|point| point.tokens.contains(usize::from(token.0))) {
                break (point.depth, point.state);
            }
            if to >= self.types.len() {
                // The end of the text is behind everything.
                break (0, behind_all);
            }
            to = self.behind(to);
        };
        self.last_error = Some(to);
        let first = self.pending.len();
        while self.at < to {
            self.shift();
        }
        let place = self.tokens.get(self.at).map_or_else(|| self.last_end(), |token| token.start);
        let skipped = self.tree.add(NodeKind::Error, &self.pending[first..], place);
        self.pending.truncate(first);
        self.pending.push(skipped);
        let (depth, state) = goal;
        while self.frames.len() - 1 > depth {
            self.end();
        }
        state
    }

    /// The token behind a token, or behind the bracket that it opens.
    fn behind(&mut self, at: usize) -> usize {
        let partners = self.partners.get_or_insert_with(|| partners(self.vocabulary, &self.types));
        (partners.get(at).map_or(at, |&partner| partner as usize) + 1).min(self.types.len())
    }

    /// Where to go on, the innermost place first.
    fn points(&self, state: StateId) -> Vec<Point> {
        let mut points = Vec::new();
        let mut add = |depth: usize, state: StateId| {
            let tokens = first(self.network, state);
            if !tokens.is_empty() {
                points.push(Point { depth, state, tokens });
            }
        };
        let top = self.frames.len() - 1;
        add(top, state);
        for depth in (0..=top).rev().take(MAX_SYNC_FRAMES) {
            if depth < top {
                add(depth, self.returns[depth + 1]);
            }
            if let Some(anchor) = self.frames[depth].anchor.filter(|&anchor| anchor != state) {
                add(depth, anchor);
            }
        }
        points
    }
}

/// A place where the parser can go on.
struct Point {
    /// The frame that it is in.
    depth: usize,
    state: StateId,
    /// The tokens that can be next.
    tokens: Bits,
}

/// The tokens that can be next in a state, within its rule.
pub(crate) fn first(network: &Network, state: StateId) -> Bits {
    // A state with the states to return to; within a rule these are at most as many as there are rules.
    let mut tokens = Bits::default();
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![(state, None)];
    let mut stacks: Vec<(StateId, Option<u32>)> = Vec::new();
    let mut stack_ids = std::collections::HashMap::new();
    while let Some((state, stack)) = open.pop() {
        if !seen.insert((state, stack)) {
            continue;
        }
        match network.step(state) {
            Step::Token(set, _) => {
                tokens.extend(&network.sets[*set as usize]);
            }
            Step::Wrap(next) => open.push((*next, stack)),
            Step::Split(split) => open.extend(split.next.iter().map(|&next| (next, stack))),
            Step::Call { rule, next } => {
                let id = *stack_ids.entry((*next, stack)).or_insert_with(|| {
                    stacks.push((*next, stack));
                    stacks.len() as u32 - 1
                });
                open.push((network.rules[*rule as usize].start, Some(id)));
            }
            Step::End(_) => {
                if let Some(id) = stack {
                    open.push(stacks[id as usize]);
                }
            }
        }
    }
    tokens
}

/// For each token, the token that closes it if it is a bracket, otherwise itself.
fn partners(vocabulary: &Vocabulary, types: &[TokenType]) -> Vec<u32> {
    let mut partners: Vec<u32> = (0..types.len() as u32).collect();
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, &kind) in types.iter().enumerate() {
        match vocabulary.text(kind) {
            Some("(") => open.push((at, ")")),
            Some("[") => open.push((at, "]")),
            Some("{") => open.push((at, "}")),
            Some(text @ (")" | "]" | "}")) => {
                if open.last().is_some_and(|&(_, close)| close == text)
                    && let Some((from, _)) = open.pop()
                {
                    partners[from] = at as u32;
                }
            }
            _ => {}
        }
    }
    partners
}
