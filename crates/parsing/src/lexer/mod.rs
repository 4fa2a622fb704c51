//! [`Lexer`]: splits a text into tokens: the longest match, of these the first rule, in the current mode.
//!
//! The automaton of all rules of a mode is made deterministic while texts are read. A general engine for regular
//! expressions does not fit: rules can use themselves, and non-greedy loops follow ANTLR's own rule. Within a rule, once a
//! path reaches the end of the token, the paths after it in order of preference that went through a non-greedy loop are
//! dropped; all others compete by length (`LexerATNSimulator` of ANTLR 4).
//!
//! Each character costs one step in a table. A text is at most read [`MAX_READS`] times over.

mod nfa;
mod reach;

use crate::description::Description;
use crate::hashing::{FastMap, FastSet};
use crate::problem::Problem;
use crate::vocabulary::{TokenType, Vocabulary};

use self::nfa::{Nfa, State, Turn};
pub(crate) use self::reach::Reach;

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its type.
    pub kind: TokenType,
    /// Where its text begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// How many times over a text may be read, because rules look ahead to find the longest match.
const MAX_READS: usize = 64;

/// How deep rules that use themselves may be nested in a text.
const MAX_NESTING: u32 = 1000;

/// How often tokens without a text may change the mode at one place.
const MAX_EMPTY: usize = 100;

/// How many states are kept before all are made anew.
const MAX_KEPT: usize = 20_000;

/// Rules of tokens, ready for use.
#[derive(Clone, Debug)]
pub struct Lexer {
    nfa: Nfa,
}

/// The deterministic states that were needed so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct LexerCache {
    states: Vec<DfaState>,
    ids: FastMap<Vec<Config>, u32>,
    starts: FastMap<u32, u32>,
    /// Steps with characters beyond ASCII, and with the end of the text.
    others: FastMap<(u32, u32), u32>,
    stacks: Vec<(u32, u32, u32)>,
    stack_ids: FastMap<(u32, u32), u32>,
}

#[derive(Clone, Debug)]
struct DfaState {
    configs: Vec<Config>,
    /// The ending of the preferred rule that is complete here.
    ending: Option<u32>,
    ascii: Box<[u32; 128]>,
}

/// A path through the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Config {
    state: u32,
    stack: u32,
    rule: u32,
    /// Whether it went through a non-greedy loop.
    lazy: bool,
}

const UNKNOWN: u32 = u32::MAX;
const DEAD: u32 = u32::MAX - 1;
/// The end of the text, as a character.
const END: u32 = char::MAX as u32 + 1;

/// A text is too much: it would be read too many times over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooHard;

impl Lexer {
    pub(crate) fn new(description: &Description, vocabulary: &Vocabulary) -> Result<Self, Problem> {
        Ok(Self { nfa: Nfa::new(description, vocabulary)? })
    }

    /// The tokens of a text that are not hidden. Characters that no rule takes are tokens of type [`TokenType::ERROR`].
    pub(crate) fn tokens(&self, cache: &mut LexerCache, text: &[u8]) -> Result<Vec<Token>, TooHard> {
        if cache.states.len() > MAX_KEPT {
            *cache = LexerCache::default();
        }
        let mut run = Run { nfa: &self.nfa, cache, text, reads: text.len() * MAX_READS + 1000, nesting: MAX_NESTING };
        run.all()
    }

    /// Whether the rule of that name matches the empty text.
    pub(crate) fn takes_nothing(&self, rule: u32) -> bool {
        let mut cache = LexerCache::default();
        let mut run = Run { nfa: &self.nfa, cache: &mut cache, text: &[], reads: 1000, nesting: MAX_NESTING };
        (0..self.nfa.starts.len() as u32).any(|mode| {
            let start = run.start(mode);
            let configs = &run.cache.states[start as usize].configs;
            configs.iter().any(|config| match self.nfa.states[config.state as usize] {
                State::Accept(ending) => self.nfa.endings[ending as usize].rule == rule,
                _ => false,
            })
        })
    }

