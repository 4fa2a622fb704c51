//! The names in a tree, and the lists in brackets behind them.
//!
//! Two names are the same if they have one text, the grammar calls their places alike, and the index of names does not know
//! them to mean different declarations.

use std::collections::HashMap;
use std::ops::Range;

use whittle_grammars::{LabelId, Part};

use crate::fits::visit_parts;
use crate::names::Names;
use crate::reduce::Workpiece;
use crate::rules::view::View;
use crate::{Kind, NodeId, Tree};

/// Brackets, each with the one that closes it.
pub(super) const PAIRS: [(&[u8], &[u8]); 4] = [(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">")];

/// What names of a tree mean, as far as that is known.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    names: Names,
    /// The numbers of tokens in the index.
    numbers: HashMap<NodeId, usize>,
}

impl Meanings {
    /// The meanings in the text of a tree; nothing is known without a syntax.
    pub(super) fn of(piece: &Workpiece<'_>) -> Self {
        let tree = piece.tree();
        let Some(syntax) = piece.syntax() else { return Self::default() };
        let Ok(parsed) = syntax.parse(tree.text(), None) else { return Self::default() };
        let view = View::of(tree.text(), &parsed);
        let starts: HashMap<usize, usize> = view.tokens.iter().map(|range| range.start).zip(0..).collect();
        let number = |token: NodeId| Some((token, *starts.get(&tree.token_range(token).start)?));
        let numbers = tree.tokens(tree.root()).filter_map(number).collect();
        Self { names: Names::of(&view, syntax.name()), numbers }
    }

    /// Whether two tokens with the same text are not known to mean different declarations.
    pub(super) fn may_be_same(&self, one: NodeId, other: NodeId) -> bool {
        let (Some(&one), Some(&other)) = (self.numbers.get(&one), self.numbers.get(&other)) else { return true };
        self.names.may_be_same(one, other)
    }

    /// Places with the same tokens, by what their names mean: a group for each meaning. Places whose meaning is not known
    /// are in all groups.
    pub(super) fn groups<'a, T>(&self, places: &'a [T], tokens: impl Fn(&T) -> Vec<NodeId>) -> Vec<Vec<&'a T>> {
        let tokens: Vec<Vec<NodeId>> = places.iter().map(tokens).collect();
        let is_same = |one: usize, other: usize| {
            tokens[one].iter().zip(&tokens[other]).all(|(&one, &other)| self.may_be_same(one, other))
        };
        let is_known = |token: &NodeId| self.numbers.get(token).is_some_and(|&token| self.names.is_known(token));
        let mut first: Vec<usize> = Vec::new();
        for place in (0..places.len()).filter(|&place| tokens[place].iter().any(is_known)) {
            if !first.iter().any(|&known| is_same(known, place)) {
                first.push(place);
            }
        }
        if first.len() < 2 {
            return vec![places.iter().collect()];
        }
        let group = |known: usize| (0..places.len()).filter(move |&place| is_same(known, place));
        first.into_iter().map(|known| group(known).map(|place| &places[place]).collect()).collect()
    }
}

/// A name at one of its places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'a> {
    pub(super) token: NodeId,
    meanings: &'a Meanings,
    text: &'a [u8],
    /// What is called so: names of types are others than those of values.
    label: Option<LabelId>,
}

impl Name<'_> {
    /// Whether it is the same name at another place.
    pub(super) fn is(&self, other: &Self) -> bool {
        (self.text, self.label) == (other.text, other.label) && self.meanings.may_be_same(self.token, other.token)
    }

    /// Whether it stands within a node.
    pub(super) fn is_within(&self, tree: &Tree, node: NodeId) -> bool {
        tree.is_within(self.token, node)
    }
}

/// How many names a text may have: all others are looked at for each of them. Not measured.
const MAX_NAMES: usize = 2_000;

/// All names of a text in its order; none if they are too many.
pub(super) fn names<'a>(tree: &'a Tree, meanings: &'a Meanings) -> Vec<Name<'a>> {
    let tokens: Vec<NodeId> = tree.tokens(tree.root()).filter(|&token| tree.is_name(token)).collect();
    if tokens.len() > MAX_NAMES {
        return Vec::new();
    }
    let name = |token| Name { token, meanings, text: tree.token_text(token), label: label(tree, token) };
    tokens.into_iter().map(name).collect()
}

