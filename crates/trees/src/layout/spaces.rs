//! Which atoms have a space before them when they are on the line of the atom before.
//!
//! Where an operator stands in its rule tells what it is: at the beginning a prefix, at the end a suffix, between others
//! it is written between spaces.

use whittle_grammars::Grammar;

use super::atoms::Atom;
use super::breaks::Pairs;
use super::style::{Lines, Spaces, Style};
use crate::joins::{TOKENS_BACK, would_join};
use crate::tree::Kind;
use crate::{NodeId, Tree};

/// Words of a language that are used like functions.
const CALLED: [&str; 8] = ["sizeof", "alignof", "_Alignof", "typeof", "__typeof__", "decltype", "defined", "make"];
/// Words before the head of a statement.
const HEADS: [&str; 5] = ["if", "for", "while", "switch", "catch"];
/// Operators between two names without a space.
const TIGHT: [&str; 9] = [".", "::", "?.", "..", "..=", "?->", "\\", "&.", "??."];
/// Operators that can stand before what they apply to.
const PREFIXES: [&str; 23] = [
    "-", "+", "!", "~", "*", "**", "&", "&&", "++", "--", "@", "#", "$", "...", "..", ".", "::", "\\", "?", "^", "'",
    "%", "<-",
];
/// Rules whose operators have no space beside them, by a part of their name.
const TIGHT_RULES: [&str; 6] = ["pseudo", "slice", "keyword_argument", "method_index", "dotted", "scoped_"];

/// Rules of tags and attributes in markup, by a part of their name.
const TAGS: [&str; 2] = ["tag", "Tag"];
const ATTRIBUTES: [&str; 2] = ["attribute", "Attribute"];

/// For each atom, whether a space is before it.
pub(crate) fn spaces(tree: &Tree, grammar: &Grammar, style: Style, atoms: &[Atom], pairs: &Pairs) -> Vec<bool> {
    let spacing = Spacing { tree, style, atoms, pairs };
    // What was written since the last space, and where tokens begin in it.
    let (mut run, mut starts): (Vec<u8>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut spaces = vec![false; atoms.len()];
    for (index, atom) in atoms.iter().enumerate() {
        let text = &tree.text()[atom.range.clone()];
        if index > 0 {
            let texts = starts.iter().rev().take(TOKENS_BACK).map(|&start| &run[start..]);
            let joins = || !spacing.can_touch(index) && would_join(Some(grammar), texts, text);
            spaces[index] = !atom.is_bound && !spacing.is_unit(index) && (spacing.is_spaced(index) || joins());
        }
        if spaces[index] || atom.is_bound {
            run.clear();
            starts.clear();
        }
        starts.push(run.len());
        run.extend_from_slice(text);
    }
    spaces
}

/// Where a token is in the closest rule around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    First,
    Inside,
    Last,
}

struct Spacing<'a> {
    tree: &'a Tree,
    style: Style,
    atoms: &'a [Atom],
    pairs: &'a Pairs,
}

