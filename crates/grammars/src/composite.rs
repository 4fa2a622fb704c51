//! Turns literals that are syntax rules into one token, such as a string made of a quote, content, escapes and a quote.
//!
//! The rules down to the tokens become one lexical rule. Alternatives that are recursive, such as interpolated
//! expressions, are left out. Tokens of an external scanner are derived from the given literal: how it starts, how it
//! ends, and which characters its content does not contain.

use crate::Bits;
use crate::grammar::Grammar;
use crate::lexical::{LexId, Lexical, LexicalRules};
use crate::rules::{Rule, RuleId, Source, SymbolId};
use crate::token_rule::TokenRule;

/// A literal: its first token, its last token, and what is between them.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a> {
    /// Its first token, as in `f"`.
    pub open: &'a str,
    /// Its content.
    pub content: &'a str,
    /// Its last token.
    pub close: &'a str,
}

/// At which ends of the literal a rule is.
#[derive(Clone, Copy)]
struct Ends {
    first: bool,
    last: bool,
}

struct Composer<'a> {
    grammar: &'a Grammar,
    quoted: Quoted<'a>,
    /// Whether a backslash is no content. That is so in most literals, but not in raw strings.
    has_escapes: bool,
    rules: LexicalRules,
    /// The symbols being resolved, outermost first.
    within: Vec<SymbolId>,
}

impl Grammar {
    /// The rule of a literal as one token; `None` if it contains more than tokens.
    pub fn composite_rule(&self, symbol: SymbolId, quoted: Quoted<'_>) -> Option<TokenRule> {
        let text = [quoted.open, quoted.content, quoted.close].concat();
        let mut rules = [true, false].into_iter().filter_map(|has_escapes| self.compose(symbol, quoted, has_escapes));
        rules.find(|rule| rule.accepts(&text))
    }

    fn compose(&self, symbol: SymbolId, quoted: Quoted<'_>, has_escapes: bool) -> Option<TokenRule> {
        let mut composer =
            Composer { grammar: self, quoted, has_escapes, rules: LexicalRules::default(), within: Vec::new() };
        let root = composer.symbol(symbol, Ends { first: true, last: true })?;
        Some(TokenRule::new(composer.rules, root))
    }

    /// The rule of a symbol without recursion as one token; `None` if it is recursive or only an external scanner knows
    /// it.
    pub fn flat_rule(&self, symbol: SymbolId) -> Option<TokenRule> {
        let is_flat = self.flat.contains(usize::from(symbol.0)) && self.describe(symbol).rule.is_some();
        let quoted = Quoted { open: "", content: "", close: "" };
        is_flat.then(|| self.compose(symbol, quoted, true)).flatten()
    }

    /// The rule of tokens with this lexical rule.
    pub fn lexical_rule(&self, lexical: LexId) -> TokenRule {
        let mut rules = LexicalRules::default();
        let root = rules.copy(self.lexical(), lexical);
        TokenRule::new(rules, root)
    }
}

impl Composer<'_> {
    fn symbol(&mut self, symbol: SymbolId, ends: Ends) -> Option<LexId> {
        let described = self.grammar.describe(symbol);
        let is_part = self.within.is_empty() || described.hidden || self.grammar.flat.contains(usize::from(symbol.0));
        if !is_part || self.within.contains(&symbol) {
            return None;
        }
        let Some(rule) = described.rule else { return described.external.then(|| self.external(ends)) };
        self.within.push(symbol);
        let found = self.rule(rule, ends);
        self.within.pop();
        found
    }

    fn rule(&mut self, rule: RuleId, ends: Ends) -> Option<LexId> {
        let inside = Ends { first: false, last: false };
        let lexical = match self.grammar.rule(rule) {
            Rule::Blank => Lexical::Concat(Vec::new()),
            Rule::Token { lexical, .. } => return Some(self.rules.copy(self.grammar.lexical(), *lexical)),
            Rule::Symbol(symbol) => return self.symbol(*symbol, ends),
            Rule::Field(_, content) | Rule::Alias(_, content) => return self.rule(*content, ends),
            Rule::Seq(members) => {
                let last = members.len().saturating_sub(1);
                let ends_of = |at: usize| Ends { first: ends.first && at == 0, last: ends.last && at == last };
                let parts = members.iter().enumerate().map(|(at, &member)| self.rule(member, ends_of(at)));
                Lexical::Concat(parts.collect::<Option<_>>()?)
            }
            Rule::Choice(members) => {
                let parts: Vec<LexId> = members.iter().filter_map(|&member| self.rule(member, ends)).collect();
                match parts[..] {
                    [] => return None,
                    [single] => return Some(single),
                    _ => Lexical::Alternation(parts),
                }
            }
            Rule::Optional(content) => Lexical::Repeat { content: self.rule(*content, inside)?, min: 0, max: Some(1) },
            Rule::Repeat { content, at_least_one } => {
                Lexical::Repeat { content: self.rule(*content, inside)?, min: u32::from(*at_least_one), max: None }
            }
        };
        Some(self.rules.add(lexical))
    }

    fn external(&mut self, ends: Ends) -> LexId {
        let Quoted { open, content, close } = self.quoted;
        if ends.first || ends.last {
            return self.rules.add(Lexical::Literal(if ends.first { open } else { close }.to_owned()));
        }
        let quote = close.chars().next().filter(|&c| !content.contains(c));
        let special = quote.into_iter().chain(self.has_escapes.then_some('\\'));
        let content = self.rules.add(Lexical::Class(all_but(special)));
        self.rules.add(Lexical::Repeat { content, min: 1, max: None })
    }
}

/// The symbols whose rules are not recursive.
pub(crate) fn flat_symbols(source: &Source) -> Bits {
    let mut flat = Bits::default();
    let mut changed = true;
    while changed {
        changed = false;
        for (number, symbol) in source.symbols.iter().enumerate() {
            changed |= symbol.rule.is_none_or(|rule| is_flat(source, rule, &flat)) && flat.insert(number);
        }
    }
    flat
}

fn is_flat(source: &Source, rule: RuleId, flat: &Bits) -> bool {
    match source.rule(rule) {
        Rule::Blank | Rule::Token { .. } => true,
        Rule::Symbol(symbol) => flat.contains(usize::from(symbol.0)),
        Rule::Seq(members) | Rule::Choice(members) => members.iter().all(|&member| is_flat(source, member, flat)),
        Rule::Optional(content) | Rule::Repeat { content, .. } | Rule::Field(_, content) | Rule::Alias(_, content) => {
            is_flat(source, *content, flat)
        }
    }
}

/// All characters except these.
fn all_but(excluded: impl Iterator<Item = char>) -> Vec<(char, char)> {
    let mut excluded: Vec<u32> = excluded.map(u32::from).collect();
    excluded.sort_unstable();
    let mut ranges = Vec::new();
    let mut from = 0;
    for stop in excluded.into_iter().chain([0xd800]) {
        ranges.extend(char::from_u32(from).zip(stop.checked_sub(1).and_then(char::from_u32)));
        from = stop + 1;
    }
    ranges.retain(|range| range.0 <= range.1);
    ranges.push(('\u{e000}', char::MAX));
    ranges
}
