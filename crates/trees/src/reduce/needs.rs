//! [`Needs`]: which elements of a list need which others, by the names in them.
//!
//! An element needs the first element that has one of its names: in most languages that is the declaration. Scopes are
//! not known, so sometimes too much is kept. But elements that are kept with all that they need seldom break, and are
//! mostly a small part of the list.

use std::collections::{HashMap, HashSet};

use whittle_lists::Subset;

use crate::words::starts_name;
use crate::{NodeId, Tree};

/// What each element of a list needs.
#[derive(Clone, Debug)]
pub(crate) struct Needs(Vec<Vec<usize>>);

impl Needs {
    /// The needs of some elements, which stand in the order of the text.
    pub(crate) fn of(tree: &Tree, elements: &[NodeId]) -> Self {
        let names = names(tree, elements);
        let mut first = HashMap::new();
        let mut needs_of = |(number, &element): (usize, &NodeId)| {
            let names = tree.tokens(element).map(|token| tree.token_text(token)).filter(|text| names.contains(text));
            let mut needs: Vec<usize> = names.map(|name| *first.entry(name).or_insert(number)).collect();
            needs.sort_unstable();
            needs.dedup();
            needs.retain(|&needed| needed < number);
            needs
        };
        Self(elements.iter().enumerate().map(&mut needs_of).collect())
    }

    /// These elements with all that they need.
    pub(crate) fn closure(&self, of: &Subset) -> Subset {
        let mut kept = vec![false; self.0.len()];
        of.elements().for_each(|element| kept[element] = true);
        // What is needed stands before what needs it.
        for element in (0..kept.len()).rev() {
            if kept[element] {
                self.0[element].iter().for_each(|&needed| kept[needed] = true);
            }
        }
        Subset::from_elements((0..kept.len()).filter(|&element| kept[element]))
    }
}

/// The texts that may be names: at least one token with that text has a symbol, and it starts like a name or with a mark
/// such as `$`. A name may be a token without a symbol where it is declared. Keywords that are a rule of their own, as
/// `null` in some grammars, count too: this set decides only what is tried first.
fn names<'a>(tree: &'a Tree, elements: &[NodeId]) -> HashSet<&'a [u8]> {
    let starts = |byte: &u8| starts_name(byte) || b"$@|".contains(byte);
    let named = |&element: &NodeId| tree.tokens(element).filter(|&token| tree.symbol(token).is_some());
    let texts = elements.iter().flat_map(named).map(|token| tree.token_text(token));
    texts.filter(|text| text.first().is_some_and(starts)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::syntax;
    use super::*;
    use crate::Kind;

    /// What the last element of a text needs, as numbers of elements.
    fn needed_by_last(language: &str, text: &str) -> Vec<usize> {
        let tree = syntax(language).tree(text);
        let is_list = |&node: &NodeId| matches!(tree.kind(node), Kind::List { .. });
        let list = tree.nodes().find(is_list).unwrap();
        let elements: Vec<NodeId> = tree.elements(list).collect();
        let last = elements.len() - 1;
        let closure = Needs::of(&tree, &elements).closure(&Subset::from_elements([last]));
        closure.elements().filter(|&element| element != last).collect()
    }

    #[test]
    fn an_element_needs_where_its_names_come_first_and_what_is_needed_there() {
        let c = "typedef long a; struct b { a x; }; char y; struct b *f(void); void g(void) { f(); }";
        assert_eq!(needed_by_last("c", c), [0, 1, 3]);
        assert_eq!(needed_by_last("python", "x = 1\ny = 2\ndef f():\n    return x\n"), [0]);
    }

    #[test]
    fn keywords_and_numbers_are_no_names() {
        assert_eq!(needed_by_last("c", "static int a = 1; static long b = 1;"), [0; 0]);
    }

    #[test]
    fn a_name_may_be_a_token_without_a_word_where_it_is_declared() {
        assert_eq!(needed_by_last("c", "typedef long unsigned int size_t; char y; size_t z;"), [0]);
    }
}
