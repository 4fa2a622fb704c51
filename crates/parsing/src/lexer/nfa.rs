//! The rules of tokens as one nondeterministic automaton with a stack.
//!
//! A rule that a rule uses is copied to where it is used. Only rules that use themselves, as nested comments do, are
//! called, which is what the stack is for. The order of a split is the order of preference, as in Thompson's automata for
//! regular expressions with priorities (Pike; Cox, *Regular Expression Matching: the Virtual Machine Approach*, 2009).

use std::collections::{HashMap, HashSet};

use crate::charset::CharSet;
use crate::description::{Command, Definition, Description, Expr};
use crate::problem::{Fault, Problem};
use crate::vocabulary::{TokenType, Vocabulary};

/// How many states the rules of tokens may have. Those of Unicode-heavy grammars have some thousands.
const MAX_STATES: usize = 1 << 20;

/// How deep rules may use each other.
const MAX_DEPTH: usize = 500;

#[derive(Clone, Debug)]
pub(crate) enum State {
    /// One character of a set.
    Chars(u32, u32),
    /// The end of the text.
    Eof(u32),
    /// Go on with any of these, the preferred one first.
    Split { next: Vec<u32>, greedy: bool },
    /// A rule that uses itself, and where to go on behind it.
    Call { rule: u32, next: u32 },
    /// The end of such a rule.
    Return,
    /// The end of a token: the number of what to do with it.
    Accept(u32),
}

/// What happens with a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The rule, in the order of preference.
    pub(crate) rule: u32,
    pub(crate) token: u16,
    pub(crate) hidden: bool,
    pub(crate) more: bool,
    pub(crate) modes: Vec<Turn>,
}

/// A change of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    To(u32),
    Push(u32),
    Pop,
}

impl Turn {
    /// The mode that it names.
    pub(crate) fn target(&self) -> Option<u32> {
        match self {
            Self::To(mode) | Self::Push(mode) => Some(*mode),
            Self::Pop => None,
        }
    }
}

/// All rules of tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nfa {
    pub(crate) states: Vec<State>,
    pub(crate) sets: Vec<CharSet>,
    pub(crate) endings: Vec<Ending>,
    /// For each mode, the start of each of its rules, in the order of preference.
    pub(crate) starts: Vec<Vec<u32>>,
    /// The rules that use themselves, or rules that do, in the order of preference.
    pub(crate) recursive: HashSet<u32>,
}

impl Nfa {
    pub(crate) fn new(description: &Description, vocabulary: &Vocabulary) -> Result<Self, Problem> {
        let mut builder = Builder {
            nfa: Self { starts: vec![Vec::new(); description.modes.len().max(1)], ..Self::default() },
            description,
            vocabulary,
            by_name: description.lexical.iter().enumerate().map(|(index, rule)| (rule.name.as_str(), index)).collect(),
            recursive: HashSet::new(),
            callable: HashMap::new(),
            set_ids: HashMap::new(),
            any_case: false,
            depth: 0,
        };
        builder.find_recursive();
        builder.literals();
        for (number, rule) in description.lexical.iter().enumerate() {
            if !rule.fragment {
                builder.rule(number, rule)?;
            }
        }
        Ok(builder.nfa)
    }
}

struct Builder<'d> {
    nfa: Nfa,
    description: &'d Description,
    vocabulary: &'d Vocabulary,
    by_name: HashMap<&'d str, usize>,
    recursive: HashSet<usize>,
    /// The state at which a recursive rule starts.
    callable: HashMap<usize, u32>,
    set_ids: HashMap<CharSet, u32>,
    any_case: bool,
    depth: usize,
}

