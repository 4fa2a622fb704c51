//! [`Matcher`]: which part of a rule each child of a node fills.
//!
//! A backtracking interpreter of the grammar's program. It chooses between alternatives by the next child, so it seldom has
//! to backtrack, and mostly a few steps per child are enough. If they are not, it starts again and remembers the states that
//! it has visited (a place, the children used so far, the hidden rules it is in), each of which it visits once. So it takes
//! linear time in the number of children if the rules are regular. The first try also forgets the alternatives that are far
//! behind it, and starts again if it comes back to them. It finds what the second one would find: it
//! goes the same way, and a state that it meets again on that way would keep it going round until its steps are used up.
//! Fields break ties: it prefers a match in which every child has the field that the rule gives it, and ignores fields if
//! there is none.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::Bits;
use crate::grammar::Grammar;
use crate::parts::{Part, PartId};
use crate::program::{Place, Step};
use crate::rules::{FieldId, LabelId, SymbolId};

/// A child of a node in the parser's tree, other than whitespace and comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its name before aliasing.
    pub name: LabelId,
    /// Its label.
    pub label: LabelId,
    /// Its field.
    pub field: Option<FieldId>,
}

/// A step of a derivation. Children are taken in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// What follows, up to its [`Event::Close`], fills this part: a list, an optional, a choice or a hidden rule.
    Open(PartId),
    /// The end of the part that was opened last.
    Close,
    /// The next child fills this part.
    Child(PartId),
    /// A token without a node.
    Silent(PartId),
}

/// Recovers derivations, node by node. It reuses its memory.
#[derive(Debug)]
pub struct Matcher<'g> {
    grammar: &'g Grammar,
    /// Symbols that the parser knows only by one of their aliases.
    renamed: Bits,
    events: Vec<Event>,
    frames: Vec<Frame>,
    frame_ids: HashMap<(u32, Place, u32), u32, BuildHasherDefault<Quick>>,
    seen: HashSet<(u32, u32, u32), BuildHasherDefault<Quick>>,
    waiting: Vec<Waiting>,
    /// Whether alternatives were forgotten.
    has_forgotten: bool,
    /// How many frames there may be before those are dropped that are over.
    max_frames: usize,
}

/// A place with alternatives that were not tried yet: those from a number on.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    state: State,
    next: u32,
}

/// How a try to match ended.
enum Ending {
    Matched,
    Unmatched,
    /// There were more steps than it may take, or it came back to what it had forgotten.
    Unfinished,
}

/// A hidden rule that is being matched.
#[derive(Clone, Copy, Debug)]
struct Frame {
    outer: u32,
    back: Place,
    entry: Place,
    position: u32,
    field: Option<FieldId>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    place: Place,
    position: u32,
    frame: u32,
    events: u32,
}

/// How often a hidden rule may call itself without a child in between. Deeper recursion consumes nothing and does not
/// end.
const MAX_RECURSION: usize = 8;
/// Tables with room for more states than this are dropped after use: clearing them takes time by capacity, and those of a
/// list of a hundred thousand elements take megabytes.
const MAX_KEPT_CAPACITY: usize = 1000;
/// How many alternatives a match without memory remembers, up to twice that. Long lists have four per child.
const MAX_WAITING: usize = 4096;
/// A match may take this many steps, and this many more per child. Beyond that the node counts as not matched.
const MAX_STEPS: (usize, usize) = (5_000, 500);
/// The same for a match that does not remember what it has visited. One in 300 needs more, in odd texts and changed samples.
const MAX_STEPS_WITHOUT_MEMORY: (usize, usize) = (200, 50);
/// How many frames there may be before those are dropped that are over. Long lists have up to four per child, of 28 bytes.
const MAX_FRAMES: usize = 8192;
/// How many states and hidden rules a match may remember, about 5 MB. Beyond that the node counts as not matched: some lists of
/// 200,000 one-letter tokens would take 400 MB. Lists of 10,000 elements need fewer.
const MAX_REMEMBERED: usize = 100_000;

impl<'g> Matcher<'g> {
    /// A matcher for a grammar and its parser; `is_known` tells which names before aliasing the parser has.
    ///
    /// In the parser's tables, a symbol that is aliased wherever it is used has the name of one of its aliases.
    pub fn new(grammar: &'g Grammar, is_known: impl Fn(LabelId) -> bool) -> Self {
        let mut renamed = Bits::default();
        for symbol in grammar.symbols().filter(|&symbol| !is_known(grammar.describe(symbol).label)) {
            renamed.insert(symbol.0 as usize);
        }
        Self {
            grammar,
            renamed,
            events: Vec::new(),
            frames: Vec::new(),
            frame_ids: HashMap::default(),
            seen: HashSet::default(),
            waiting: Vec::new(),
            has_forgotten: false,
            max_frames: MAX_FRAMES,
        }
    }

