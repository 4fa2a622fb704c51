//! [`Token`]: a token of a text that could have another text.
//!
//! Its rule comes from the grammar; where only an external scanner knows it, from its text. A literal that the grammar
//! spells as a rule, with quotes at its ends and no other rules in it, is one token.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use whittle_grammars::{Grammar, LexId, Part, Quoted, SymbolId, TokenRule};
use whittle_trees::{Kind, NodeId, Tree};

/// What a token means to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name that can be renamed: its rule allows other words. Other words that are not keywords, such as the names of
    /// built-in types, are not of this kind.
    Name,
    /// A number.
    Number,
    /// A literal in quotes.
    Quoted,
    /// Anything else.
    Other,
}

/// A token that could have another text.
#[derive(Clone, Debug)]
pub struct Token {
    /// Where it is.
    pub range: Range<usize>,
    /// Its text.
    pub text: String,
    /// What its type looks like.
    pub rule: Arc<TokenRule>,
    /// What it is.
    pub kind: TokenKind,
    /// Whether it is one token to the parser; a composite literal is several.
    pub is_single: bool,
}

/// The tokens of a tree that could have other texts, in text order. Those of a generic tree are known by their look:
/// only words, numbers and literals count, and what is cut into chunks has none.
pub fn tokens_of(tree: &Tree) -> Vec<Token> {
    let Some(grammar) = tree.grammar() else { return tokens_by_look(tree) };
    let (rules, by_look, kinds) = Default::default();
    let mut finder = Finder { tree, grammar, rules, by_look, kinds };
    let mut found: Vec<Token> = Vec::new();
    for node in tree.nodes() {
        let token = match tree.kind(node) {
            Kind::Rule => finder.composite(node),
            Kind::Token { silent: false, .. } => finder.single(node),
            _ => None,
        };
        let end = found.last().map_or(0, |token| token.range.end);
        found.extend(token.filter(|token| token.range.start >= end));
    }
    found
}

fn tokens_by_look(tree: &Tree) -> Vec<Token> {
    if Tree::is_in_chunks(tree.text()) {
        return Vec::new();
    }
    let mut rules: HashMap<String, Arc<TokenRule>> = HashMap::new();
    let token = |node| {
        let text = String::from_utf8(tree.token_text(node).to_vec()).ok()?;
        if !text.contains(|c: char| c.is_ascii_alphanumeric()) {
            return None;
        }
        let make = || Arc::new(TokenRule::from_look(&text));
        let rule = Arc::clone(rules.entry(text.clone()).or_insert_with(make));
        Some(Token { range: tree.token_range(node), kind: kind_of(&text, &rule), text, rule, is_single: true })
    };
    tree.tokens(tree.root()).filter_map(token).collect()
}

struct Finder<'a> {
    tree: &'a Tree,
    grammar: &'a Grammar,
    /// The rules of the tokens met so far.
    rules: HashMap<Source, Option<Arc<TokenRule>>>,
    /// Those that the grammar has no rule for, by their texts.
    by_look: HashMap<String, Arc<TokenRule>>,
    /// What texts are by a rule, which takes long to find out: the same name occurs often.
    kinds: HashMap<(*const TokenRule, String), TokenKind>,
}

/// Where the rule of a token comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Lexical(LexId),
    Symbol(SymbolId),
}

