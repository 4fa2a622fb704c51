//! Reads `grammar.json`, the full grammar that a tree-sitter parser is generated from.
//!
//! Precedences and reserved words are dropped. A choice with a blank becomes an optional. Everything inside `TOKEN`
//! becomes a lexical rule, and so do strings and patterns.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use crate::grammar::GrammarError;
use crate::lexical::{LexId, Lexical};
use crate::rules::{Rule, RuleId, Source, Symbol, SymbolId};

#[derive(Deserialize)]
struct File {
    name: String,
    #[serde(deserialize_with = "in_order")]
    rules: Vec<(String, Json)>,
    #[serde(default)]
    extras: Vec<Json>,
    #[serde(default)]
    externals: Vec<Json>,
    #[serde(default)]
    inline: Vec<String>,
    #[serde(default)]
    supertypes: Vec<String>,
    word: Option<String>,
}

/// Reads an object's members in the order of the file, because the first rule is the start rule.
fn in_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Json)>, D::Error> {
    struct Members;

    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Json)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("rules by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }

    deserializer.deserialize_map(Members)
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
enum Json {
    Blank,
    String { value: String },
    Pattern { value: String, flags: Option<String> },
    Symbol { name: String },
    Seq { members: Vec<Json> },
    Choice { members: Vec<Json> },
    Repeat { content: Box<Json> },
    Repeat1 { content: Box<Json> },
    Prec { content: Box<Json> },
    PrecLeft { content: Box<Json> },
    PrecRight { content: Box<Json> },
    PrecDynamic { content: Box<Json> },
    Field { name: String, content: Box<Json> },
    Alias { value: String, named: bool, content: Box<Json> },
    Token { content: Box<Json> },
    ImmediateToken { content: Box<Json> },
    Reserved { content: Box<Json> },
}

impl Json {
    /// The content without precedences and reserved words.
    fn bare(&self) -> &Self {
        match self {
            Self::Prec { content }
            | Self::PrecLeft { content }
            | Self::PrecRight { content }
            | Self::PrecDynamic { content }
            | Self::Reserved { content } => content.bare(),
            _ => self,
        }
    }
}

pub(crate) fn read(json: &str) -> Result<Source, GrammarError> {
    let file: File = serde_json::from_str(json)?;
    if file.rules.is_empty() {
        return Err(GrammarError::Empty);
    }
    let mut reader =
        Reader { source: Source { name: file.name, ..Source::default() }, rule: String::new(), aliased: false };
    for (name, _) in &file.rules {
        reader.declare(name);
    }
    for external in &file.externals {
        reader.read_external(external);
    }
    for (name, rule) in &file.rules {
        reader.rule.clone_from(name);
        let id = reader.read_rule(rule)?;
        let token = matches!(reader.source.rule(id), Rule::Token { .. });
        let symbol = reader.declare(name);
        let symbol = &mut reader.source.symbols[symbol.0 as usize];
        symbol.rule = Some(id);
        symbol.token = token;
    }
    for extra in &file.extras {
        let id = reader.read_rule(extra)?;
        reader.source.extras.push(id);
    }
    let Reader { mut source, .. } = reader;
    for symbol in &mut source.symbols {
        symbol.inline = file.inline.contains(&symbol.name);
        symbol.hidden |= file.supertypes.contains(&symbol.name);
    }
    source.word = file.word.and_then(|name| source.symbol_ids.get(&name).copied());
    if source.symbols.len().max(source.labels.len()).max(source.fields.len()) >= usize::from(u16::MAX) {
        return Err(GrammarError::TooLarge);
    }
    Ok(source)
}

struct Reader {
    source: Source,
    /// The rule being read, for error messages.
    rule: String,
    /// Whether an alias surrounds it.
    aliased: bool,
}

impl Reader {
    fn declare(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.source.symbol_ids.get(name) {
            return id;
        }
        let id = SymbolId(self.source.symbols.len().min(usize::from(u16::MAX)) as u16);
        let label = self.source.intern_label(name, true);
        self.source.symbols.push(Symbol {
            name: name.to_owned(),
            label,
            rule: None,
            hidden: name.starts_with('_'),
            inline: false,
            external: false,
            token: false,
            auxiliary: false,
        });
        self.source.symbol_ids.insert(name.to_owned(), id);
        id
    }

    fn read_external(&mut self, external: &Json) {
        match external.bare() {
            Json::Symbol { name } => {
                let symbol = self.declare(name);
                let symbol = &mut self.source.symbols[symbol.0 as usize];
                symbol.external = true;
                symbol.token = true;
                self.source.externals.push(name.clone());
            }
            Json::String { value } => self.source.externals.push(value.clone()),
            _ => {}
        }
    }

    fn read_rule(&mut self, json: &Json) -> Result<RuleId, GrammarError> {
        let rule = match json {
            Json::Blank => Rule::Blank,
            Json::String { .. } | Json::Pattern { .. } => self.read_token(json, false)?,
            Json::Token { content } => self.read_token(content, false)?,
            Json::ImmediateToken { content } => self.read_token(content, true)?,
            Json::Symbol { name } => Rule::Symbol(self.declare(name)),
            Json::Seq { members } => Rule::Seq(self.read_all(members.iter())?),
            Json::Choice { members } => {
                let is_blank = |member: &&Json| matches!(member.bare(), Json::Blank);
                let choices = self.read_all(members.iter().filter(|member| !is_blank(member)))?;
                let choice = match choices[..] {
                    [] => return Ok(self.source.add_rule(Rule::Blank)),
                    [single] => single,
                    _ => self.source.add_rule(Rule::Choice(choices)),
                };
                if members.iter().any(|member| is_blank(&member)) {
                    Rule::Optional(choice)
                } else {
                    return Ok(choice);
                }
            }
            Json::Repeat { content } if self.aliased => Rule::Optional(self.read_aliased_repeat(content)?),
            Json::Repeat1 { content } if self.aliased => return self.read_aliased_repeat(content),
            Json::Repeat { content } => Rule::Repeat { content: self.read_rule(content)?, at_least_one: false },
            Json::Repeat1 { content } => Rule::Repeat { content: self.read_rule(content)?, at_least_one: true },
            Json::Prec { content }
            | Json::PrecLeft { content }
            | Json::PrecRight { content }
            | Json::PrecDynamic { content }
            | Json::Reserved { content } => return self.read_rule(content),
            Json::Field { name, content } => {
                let field = self.source.intern_field(name);
                Rule::Field(field, self.read_rule(content)?)
            }
            Json::Alias { value, named, content } => {
                let label = self.source.intern_label(value, *named);
                let outer = std::mem::replace(&mut self.aliased, true);
                let content = self.read_rule(content);
                self.aliased = outer;
                Rule::Alias(label, content?)
            }
        };
        Ok(self.source.add_rule(rule))
    }

    /// Reads an aliased repetition. It has a node of its own: the generator makes it a rule, named by the alias.
    fn read_aliased_repeat(&mut self, content: &Json) -> Result<RuleId, GrammarError> {
        let name = format!("_{}_repeat_{}", self.rule, self.source.symbols.len());
        let outer = std::mem::replace(&mut self.aliased, false);
        let content = self.read_rule(content);
        self.aliased = outer;
        let repeat = Rule::Repeat { content: content?, at_least_one: true };
        let (symbol, rule) = (self.declare(&name), self.source.add_rule(repeat));
        let described = &mut self.source.symbols[symbol.0 as usize];
        described.rule = Some(rule);
        described.auxiliary = true;
        Ok(self.source.add_rule(Rule::Symbol(symbol)))
    }

    fn read_all<'a>(&mut self, members: impl Iterator<Item = &'a Json>) -> Result<Vec<RuleId>, GrammarError> {
        members.map(|member| self.read_rule(member)).collect()
    }

    fn read_token(&mut self, json: &Json, immediate: bool) -> Result<Rule, GrammarError> {
        let lexical = self.read_lexical(json)?;
        let label = match json.bare() {
            Json::String { value } => Some(self.source.intern_label(value, false)),
            _ => None,
        };
        Ok(Rule::Token { lexical, label, immediate })
    }

    fn read_lexical(&mut self, json: &Json) -> Result<LexId, GrammarError> {
        let rule = match json {
            Json::Blank | Json::Symbol { .. } => Lexical::Concat(Vec::new()),
            Json::String { value } => Lexical::Literal(value.clone()),
            Json::Pattern { value, flags } => {
                let read = self.source.lexical.add_pattern(value, flags.as_deref().unwrap_or_default());
                return read.map_err(|error| GrammarError::Pattern {
                    rule: self.rule.clone(),
                    pattern: value.clone(),
                    error,
                });
            }
            Json::Seq { members } => Lexical::Concat(self.read_lexicals(members)?),
            Json::Choice { members } => Lexical::Alternation(self.read_lexicals(members)?),
            Json::Repeat { content } => Lexical::Repeat { content: self.read_lexical(content)?, min: 0, max: None },
            Json::Repeat1 { content } => Lexical::Repeat { content: self.read_lexical(content)?, min: 1, max: None },
            Json::Prec { content }
            | Json::PrecLeft { content }
            | Json::PrecRight { content }
            | Json::PrecDynamic { content }
            | Json::Field { content, .. }
            | Json::Alias { content, .. }
            | Json::Token { content }
            | Json::ImmediateToken { content }
            | Json::Reserved { content } => return self.read_lexical(content),
        };
        Ok(self.source.lexical.add(rule))
    }

    fn read_lexicals(&mut self, members: &[Json]) -> Result<Vec<LexId>, GrammarError> {
        members.iter().map(|member| self.read_lexical(member)).collect()
    }
}
