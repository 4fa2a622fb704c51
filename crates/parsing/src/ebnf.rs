//! Reads grammars in the EBNF of the W3C, as its specifications use it (*Extensible Markup Language 1.0*, section 6):
//! `name ::= a 'b' "c" [d-f] #x20 (g | h)? i* j+ k - l`, with `/* comments */`.
//!
//! That notation does not say where tokens end. Here a rule whose name has no lower-case letter is a token, as in the
//! grammars of SPARQL and Turtle. A token that only tokens use is a part of them. Tokens named `WS`, `S`, `SPACE`,
//! `WHITESPACE` or `COMMENT`, and tokens that no rule uses, may be anywhere; if there are none, whitespace may. A
//! difference is one of single characters.

use std::collections::HashSet;

use crate::charset::CharSet;
use crate::cursor::Cursor;
use crate::description::{Alternative, Command, Definition, Description, Expr};
use crate::problem::{Fault, Problem};

/// How deep brackets may be nested.
const MAX_DEPTH: usize = 200;

/// Tokens that may be anywhere, even if other tokens use them.
const ANYWHERE: [&str; 5] = ["WS", "S", "SPACE", "WHITESPACE", "COMMENT"];

/// Reads a grammar.
pub fn from_ebnf(file: &str, text: &str) -> Result<Description, Problem> {
    let mut reader = Reader { cursor: Cursor::new(file, text), depth: 0 };
    let mut description =
        Description { name: file.to_owned(), modes: vec!["DEFAULT_MODE".to_owned()], ..Description::default() };
    reader.space()?;
    while !reader.cursor.is_at_end() {
        let rule = reader.rule()?;
        let is_token = !rule.name.chars().any(char::is_lowercase);
        if is_token { &mut description.lexical } else { &mut description.syntax }.push(rule);
    }
    hide(&mut description);
    Ok(description)
}

/// Finds out which tokens are parts of others, and which may be anywhere.
fn hide(description: &mut Description) {
    let used_by = |rules: &[Definition]| {
        let mut used = HashSet::new();
        for form in rules.iter().flat_map(|rule| &rule.alternatives) {
            form.expr.each_name(&mut |name, _| {
                used.insert(name.to_owned());
            });
        }
        used
    };
    let (in_syntax, in_tokens) = (used_by(&description.syntax), used_by(&description.lexical));
    let mut has_hidden = false;
    for rule in description.lexical.iter_mut().filter(|rule| !in_syntax.contains(&rule.name)) {
        if in_tokens.contains(&rule.name) && !ANYWHERE.contains(&rule.name.as_str()) {
            rule.fragment = true;
        } else {
            rule.alternatives.iter_mut().for_each(|form| form.commands.push(Command::Skip));
            has_hidden = true;
        }
    }
    if let (false, Some(first)) = (has_hidden, description.syntax.first()) {
        let whitespace = CharSet::new([' ', '\t', '\r', '\n'].map(|c| (c as u32, c as u32)));
        let body = Box::new(Expr::Set(whitespace));
        let expr = Expr::Repeat { body, optional: false, many: true, greedy: true };
        let name = "WHITESPACE".to_owned();
        let form = Alternative { expr, right: false, commands: vec![Command::Skip] };
        description.lexical.push(Definition { name, alternatives: vec![form], ..first.clone() });
    }
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    depth: usize,
}

