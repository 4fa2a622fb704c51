//! [`Network`]: the syntax rules as a recursive transition network, which is what the parser walks.
//!
//! Each rule is an automaton whose steps are tokens and calls of other rules. A rule that begins with itself is rewritten
//! to a loop by precedence climbing (Richards; Clarke, *The Top-Down Parsing of Expressions*, 1986), as ANTLR does: earlier
//! alternatives bind tighter. Unlike ANTLR, which checks precedences with predicates, there is a copy of such a rule for
//! each level of precedence that it is used at. So the network is context-free, and lookahead knows all precedences.

use std::collections::HashMap;

use whittle_grammars::Bits;

use crate::description::{Alternative, Definition, Description, Expr};
use crate::problem::{Fault, Problem};
use crate::recursion;
use crate::vocabulary::{TokenType, Vocabulary};

/// How many states a network may have. Large grammars have tens of thousands.
const MAX_STATES: usize = 1 << 21;

/// A state of the network.
pub(crate) type StateId = u32;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// One token of a set.
    Token(u32, StateId),
    /// A rule, and where to go on behind it.
    Call { rule: u32, next: StateId },
    /// Go on with one of these.
    Split(Split),
    /// All of the rule so far is the first operand of what follows.
    Wrap(StateId),
    /// The end of a rule.
    End(u32),
}

/// A decision. The order is that of preference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Split {
    pub(crate) next: Vec<StateId>,
    /// In a loop: the one of them that leaves it.
    pub(crate) exit: Option<u16>,
    /// In the loop of a rule that began with itself: the number of its [`Operators`].
    pub(crate) operators: Option<u32>,
}

/// The operators of a rule that began with itself, at one level.
#[derive(Clone, Debug)]
pub(crate) struct Operators {
    /// The syntax rule.
    pub(crate) definition: u32,
    pub(crate) level: u16,
    /// The precedence of each operator of the split.
    pub(crate) precedences: Vec<u16>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) start: StateId,
    /// The number of the syntax rule; none for parts of rules, which have no node of their own.
    pub(crate) shown: Option<u32>,
    /// Where calls of it return to.
    pub(crate) returns: Vec<StateId>,
}

/// Rules as automata.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) steps: Vec<Step>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) sets: Vec<Bits>,
    pub(crate) operators: Vec<Operators>,
    /// The state before the whole text; the state behind it reads the end of the text again and again.
    pub(crate) start: StateId,
    /// The syntax rule of a whole text.
    pub(crate) root: u32,
}

impl Network {
    pub(crate) fn new(description: &Description, vocabulary: &Vocabulary, start: &str) -> Result<Self, Problem> {
        let by_name = |name: &str| description.syntax.iter().position(|rule| rule.name == name);
        let Some(root) = by_name(start) else {
            let fault = Fault::NoStart(start.to_owned());
            return Err(description.problem_at_start(fault));
        };
        if let Some(problem) = recursion::problems(description).into_iter().next() {
            return Err(problem);
        }
        let mut builder = Builder {
            network: Self {
                steps: Vec::new(),
                rules: Vec::new(),
                sets: Vec::new(),
                operators: Vec::new(),
                start: 0,
                root: root as u32,
            },
            description,
            vocabulary,
            by_name: description.syntax.iter().enumerate().rev().map(|(at, rule)| (rule.name.as_str(), at)).collect(),
            rule_ids: HashMap::new(),
            set_ids: HashMap::new(),
            open: Vec::new(),
        };
        builder.all(root)?;
        Ok(builder.network)
    }

    pub(crate) fn step(&self, state: StateId) -> &Step {
        &self.steps[state as usize]
    }

    pub(crate) fn has(&self, set: u32, token: TokenType) -> bool {
        self.sets[set as usize].contains(usize::from(token.0))
    }
}

/// Which part of a rule a rule of the network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Whole {
        level: u16,
    },
    /// The alternatives that do not begin with the rule itself.
    Operands,
}

struct Builder<'d> {
    network: Network,
    description: &'d Description,
    vocabulary: &'d Vocabulary,
    by_name: HashMap<&'d str, usize>,
    rule_ids: HashMap<(usize, Part), u32>,
    set_ids: HashMap<Bits, u32>,
    /// Rules that were called but not built yet.
    open: Vec<(usize, Part)>,
}

