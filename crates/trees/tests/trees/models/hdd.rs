//! HDD (Misherghi and Su): the nodes of one level after the other are minimized, whatever node they belong to.

use whittle_trees::{Tree, TreeOptions};

use super::{ALL, Asked, Left, assert_same, with_tokens};

fn hdd(asked: &mut Asked, tree: &Tree) -> String {
    let mut left = Left::default();
    let mut level = with_tokens(tree, [tree.root()]);
    while !level.is_empty() {
        let gone = |kept: &[usize]| {
            let goes = |index: &usize| !kept.contains(index);
            (0..level.len()).filter(goes).map(|index| level[index]).collect::<Vec<_>>()
        };
        let kept = asked.minimize(level.len(), true, |kept| left.without(gone(kept)).text(tree));
        left = left.without(gone(&kept));
        level = with_tokens(tree, kept.iter().flat_map(|&index| tree.children(level[index])));
    }
    left.text(tree)
}

#[test]
fn hdd_makes_the_tests_of_its_paper() {
    for texts in ALL {
        for algorithm in ["hdd+ddmin", "hdd*+ddmin"] {
            assert_same(algorithm, texts, &TreeOptions::default(), hdd);
        }
    }
}
