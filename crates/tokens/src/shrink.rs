//! Algorithm 3: a token loses what its lex tree says it can do without. Breadth-first: an optional goes, or its
//! children come next; of what is repeated, a list minimizer chooses what stays.
//!
//! A second run that finds nothing to remove changes nothing.

use std::collections::VecDeque;
use std::sync::Arc;

use whittle_grammars::{FragmentId, FragmentKind, LexTree};
use whittle_lists::{Algorithm, Minimizer, Subset, Weights};
use whittle_search::{Search, Stop};

use crate::piece::{Piece, Rewrite};

/// Shrinks a token, together with those of the same text if that works.
pub(crate) fn shrink(search: &mut Search, piece: &mut Piece<'_>, token: usize, lists: Algorithm) -> Result<(), Stop> {
    let Some(mut tree) = piece.tokens()[token].rule.lex_tree(piece.text(token)) else { return Ok(()) };
    let mut queue = VecDeque::from([tree.root()]);
    while let Some(fragment) = queue.pop_front() {
        match tree.kind(fragment) {
            FragmentKind::Optional => {
                let smaller = tree.without(&[fragment]);
                if piece.replace(search, token, &[smaller.spell()])? {
                    tree = smaller;
                } else {
                    queue.extend(tree.children(fragment));
                }
            }
            FragmentKind::Kleene { min } => {
                tree = minimize(search, piece, token, tree, fragment, min, lists)?;
                queue.extend(tree.children(fragment));
            }
            FragmentKind::Leaf | FragmentKind::Group => queue.extend(tree.children(fragment)),
        }
    }
    Ok(())
}

/// Lets a minimizer choose among the elements of a list, and gives the tree that is left.
fn minimize(
    search: &mut Search,
    piece: &mut Piece<'_>,
    token: usize,
    tree: LexTree,
    list: FragmentId,
    min: usize,
    lists: Algorithm,
) -> Result<LexTree, Stop> {
    let elements = tree.children(list);
    if elements.len() <= min {
        return Ok(tree);
    }
    let none = tree.without(&elements);
    if min == 0 && !none.spell().is_empty() && piece.replace(search, token, &[none.spell()])? {
        return Ok(none);
    }
    let alike = piece.with_text(piece.text(token), piece.tokens()[token].kind);
    let tree = Arc::new(tree);
    for tokens in [alike, vec![token]] {
        let choice = Choice { tree: Arc::clone(&tree), elements: elements.clone(), min, tokens };
        let theirs = choice.clone();
        let minimizer = lists.minimizer(&Weights::uniform(elements.len()));
        let ended = piece.run(search, minimizer, move |kept| theirs.rewrite(kept).map(|rewrite| vec![rewrite]))?;
        if ended.current().len() < elements.len() {
            piece.apply(choice.rewrite(ended.current()).as_slice());
            return Ok(choice.left(ended.current()));
        }
        if choice.tokens.len() == 1 {
            break;
        }
    }
    Ok(Arc::unwrap_or_clone(tree))
}

/// The elements of a list in a lex tree, and the tokens that have it.
#[derive(Clone)]
struct Choice {
    tree: Arc<LexTree>,
    elements: Vec<FragmentId>,
    min: usize,
    tokens: Vec<usize>,
}

impl Choice {
    fn left(&self, kept: &Subset) -> LexTree {
        let removed = (0..self.elements.len()).filter(|&element| !kept.contains(element));
        self.tree.without(&removed.map(|element| self.elements[element]).collect::<Vec<_>>())
    }

    fn rewrite(&self, kept: &Subset) -> Option<Rewrite> {
        let is_enough = kept.len() >= self.min;
        is_enough.then(|| Rewrite { tokens: self.tokens.clone(), text: self.left(kept).spell() })
    }
}