impl Builder<'_> {
    fn all(&mut self, root: usize) -> Result<(), Problem> {
        let mut end = Bits::default();
        end.insert(usize::from(TokenType::EOF.0));
        let set = self.set(end);
        let behind = self.network.steps.len() as StateId;
        self.add(Step::Token(set, behind));
        self.network.start = self.call(root, Part::Whole { level: 0 }, behind);
        while let Some((definition, part)) = self.open.pop() {
            let id = self.rule_ids[&(definition, part)];
            let start = self.rule(definition, part)?;
            self.network.rules[id as usize].start = start;
        }
        for at in 0..self.network.steps.len() {
            if let Step::Call { rule, next } = self.network.steps[at] {
                let returns = &mut self.network.rules[rule as usize].returns;
                if !returns.contains(&next) {
                    returns.push(next);
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, step: Step) -> StateId {
        self.network.steps.push(step);
        self.network.steps.len() as StateId - 1
    }

    fn set(&mut self, tokens: Bits) -> u32 {
        let next = self.network.sets.len() as u32;
        *self.set_ids.entry(tokens).or_insert_with_key(|tokens| {
            self.network.sets.push(tokens.clone());
            next
        })
    }

    fn call(&mut self, definition: usize, part: Part, next: StateId) -> StateId {
        let count = self.network.rules.len() as u32;
        let rule = *self.rule_ids.entry((definition, part)).or_insert_with(|| {
            let shown = matches!(part, Part::Whole { .. }).then_some(definition as u32);
            self.network.rules.push(Rule { start: 0, shown, returns: Vec::new() });
            self.open.push((definition, part));
            count
        });
        self.add(Step::Call { rule, next })
    }

    fn rule(&mut self, number: usize, part: Part) -> Result<StateId, Problem> {
        let description = self.description;
        let rule = &description.syntax[number];
        let end = self.add(Step::End(self.rule_ids[&(number, part)]));
        let is_recursive = recursion::is_direct(rule);
        let level = match part {
            Part::Whole { level } if is_recursive => level,
            _ => return self.alternatives(rule, end),
        };
        // Operands, then any number of operators with what follows them.
        let split = self.add(Step::Split(Split::default()));
        let (mut next, mut precedences) = (Vec::new(), Vec::new());
        for (index, alternative) in rule.alternatives.iter().enumerate() {
            let precedence = precedence(rule, index);
            if precedence < level {
                continue;
            }
            let Some(rest) = recursion::without_itself(rule, &alternative.expr) else { continue };
            let operand = if alternative.right { precedence } else { precedence + 1 };
            let body = self.with_last(rule, rest, operand, split)?;
            next.push(self.add(Step::Wrap(body)));
            precedences.push(precedence);
        }
        next.push(end);
        self.network.operators.push(Operators { definition: number as u32, level, precedences });
        let operators = Some(self.network.operators.len() as u32 - 1);
        let exit = Some(next.len() as u16 - 1);
        self.network.steps[split as usize] = Step::Split(Split { next, exit, operators });
        Ok(self.call(number, Part::Operands, split))
    }

    /// The alternatives of a rule that do not begin with the rule itself.
    fn alternatives(&mut self, rule: &Definition, end: StateId) -> Result<StateId, Problem> {
        let mut next = Vec::new();
        for (index, alternative) in rule.alternatives.iter().enumerate() {
            if recursion::without_itself(rule, &alternative.expr).is_some() {
                continue;
            }
            next.push(match recursion::is_direct(rule) {
                true => self.with_last(rule, parts(&alternative.expr), precedence(rule, index), end)?,
                false => self.expr(rule, &alternative.expr, end)?,
            });
        }
        Ok(if let [only] = next[..] { only } else { self.add(Step::Split(Split { next, ..Split::default() })) })
    }

    /// A sequence; if it ends with the rule itself, that is at a level.
    fn with_last(&mut self, rule: &Definition, parts: &[Expr], level: u16, end: StateId) -> Result<StateId, Problem> {
        let (parts, mut next) = match parts {
            [first @ .., Expr::Name(name, _)] if *name == rule.name => {
                let number = self.by_name[name.as_str()];
                (first, self.call(number, Part::Whole { level }, end))
            }
            _ => (parts, end),
        };
        for part in parts.iter().rev() {
            next = self.expr(rule, part, next)?;
        }
        Ok(next)
    }

    fn expr(&mut self, rule: &Definition, expr: &Expr, next: StateId) -> Result<StateId, Problem> {
        let problem = |place, fault| Problem { file: rule.file.clone(), place, fault };
        if self.network.steps.len() > MAX_STATES {
            return Err(problem(rule.place, Fault::TooLarge));
        }
        Ok(match expr {
            Expr::Seq(parts) => {
                let mut next = next;
                for part in parts.iter().rev() {
                    next = self.expr(rule, part, next)?;
                }
                next
            }
            Expr::Choice(parts) => match self.tokens(expr) {
                Some(tokens) if !tokens.is_empty() => self.token(tokens, next),
                _ => {
                    let starts = parts.iter().map(|part| self.expr(rule, part, next)).collect::<Result<_, _>>()?;
                    self.add(Step::Split(Split { next: starts, ..Split::default() }))
                }
            },
            Expr::Repeat { body, optional, many, greedy } => {
                let split = self.add(Step::Split(Split::default()));
                let start = self.expr(rule, body, if *many { split } else { next })?;
                let both = if *greedy { vec![start, next] } else { vec![next, start] };
                let exit = many.then_some(u16::from(*greedy));
                self.network.steps[split as usize] = Step::Split(Split { next: both, exit, operators: None });
                if *optional { split } else { start }
            }
            Expr::Name(name, place) => match self.by_name.get(name.as_str()).copied() {
                Some(number) => self.call(number, Part::Whole { level: 0 }, next),
                None => match self.tokens(expr) {
                    Some(tokens) => self.token(tokens, next),
                    None => return Err(problem(*place, Fault::Undefined(name.clone()))),
                },
            },
            Expr::Text(text, place) => match self.tokens(expr) {
                Some(tokens) => self.token(tokens, next),
                None => return Err(problem(*place, Fault::NoToken(text.clone()))),
            },
            Expr::Not(_, place) => match self.tokens(expr) {
                Some(tokens) => self.token(tokens, next),
                None => return Err(problem(*place, Fault::NotASet)),
            },
            Expr::Any | Expr::Eof => {
                let tokens = self.tokens(expr).unwrap_or_default();
                self.token(tokens, next)
            }
            // A range of characters is no token.
            Expr::Set(_) => {
                return Err(problem(rule.place, Fault::Expected("tokens, not characters, in a syntax rule")));
            }
        })
    }

    fn token(&mut self, tokens: Bits, next: StateId) -> StateId {
        let set = self.set(tokens);
        self.add(Step::Token(set, next))
    }

    /// The tokens of an expression that is always one token.
    fn tokens(&self, expr: &Expr) -> Option<Bits> {
        let mut tokens = Bits::default();
        match expr {
            Expr::Text(text, _) => {
                tokens.insert(usize::from(self.vocabulary.with_text(text)?.0));
            }
            Expr::Name(name, _) if !self.by_name.contains_key(name.as_str()) => {
                tokens.insert(usize::from(self.vocabulary.named(name)?.0));
            }
            Expr::Eof => {
                tokens.insert(usize::from(TokenType::EOF.0));
            }
            Expr::Choice(parts) => {
                for part in parts {
                    tokens.extend(&self.tokens(part)?);
                }
            }
            Expr::Seq(parts) if parts.len() == 1 => return self.tokens(&parts[0]),
            Expr::Any => tokens = self.all_but(&Bits::default()),
            Expr::Not(inner, _) => tokens = self.all_but(&self.tokens(inner)?),
            _ => return None,
        }
        Some(tokens)
    }

    fn all_but(&self, tokens: &Bits) -> Bits {
        let mut others = Bits::default();
        for token in self.vocabulary.types() {
            if token != TokenType::EOF && !tokens.contains(usize::from(token.0)) {
                others.insert(usize::from(token.0));
            }
        }
        others
    }
}

/// Earlier alternatives bind tighter.
fn precedence(rule: &Definition, index: usize) -> u16 {
    (rule.alternatives.len() - index).min(usize::from(u16::MAX) - 1) as u16
}

fn parts(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Seq(parts) => parts,
        _ => std::slice::from_ref(expr),
    }
}

impl Description {
    fn problem_at_start(&self, fault: Fault) -> Problem {
        let file = self.syntax.first().map_or_else(|| self.name.as_str().into(), |rule| rule.file.clone());
        Problem { file, place: crate::description::Place { line: 1, column: 1 }, fault }
    }

    /// Makes the forms of a rule that has them in brackets alternatives, so that they can have precedences.
    pub(crate) fn with_choices_unwrapped(&self) -> Self {
        let mut unwrapped = self.clone();
        for rule in &mut unwrapped.syntax {
            if let [Alternative { expr: Expr::Choice(forms), right: false, .. }] = &mut rule.alternatives[..] {
                rule.alternatives = std::mem::take(forms).into_iter().map(Alternative::from).collect();
            }
        }
        unwrapped
    }
}