impl Reader<'_> {
    fn space(&mut self) -> Result<(), Problem> {
        loop {
            self.cursor.skip_while(char::is_whitespace);
            if !self.cursor.eat("/*") {
                return Ok(());
            }
            self.cursor.skip_past("*/", "a comment")?;
        }
    }

    fn rule(&mut self) -> Result<Definition, Problem> {
        self.number()?;
        let place = self.cursor.place();
        let name = self.cursor.name()?.to_owned();
        self.space()?;
        self.cursor.need("::=")?;
        let alternatives = self.alternatives()?.into_iter().map(Alternative::from).collect();
        let file = self.cursor.file();
        Ok(Definition { name, file, place, fragment: false, any_case: false, mode: 0, alternatives })
    }

    /// The number that specifications put before a rule: `[12]`.
    fn number(&mut self) -> Result<(), Problem> {
        if self.cursor.eat("[") {
            self.cursor.skip_past("]", "the number of a rule")?;
            self.space()?;
        }
        Ok(())
    }

    fn alternatives(&mut self) -> Result<Vec<Expr>, Problem> {
        let mut alternatives = vec![self.sequence()?];
        while self.cursor.eat("|") {
            alternatives.push(self.sequence()?);
        }
        Ok(alternatives)
    }

    fn sequence(&mut self) -> Result<Expr, Problem> {
        let mut parts = Vec::new();
        loop {
            self.space()?;
            match self.cursor.peek() {
                None | Some('|' | ')') => break,
                _ if self.is_at_rule() => break,
                _ => parts.push(self.difference()?),
            }
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Seq(parts) })
    }

    /// Whether the next rule begins here.
    fn is_at_rule(&mut self) -> bool {
        let from = self.cursor.offset();
        let is_rule = self.number().is_ok()
            && self.cursor.name().is_ok()
            && self.space().is_ok()
            && self.cursor.rest().starts_with("::=");
        self.cursor.rewind(from);
        is_rule
    }

    fn difference(&mut self) -> Result<Expr, Problem> {
        let place = self.cursor.place();
        let first = self.repeated()?;
        self.space()?;
        if !self.cursor.eat("-") {
            return Ok(first);
        }
        self.space()?;
        let second = self.repeated()?;
        let nothing = Description::default();
        match (nothing.single(&first, false), nothing.single(&second, false)) {
            (Some(first), Some(second)) => Ok(Expr::Set(first.without(&second))),
            _ => Err(self.cursor.problem_at(place, Fault::Expected("single characters around '-'"))),
        }
    }

    fn repeated(&mut self) -> Result<Expr, Problem> {
        let expr = self.primary()?;
        let (optional, many) = match self.cursor.peek() {
            Some('?') => (true, false),
            Some('*') => (true, true),
            Some('+') => (false, true),
            _ => return Ok(expr),
        };
        self.cursor.bump();
        Ok(Expr::Repeat { body: Box::new(expr), optional, many, greedy: true })
    }

    fn primary(&mut self) -> Result<Expr, Problem> {
        let place = self.cursor.place();
        match self.cursor.peek() {
            Some('(') => self.block(),
            Some('[') => self.set(),
            Some('#') => {
                let c = self.code()?;
                Ok(Expr::Set(CharSet::new([(c, c)])))
            }
            Some(quote @ ('\'' | '"')) => {
                self.cursor.bump();
                let text = self.cursor.skip_while(|c| c != quote && c != '\n').to_owned();
                match self.cursor.bump() {
                    Some(end) if end == quote => Ok(Expr::Text(text, place)),
                    _ => Err(self.cursor.problem_at(place, Fault::Unclosed("a literal"))),
                }
            }
            _ if self.cursor.is_at_name() => Ok(Expr::Name(self.cursor.name()?.to_owned(), place)),
            _ => self.cursor.expected("a name, a literal, a set or a bracket"),
        }
    }

    fn block(&mut self) -> Result<Expr, Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.cursor.problem(Fault::TooDeep(MAX_DEPTH)));
        }
        self.cursor.need("(")?;
        let mut alternatives = self.alternatives()?;
        self.cursor.need(")")?;
        self.depth -= 1;
        Ok(if alternatives.len() == 1 { alternatives.remove(0) } else { Expr::Choice(alternatives) })
    }

    /// A character by its number: `#x20`.
    fn code(&mut self) -> Result<u32, Problem> {
        let place = self.cursor.place();
        self.cursor.need("#x")?;
        let digits = self.cursor.skip_while(|c| c.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|&code| code <= u32::from(char::MAX));
        code.ok_or_else(|| self.cursor.problem_at(place, Fault::Expected("the number of a character, as #x20")))
    }

    fn set(&mut self) -> Result<Expr, Problem> {
        let place = self.cursor.place();
        self.cursor.need("[")?;
        let is_negated = self.cursor.eat("^");
        let mut ranges = Vec::new();
        while !self.cursor.eat("]") {
            let from = self.in_set(place)?;
            let to = match self.cursor.rest().starts_with("-]") {
                false if self.cursor.eat("-") => self.in_set(place)?,
                _ => from,
            };
            ranges.push(self.cursor.range(place, from, to)?);
        }
        let set = CharSet::new(ranges);
        Ok(Expr::Set(if is_negated { set.complement() } else { set }))
    }

    fn in_set(&mut self, place: crate::description::Place) -> Result<u32, Problem> {
        if self.cursor.rest().starts_with("#x") {
            return self.code();
        }
        self.cursor.bump().map(u32::from).ok_or_else(|| self.cursor.problem_at(place, Fault::Unclosed("a set")))
    }
}
