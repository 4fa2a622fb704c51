//! The grammar as the reducers see it: written in the form of tree-sitter's `grammar.json`, which [`Grammar`] reads.
//!
//! A token with just one text is anonymous, as `"+"` is there; the others have the names of their rules. Every token is a
//! node, so no rule is hidden but sets of tokens. Rules that begin with themselves stay as they are written: precedences
//! choose between derivations, and the parser has chosen. Tokens without a rule are external.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use whittle_grammars::{Bits, Grammar, GrammarError};

use crate::charset::CharSet;
use crate::description::{Command, Definition, Description, Expr};
use crate::vocabulary::{TokenType, Vocabulary};

/// How many parts a token may have once all rules that it uses are copied into it. Beyond, its texts are unknown.
const MAX_TOKEN_PARTS: usize = 5_000;

/// How deep a token may be nested, all of its rules copied into it. What reads the rules goes 127 levels deep in all.
const MAX_TOKEN_DEPTH: usize = 100;

/// How often a rule of tokens that uses itself is copied into itself.
const MAX_NESTING: usize = 2;

pub(crate) fn lower(
    description: &Description,
    vocabulary: &Vocabulary,
    start: &str,
    hides_space: &dyn Fn(usize) -> bool,
) -> Result<Grammar, GrammarError> {
    let lowering = Lowering { description, vocabulary, hides_space, sets: BTreeMap::new() };
    Grammar::from_tree_sitter(&lowering.write(start))
}

/// The name of a syntax rule in the lowered grammar. A leading underscore would hide it.
pub(crate) fn shown_name(name: &str) -> String {
    if name.starts_with('_') { format!("rule{name}") } else { name.to_owned() }
}

struct Lowering<'d> {
    description: &'d Description,
    vocabulary: &'d Vocabulary,
    /// Whether whitespace is hidden in a mode.
    hides_space: &'d dyn Fn(usize) -> bool,
    /// Sets of tokens that have a rule of their own, by their members.
    sets: BTreeMap<Vec<usize>, String>,
}

