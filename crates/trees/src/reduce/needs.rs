//! [`Needs`]: which elements of a list need which others, by the names in them.
//!
//! An element needs the first element that has one of its names: in most languages that is the declaration. Scopes are
//! not known, so sometimes too much is kept. But elements that are kept with all that they need seldom break, and are
//! mostly a small part of the list.

use std::collections::{HashMap, HashSet};

use whittle_lists::{Completion, Subset};

use crate::words::starts_name;
use crate::{NodeId, Tree};

/// What each element of a list needs.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    /// The earlier elements that each element needs.
    needs: Vec<Vec<u32>>,
    /// The later elements that need each element.
    needed_by: Vec<Vec<u32>>,
}

impl Needs {
    /// The needs of some elements, which stand in the order of the text.
    pub(crate) fn of(tree: &Tree, elements: &[NodeId]) -> Self {
        let names = names(tree, elements);
        let mut first = HashMap::new();
        let mut needs_of = |(number, &element): (u32, &NodeId)| {
            let names = tree.tokens(element).map(|token| tree.token_text(token)).filter(|text| names.contains(text));
            let mut needs: Vec<u32> = names.map(|name| *first.entry(name).or_insert(number)).collect();
            needs.sort_unstable();
            needs.dedup();
            needs.retain(|&needed| needed < number);
            needs
        };
        let needs: Vec<Vec<u32>> = (0..).zip(elements).map(&mut needs_of).collect();
        let mut needed_by = vec![Vec::new(); needs.len()];
        for (number, needs) in (0..).zip(&needs) {
            needs.iter().for_each(|&needed| needed_by[needed as usize].push(number));
        }
        Self { needs, needed_by }
    }

    /// Whether some elements need `element`: they have it, or something they need needs it. `known` remembers answers.
    fn is_needed(&self, kept: &Subset, element: u32, known: &mut HashMap<u32, bool>) -> bool {
        // Depth first and without recursion: needs can be a chain as long as the list.
        let mut path = vec![(element, 0)];
        while let Some(&(at, next)) = path.last() {
            if kept.contains(at as usize) || known.get(&at) == Some(&true) {
                // Whatever is on the path is needed by what follows it.
                known.extend(path.iter().map(|&(on_path, _)| (on_path, true)));
                return true;
            }
            let by = self.needed_by[at as usize].get(next).filter(|_| known.get(&at).is_none());
            if let Some(&by) = by {
                path.last_mut().expect("the loop holds it").1 += 1;
                path.push((by, 0));
            } else {
                known.insert(at, false);
                path.pop();
            }
        }
        false
    }
}

impl Completion for Needs {
    fn complete(&self, kept: &Subset) -> Subset {
        let mut all = vec![false; self.needs.len()];
        kept.elements().for_each(|element| all[element] = true);
        // What is needed stands before what needs it.
        for element in (0..all.len()).rev() {
            if all[element] {
                self.needs[element].iter().for_each(|&needed| all[needed as usize] = true);
            }
        }
        Subset::from_elements((0..all.len()).filter(|&element| all[element]))
    }

    fn needs_all(&self, kept: &Subset, current: &Subset) -> bool {
        let mut known = HashMap::new();
        current.difference(kept).all(|element| self.is_needed(kept, element as u32, &mut known))
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
        let closure = Needs::of(&tree, &elements).complete(&Subset::from_elements([last]));
        closure.elements().filter(|&element| element != last).collect()
    }

    #[test]
    fn an_element_needs_where_its_names_come_first_and_what_is_needed_there() {
        let c = "typedef long a; struct b { a x; }; char y; struct b *f(void); void g(void) { f(); }";
        assert_eq!(needed_by_last("c", c), [0, 1, 3]);
        assert_eq!(needed_by_last("python", "x = 1\ny = 2\ndef f():\n    return x\n"), [0]);
    }

    #[test]
    fn what_is_needed_is_what_a_completion_adds() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let len = random.usize(1..12);
            let needs: Vec<Vec<u32>> =
                (0..len as u32).map(|to| (0..to).filter(|_| random.u8(..4) == 0).collect()).collect();
            let mut needed_by = vec![Vec::new(); len];
            (0..).zip(&needs).for_each(|(by, of)| of.iter().for_each(|&needed| needed_by[needed as usize].push(by)));
            let needs = Needs { needs, needed_by };
            let kept = Subset::from_elements((0..len).filter(|_| random.bool()));
            let current = Subset::from_elements((0..len).filter(|&element| kept.contains(element) || random.bool()));
            let completed = needs.complete(&kept);
            let expected = current.elements().all(|element| completed.contains(element));
            assert_eq!(needs.needs_all(&kept, &current), expected, "{needs:?} {kept:?} {current:?}");
        }
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