impl Builder<'_> {
    /// Rules that use themselves, found by a depth-first search from each.
    fn find_recursive(&mut self) {
        let count = self.description.lexical.len();
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (rule, definition) in self.description.lexical.iter().enumerate() {
            for alternative in &definition.alternatives {
                alternative.expr.each_name(&mut |name, _| uses[rule].extend(self.by_name.get(name)));
            }
        }
        let used_by = |rule: usize| {
            let mut seen = vec![false; count];
            let mut open = uses[rule].clone();
            while let Some(next) = open.pop() {
                if !std::mem::replace(&mut seen[next], true) {
                    open.extend(&uses[next]);
                }
            }
            seen
        };
        self.recursive = (0..count).filter(|&rule| used_by(rule)[rule]).collect();
        let literals = self.vocabulary.implicit().len();
        let calls = |rule: &usize| {
            let used = used_by(*rule);
            self.recursive.iter().any(|&other| used[other])
        };
        self.nfa.recursive = (0..count).filter(calls).map(|rule| (literals + rule) as u32).collect();
    }

    /// Literals of syntax rules, which come before all rules.
    fn literals(&mut self) {
        self.any_case = self.description.options.get("caseInsensitive").is_some_and(|value| value == "true");
        for (text, token) in self.vocabulary.implicit() {
            let rule = self.nfa.endings.len() as u32;
            let end = self.ending(Ending { rule, token: token.0, ..Ending::default() });
            let start = self.text(text, end);
            self.nfa.starts[0].push(start);
        }
    }

    fn ending(&mut self, ending: Ending) -> u32 {
        self.nfa.endings.push(ending);
        self.add(State::Accept(self.nfa.endings.len() as u32 - 1))
    }

    fn add(&mut self, state: State) -> u32 {
        self.nfa.states.push(state);
        self.nfa.states.len() as u32 - 1
    }

    fn rule(&mut self, number: usize, rule: &Definition) -> Result<(), Problem> {
        self.any_case = rule.any_case;
        let preference = self.vocabulary.implicit().len() + number;
        let mut starts = Vec::new();
        for alternative in &rule.alternatives {
            let end = self.commands(preference as u32, rule, &alternative.commands)?;
            let end = self.ending(end);
            starts.push(self.expr(rule, &alternative.expr, end)?);
        }
        let start = self.add(State::Split { next: starts, greedy: true });
        self.nfa.starts[rule.mode].push(start);
        Ok(())
    }

    fn commands(&self, preference: u32, rule: &Definition, commands: &[Command]) -> Result<Ending, Problem> {
        let token = self.vocabulary.named(&rule.name).unwrap_or(TokenType::ERROR);
        let mut ending = Ending { rule: preference, token: token.0, ..Ending::default() };
        let mode = |name: &str| {
            let found = self.description.modes.iter().position(|mode| mode == name);
            let fault =
                || Problem { file: rule.file.clone(), place: rule.place, fault: Fault::NoMode(name.to_owned()) };
            found.map(|mode| mode as u32).ok_or_else(fault)
        };
        for command in commands {
            match command {
                Command::Skip => ending.hidden = true,
                Command::More => ending.more = true,
                Command::Channel(name) => {
                    ending.hidden = !matches!(name.as_str(), "DEFAULT_TOKEN_CHANNEL" | "DEFAULT_CHANNEL" | "0");
                }
                Command::Type(name) => ending.token = self.vocabulary.named(name).unwrap_or(token).0,
                Command::Mode(name) => ending.modes.push(Turn::To(mode(name)?)),
                Command::PushMode(name) => ending.modes.push(Turn::Push(mode(name)?)),
                Command::PopMode => ending.modes.push(Turn::Pop),
            }
        }
        Ok(ending)
    }

    fn expr(&mut self, rule: &Definition, expr: &Expr, next: u32) -> Result<u32, Problem> {
        let problem = |place, fault| Problem { file: rule.file.clone(), place, fault };
        if self.nfa.states.len() > MAX_STATES || self.depth > MAX_DEPTH {
            return Err(problem(rule.place, Fault::TooLarge));
        }
        self.depth += 1;
        let state = match expr {
            Expr::Seq(parts) => {
                let mut next = next;
                for part in parts.iter().rev() {
                    next = self.expr(rule, part, next)?;
                }
                next
            }
            Expr::Choice(parts) => {
                let starts = self.choice(rule, parts.iter(), next)?;
                self.split(starts)
            }
            Expr::Repeat { body, optional, many, greedy } => {
                let split = self.add(State::Split { next: Vec::new(), greedy: *greedy });
                let start = self.expr(rule, body, if *many { split } else { next })?;
                let both = if *greedy { vec![start, next] } else { vec![next, start] };
                self.nfa.states[split as usize] = State::Split { next: both, greedy: *greedy };
                if *optional { split } else { start }
            }
            Expr::Text(text, _) => self.text(text, next),
            Expr::Name(name, place) => match self.by_name.get(name.as_str()).copied() {
                Some(used) => self.used(used, next)?,
                None if self.description.syntax_rule(name).is_some() => {
                    return Err(problem(*place, Fault::SyntaxInToken(name.clone())));
                }
                None => return Err(problem(*place, Fault::Undefined(name.clone()))),
            },
            Expr::Eof => self.add(State::Eof(next)),
            Expr::Any => self.chars(CharSet::all(), next),
            Expr::Set(set) => self.chars(self.cased(set), next),
            Expr::Not(_, place) => {
                let set =
                    self.description.single(expr, self.any_case).ok_or_else(|| problem(*place, Fault::NotASet))?;
                self.chars(set, next)
            }
        };
        self.depth -= 1;
        Ok(state)
    }

    fn used(&mut self, used: usize, next: u32) -> Result<u32, Problem> {
        let rule = &self.description.lexical[used];
        let outer = std::mem::replace(&mut self.any_case, rule.any_case);
        let state = if self.recursive.contains(&used) {
            let start = match self.callable.get(&used) {
                Some(&start) => start,
                None => {
                    // Known before its parts are, because they use it.
                    let start = self.add(State::Split { next: Vec::new(), greedy: true });
                    self.callable.insert(used, start);
                    let end = self.add(State::Return);
                    let starts = self.forms(rule, end)?;
                    self.nfa.states[start as usize] = State::Split { next: starts, greedy: true };
                    start
                }
            };
            self.add(State::Call { rule: start, next })
        } else {
            let starts = self.forms(rule, next)?;
            self.split(starts)
        };
        self.any_case = outer;
        Ok(state)
    }

    fn forms(&mut self, rule: &Definition, next: u32) -> Result<Vec<u32>, Problem> {
        self.choice(rule, rule.alternatives.iter().map(|alternative| &alternative.expr), next)
    }

    /// The starts of alternatives. Single characters beside each other become one set: grammars spell out the letters of
    /// Unicode in hundreds of ranges, and each would be a path of its own.
    fn choice<'e>(
        &mut self,
        rule: &Definition,
        parts: impl Iterator<Item = &'e Expr>,
        next: u32,
    ) -> Result<Vec<u32>, Problem> {
        let (mut starts, mut ranges) = (Vec::new(), Vec::new());
        for part in parts {
            if let Some(set) = self.one_character(part) {
                ranges.extend_from_slice(set.ranges());
                continue;
            }
            self.end_set(&mut ranges, next, &mut starts);
            starts.push(self.expr(rule, part, next)?);
        }
        self.end_set(&mut ranges, next, &mut starts);
        Ok(starts)
    }

    fn end_set(&mut self, ranges: &mut Vec<(u32, u32)>, next: u32, starts: &mut Vec<u32>) {
        if !ranges.is_empty() {
            starts.push(self.chars(CharSet::new(ranges.drain(..)), next));
        }
    }

    fn one_character(&self, expr: &Expr) -> Option<CharSet> {
        match expr {
            Expr::Set(set) => Some(self.cased(set)),
            Expr::Text(text, _) => {
                let mut chars = text.chars();
                chars.next().filter(|_| chars.next().is_none()).map(|c| self.cased(&CharSet::of(c)))
            }
            _ => None,
        }
    }

    fn split(&mut self, starts: Vec<u32>) -> u32 {
        if let [start] = starts[..] { start } else { self.add(State::Split { next: starts, greedy: true }) }
    }

    fn text(&mut self, text: &str, mut next: u32) -> u32 {
        for c in text.chars().rev() {
            next = self.chars(self.cased(&CharSet::of(c)), next);
        }
        next
    }

    fn cased(&self, set: &CharSet) -> CharSet {
        if self.any_case { set.in_any_case() } else { set.clone() }
    }

    fn chars(&mut self, set: CharSet, next: u32) -> u32 {
        let count = self.nfa.sets.len() as u32;
        let id = *self.set_ids.entry(set).or_insert_with_key(|set| {
            self.nfa.sets.push(set.clone());
            count
        });
        self.add(State::Chars(id, next))
    }
}
