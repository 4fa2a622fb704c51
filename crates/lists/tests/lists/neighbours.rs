//! What elements that go only with their neighbours, such as commas and statements, mean for each algorithm
//! (`docs/decisions/0011-list-algorithm-of-the-default.md`).

use whittle_lists::{Algorithm, Subset, Weights};

use crate::harness::minimize;

/// Elements at even places, separators between them.
const LEN: usize = 31;
const NEEDED: usize = 14;

/// The elements that are kept alternate with separators, and one of them is needed.
fn is_separated(kept: &Subset) -> bool {
    let kept: Vec<usize> = kept.elements().collect();
    kept.contains(&NEEDED) && kept.len() % 2 == 1 && kept.iter().enumerate().all(|(at, element)| element % 2 == at % 2)
}

fn left(name: &str, weights: &Weights) -> usize {
    let algorithm: Algorithm = name.parse().unwrap();
    minimize(algorithm.swept().minimizer(weights), is_separated).result.len()
}

#[test]
fn parts_of_neighbours_delete_an_element_with_its_separator_and_a_choice_by_weight_does_not() {
    let heavy_elements: Vec<u32> = (0..LEN as u32).map(|element| if element % 2 == 0 { 5 } else { 1 }).collect();
    let weights = Weights::new(&heavy_elements);
    for name in ["ddmin", "wddmin", "probdd", "cdd"] {
        assert!(left(name, &weights) <= 3, "{name} leaves {}", left(name, &weights));
    }
    assert_eq!(left("wprobdd", &weights), LEN);
    assert!(left("wprobdd", &Weights::uniform(LEN)) <= 3, "the weights are the reason");
}
