//! [`Description`]: a grammar as its files say it, whatever the notation. Plain data, before anything is derived.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::charset::CharSet;

/// A line and a column in a grammar file, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What a rule says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// One after the other; nothing if there are none.
    Seq(Vec<Expr>),
    /// One of these; the first that fits.
    Choice(Vec<Expr>),
    /// Several times.
    Repeat {
        /// What is repeated.
        body: Box<Expr>,
        /// Whether it may be left out.
        optional: bool,
        /// Whether it may be there more than once.
        many: bool,
        /// Whether more of it comes first, which it does unless `?` follows.
        greedy: bool,
    },
    /// This text. In a syntax rule: the token with this text.
    Text(String, Place),
    /// One of these characters.
    Set(CharSet),
    /// One character, or one token, other than these.
    Not(Box<Expr>, Place),
    /// Any character, or any token.
    Any,
    /// The rule or token of this name.
    Name(String, Place),
    /// The end of the text.
    Eof,
}

impl Expr {
    /// Nothing.
    pub fn empty() -> Self {
        Self::Seq(Vec::new())
    }
}

/// What happens to a token beyond that it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// It is left out, as whitespace.
    Skip,
    /// The next token begins with it.
    More,
    /// It is a token of another rule.
    Type(String),
    /// It is on a channel; every channel but the default one is hidden.
    Channel(String),
    /// Other rules apply from here on.
    Mode(String),
    /// Other rules apply until `PopMode`.
    PushMode(String),
    /// The rules apply that did before `PushMode`.
    PopMode,
}

/// One of several forms of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// What it consists of.
    pub expr: Expr,
    /// Whether its operator groups to the right.
    pub right: bool,
    /// What happens to its tokens.
    pub commands: Vec<Command>,
}

impl From<Expr> for Alternative {
    fn from(expr: Expr) -> Self {
        Self { expr, right: false, commands: Vec::new() }
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The file that it is in.
    pub file: Arc<str>,
    /// Where its name is.
    pub place: Place,
    /// Whether it is a part of tokens, but no token.
    pub fragment: bool,
    /// Whether its letters stand for both cases.
    pub any_case: bool,
    /// The number of its mode, for rules of tokens.
    pub mode: usize,
    /// Its forms, the preferred one first.
    pub alternatives: Vec<Alternative>,
}

/// What Whittle does not carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ignored {
    /// A piece of program.
    Action,
    /// A condition in a programming language; it is taken as true.
    Predicate,
    /// A class that the generated program would be derived from.
    SuperClass,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Action => "the action is ignored",
            Self::Predicate => "the predicate is taken as true",
            Self::SuperClass => "the super class is ignored; what it does to tokens is not done",
        })
    }
}

/// Something in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The file.
    pub file: Arc<str>,
    /// Where in it.
    pub place: Place,
    /// What is ignored there.
    pub ignored: Ignored,
}

/// A grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// The syntax rules, in the order of the file.
    pub syntax: Vec<Definition>,
    /// The rules of tokens, in the order of the file.
    pub lexical: Vec<Definition>,
    /// The names of the modes; the first one is the default.
    pub modes: Vec<String>,
    /// Tokens that have a name but no rule.
    pub tokens: Vec<String>,
    /// Options of the file by name.
    pub options: BTreeMap<String, String>,
    /// What is in the files but has no effect here.
    pub notices: Vec<Notice>,
}

impl Description {
    /// The syntax rule of that name.
    pub fn syntax_rule(&self, name: &str) -> Option<&Definition> {
        self.syntax.iter().find(|rule| rule.name == name)
    }

    /// Adds comments up to the end of the line, before all rules of tokens of the default mode.
    pub fn add_line_comment(&mut self, start: &str) {
        let line_ends = CharSet::new([(10, 10), (13, 13)]);
        let rest = Expr::Set(line_ends.complement());
        self.add_comment(vec![
            Expr::Text(start.to_owned(), Place::default()),
            Expr::Repeat { body: Box::new(rest), optional: true, many: true, greedy: true },
        ]);
    }

