//! [`Memory`]: what was tried in vain, and where, so that a pass that has another turn leaves it out.
//!
//! After a pass has found nothing, another one may change something, and then the first has another turn. Nearly all
//! that it would try is as it was: the same edit of the same part within the same surroundings. It could work now, as
//! any edit could after any change; but it hardly ever does, and all of it together costs as much as the first turn.
//! Surroundings are the node that a part belongs to: a change in there makes everything in it worth another try.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use super::workpiece::Strictness;
use crate::{Edit, NodeId, Tree};

/// Edits that failed.
#[derive(Debug, Default)]
pub struct Memory(Mutex<HashSet<Key>>);

/// An edit and its surroundings, by what they look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    /// What edits that belong together look like.
    pub(crate) fn of(tree: &Tree, strictness: Option<Strictness>, edits: &[(NodeId, Edit)]) -> Self {
        let mut hasher = DefaultHasher::new();
        strictness.hash(&mut hasher);
        for &(node, edit) in edits {
            let around = tree.parent(node).unwrap_or(node);
            let texts = |node: NodeId| tree.tokens(node).map(|token| tree.token_text(token)).collect::<Vec<_>>();
            let before = tree.tokens(around).take_while(|&token| token < node).count();
            (texts(around), before, texts(node).len()).hash(&mut hasher);
            match edit {
                Edit::Delete => "delete".hash(&mut hasher),
                Edit::Drop => "drop".hash(&mut hasher),
                Edit::Smallest => "smallest".hash(&mut hasher),
                Edit::Zero => "zero".hash(&mut hasher),
                Edit::Hoist(source) | Edit::Copy(source) => texts(source).hash(&mut hasher),
            }
        }
        Self(hasher.finish())
    }
}

impl Memory {
    /// Whether it is known to fail.
    pub(crate) fn knows(&self, key: Key) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    /// Remembers failures.
    pub(crate) fn remember(&self, failed: impl IntoIterator<Item = Key>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(failed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::syntax;
    use super::*;

    /// The look of dropping a token that occurs once.
    fn dropping(text: &str, token: &str) -> Key {
        let tree = syntax("c").tree(text);
        let node = tree.tokens(tree.root()).find(|&node| tree.token_text(node) == token.as_bytes()).unwrap();
        Key::of(&tree, None, &[(node, Edit::Drop)])
    }

    #[test]
    fn a_change_elsewhere_makes_no_difference_and_one_in_the_surroundings_does() {
        let key = dropping("int f(int a) { return a; }", "return");
        assert_eq!(dropping("int f(int a) { g(); return a; }", "return"), key);
        assert_ne!(dropping("int f(int a) { return 1; }", "return"), key);
        assert_ne!(dropping("int f(int a) { return a; }", "f"), key);
    }
}
