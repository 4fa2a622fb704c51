//! [`Vocabulary`]: the tokens of a grammar as small numbers.
//!
//! Every rule of tokens that is not a fragment is one, and so is every name that a grammar declares without a rule. A
//! literal in a syntax rule is the token whose rule is just that text; otherwise it is a token of its own, which wins over
//! all rules of tokens, as in ANTLR.

use std::collections::HashMap;

use crate::description::{Command, Definition, Description, Expr};

/// The type of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenType(pub u16);

impl TokenType {
    /// The end of the text.
    pub const EOF: Self = Self(0);
    /// Characters that no rule takes.
    pub const ERROR: Self = Self(u16::MAX);
}

/// What a grammar calls its tokens.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    names: Vec<String>,
    by_name: HashMap<String, TokenType>,
    /// The literals of tokens that have just one text.
    by_text: HashMap<String, TokenType>,
    texts: HashMap<TokenType, String>,
    /// Literals of syntax rules without a rule of tokens, in the order of the file.
    implicit: Vec<(String, TokenType)>,
}

impl Vocabulary {
    pub(crate) fn new(description: &Description) -> Self {
        let mut vocabulary = Self::default();
        vocabulary.declare("EOF");
        for rule in description.lexical.iter().filter(|rule| !rule.fragment) {
            let token = vocabulary.declare(&rule.name);
            if let Some(text) = only_text(rule) {
                vocabulary.by_text.entry(text.to_owned()).or_insert(token);
                if !rule.any_case {
                    vocabulary.texts.entry(token).or_insert_with(|| text.to_owned());
                }
            }
            for command in rule.alternatives.iter().flat_map(|alternative| &alternative.commands) {
                if let Command::Type(name) = command {
                    vocabulary.declare(name);
                }
            }
        }
        for name in &description.tokens {
            vocabulary.declare(name);
        }
        for alternative in description.syntax.iter().flat_map(|rule| &rule.alternatives) {
            vocabulary.add_literals(&alternative.expr);
        }
        vocabulary
    }

    fn declare(&mut self, name: &str) -> TokenType {
        if let Some(&token) = self.by_name.get(name) {
            return token;
        }
        // Grammars with so many tokens are refused later.
        let token = TokenType(self.names.len().min(usize::from(u16::MAX) - 1) as u16);
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), token);
        token
    }

    fn add_literals(&mut self, expr: &Expr) {
        match expr {
            Expr::Seq(parts) | Expr::Choice(parts) => parts.iter().for_each(|part| self.add_literals(part)),
            Expr::Repeat { body, .. } | Expr::Not(body, _) => self.add_literals(body),
            Expr::Text(text, _) if !self.by_text.contains_key(text) => {
                let token = self.declare(&format!("'{text}'"));
                self.by_text.insert(text.clone(), token);
                self.texts.insert(token, text.clone());
                self.implicit.push((text.clone(), token));
            }
            _ => {}
        }
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no type, which never is the case: texts end.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The type of that name.
    pub fn named(&self, name: &str) -> Option<TokenType> {
        self.by_name.get(name).copied()
    }

    /// The type of tokens with that text only.
    pub fn with_text(&self, text: &str) -> Option<TokenType> {
        self.by_text.get(text).copied()
    }

    /// The name of a type.
    pub fn name(&self, token: TokenType) -> &str {
        self.names.get(usize::from(token.0)).map_or("ERROR", String::as_str)
    }

    /// The only text of a type, if it has just one.
    pub fn text(&self, token: TokenType) -> Option<&str> {
        self.texts.get(&token).map(String::as_str)
    }

    /// All types.
    pub fn types(&self) -> impl Iterator<Item = TokenType> + use<> {
        (0..self.names.len() as u16).map(TokenType)
    }

    pub(crate) fn implicit(&self) -> &[(String, TokenType)] {
        &self.implicit
    }
}

/// The text of a rule that is just a literal.
fn only_text(rule: &Definition) -> Option<&str> {
    match &rule.alternatives[..] {
        [alternative] => match &alternative.expr {
            Expr::Text(text, _)
                if !alternative.commands.iter().any(|command| matches!(command, Command::Type(_) | Command::More)) =>
            {
                Some(text)
            }
            _ => None,
        },
        _ => None,
    }
}