    /// Adds comments between two texts, before all rules of tokens of the default mode.
    pub fn add_block_comment(&mut self, start: &str, end: &str) {
        self.add_comment(vec![
            Expr::Text(start.to_owned(), Place::default()),
            Expr::Repeat { body: Box::new(Expr::Any), optional: true, many: true, greedy: false },
            Expr::Text(end.to_owned(), Place::default()),
        ]);
    }

    fn add_comment(&mut self, parts: Vec<Expr>) {
        let form = Alternative { expr: Expr::Seq(parts), right: false, commands: vec![Command::Skip] };
        let comment = Definition {
            name: format!("COMMENT_{}", self.lexical.len()),
            file: self.name.as_str().into(),
            place: Place::default(),
            fragment: false,
            any_case: false,
            mode: 0,
            alternatives: vec![form],
        };
        self.lexical.insert(0, comment);
    }

    /// The name of the rule for a whole text, if none is given: the first syntax rule that no other one uses, otherwise the
    /// first.
    pub fn default_start(&self) -> Option<&str> {
        let mut used = std::collections::HashSet::new();
        for rule in &self.syntax {
            for alternative in &rule.alternatives {
                alternative.expr.each_name(&mut |name, _| {
                    if name != rule.name {
                        used.insert(name.to_owned());
                    }
                });
            }
        }
        let first = self.syntax.iter().find(|rule| !used.contains(&rule.name)).or(self.syntax.first());
        first.map(|rule| rule.name.as_str())
    }
}

impl Expr {
    /// Calls a function with each name of a rule or token in it.
    pub fn each_name(&self, see: &mut impl FnMut(&str, Place)) {
        match self {
            Self::Seq(parts) | Self::Choice(parts) => parts.iter().for_each(|part| part.each_name(see)),
            Self::Repeat { body, .. } | Self::Not(body, _) => body.each_name(see),
            Self::Name(name, place) => see(name, *place),
            Self::Text(..) | Self::Set(_) | Self::Any | Self::Eof => {}
        }
    }
}

/// How deep names are followed to find out whether an expression is one character.
const MAX_DEPTH: usize = 100;

impl Description {
    /// The characters of an expression that is always one character.
    pub(crate) fn single(&self, expr: &Expr, any_case: bool) -> Option<CharSet> {
        self.single_at(expr, any_case, 0)
    }

    fn single_at(&self, expr: &Expr, any_case: bool, depth: usize) -> Option<CharSet> {
        let all = |parts: &mut dyn Iterator<Item = (&Expr, bool)>| {
            let mut sets = parts.map(|(part, any_case)| self.single_at(part, any_case, depth + 1));
            sets.try_fold(CharSet::default(), |all, part| Some(all.union(&part?)))
        };
        let cased = |set: &CharSet| if any_case { set.in_any_case() } else { set.clone() };
        match expr {
            _ if depth > MAX_DEPTH => None,
            Expr::Set(set) => Some(cased(set)),
            Expr::Text(text, _) => {
                let mut chars = text.chars();
                chars.next().filter(|_| chars.next().is_none()).map(|c| cased(&CharSet::of(c)))
            }
            Expr::Choice(parts) => all(&mut parts.iter().map(|part| (part, any_case))),
            Expr::Seq(parts) if parts.len() == 1 => self.single_at(&parts[0], any_case, depth + 1),
            Expr::Name(name, _) => {
                let rule = self.lexical.iter().find(|rule| rule.name == *name)?;
                all(&mut rule.alternatives.iter().map(|form| (&form.expr, rule.any_case)))
            }
            Expr::Not(inner, _) => Some(self.single_at(inner, any_case, depth + 1)?.complement()),
            // The end of the text is no character.
            Expr::Eof => Some(CharSet::default()),
            Expr::Any => Some(CharSet::all()),
            Expr::Seq(_) | Expr::Repeat { .. } => None,
        }
    }
}