/// The name that the place of a token gives to what stands there: the symbol is often the same for names of all kinds.
pub(super) fn label(tree: &Tree, token: NodeId) -> Option<LabelId> {
    let (grammar, symbol) = (tree.grammar()?, tree.symbol(token)?);
    let mut found = None;
    visit_parts(tree.slot(token)?, |part, left| {
        match grammar.part(part) {
            Part::Child { symbol: Some(child), label, .. } if *child == symbol => found = Some(*label),
            Part::Choice(members) | Part::Seq(members) => left.extend(members.iter().rev()),
            Part::Optional(content) | Part::Repeat { content, .. } | Part::Separated { element: content, .. } => {
                left.push(*content);
            }
            Part::Call(called, _) => left.extend(grammar.rule_part(*called)),
            _ => {}
        }
        found.is_none()
    });
    found.or_else(|| Some(grammar.describe(symbol).label))
}

/// The lists in the brackets that follow a name directly, each with its opening bracket: type arguments, arguments, a
/// body.
pub(super) fn lists_after(tree: &Tree, name: NodeId) -> Vec<(NodeId, NodeId)> {
    let mut lists = Vec::new();
    let mut at = tree.end(name);
    while let Some(open) = next_token(tree, at)
        && let Some(close) = closing(tree, open)
    {
        let begins = next_token(tree, tree.end(open));
        let is_list = |&node: &NodeId| {
            matches!(tree.kind(node), Kind::List { .. }) && next_token(tree, node) == begins && begins != Some(close)
        };
        lists.extend(nodes(open..close).find(is_list).map(|list| (open, list)));
        at = tree.end(close);
    }
    lists
}

/// The bracket that closes another one beside it.
pub(super) fn closing(tree: &Tree, open: NodeId) -> Option<NodeId> {
    let (_, closing) = PAIRS.iter().find(|(text, _)| *text == tree.token_text(open))?;
    let mut siblings = tree.children(tree.parent(open)?).skip_while(|&child| child != open);
    siblings.find(|&child| tree.is_token(child) && tree.token_text(child) == *closing)
}

/// The first token from a node on, which may be beyond it.
fn next_token(tree: &Tree, from: NodeId) -> Option<NodeId> {
    nodes(from..NodeId(tree.len() as u32)).find(|&node| tree.is_token(node))
}

fn nodes(range: Range<NodeId>) -> impl Iterator<Item = NodeId> {
    (range.start.0..range.end.0).map(NodeId)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::testing::syntax;

    #[test]
    fn types_fields_and_values_are_told_apart() {
        let tree = syntax("c").tree("struct a { int a; } a; int f() { struct a b; b.a = a; }".as_bytes());
        let meanings = Meanings::default();
        let names = names(&tree, &meanings);
        let a: Vec<&Name<'_>> = names.iter().filter(|name| name.text == b"a").collect();
        let same = |i: usize| (0..a.len()).filter(|&j| a[i].is(a[j])).collect::<Vec<_>>();
        assert_eq!([same(0), same(1), same(2)], [vec![0, 3], vec![1, 4], vec![2, 5]]);
    }

    #[test]
    fn brackets_behind_a_name_have_lists() {
        let tree = syntax("rust").tree("fn f<T, U>(a: T) { f::<T>(g(a), 1); }".as_bytes());
        let names = tree.tokens(tree.root()).filter(|&token| tree.is_name(token));
        let shown = |list| tree.elements(list).count();
        let found: Vec<(String, Vec<usize>)> = names
            .map(|name| (name, lists_after(&tree, name)))
            .filter(|(_, lists)| !lists.is_empty())
            .map(|(name, lists)| {
                let text = String::from_utf8_lossy(tree.token_text(name)).into_owned();
                (text, lists.into_iter().map(|(_, list)| shown(list)).collect())
            })
            .collect();
        assert_eq!(found, [("f".to_owned(), vec![2, 1, 1]), ("g".to_owned(), vec![1])]);
    }
}