    /// The derivation of a node's children from its symbol's rule; `None` if there is none.
    pub fn derive(&mut self, symbol: SymbolId, children: &[Child]) -> Option<Vec<Event>> {
        let entry = self.grammar.program.entry(symbol)?;
        let is_matched = self.matches(entry, children, true) || self.matches(entry, children, false);
        if self.events.capacity() <= MAX_KEPT_CAPACITY {
            return is_matched.then(|| self.events.clone());
        }
        (self.frames, self.waiting) = (Vec::new(), Vec::new());
        let events = std::mem::take(&mut self.events);
        is_matched.then_some(events)
    }

    fn matches(&mut self, entry: Place, children: &[Child], with_fields: bool) -> bool {
        let ending = match self.run(entry, children, with_fields, false) {
            Ending::Unfinished => self.run(entry, children, with_fields, true),
            ending => ending,
        };
        matches!(ending, Ending::Matched)
    }

    /// Forgets what an earlier match left.
    fn clear(&mut self) {
        if self.events.capacity() > MAX_KEPT_CAPACITY {
            (self.events, self.frames, self.waiting) = (Vec::new(), Vec::new(), Vec::new());
        }
        self.events.clear();
        self.frames.clear();
        self.waiting.clear();
        (self.has_forgotten, self.max_frames) = (false, MAX_FRAMES);
        if self.seen.capacity().max(self.frame_ids.capacity()) > MAX_KEPT_CAPACITY {
            // Otherwise every short list after a long one would pay for clearing.
            self.seen = HashSet::default();
            self.frame_ids = HashMap::default();
        }
        self.frame_ids.clear();
        self.seen.clear();
    }

    fn run(&mut self, entry: Place, children: &[Child], with_fields: bool, with_memory: bool) -> Ending {
        self.clear();
        self.frames.push(Frame { outer: u32::MAX, back: 0, entry, position: 0, field: None });
        let (steps, steps_per_child) = if with_memory { MAX_STEPS } else { MAX_STEPS_WITHOUT_MEMORY };
        let mut budget = steps + steps_per_child * children.len();
        let mut state = State { place: entry, position: 0, frame: 0, events: 0 };
        let program = &self.grammar.program;
        loop {
            budget = match budget.checked_sub(1) {
                Some(left) => left,
                None => return Ending::Unfinished,
            };
            if with_memory && self.seen.len() + self.frame_ids.len() > MAX_REMEMBERED {
                return Ending::Unfinished;
            }
            if !with_memory && self.frames.len() > self.max_frames {
                self.drop_frames(&mut state);
            }
            let next = children.get(state.position as usize);
            let goes_on = match program.steps[state.place as usize] {
                Step::Child(part) => {
                    let fits = next.is_some_and(|child| self.fits(part, child, state.frame, with_fields));
                    if fits {
                        self.add(Event::Child(part));
                        state.place += 1;
                        state.position += 1;
                    }
                    fits
                }
                Step::Silent(part) => {
                    self.add(Event::Silent(part));
                    state.place += 1;
                    true
                }
                Step::Open(part) => {
                    self.add(Event::Open(part));
                    state.place += 1;
                    true
                }
                Step::Close => {
                    self.add(Event::Close);
                    state.place += 1;
                    true
                }
                Step::Jump(place) => {
                    state.place = place;
                    true
                }
                Step::Call(place, part) => self.call(&mut state, place, part, with_memory),
                Step::Return => {
                    let frame = self.frames[state.frame as usize];
                    if frame.outer == u32::MAX && next.is_none() {
                        return Ending::Matched;
                    }
                    state.place = frame.back;
                    state.frame = frame.outer;
                    frame.outer != u32::MAX
                }
                Step::Split(index) => {
                    let split = &program.splits[index as usize];
                    let places = split.places(next.map(|child| child.label));
                    match places {
                        [] => false,
                        [only] if !split.loops => {
                            state.place = *only;
                            true
                        }
                        [first, ..] => {
                            let new = !with_memory || self.seen.insert((state.place, state.position, state.frame));
                            if new {
                                if places.len() > 1 {
                                    if !with_memory && self.waiting.len() == 2 * MAX_WAITING {
                                        self.waiting.drain(..MAX_WAITING);
                                        self.has_forgotten = true;
                                    }
                                    let state = State { events: self.events.len() as u32, ..state };
                                    self.waiting.push(Waiting { state, next: 1 });
                                }
                                state.place = *first;
                            }
                            new
                        }
                    }
                }
            };
            if !goes_on {
                match self.earlier(children) {
                    Some(earlier) => state = earlier,
                    None if self.has_forgotten => return Ending::Unfinished,
                    None => return Ending::Unmatched,
                }
            }
        }
    }

