//! Trees for people: a line per node, indented; lists with their separators, and what a place expects.

use std::fmt;

use whittle_grammars::{Grammar, Part, PartId};

use crate::tree::Kind;
use crate::{NodeId, Tree};

/// How much of a token is shown.
const WIDTH: usize = 60;
/// How far a line is indented at most.
const INDENT: usize = 200;
/// How many symbols are listed where one of several is expected.
const SYMBOLS: usize = 4;

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depths = vec![0; self.len()];
        for node in self.nodes() {
            let depth = self.parent(node).map_or(0, |parent| depths[parent.index()] + 1);
            depths[node.index()] = depth;
            write!(f, "{:1$}", "", (2 * depth).min(INDENT))?;
            self.print_node(f, node)?;
        }
        Ok(())
    }
}

impl Tree {
    fn print_node(&self, f: &mut fmt::Formatter<'_>, node: NodeId) -> fmt::Result {
        let name = self.symbol(node).zip(self.grammar()).map(|(symbol, grammar)| &grammar.describe(symbol).name);
        match self.kind(node) {
            Kind::List { separated, at_least_one } => {
                f.write_str(if at_least_one { "list+" } else { "list" })?;
                if separated && let Some(separator) = self.children(node).nth(1) {
                    write!(f, " separated by {}", self.shown(separator))?;
                }
            }
            Kind::Optional => f.write_str("optional")?,
            Kind::Rule => f.write_str(name.map_or("group", |name| name))?,
            Kind::Token { silent: true, .. } => write!(f, "silent {}", self.shown(node))?,
            Kind::Token { .. } => {
                write!(f, "{}", self.shown(node))?;
                if let Some(name) = name {
                    write!(f, " {name}")?;
                }
            }
        }
        if let (Some(slot), Some(grammar), Some(name)) = (self.slot(node), self.grammar(), name) {
            let expected = expected(grammar, slot);
            if expected != *name && !expected.is_empty() {
                write!(f, " : {expected}")?;
            }
        }
        f.write_str("\n")
    }

    /// The text of a sub-tree's tokens, shortened.
    fn shown(&self, node: NodeId) -> String {
        let tokens = std::iter::once(node).chain(self.descendants(node));
        let text: Vec<u8> = tokens.flat_map(|token| self.token_text(token)).copied().collect();
        let text = String::from_utf8_lossy(&text);
        let short: String = text.chars().take(WIDTH).collect();
        format!("{short:?}{}", if short.len() < text.len() { "..." } else { "" })
    }
}

/// The names of what a place expects.
pub(crate) fn expected(grammar: &Grammar, part: PartId) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut left = vec![part];
    while let Some(part) = left.pop() {
        let name = match grammar.part(part) {
            Part::Call(symbol, _) => grammar.describe(*symbol).name.as_str(),
            Part::Child { label, .. } => grammar.label_name(*label),
            Part::Choice(members) => {
                left.extend(members.iter().rev());
                continue;
            }
            Part::Seq(_) => "(...)",
            _ => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = if names.len() > SYMBOLS { "|..." } else { "" };
    names.truncate(SYMBOLS);
    names.join("|") + more
}