impl<'a> Spacing<'a> {
    fn text(&self, index: usize) -> &'a str {
        std::str::from_utf8(&self.tree.text()[self.atoms[index].range.clone()]).unwrap_or("?")
    }

    /// Whether an atom can follow without a space, whatever the grammar's literals are.
    fn can_touch(&self, next: usize) -> bool {
        let Some(token) = self.atoms[next].token else { return false };
        match self.text(next) {
            _ if self.style.spaces == Spaces::Kept => !self.is_apart(next) || self.is_spare_in_tag(next),
            _ if matches!(self.text(next - 1), "$" | "'") => true,
            _ if self.text(next - 1) == ":" && self.atoms[next - 1].token.is_some_and(|colon| self.is_tight(colon)) => {
                true
            }
            ":" | "," | ";" | ")" | "]" | "(" => true,
            ">" | "|" | "++" | "--" => self.place(token) == Place::Last,
            _ => false,
        }
    }

    fn is_apart(&self, next: usize) -> bool {
        self.atoms[next - 1].range.end < self.atoms[next].range.start
    }

    /// Whether whitespace before an atom in a tag of markup means nothing: before its end, and around the `=` of an
    /// attribute. A slash directly after a value without quotes would belong to the value.
    fn is_spare_in_tag(&self, next: usize) -> bool {
        let is_within =
            |atom: usize, rules: &[&str]| self.atoms[atom].token.is_some_and(|token| self.is_of(token, rules));
        match (self.text(next - 1), self.text(next)) {
            _ if self.style.lines != Lines::Markup => false,
            (_, ">") => is_within(next, &TAGS),
            (_, "/>") => is_within(next, &TAGS) && next.checked_sub(2).is_none_or(|before| self.text(before) != "="),
            (_, "=") => is_within(next, &ATTRIBUTES),
            ("=", _) => is_within(next - 1, &ATTRIBUTES),
            _ => false,
        }
    }

    /// Whether a word follows a number directly, as a unit does.
    fn is_unit(&self, next: usize) -> bool {
        let is_number = self.text(next - 1).ends_with(|last: char| last.is_ascii_digit());
        is_number && self.text(next).starts_with(char::is_alphabetic) && !self.is_apart(next)
    }

    /// Whether a space is usual before an atom.
    fn is_spaced(&self, next: usize) -> bool {
        let before = next - 1;
        if self.atoms[before].is_comment || self.atoms[next].is_comment {
            return true;
        }
        if self.atoms[next].token.is_some_and(|token| matches!(self.tree.kind(token), Kind::Token { silent: true, .. }))
        {
            return self.is_apart(next);
        }
        let (left, right) = (self.text(before), self.text(next));
        if self.style.lines == Lines::Lisp {
            return !self.opens(before)
                && !self.closes(next)
                && !matches!(left, "'" | "`" | "," | ",@" | "@" | "^" | "#");
        }
        if self.style.lines == Lines::Markup {
            return self.is_apart(next) && !self.is_spare_in_tag(next);
        }
        match (left, right) {
            _ if self.style.spaces == Spaces::Kept => return self.is_apart(next),
            (_, ")" | "]" | "," | ";" | "]]") | ("[[", _) => return false,
            _ if self.opens(before) || self.closes(next) => return self.is_inside_spaced(before, next),
            ("," | ";", _) => return true,
            _ => {}
        }
        self.after_operator(before, next).or_else(|| self.before_operator(before, next)).unwrap_or_else(|| {
            let is_begun = |rules: &[&str]| {
                self.atoms[next]
                    .token
                    .is_some_and(|token| self.place(token) == Place::First && self.is_of(token, rules))
            };
            match right {
                "(" if HEADS.contains(&left) => true,
                "(" if is_begun(&["declarator"]) => self.atoms.len() > next + 1 && is_operator(self.text(next + 1)),
                "(" if is_begun(&["argument", "parameter", "token_tree"]) => false,
                "(" => self.is_keyword(before) && !CALLED.contains(&left),
                "[" if is_begun(&["argument", "parameter", "dimension", "declarator"]) => false,
                "[" => is_begun(&[""]),
                _ => !self.is_type_prefix(before),
            }
        })
    }

    fn opens(&self, index: usize) -> bool {
        self.pairs[index].is_some_and(|partner| partner > index)
    }

    fn closes(&self, index: usize) -> bool {
        self.pairs[index].is_some_and(|partner| partner < index)
    }

    /// Whether there is a space inside brackets on one line: inside plain braces that are not empty.
    fn is_inside_spaced(&self, before: usize, next: usize) -> bool {
        let open = if self.opens(before) { before } else { self.pairs[next].unwrap_or(next) };
        let is_plain = self.text(open) == "{" && !self.atoms[open].is_bound;
        self.style.spaced_braces && is_plain && self.pairs[before] != Some(next)
    }

    /// Whether a space is after what is on the left, if that decides.
    fn after_operator(&self, before: usize, next: usize) -> Option<bool> {
        let (left, right) = (self.text(before), self.text(next));
        let token = self.atoms[before].token.filter(|_| is_operator(left))?;
        let place = self.place(token);
        match left {
            _ if place != Place::First && TIGHT.contains(&left) => Some(false),
            "..." if is_word(right) => Some(false),
            "@" | "$" if right.starts_with(char::is_alphabetic) => Some(false),
            "*" if right == "as" => Some(true),
            // A star of a type without a name, which gets its name from elsewhere: `f(int *a)` where `f` has no type.
            "*" | "&" if is_word(right) && self.is_of(token, &["pointer", "reference"]) => Some(false),
            _ if right == "{" => Some(true),
            ":" if self.is_tight(token) => Some(false),
            ":" => Some(true),
            ">" if place == Place::Last => (right == "(").then_some(false),
            "!" if place != Place::First => matches!(right, "(" | "[").then_some(false),
            "->" if self.is_member(token) => Some(false),
            "=" if self.is_tight(token) => Some(false),
            "?" if !self.is_ternary(token) => None,
            "|" if self.is_of(token, &["closure"]) => Some(place != Place::First),
            _ if place == Place::First && PREFIXES.contains(&left) && !self.is_alone(token) => Some(false),
            _ if TIGHT.contains(&left) => Some(false),
            _ if place == Place::Inside || !PREFIXES.contains(&left) => Some(true),
            _ => None,
        }
    }

    /// Whether a space is before what is on the right, if that decides.
    fn before_operator(&self, before: usize, next: usize) -> Option<bool> {
        let right = self.text(next);
        let token = self.atoms[next].token.filter(|_| is_operator(right))?;
        let place = self.place(token);
        match right {
            ":" => Some(self.is_ternary(token)),
            "<" if place == Place::First => Some(self.is_keyword(before)),
            "!" if place != Place::First => Some(false),
            "?" if !self.is_ternary(token) && place != Place::First => Some(false),
            "->" if self.is_member(token) => Some(false),
            "=" if self.is_tight(token) => Some(false),
            _ if place != Place::First && TIGHT.contains(&right) => Some(false),
            _ if place == Place::Last => Some(false),
            _ => Some(true),
        }
    }

    fn place(&self, token: NodeId) -> Place {
        let tree = self.tree;
        let Some(rule) = tree.rules_above(token).next() else { return Place::Inside };
        let has_token = |range: std::ops::Range<u32>| range.map(NodeId).any(|node| tree.is_token(node));
        if !has_token(rule.0..token.0) {
            Place::First
        } else if !has_token(token.0 + 1..tree.end(rule).0) {
            Place::Last
        } else {
            Place::Inside
        }
    }

    fn is_of(&self, token: NodeId, parts: &[&str]) -> bool {
        self.tree.rule_name(token).is_some_and(|name| parts.iter().any(|part| name.contains(part)))
    }

    fn is_tight(&self, token: NodeId) -> bool {
        self.is_of(token, &TIGHT_RULES)
    }

    /// Whether an arrow selects a member, and is not a function's type.
    fn is_member(&self, token: NodeId) -> bool {
        self.is_of(token, &["field", "member", "call", "access"])
    }

    /// Whether a token is part of `a ? b : c`.
    fn is_ternary(&self, token: NodeId) -> bool {
        self.is_of(token, &["ternary", "conditional"])
    }

    /// Whether a token is all of its rule.
    fn is_alone(&self, token: NodeId) -> bool {
        self.tree.rules_above(token).next().is_some_and(|rule| self.tree.token_count(rule) == 1)
    }

    /// Whether an atom closes brackets in front of the type of their elements.
    fn is_type_prefix(&self, index: usize) -> bool {
        let token = self.atoms[index].token.filter(|_| self.text(index) == "]");
        token.is_some_and(|token| self.place(token) == Place::Inside && self.is_of(token, &["_type"]))
    }

    /// Whether an atom is a word of the language.
    fn is_keyword(&self, index: usize) -> bool {
        is_word(self.text(index)) && self.atoms[index].token.is_some_and(|token| self.tree.symbol(token).is_none())
    }
}

fn is_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| last.is_alphanumeric() || last == '_')
}

fn is_operator(text: &str) -> bool {
    text.bytes().all(|byte| {
        byte.is_ascii_punctuation() && !matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'_' | b'"' | b'`')
    })
}
