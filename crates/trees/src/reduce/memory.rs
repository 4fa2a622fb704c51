//! [`Memory`]: edits that failed, and where, so that a pass that runs again skips them.
//!
//! After a pass has found nothing, another one may change something, and the first runs again. Nearly all its edits are
//! as before: the same edit of the same part within the same surroundings. Such an edit could work now, as any edit
//! could after any change, but it hardly ever does, and all of them together cost as much as the first run. The
//! surroundings of a part are its parent node: after a change in there, everything in it is retried.
//!
//! Cost: 8 bytes for each failed set of edits.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use super::workpiece::Strictness;
use crate::{Edit, NodeId, Tree};

/// Edits that failed, and how often each kind of edit failed since it last worked.
#[derive(Debug, Default)]
pub struct Memory {
    failed: Mutex<HashSet<Key>>,
    in_a_row: Mutex<HashMap<String, u32>>,
}

/// An edit and its surroundings, by what they look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

/// What the tokens of every node look like together, those that the parser does not show included.
#[derive(Debug)]
pub(crate) struct Looks {
    /// For each node, the tokens before it, and how many they are.
    before: Vec<(u64, u32)>,
}

/// The base of the hash, which is odd so that no token gets lost.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Looks {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut before = Vec::with_capacity(tree.len() + 1);
        let (mut hash, mut count) = (0_u64, 0);
        for node in tree.nodes() {
            before.push((hash, count));
            if tree.is_token(node) {
                hash = hash.wrapping_mul(BASE).wrapping_add(hash_of(tree.token_text(node)));
                count += 1;
            }
        }
        before.push((hash, count));
        Self { before }
    }

    fn look(&self, tree: &Tree, node: NodeId) -> (u64, u32) {
        let ((start, tokens_before), (end, tokens)) = (self.before[node.index()], self.before[tree.end(node).index()]);
        let count = tokens - tokens_before;
        (end.wrapping_sub(start.wrapping_mul(BASE.wrapping_pow(count))), count)
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Key {
    /// The key of edits whose look has been found by other means.
    pub(crate) fn of_look(look: u64) -> Self {
        Self(hash_of(("look", look)))
    }

    /// What edits that belong together look like.
    pub(crate) fn of(tree: &Tree, looks: &Looks, strictness: Option<Strictness>, edits: &[(NodeId, Edit)]) -> Self {
        let mut hasher = DefaultHasher::new();
        strictness.hash(&mut hasher);
        for &(node, edit) in edits {
            let around = tree.parent(node).unwrap_or(node);
            (looks.look(tree, around), node.index() - around.index(), looks.look(tree, node).1).hash(&mut hasher);
            match edit {
                Edit::Delete => "delete".hash(&mut hasher),
                Edit::Drop => "drop".hash(&mut hasher),
                Edit::Dissolve => "dissolve".hash(&mut hasher),
                Edit::Smallest => "smallest".hash(&mut hasher),
                Edit::Zero => "zero".hash(&mut hasher),
                Edit::Hoist(source) | Edit::Copy(source) => looks.look(tree, source).hash(&mut hasher),
            }
        }
        Self(hasher.finish())
    }
}

impl Clone for Memory {
    /// A copy that learns by itself from then on.
    fn clone(&self) -> Self {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let in_a_row = self.in_a_row.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { failed: Mutex::new(failed), in_a_row: Mutex::new(in_a_row) }
    }
}

impl Memory {
    /// Whether nothing has failed yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Whether it is known to fail.
    pub(crate) fn knows(&self, key: Key) -> bool {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    /// How often a kind of edit failed since it last worked.
    pub(crate) fn failures(&self, kind: &str) -> u32 {
        self.in_a_row.lock().unwrap_or_else(PoisonError::into_inner).get(kind).copied().unwrap_or_default()
    }

    /// Counts how an edit of this kind ended.
    pub(crate) fn count(&self, kind: &str, works: bool) {
        let mut in_a_row = self.in_a_row.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = in_a_row.entry(kind.to_owned()).or_default();
        *failures = if works { 0 } else { *failures + 1 };
    }

    /// Remembers failures.
    pub(crate) fn remember(&self, failed: impl IntoIterator<Item = Key>) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
    }
}

#[cfg(test)]
mod tests {
    use whittle_search::Search;

    use super::super::testing::{syntax, tests_of};
    use super::*;
    use crate::{TreePass, Workshop};

    /// The look of dropping a token that occurs once.
    fn dropping(language: &str, text: &str, token: &str) -> Key {
        let tree = syntax(language).tree(text);
        let is_it = |node: &NodeId| tree.is_token(*node) && tree.token_text(*node) == token.as_bytes();
        Key::of(&tree, &Looks::of(&tree), None, &[(tree.nodes().find(is_it).unwrap(), Edit::Drop)])
    }

    #[test]
    fn a_change_elsewhere_makes_no_difference_and_one_in_the_surroundings_does() {
        let key = dropping("c", "int f(int a) { return a; }", "return");
        assert_eq!(dropping("c", "int f(int a) { g(); return a; }", "return"), key);
        assert_ne!(dropping("c", "int f(int a) { return 1; }", "return"), key);
        assert_ne!(dropping("c", "int f(int a) { return a; }", "f"), key);
    }

    #[test]
    fn what_the_parser_does_not_show_counts() {
        let key = dropping("css", "a { b: 1px; }", "b");
        assert_ne!(dropping("css", "a { b: 2px; }", "b"), key);
    }

    /// What is tested in a second turn, after `b` was replaced by something else.
    fn second_turn(memory: Option<&Memory>, instead: &str) -> Vec<String> {
        let workshop = Workshop { syntax: Some(syntax("json")), ..Workshop::default() };
        let pass = |search: &mut Search| TreePass::Tokens.run(search, &workshop, memory);
        let first = "[[\"a\", 1], [\"b\", 2]]";
        tests_of(first, move |text| text == first, pass);
        let second = first.replace("\"b\"", instead);
        let same = second.clone();
        tests_of(&second, move |text| text == same, pass)
    }

    #[test]
    fn a_second_turn_tries_what_is_new_and_what_stands_around_it() {
        let (all, new) = (second_turn(None, "3"), second_turn(Some(&Memory::default()), "3"));
        assert!(all.contains(&"[[\"a\",], [3, 2]]".to_owned()) && new.len() < all.len(), "{all:?} {new:?}");
        assert!(new.iter().all(|text| all.contains(text) && text.contains("[\"a\", 1]")), "{new:?}");
        assert!(new.contains(&"[[\"a\", 1], [3,]]".to_owned()), "{new:?}");
        assert_eq!(second_turn(Some(&Memory::default()), "\"b\""), [""; 0]);
    }
}