    /// Whether a text is one hidden token in a mode.
    pub(crate) fn hides(&self, cache: &mut LexerCache, text: &[u8], mode: u32) -> bool {
        let mut run = Run { nfa: &self.nfa, cache, text, reads: text.len() * MAX_READS + 1000, nesting: MAX_NESTING };
        let found = run.longest(mode, 0).ok().flatten();
        found.is_some_and(|(ending, end, _)| end == text.len() && self.nfa.endings[ending as usize].hidden)
    }
}

struct Run<'a> {
    nfa: &'a Nfa,
    cache: &'a mut LexerCache,
    text: &'a [u8],
    reads: usize,
    /// How deep rules that use themselves may be nested.
    nesting: u32,
}

impl Run<'_> {
    fn all(&mut self) -> Result<Vec<Token>, TooHard> {
        let mut tokens: Vec<Token> = Vec::with_capacity(self.text.len() / 4);
        let (mut mode, mut modes) = (0, Vec::new());
        // Where the token begins, which `more` leaves behind, and where to go on.
        let (mut start, mut at, mut empty) = (0, 0, 0);
        let mut is_over = false;
        while at < self.text.len() || !is_over {
            is_over = at == self.text.len();
            let Some((ending, end, took_end)) = self.longest(mode, at)? else {
                if at < self.text.len() {
                    let end = at + character(&self.text[at..]).1;
                    add_error(&mut tokens, start, end);
                    (start, at) = (end, end);
                }
                continue;
            };
            let ending = &self.nfa.endings[ending as usize];
            if end == at {
                empty += 1;
                if empty > MAX_EMPTY || (ending.modes.is_empty() && !took_end) {
                    if at < self.text.len() {
                        let end = at + character(&self.text[at..]).1;
                        add_error(&mut tokens, start, end);
                        (start, at) = (end, end);
                    }
                    continue;
                }
            } else {
                empty = 0;
            }
            is_over |= took_end;
            for turn in &ending.modes {
                match *turn {
                    Turn::To(to) => mode = to,
                    Turn::Push(to) => modes.push(std::mem::replace(&mut mode, to)),
                    Turn::Pop => mode = modes.pop().unwrap_or(mode),
                }
            }
            at = end;
            if ending.more {
                continue;
            }
            if !ending.hidden {
                tokens.push(Token { kind: TokenType(ending.token), start: start as u32, end: end as u32 });
            }
            start = end;
        }
        if start < self.text.len() {
            add_error(&mut tokens, start, self.text.len());
        }
        Ok(tokens)
    }

    /// The ending of the longest match, where it ends, and whether the end of the text is part of it.
    fn longest(&mut self, mode: u32, from: usize) -> Result<Option<(u32, usize, bool)>, TooHard> {
        let mut state = self.start(mode);
        let mut best = self.cache.states[state as usize].ending.map(|ending| (ending, from, false));
        let mut at = from;
        while at < self.text.len() {
            let byte = self.text[at];
            let (next, len) = if byte < 128 {
                match self.cache.states[state as usize].ascii[usize::from(byte)] {
                    UNKNOWN => (self.step(state, u32::from(byte)), 1),
                    known => (known, 1),
                }
            } else {
                let (c, len) = character(&self.text[at..]);
                (self.step(state, c), len)
            };
            self.reads = self.reads.checked_sub(1).ok_or(TooHard)?;
            if next == DEAD {
                return Ok(best);
            }
            state = next;
            at += len;
            if let Some(ending) = self.cache.states[state as usize].ending {
                best = Some((ending, at, false));
            }
        }
        let next = self.step(state, END);
        if next != DEAD
            && let Some(ending) = self.cache.states[next as usize].ending
        {
            best = Some((ending, at, true));
        }
        Ok(best)
    }

    fn start(&mut self, mode: u32) -> u32 {
        if let Some(&state) = self.cache.starts.get(&mode) {
            return state;
        }
        let mut closure = Closure::default();
        for &start in &self.nfa.starts[mode as usize] {
            let rule = start;
            let config = Config { state: start, stack: 0, rule, lazy: false };
            self.close(config, false, &mut closure);
        }
        let state = self.intern(closure.configs);
        self.cache.starts.insert(mode, state);
        state
    }

    fn step(&mut self, from: u32, c: u32) -> u32 {
        if c >= 128
            && let Some(&next) = self.cache.others.get(&(from, c))
        {
            return next;
        }
        let mut closure = Closure::default();
        let configs = std::mem::take(&mut self.cache.states[from as usize].configs);
        let mut ended = None;
        for config in &configs {
            let has_ended = ended == Some(config.rule);
            if has_ended && config.lazy {
                continue;
            }
            let next = match self.nfa.states[config.state as usize] {
                State::Chars(set, next) if c != END && self.nfa.sets[set as usize].contains(c) => next,
                State::Eof(next) if c == END => next,
                _ => continue,
            };
            if self.close(Config { state: next, ..*config }, has_ended, &mut closure) {
                ended = Some(config.rule);
            }
        }
        self.cache.states[from as usize].configs = configs;
        let next = if closure.configs.is_empty() { DEAD } else { self.intern(closure.configs) };
        if c < 128 {
            self.cache.states[from as usize].ascii[c as usize] = next;
        } else {
            self.cache.others.insert((from, c), next);
        }
        next
    }

    /// Adds what a path reaches without a character. Tells whether its rule has come to an end, now or before.
    fn close(&mut self, config: Config, ended: bool, closure: &mut Closure) -> bool {
        let mut ended = ended;
        // In the order of preference: the next one is on top.
        let mut open = vec![config];
        while let Some(config) = open.pop() {
            if !closure.seen.insert(config) {
                continue;
            }
            match &self.nfa.states[config.state as usize] {
                State::Accept(_) => {
                    if !(ended && config.lazy) {
                        closure.configs.push(config);
                    }
                    ended = true;
                }
                State::Chars(..) | State::Eof(_) => {
                    if !(ended && config.lazy) {
                        closure.configs.push(config);
                    }
                }
                State::Split { next, greedy } => {
                    let lazy = config.lazy || !greedy;
                    open.extend(next.iter().rev().map(|&state| Config { state, lazy, ..config }));
                }
                State::Call { rule, next } => {
                    let depth = self.cache.stacks.get((config.stack as usize).wrapping_sub(1)).map_or(0, |top| top.2);
                    if depth < self.nesting {
                        let stack = self.cache.push(*next, config.stack, depth + 1);
                        open.push(Config { state: *rule, stack, ..config });
                    }
                }
                State::Return => {
                    if let Some(&(state, stack, _)) = self.cache.stacks.get((config.stack as usize).wrapping_sub(1)) {
                        open.push(Config { state, stack, ..config });
                    }
                }
            }
        }
        ended
    }

    fn intern(&mut self, configs: Vec<Config>) -> u32 {
        if let Some(&state) = self.cache.ids.get(&configs) {
            return state;
        }
        let ending = configs.iter().find_map(|config| match self.nfa.states[config.state as usize] {
            State::Accept(ending) => Some(ending),
            _ => None,
        });
        let state = self.cache.states.len() as u32;
        self.cache.ids.insert(configs.clone(), state);
        self.cache.states.push(DfaState { configs, ending, ascii: Box::new([UNKNOWN; 128]) });
        state
    }
}

#[derive(Default)]
struct Closure {
    configs: Vec<Config>,
    seen: FastSet<Config>,
}

impl LexerCache {
    /// The number of a stack, from 1; 0 is the empty one.
    fn push(&mut self, state: u32, below: u32, depth: u32) -> u32 {
        let next = self.stacks.len() as u32 + 1;
        *self.stack_ids.entry((state, below)).or_insert_with(|| {
            self.stacks.push((state, below, depth));
            next
        })
    }
}

fn add_error(tokens: &mut Vec<Token>, start: usize, end: usize) {
    match tokens.last_mut() {
        Some(last) if last.kind == TokenType::ERROR && last.end as usize == start => last.end = end as u32,
        _ => tokens.push(Token { kind: TokenType::ERROR, start: start as u32, end: end as u32 }),
    }
}

/// The first character of a text and its length; that of Latin-1 where there is none in UTF-8.
fn character(text: &[u8]) -> (u32, usize) {
    let start = &text[..text.len().min(4)];
    let valid = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    match valid.chars().next() {
        Some(c) => (c as u32, c.len_utf8()),
        None => (u32::from(start[0]), 1),
    }
}
