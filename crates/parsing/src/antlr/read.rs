//! Reads one `.g4` file, by recursive descent.
//!
//! The notation is that of Parr, *The Definitive ANTLR 4 Reference* (2013), with the later `caseInsensitive` option.
//! Labels, arguments, return values, exceptions and rule options that only concern generated code are dropped.

use crate::charset::CharSet;
use crate::cursor::Cursor;
use crate::description::{Alternative, Command, Definition, Description, Expr, Ignored, Notice};
use crate::problem::{Fault, Problem};

use super::chars::{literal, set};

/// How deep brackets may be nested: each level takes some of the stack.
const MAX_DEPTH: usize = 200;

/// What a file says, and which other files it needs.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) description: Description,
    pub(super) imports: Vec<(String, crate::description::Place)>,
    pub(super) vocabulary: Option<(String, crate::description::Place)>,
    pub(super) is_parser: bool,
}

pub(super) fn read(file: &str, text: &str) -> Result<File, Problem> {
    let mut reader = Reader {
        cursor: Cursor::new(file, text),
        file: File::default(),
        any_case: false,
        mode: 0,
        is_lexical: false,
        depth: 0,
        right: false,
    };
    reader.file.description.modes.push("DEFAULT_MODE".to_owned());
    reader.head()?;
    while !reader.cursor.is_at_end() {
        reader.prequel_or_rule()?;
        reader.cursor.skip_space()?;
    }
    Ok(reader.file)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    file: File,
    any_case: bool,
    mode: usize,
    /// Whether the current rule is one of tokens.
    is_lexical: bool,
    depth: usize,
    /// Whether the current alternative groups to the right.
    right: bool,
}

