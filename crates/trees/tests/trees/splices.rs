//! Lists in the place of an element of the list around them: a block's statements instead of the block.

use crate::parse;
use crate::texts::{after, covered, find_pair};
use whittle_trees::{Edit, NodeId, Tree};

/// The tree of a text, an element with the text `outer`, and a list with the text `inner` that can be spliced into its place.
fn find_splice(language: &str, text: &str, outer: &str, inner: &str) -> (Tree, NodeId, NodeId) {
    let tree = if language.is_empty() { Tree::generic(text) } else { parse(language, text) };
    let (element, list) = find_pair(&tree, outer, inner, |element, list| tree.can_splice(list, element));
    (tree, element, list)
}

const C: &str = "void f() {\n  a();\n  if (x) {\n    b();\n    c();\n  }\n  d();\n}\n";
const RUST: &str = "fn f() {\n    a();\n    { b(); c(); }\n    d();\n}\n";
const PYTHON: &str =
    "def f():\n    a\n    while x:\n        if y:\n            b\n            c(1,\n              2)\n    d\n";
const BLOCKS: &str = "if x:\n    if y:\n        a\n        b\n    c\n";
const JSON: &str = "[0, [1, 2, 3],\n 4]\n";

#[test]
fn the_elements_of_a_list_take_the_place_of_an_element() {
    for (language, text, outer, inner, expected) in [
        (
            "c",
            C,
            "if (x) {\n    b();\n    c();\n  }",
            "b();\n    c();",
            "void f() {\n  a();\n  b();\n    c();\n  d();\n}\n",
        ),
        ("rust", RUST, "{ b(); c(); }", "b(); c();", "fn f() {\n    a();\n    b(); c();\n    d();\n}\n"),
        (
            "python",
            PYTHON,
            "while x:\n        if y:\n            b\n            c(1,\n              2)",
            "b\n            c(1,\n              2)",
            "def f():\n    a\n    b\n    c(1,\n      2)\n    d\n",
        ),
        ("python", "if x:\n    a\n    b\nc\n", "if x:\n    a\n    b", "a\n    b", "a\nb\nc\n"),
        ("json", JSON, "[1, 2, 3]", "1, 2, 3", "[0, 1, 2, 3,\n 4]\n"),
        ("python", "[0, [1, 2,], 3]\n", "[1, 2,]", "1, 2,", "[0, 1, 2, 3]\n"),
        ("", "a (b c) d\n", "(b c)", "b c", "a b c d\n"),
    ] {
        let (tree, element, list) = find_splice(language, text, outer, inner);
        assert_eq!(after(&tree, &[(element, Edit::Hoist(list))]), expected, "{language}");
    }
}

#[test]
fn what_is_deleted_from_a_spliced_list_goes_with_its_separator() {
    let (tree, element, list) = find_splice("json", JSON, "[1, 2, 3]", "1, 2, 3");
    let elements: Vec<NodeId> = tree.elements(list).collect();
    for (deleted, expected) in [
        (&elements[..1], "[0, 2, 3,\n 4]\n"),
        (&elements[1..2], "[0, 1, 3,\n 4]\n"),
        (&elements[2..], "[0, 1, 2,\n 4]\n"),
        (&elements[..2], "[0, 3,\n 4]\n"),
    ] {
        let mut edits = vec![(element, Edit::Hoist(list))];
        edits.extend(deleted.iter().map(|&element| (element, Edit::Delete)));
        assert_eq!(after(&tree, &edits), expected);
    }
}

#[test]
fn splicing_a_list_of_which_nothing_is_left_is_a_deletion() {
    for (language, text, outer, inner, expected) in [
        ("json", JSON, "[1, 2, 3]", "1, 2, 3", "[0,\n 4]\n"),
        ("json", "[[1, 2], 3]", "[1, 2]", "1, 2", "[3]"),
        ("c", C, "if (x) {\n    b();\n    c();\n  }", "b();\n    c();", "void f() {\n  a();\n  d();\n}\n"),
        ("rust", RUST, "{ b(); c(); }", "b(); c();", "fn f() {\n    a();\n    d();\n}\n"),
        ("python", BLOCKS, "if y:\n        a\n        b", "a\n        b", "if x:\n    c\n"),
        ("", "a () d\n", "()", "", "a d\n"),
    ] {
        let (tree, element, list) = find_splice(language, text, outer, inner);
        let mut edits = vec![(element, Edit::Hoist(list))];
        edits.extend(tree.elements(list).map(|element| (element, Edit::Delete)));
        assert_eq!(after(&tree, &edits), expected, "{language}");
    }
}

#[test]
fn a_block_whose_last_elements_are_spliced_away_becomes_its_smallest_sentence() {
    let (tree, element, list) = find_splice("python", BLOCKS, "if y:\n        a\n        b", "a\n        b");
    let others = tree.nodes().filter(|&node| node != element && tree.parent(node) == tree.parent(element));
    let deleted = tree.elements(list).chain(others).map(|element| (element, Edit::Delete));
    let edits: Vec<_> = deleted.chain([(element, Edit::Hoist(list))]).collect();
    assert_eq!(after(&tree, &edits), "if x:\n    pass\n");
}

#[test]
fn lists_are_spliced_at_several_levels_at_once() {
    let text = "if x:\n    while y:\n        a\n        b\n    c\nd\n";
    let (tree, outer, list) = find_splice(
        "python",
        text,
        "if x:\n    while y:\n        a\n        b\n    c",
        "while y:\n        a\n        b\n    c",
    );
    let (inner, nested) = find_pair(&tree, "while y:\n        a\n        b", "a\n        b", |element, list| {
        tree.can_splice(list, element)
    });
    assert_eq!(after(&tree, &[(outer, Edit::Hoist(list)), (inner, Edit::Hoist(nested))]), "a\nb\nc\nd\n");
}

#[test]
fn only_lists_that_suit_the_list_around_them_are_spliced() {
    for (language, text, outer, inner) in [
        ("json", "[0, {\"a\": 1, \"b\": 2}]", "{\"a\": 1, \"b\": 2}", "\"a\": 1, \"b\": 2"),
        ("c", "void f() { g(1, 2); }", "g(1, 2);", "1, 2"),
        ("python", "f(a, b)\n", "f(a, b)", "a, b"),
        ("rust", "fn f() { g(a, b); }", "g(a, b);", "a, b"),
        ("json", "[0, [1, 2]]", "0, [1, 2]", "1, 2"),
    ] {
        let tree = parse(language, text);
        let all = |text: &str| tree.nodes().filter(|&node| covered(&tree, node) == text.as_bytes()).collect::<Vec<_>>();
        let (elements, lists) = (all(outer), all(inner));
        assert!(!elements.is_empty() && !lists.is_empty(), "{language}:\n{tree}");
        for element in elements {
            assert!(!lists.iter().any(|&list| tree.can_splice(list, element)), "{language}: {text}");
        }
    }
}