impl Lowering<'_> {
    fn write(mut self, start: &str) -> String {
        // The first rule is the start rule; an object of `serde_json` would not keep the order.
        let mut rules: Vec<(String, Value)> = Vec::new();
        let is_start = |rule: &&Definition| rule.name == start;
        let first = self.description.syntax.iter().filter(is_start);
        let others = self.description.syntax.iter().filter(|rule| !is_start(rule));
        for rule in first.chain(others) {
            let forms: Vec<_> = rule.alternatives.iter().map(|form| self.syntax(&form.expr)).collect();
            rules.push((shown_name(&rule.name), choice(forms)));
        }
        let (mut externals, mut extras) = (Vec::new(), Vec::new());
        for token in self.vocabulary.types().filter(|&token| token != TokenType::EOF) {
            if self.vocabulary.text(token).is_some() {
                continue;
            }
            let name = self.vocabulary.name(token);
            match self.token_rule(token) {
                Some(rule) => rules.push((name.to_owned(), rule)),
                None => externals.push(json!({ "type": "SYMBOL", "name": name })),
            }
            if self.is_hidden(token) {
                extras.push(json!({ "type": "SYMBOL", "name": name }));
            }
        }
        for (members, name) in &self.sets {
            let members = members.iter().map(|&token| self.token(TokenType(token as u16))).collect();
            rules.push((name.clone(), choice(members)));
        }
        let rules: Vec<_> = rules.iter().map(|(name, rule)| format!("{}:{rule}", Value::from(name.as_str()))).collect();
        format!(
            "{{\"name\":{},\"rules\":{{{}}},\"externals\":{},\"extras\":{}}}",
            Value::from(self.description.name.as_str()),
            rules.join(","),
            Value::from(externals),
            Value::from(extras),
        )
    }

    fn syntax(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Seq(parts) => match &parts[..] {
                [] => blank(),
                [only] => self.syntax(only),
                _ => json!({ "type": "SEQ", "members": self.all(parts) }),
            },
            Expr::Choice(parts) => choice(self.all(parts)),
            Expr::Repeat { body, optional, many, .. } => repeat(&self.syntax(body), *optional, *many),
            Expr::Text(text, _) => self.vocabulary.with_text(text).map_or_else(blank, |token| self.token(token)),
            Expr::Name(name, _) if self.description.syntax_rule(name).is_some() => {
                json!({ "type": "SYMBOL", "name": shown_name(name) })
            }
            Expr::Name(name, _) => self.vocabulary.named(name).map_or_else(blank, |token| self.token(token)),
            Expr::Any | Expr::Not(..) => self.set(expr),
            Expr::Eof | Expr::Set(_) => blank(),
        }
    }

    fn all(&mut self, parts: &[Expr]) -> Vec<Value> {
        parts.iter().map(|part| self.syntax(part)).collect()
    }

    /// A set of tokens, as the symbol of a hidden rule.
    fn set(&mut self, expr: &Expr) -> Value {
        let mut members = Bits::default();
        if let Expr::Not(inner, _) = expr {
            self.add_tokens(inner, &mut members);
        }
        let is_member = |token: &TokenType| {
            *token != TokenType::EOF && !members.contains(usize::from(token.0)) && !self.is_hidden(*token)
        };
        let members: Vec<usize> = self.vocabulary.types().filter(is_member).map(|token| token.0.into()).collect();
        let next = format!("_tokens_{}", self.sets.len());
        let name = self.sets.entry(members).or_insert(next);
        json!({ "type": "SYMBOL", "name": name })
    }

    fn add_tokens(&self, expr: &Expr, tokens: &mut Bits) {
        let token = match expr {
            Expr::Text(text, _) => self.vocabulary.with_text(text),
            Expr::Name(name, _) => self.vocabulary.named(name),
            Expr::Choice(parts) | Expr::Seq(parts) => {
                return parts.iter().for_each(|part| self.add_tokens(part, tokens));
            }
            _ => None,
        };
        if let Some(token) = token {
            tokens.insert(usize::from(token.0));
        }
    }

    /// A token, where a syntax rule uses it.
    fn token(&self, token: TokenType) -> Value {
        match self.vocabulary.text(token) {
            Some(text) => self.as_token(token, &json!({ "type": "STRING", "value": text })),
            None => json!({ "type": "SYMBOL", "name": self.vocabulary.name(token) }),
        }
    }

    fn as_token(&self, token: TokenType, content: &Value) -> Value {
        let is_immediate = self.producers(token).any(|(rule, _)| !(self.hides_space)(rule.mode));
        // Literals of syntax rules are in the default mode.
        let is_immediate = is_immediate || (self.producers(token).next().is_none() && !(self.hides_space)(0));
        json!({ "type": if is_immediate { "IMMEDIATE_TOKEN" } else { "TOKEN" }, "content": content })
    }

    /// The rules of a token, with those of their forms that produce it.
    fn producers(&self, token: TokenType) -> impl Iterator<Item = (&Definition, &crate::description::Alternative)> {
        let name = self.vocabulary.name(token);
        let rules = self.description.lexical.iter().filter(|rule| !rule.fragment);
        let forms = rules.flat_map(|rule| rule.alternatives.iter().map(move |form| (rule, form)));
        forms.filter(move |(rule, form)| {
            let other = form.commands.iter().find_map(|command| match command {
                Command::Type(other) => Some(other.as_str()),
                _ => None,
            });
            other.unwrap_or(&rule.name) == name && !form.commands.contains(&Command::More)
        })
    }

    fn is_hidden(&self, token: TokenType) -> bool {
        let is_hiding = |command: &Command| match command {
            Command::Skip => true,
            Command::Channel(name) => !matches!(name.as_str(), "DEFAULT_TOKEN_CHANNEL" | "DEFAULT_CHANNEL" | "0"),
            _ => false,
        };
        let mut forms = self.producers(token).peekable();
        forms.peek().is_some() && forms.all(|(_, form)| form.commands.iter().any(is_hiding))
    }

    /// What a token looks like; `None` if no rule produces it.
    fn token_rule(&self, token: TokenType) -> Option<Value> {
        let mut left = MAX_TOKEN_PARTS;
        let mut forms = Vec::new();
        for (rule, form) in self.producers(token) {
            forms.push(self.lexical(&form.expr, rule.any_case, &mut vec![&rule.name], &mut left));
        }
        if forms.is_empty() {
            return None;
        }
        let content = choice(forms);
        let is_known = left > 0 && depth(&content) <= MAX_TOKEN_DEPTH;
        let content = if is_known { content } else { choice(Vec::new()) };
        Some(self.as_token(token, &content))
    }

    fn lexical<'e>(&'e self, expr: &'e Expr, any_case: bool, inside: &mut Vec<&'e str>, left: &mut usize) -> Value {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return blank();
        }
        let mut all = |parts: &'e [Expr]| -> Vec<Value> {
            parts.iter().map(|part| self.lexical(part, any_case, inside, left)).collect()
        };
        match expr {
            Expr::Seq(parts) if parts.len() == 1 => self.lexical(&parts[0], any_case, inside, left),
            Expr::Seq(parts) => json!({ "type": "SEQ", "members": all(parts) }),
            Expr::Choice(parts) => choice(all(parts)),
            Expr::Repeat { body, optional, many, .. } => {
                repeat(&self.lexical(body, any_case, inside, left), *optional, *many)
            }
            Expr::Text(text, _) if any_case => {
                let sets = text.chars().map(|c| class(&CharSet::of(c).in_any_case()));
                json!({ "type": "SEQ", "members": sets.collect::<Vec<_>>() })
            }
            Expr::Text(text, _) => json!({ "type": "STRING", "value": text }),
            Expr::Set(set) if any_case => class(&set.in_any_case()),
            Expr::Set(set) => class(set),
            Expr::Any => class(&CharSet::all()),
            Expr::Not(..) => class(&self.description.single(expr, any_case).unwrap_or_default()),
            Expr::Name(name, _) => {
                let used = self.description.lexical.iter().find(|rule| rule.name == *name);
                let nesting = inside.iter().filter(|outer| *outer == name).count();
                match used.filter(|_| nesting < MAX_NESTING) {
                    None => choice(Vec::new()),
                    Some(used) => {
                        inside.push(&used.name);
                        let forms = used.alternatives.iter();
                        let forms = forms.map(|form| self.lexical(&form.expr, used.any_case, inside, left)).collect();
                        inside.pop();
                        choice(forms)
                    }
                }
            }
            Expr::Eof => blank(),
        }
    }
}

/// How deep objects and lists are inside of each other.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn blank() -> Value {
    json!({ "type": "BLANK" })
}

fn choice(mut members: Vec<Value>) -> Value {
    if members.len() == 1 { members.remove(0) } else { json!({ "type": "CHOICE", "members": members }) }
}

fn repeat(content: &Value, optional: bool, many: bool) -> Value {
    match (optional, many) {
        (true, true) => json!({ "type": "REPEAT", "content": content }),
        (false, true) => json!({ "type": "REPEAT1", "content": content }),
        _ => json!({ "type": "CHOICE", "members": [content, blank()] }),
    }
}

fn class(set: &CharSet) -> Value {
    set.to_pattern().map_or_else(|| choice(Vec::new()), |value| json!({ "type": "PATTERN", "value": value }))
}