impl Reader<'_> {
    fn head(&mut self) -> Result<(), Problem> {
        self.cursor.skip_space()?;
        let is_lexer = self.cursor.eat_word("lexer");
        self.file.is_parser = !is_lexer && self.cursor.eat_word("parser");
        self.cursor.skip_space()?;
        if !self.cursor.eat_word("grammar") {
            return self.cursor.expected("'grammar'");
        }
        self.cursor.skip_space()?;
        self.file.description.name = self.cursor.name()?.to_owned();
        self.token(";")?;
        self.cursor.skip_space()
    }

    /// A sign behind whitespace.
    fn token(&mut self, sign: &'static str) -> Result<(), Problem> {
        self.cursor.skip_space()?;
        self.cursor.need(sign)
    }

    fn eat(&mut self, sign: &str) -> Result<bool, Problem> {
        self.cursor.skip_space()?;
        Ok(self.cursor.eat(sign))
    }

    fn prequel_or_rule(&mut self) -> Result<(), Problem> {
        let from = self.cursor.offset();
        if self.eat("@")? {
            self.skip_until_action()?;
            return Ok(());
        }
        let is_block = |reader: &mut Self, word: &str| {
            let from = reader.cursor.offset();
            if reader.cursor.eat_word(word) && reader.cursor.skip_space().is_ok() && reader.cursor.eat("{") {
                return true;
            }
            reader.cursor.rewind(from);
            false
        };
        if is_block(self, "options") {
            return self.options(true);
        }
        if is_block(self, "tokens") {
            let names = self.names("}")?;
            self.file.description.tokens.extend(names.into_iter().map(|(name, _)| name));
            return Ok(());
        }
        if is_block(self, "channels") {
            self.names("}")?;
            return Ok(());
        }
        if self.cursor.eat_word("import") {
            let names = self.names(";")?;
            self.file.imports.extend(names);
            return Ok(());
        }
        if self.cursor.eat_word("mode") {
            self.cursor.skip_space()?;
            // A rule may be called `mode`.
            if self.cursor.is_at_name() {
                let name = self.cursor.name()?.to_owned();
                self.token(";")?;
                let modes = &mut self.file.description.modes;
                self.mode = modes.iter().position(|mode| *mode == name).unwrap_or(modes.len());
                if self.mode == modes.len() {
                    modes.push(name);
                }
                return Ok(());
            }
            self.cursor.rewind(from);
        }
        self.rule()
    }

    /// Names with commas between them; of `a = b`, the file is `b`.
    fn names(&mut self, end: &'static str) -> Result<Vec<(String, crate::description::Place)>, Problem> {
        let mut names = Vec::new();
        loop {
            self.cursor.skip_space()?;
            if self.cursor.eat(end) {
                return Ok(names);
            }
            let place = self.cursor.place();
            let mut name = self.cursor.name()?;
            while self.eat(".")? || self.eat("=")? {
                self.cursor.skip_space()?;
                name = self.cursor.name()?;
            }
            names.push((name.to_owned(), place));
            if !self.eat(",")? && !self.cursor.rest().starts_with(end) {
                return self.cursor.expected("a comma");
            }
        }
    }

    fn options(&mut self, of_file: bool) -> Result<(), Problem> {
        while !self.eat("}")? {
            let place = self.cursor.place();
            let key = self.cursor.name()?.to_owned();
            self.token("=")?;
            self.cursor.skip_space()?;
            let value = match self.cursor.peek() {
                Some('\'') => literal(&mut self.cursor)?,
                Some('{') => {
                    self.skip_action()?;
                    String::new()
                }
                _ => self.cursor.skip_while(|c| c.is_alphanumeric() || "_.*".contains(c)).to_owned(),
            };
            self.token(";")?;
            match key.as_str() {
                "caseInsensitive" => self.any_case = value == "true",
                "tokenVocab" if of_file => {
                    let name = value.rsplit(['.', '/']).next().unwrap_or(&value).to_owned();
                    self.file.vocabulary = Some((name, place));
                }
                "superClass" if of_file => self.notice_at(place, Ignored::SuperClass),
                _ => {}
            }
            if of_file {
                self.file.description.options.insert(key, value);
            }
        }
        Ok(())
    }

    fn notice_at(&mut self, place: crate::description::Place, ignored: Ignored) {
        self.file.description.notices.push(Notice { file: self.cursor.file(), place, ignored });
    }

    fn skip_until_action(&mut self) -> Result<(), Problem> {
        self.cursor.skip_while(|c| c.is_alphanumeric() || c == '_' || c == ':' || c.is_whitespace());
        self.skip_action()
    }

    /// Skips a program in braces. Braces in its strings and comments do not count.
    fn skip_action(&mut self) -> Result<(), Problem> {
        let start = self.cursor.place();
        self.token("{")?;
        let mut open = 1;
        while open > 0 {
            if self.cursor.rest().starts_with("//") {
                self.cursor.skip_while(|c| c != '\n');
                continue;
            }
            if self.cursor.eat("/*") {
                self.cursor.skip_past("*/", "a comment")?;
                continue;
            }
            match self.cursor.bump() {
                None => return Err(self.cursor.problem_at(start, Fault::Unclosed("an action"))),
                Some('{') => open += 1,
                Some('}') => open -= 1,
                Some('\\') => drop(self.cursor.bump()),
                Some(quote @ ('"' | '\'')) => self.skip_string(quote),
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Skips a string of a program; an apostrophe without a partner in its line is none.
    fn skip_string(&mut self, quote: char) {
        let from = self.cursor.offset();
        loop {
            match self.cursor.bump() {
                Some(c) if c == quote => return,
                Some('\\') => drop(self.cursor.bump()),
                None | Some('\n') => return self.cursor.rewind(from),
                Some(_) => {}
            }
        }
    }

    fn skip_arguments(&mut self) -> Result<(), Problem> {
        let start = self.cursor.place();
        let mut open = 0;
        loop {
            match self.cursor.bump() {
                None => return Err(self.cursor.problem_at(start, Fault::Unclosed("arguments"))),
                Some('[') => open += 1,
                Some(']') if open == 1 => return Ok(()),
                Some(']') => open -= 1,
                Some(quote @ ('"' | '\'')) => self.skip_string(quote),
                Some(_) => {}
            }
        }
    }

    fn rule(&mut self) -> Result<(), Problem> {
        let mut fragment = false;
        loop {
            self.cursor.skip_space()?;
            if self.cursor.eat_word("fragment") {
                fragment = true;
            } else if !["public", "private", "protected"].iter().any(|word| self.cursor.eat_word(word)) {
                break;
            }
        }
        let place = self.cursor.place();
        if !self.cursor.is_at_name() {
            return self.cursor.expected("a rule");
        }
        let name = self.cursor.name()?.to_owned();
        self.is_lexical = name.starts_with(char::is_uppercase);
        let any_case = self.any_case;
        self.rule_head()?;
        let alternatives = self.alternatives()?;
        self.token(";")?;
        self.rule_tail()?;
        let rule = Definition {
            name,
            file: self.cursor.file(),
            place,
            fragment,
            any_case: self.any_case,
            mode: self.mode,
            alternatives,
        };
        self.any_case = any_case;
        let description = &mut self.file.description;
        if self.is_lexical { &mut description.lexical } else { &mut description.syntax }.push(rule);
        Ok(())
    }

    /// What is between the name of a rule and its colon.
    fn rule_head(&mut self) -> Result<(), Problem> {
        loop {
            self.cursor.skip_space()?;
            match self.cursor.peek() {
                Some(':') => {
                    self.cursor.bump();
                    return Ok(());
                }
                Some('[') => self.skip_arguments()?,
                Some('@') => {
                    self.cursor.bump();
                    self.skip_until_action()?;
                }
                _ if self.cursor.eat_word("options") => {
                    self.token("{")?;
                    self.options(false)?;
                }
                _ if ["returns", "locals", "throws"].iter().any(|word| self.cursor.eat_word(word)) => {}
                Some(',' | '.') => drop(self.cursor.bump()),
                _ if self.cursor.is_at_name() => drop(self.cursor.name()?),
                _ => return self.cursor.expected("':'"),
            }
        }
    }

    /// Exception handlers behind a rule.
    fn rule_tail(&mut self) -> Result<(), Problem> {
        loop {
            self.cursor.skip_space()?;
            let from = self.cursor.offset();
            let is_catch = self.cursor.eat_word("catch");
            if !is_catch && !self.cursor.eat_word("finally") {
                return Ok(());
            }
            self.cursor.skip_space()?;
            // A rule may be called `catch` or `finally`.
            if self.cursor.peek() == Some(':') {
                self.cursor.rewind(from);
                return Ok(());
            }
            if is_catch {
                self.skip_arguments()?;
            }
            self.skip_action()?;
        }
    }

    fn alternatives(&mut self) -> Result<Vec<Alternative>, Problem> {
        let mut alternatives = vec![self.alternative()?];
        while self.eat("|")? {
            alternatives.push(self.alternative()?);
        }
        Ok(alternatives)
    }

    fn alternative(&mut self) -> Result<Alternative, Problem> {
        let outer = std::mem::replace(&mut self.right, false);
        let expr = self.elements()?;
        let mut commands = Vec::new();
        if self.eat("->")? {
            commands.push(self.command()?);
            while self.eat(",")? {
                commands.push(self.command()?);
            }
        }
        if self.eat("#")? {
            self.cursor.skip_space()?;
            self.cursor.name()?;
        }
        let right = std::mem::replace(&mut self.right, outer);
        Ok(Alternative { expr, right, commands })
    }

    fn command(&mut self) -> Result<Command, Problem> {
        self.cursor.skip_space()?;
        let place = self.cursor.place();
        let name = self.cursor.name()?;
        let argument = if self.eat("(")? {
            self.cursor.skip_space()?;
            let argument = self.cursor.skip_while(|c| c.is_alphanumeric() || c == '_').to_owned();
            self.token(")")?;
            argument
        } else {
            String::new()
        };
        Ok(match uncapitalized(name).as_str() {
            "skip" => Command::Skip,
            "more" => Command::More,
            "popMode" => Command::PopMode,
            "type" => Command::Type(argument),
            "channel" => Command::Channel(argument),
            "mode" => Command::Mode(argument),
            "pushMode" => Command::PushMode(argument),
            _ => {
                let fault = Fault::Expected("skip, more, type, channel, mode, pushMode or popMode");
                return Err(self.cursor.problem_at(place, fault));
            }
        })
    }

    fn elements(&mut self) -> Result<Expr, Problem> {
        let mut elements = Vec::new();
        loop {
            self.cursor.skip_space()?;
            match self.cursor.peek() {
                None | Some('|' | ';' | ')' | '#') => break,
                Some('-') if self.cursor.rest().starts_with("->") => break,
                Some('<') => self.element_options()?,
                Some('{') => self.action()?,
                _ => elements.push(self.element()?),
            }
        }
        Ok(if elements.len() == 1 { elements.remove(0) } else { Expr::Seq(elements) })
    }

    fn action(&mut self) -> Result<(), Problem> {
        let place = self.cursor.place();
        self.skip_action()?;
        let is_predicate = self.eat("?")?;
        if is_predicate {
            self.eat("=>")?;
        }
        self.notice_at(place, if is_predicate { Ignored::Predicate } else { Ignored::Action });
        Ok(())
    }

    /// `<assoc=right>`, and other options that only concern generated code.
    fn element_options(&mut self) -> Result<(), Problem> {
        let from = self.cursor.offset();
        self.cursor.skip_past(">", "options of an element")?;
        let options: String = self.cursor.since(from).split_whitespace().collect();
        self.right |= options.contains("assoc=right");
        Ok(())
    }

    fn element(&mut self) -> Result<Expr, Problem> {
        self.skip_label()?;
        let atom = self.atom()?;
        self.cursor.skip_space()?;
        let (optional, many) = match self.cursor.peek() {
            Some('?') => (true, false),
            Some('*') => (true, true),
            Some('+') => (false, true),
            _ => return Ok(atom),
        };
        self.cursor.bump();
        let greedy = !self.eat("?")?;
        Ok(Expr::Repeat { body: Box::new(atom), optional, many, greedy })
    }

    /// Skips `label=` and `label+=`.
    fn skip_label(&mut self) -> Result<(), Problem> {
        let from = self.cursor.offset();
        if self.cursor.is_at_name() {
            self.cursor.name()?;
            self.cursor.skip_space()?;
            if self.cursor.eat("+=") || self.cursor.eat("=") {
                return self.cursor.skip_space();
            }
        }
        self.cursor.rewind(from);
        Ok(())
    }

    fn atom(&mut self) -> Result<Expr, Problem> {
        self.cursor.skip_space()?;
        let place = self.cursor.place();
        let expr = match self.cursor.peek() {
            Some('(') => return self.block(),
            Some('~') => {
                self.cursor.bump();
                self.enter()?;
                let inner = self.atom()?;
                self.depth -= 1;
                Expr::Not(Box::new(inner), place)
            }
            Some('.') => {
                self.cursor.bump();
                Expr::Any
            }
            Some('[') if self.is_lexical => Expr::Set(set(&mut self.cursor)?),
            Some('\'') => self.literal_or_range()?,
            _ if self.cursor.is_at_name() => {
                let name = self.cursor.name()?;
                match name {
                    "EOF" => Expr::Eof,
                    _ => Expr::Name(name.to_owned(), place),
                }
            }
            _ => return self.cursor.expected("an element of a rule"),
        };
        self.cursor.skip_space()?;
        if !self.is_lexical && self.cursor.peek() == Some('[') {
            self.skip_arguments()?;
        }
        if self.eat("<")? {
            self.cursor.rewind(self.cursor.offset() - 1);
            self.element_options()?;
        }
        Ok(expr)
    }

    fn literal_or_range(&mut self) -> Result<Expr, Problem> {
        let place = self.cursor.place();
        let from = literal(&mut self.cursor)?;
        if !self.eat("..")? {
            return Ok(Expr::Text(from, place));
        }
        self.cursor.skip_space()?;
        let to = literal(&mut self.cursor)?;
        let single = |text: &str| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none()).map(u32::from)
        };
        match (single(&from), single(&to)) {
            (Some(from), Some(to)) => Ok(Expr::Set(CharSet::new([self.cursor.range(place, from, to)?]))),
            _ => Err(self.cursor.problem_at(place, Fault::Expected("single characters as ends of a range"))),
        }
    }

    /// Goes one level deeper.
    fn enter(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.cursor.problem(Fault::TooDeep(MAX_DEPTH))) } else { Ok(()) }
    }

    fn block(&mut self) -> Result<Expr, Problem> {
        self.enter()?;
        self.token("(")?;
        let from = self.cursor.offset();
        self.cursor.skip_space()?;
        // `( options { … } : …)` and `( @init { … } : … )`.
        if self.cursor.eat_word("options") && self.eat("{")? {
            self.options(false)?;
            self.token(":")?;
        } else {
            self.cursor.rewind(from);
            self.eat(":")?;
        }
        let mut alternatives = self.alternatives()?;
        self.token(")")?;
        self.depth -= 1;
        Ok(match alternatives.len() {
            1 => alternatives.remove(0).expr,
            _ => Expr::Choice(alternatives.into_iter().map(|alternative| alternative.expr).collect()),
        })
    }
}

/// A name with a small letter at the start: ANTLR does not mind a capital one in the names of commands.
fn uncapitalized(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}", first.to_lowercase())
}
