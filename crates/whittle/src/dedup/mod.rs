//! Which inputs show the same bug: [`groups`] of reduced inputs that became the same text.
//!
//! After Xu et al.: *T-Rec*, 2024, section 5.1: inputs whose reduced texts are equal are duplicates, and one of them is
//! enough. What is left differs, but not always by much, so groups also know their near-duplicates: those that are equal
//! after renaming, and those that consist of the same kinds of tokens (see [`Shape`]). Inputs with different signatures
//! are never duplicates. Pure. Time and memory are linear in the texts, but for sorting.

mod shape;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

pub use shape::Shape;

/// An input that was reduced.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// What the input is called.
    pub name: String,
    /// How many bytes it had.
    pub bytes: u64,
    /// What it became.
    pub text: Vec<u8>,
    /// What the failure is called, where that is known.
    pub signature: Option<String>,
    /// The text, as far as near-duplicates share it.
    pub shape: Shape,
}

/// Inputs that became the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The inputs, by their indices; the smallest one comes first, and represents the others.
    pub members: Vec<usize>,
    /// Its own index.
    index: usize,
    /// All groups, this one too, that are equal after renaming. They share it; so there may be many.
    equal_renamed: Arc<[usize]>,
    /// All groups, this one too, that consist of the same kinds of tokens.
    equal_kinds: Arc<[usize]>,
}

impl Group {
    /// Other groups, by their indices in ascending order, that are equal to this one after renaming.
    pub fn renamed(&self) -> impl Iterator<Item = usize> {
        self.equal_renamed.iter().copied().filter(|&other| other != self.index)
    }

    /// Other groups that consist of the same kinds of tokens, but are not equal after renaming.
    pub fn alike(&self) -> impl Iterator<Item = usize> {
        self.equal_kinds.iter().copied().filter(|other| self.equal_renamed.binary_search(other).is_err())
    }
}

/// Groups the inputs: large groups first, then those with short texts.
pub fn groups(inputs: &[Reduced]) -> Vec<Group> {
    let mut groups = members_by(0..inputs.len(), |&input| (&inputs[input].text, &inputs[input].signature));
    for members in &mut groups {
        members.sort_by_key(|&input| (inputs[input].bytes, &inputs[input].name));
    }
    groups.sort_by_key(|members| {
        let first = &inputs[members[0]];
        (usize::MAX - members.len(), first.text.len(), &first.text, &first.signature)
    });
    let first = |group: &usize| &inputs[groups[*group][0]];
    let renamed = equals(groups.len(), |group| (&first(group).signature, &first(group).shape.renamed));
    let kinds = equals(groups.len(), |group| (&first(group).signature, &first(group).shape.kinds));
    let grouped = groups.into_iter().zip(renamed).zip(kinds).enumerate();
    grouped
        .map(|(index, ((members, equal_renamed), equal_kinds))| Group { members, index, equal_renamed, equal_kinds })
        .collect()
}

/// For each of `count` groups all those with the same key, in ascending order.
fn equals<K: Hash + Eq>(count: usize, key: impl Fn(&usize) -> K) -> Vec<Arc<[usize]>> {
    let mut equals: Vec<Arc<[usize]>> = vec![Arc::default(); count];
    for equal in members_by(0..count, key) {
        let equal: Arc<[usize]> = equal.into();
        equal.iter().for_each(|&group| equals[group] = Arc::clone(&equal));
    }
    equals
}

/// The items with equal keys together, in the order of their first.
fn members_by<K: Hash + Eq>(items: impl Iterator<Item = usize>, key: impl Fn(&usize) -> K) -> Vec<Vec<usize>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for item in items {
        let place = *places.entry(key(&item)).or_insert(members.len());
        if place == members.len() {
            members.push(Vec::new());
        }
        members[place].push(item);
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(name: &str, bytes: u64, text: &str, signature: &str) -> Reduced {
        let shape = Shape::of(text.as_bytes(), None);
        let signature = Some(signature.to_owned()).filter(|signature| !signature.is_empty());
        Reduced { name: name.into(), bytes, text: text.into(), signature, shape }
    }

    fn renamed(group: &Group) -> Vec<usize> {
        group.renamed().collect()
    }

    fn alike(group: &Group) -> Vec<usize> {
        group.alike().collect()
    }

    #[test]
    fn equal_texts_are_one_group_that_its_smallest_input_represents() {
        let inputs = [
            reduced("a", 9, "x+1", ""),
            reduced("b", 5, "y", ""),
            reduced("c", 7, "x+1", ""),
            reduced("d", 7, "x+1", ""),
        ];
        let members: Vec<Vec<usize>> = groups(&inputs).into_iter().map(|group| group.members).collect();
        assert_eq!(members, [vec![2, 3, 0], vec![1]]);
    }

    #[test]
    fn different_signatures_are_kept_apart_and_are_not_near_either() {
        let inputs = [reduced("a", 1, "x", "one"), reduced("b", 1, "x", "two"), reduced("c", 1, "y", "two")];
        let found = groups(&inputs);
        assert_eq!(found.iter().map(|group| group.members.clone()).collect::<Vec<_>>(), [[0], [1], [2]]);
        assert_eq!(found.iter().map(renamed).collect::<Vec<_>>(), [vec![], vec![2], vec![1]]);
    }

    #[test]
    fn near_duplicates_are_equal_after_renaming_or_have_the_same_kinds_of_tokens() {
        let inputs = [
            reduced("a", 1, "a+a", ""),
            reduced("b", 1, "b + b", ""),
            reduced("c", 1, "a+b", ""),
            reduced("d", 1, "a-a", ""),
            reduced("e", 1, "a+1", ""),
        ];
        let found = groups(&inputs);
        let of = |input: usize| found.iter().position(|group| group.members == [input]).unwrap();
        let near = |input: usize| (renamed(&found[of(input)]), alike(&found[of(input)]));
        assert_eq!(near(0), (vec![of(1)], vec![of(2)]));
        let mut both = vec![of(0), of(1)];
        both.sort_unstable();
        assert_eq!(near(2), (vec![], both));
        assert_eq!(near(3), (vec![], vec![]));
        assert_eq!(near(4), (vec![], vec![]));
    }

    #[test]
    fn the_order_of_the_inputs_does_not_matter() {
        let mut inputs: Vec<Reduced> =
            (0..40).map(|i| reduced(&format!("i{i}"), 100 - i % 7, &format!("a{}", i % 5), "")).collect();
        let names = |inputs: &[Reduced]| -> Vec<Vec<String>> {
            let named = |group: Group| group.members.iter().map(|&input| inputs[input].name.clone()).collect();
            groups(inputs).into_iter().map(named).collect()
        };
        let before = names(&inputs);
        assert_eq!(before.len(), 5);
        inputs.reverse();
        assert_eq!(names(&inputs), before);
    }
}