    /// Goes back to the last place with an alternative that was not tried yet, and takes that one.
    fn earlier(&mut self, children: &[Child]) -> Option<State> {
        let Waiting { state, next } = self.waiting.pop()?;
        self.events.truncate(state.events as usize);
        let Step::Split(index) = self.grammar.program.steps[state.place as usize] else { return None };
        let label = children.get(state.position as usize).map(|child| child.label);
        let places = self.grammar.program.splits[index as usize].places(label);
        if next as usize + 1 < places.len() {
            self.waiting.push(Waiting { state, next: next + 1 });
        }
        Some(State { place: places[next as usize], ..state })
    }

    fn call(&mut self, state: &mut State, place: Place, part: PartId, with_memory: bool) -> bool {
        let Part::Call(_, field) = *self.grammar.part(part) else { return false };
        let outer = self.frames[state.frame as usize];
        let mut again = 0;
        let mut frame = outer;
        while frame.position == state.position && frame.outer != u32::MAX {
            again += usize::from(frame.entry == place);
            frame = self.frames[frame.outer as usize];
        }
        if again >= MAX_RECURSION {
            return false;
        }
        let next = self.frames.len() as u32;
        let key = (state.frame, state.place, state.position);
        let id = if with_memory { *self.frame_ids.entry(key).or_insert(next) } else { next };
        if id == next {
            let field = field.or(outer.field);
            let (back, position) = (state.place + 1, state.position);
            self.frames.push(Frame { outer: state.frame, back, entry: place, position, field });
        }
        state.frame = id;
        state.place = place;
        true
    }

    fn add(&mut self, event: Event) {
        if self.events.len() == self.events.capacity() {
            // Not twice as much: a long list has many of them, at a time when the parser's tree is there too.
            self.events.reserve_exact(64 + self.events.len() / 8);
        }
        self.events.push(event);
    }

    /// Drops the frames that are over: no state that is left refers to them. Frames that are remembered have to stay.
    fn drop_frames(&mut self, state: &mut State) {
        const DROPPED: u32 = u32::MAX;
        let mut numbers = vec![DROPPED; self.frames.len()];
        let states = self.waiting.iter().map(|waiting| waiting.state.frame).chain([state.frame]);
        states.for_each(|frame| numbers[frame as usize] = 0);
        // A frame comes behind the one that it is in.
        for frame in (1..self.frames.len()).rev() {
            if numbers[frame] != DROPPED {
                numbers[self.frames[frame].outer as usize] = 0;
            }
        }
        let mut count = 0;
        for (at, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number != DROPPED) {
            *number = count;
            self.frames[count as usize] = self.frames[at];
            count += 1;
        }
        self.frames.truncate(count as usize);
        for frame in self.frames.iter_mut().skip(1) {
            frame.outer = numbers[frame.outer as usize];
        }
        state.frame = numbers[state.frame as usize];
        self.waiting.iter_mut().for_each(|waiting| waiting.state.frame = numbers[waiting.state.frame as usize]);
        self.max_frames = MAX_FRAMES.max(2 * self.frames.len());
    }

    fn fits(&self, part: PartId, child: &Child, frame: u32, with_fields: bool) -> bool {
        let Part::Child { symbol, label, field, .. } = *self.grammar.part(part) else { return false };
        if label != child.label {
            return false;
        }
        let named = symbol.is_none_or(|symbol| {
            let described = self.grammar.describe(symbol);
            described.label == child.name
                || described.auxiliary
                || self.renamed.contains(symbol.0 as usize) && self.grammar.parts.has_alias(symbol, child.name)
        });
        let outer = self.frames[frame as usize].field;
        named && (!with_fields || field.or(outer) == child.field)
    }
}

/// A fast hash of a few numbers. There are many states and frames, and nobody chooses them to collide.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

#[cfg(test)]
mod tests;