impl Finder<'_> {
    fn single(&mut self, node: NodeId) -> Option<Token> {
        let range = self.tree.token_range(node);
        let text = String::from_utf8(self.tree.token_text(node).to_vec()).ok()?;
        let rule = self.rule_of(node, &text);
        (!rule.is_fixed()).then(|| Token { range, kind: self.kind(&text, &rule), text, rule, is_single: true })
    }

    fn kind(&mut self, text: &str, rule: &Arc<TokenRule>) -> TokenKind {
        let key = (Arc::as_ptr(rule), text.to_owned());
        *self.kinds.entry(key).or_insert_with(|| kind_of(text, rule))
    }

    fn rule_of(&mut self, node: NodeId, text: &str) -> Arc<TokenRule> {
        let slot = self.tree.slot(node).map(|slot| self.grammar.part(slot));
        let by_grammar = match (slot, self.tree.symbol(node)) {
            (Some(Part::Child { lexical: Some(lexical), .. }), _) => Some(Source::Lexical(*lexical)),
            (_, symbol) => symbol.map(Source::Symbol),
        };
        let known = by_grammar.and_then(|source| self.known_rule(source));
        known.filter(|rule| rule.accepts(text)).unwrap_or_else(|| {
            let make = || Arc::new(TokenRule::from_look(text));
            Arc::clone(self.by_look.entry(text.to_owned()).or_insert_with(make))
        })
    }

    /// The rule that the grammar has for a token.
    fn known_rule(&mut self, source: Source) -> Option<Arc<TokenRule>> {
        let grammar = self.grammar;
        let make = || match source {
            Source::Lexical(lexical) => Some(grammar.lexical_rule(lexical)),
            Source::Symbol(symbol) => grammar.flat_rule(symbol),
        };
        self.rules.entry(source).or_insert_with(|| make().map(Arc::new)).clone()
    }

    /// A literal of several tokens.
    fn composite(&self, node: NodeId) -> Option<Token> {
        let tree = self.tree;
        let symbol = tree.symbol(node)?;
        let below = || tree.descendants(node);
        let parts: Vec<NodeId> = below().filter(|&part| matches!(tree.kind(part), Kind::Token { .. })).collect();
        let (&first, &last) = (parts.first()?, parts.last()?);
        let quote = *tree.token_text(first).last()?;
        let is_whole = is_quote(quote)
            && first != last
            && tree.token_text(last).first() == Some(&quote)
            && !below().any(|inner| tree.symbol(inner).is_some() && tree.token_count(inner) > 1);
        if !is_whole {
            return None;
        }
        let range = tree.token_range(first).start..tree.token_range(last).end;
        let text = std::str::from_utf8(&tree.text()[range.clone()]).ok()?;
        let (open, close) = (tree.token_range(first).len(), text.len() - tree.token_range(last).len());
        let quoted = Quoted { open: &text[..open], content: text.get(open..close)?, close: &text[close..] };
        let rule = Arc::new(self.grammar.composite_rule(symbol, quoted)?);
        Some(Token { text: text.to_owned(), range, rule, kind: TokenKind::Quoted, is_single: false })
    }
}

/// What a token is, by its text and by what else it could be.
///
/// A name is a word that could be any other, after the mark that it begins with (`%x`, `$x`), but no text with
/// whitespace. That holds for the grammar's word rule and its aliases, and for names in grammars that have no such
/// rule.
fn kind_of(text: &str, rule: &TokenRule) -> TokenKind {
    let mark = mark_of(text);
    let could_be = |rest: &str| rule.accepts(&format!("{mark}{rest}"));
    let unmarked = &text[mark.len()..];
    let is_word = !unmarked.is_empty();
    if is_word && ["a", "q", "ab"].into_iter().all(could_be) && !["a b", "a\"", "a("].into_iter().any(could_be) {
        TokenKind::Name
    } else if unmarked.starts_with(|c: char| c.is_ascii_digit()) || mark.ends_with('#') {
        TokenKind::Number
    } else if text.len() > 1 && text.starts_with(['"', '\'', '`']) && text.ends_with(['"', '\'', '`']) {
        TokenKind::Quoted
    } else {
        TokenKind::Other
    }
}

/// What a token begins with that is not part of a word: the `%` of `%x`.
pub(crate) fn mark_of(text: &str) -> &str {
    let word = text.find(|c: char| c.is_alphanumeric() || c == '_').unwrap_or(text.len());
    &text[..word]
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::syntax;

    /// The texts of tokens that could be others, by kind.
    fn found(language: &str, text: &str, kind: TokenKind) -> Vec<String> {
        let tokens = tokens_of(&syntax(language).tree(text));
        tokens.into_iter().filter(|token| token.kind == kind).map(|token| token.text).collect()
    }

    #[test]
    fn names_are_found_whatever_the_grammar_calls_them() {
        for (language, text, names) in [
            (
                "c",
                "struct s { int field; } v; t f() { return v.field; }",
                &["s", "field", "v", "t", "f", "v", "field"][..],
            ),
            ("smtlib", "(assert (>= my-name 1))", &["my-name"]),
            ("php", "<?php $x = f($y);", &["x", "f", "y"]),
            ("llvm", "define i32 @f(i32 %x) {\n  ret i32 %x\n}", &["@f", "%x", "%x"]),
            ("css", ".item { color: red }", &["item", "color", "red"]),
        ] {
            assert_eq!(found(language, text, TokenKind::Name), names, "{language}");
        }
    }

    #[test]
    fn a_literal_of_quotes_and_content_is_one_token_unless_something_is_interpolated() {
        for (language, text, literals) in [
            ("c", r#"char *s = L"a\n" "b"; int c = 'x';"#, &[r#"L"a\n""#, r#""b""#, "'x'"][..]),
            ("python", "s = b'''x\ny''' + r'\\d'\n", &["b'''x\ny'''", "r'\\d'"]),
            ("python", "s = f'a{b}c'\n", &[]),
            ("javascript", "x = `a` + `b${c}`", &["`a`"]),
            ("rust", r#"const S: &str = "a\n"; const C: char = 'c';"#, &[r#""a\n""#, "'c'"]),
            ("json", r#"{"a": ""}"#, &[r#""a""#, r#""""#]),
        ] {
            assert_eq!(found(language, text, TokenKind::Quoted), literals, "{language}");
        }
    }
}
