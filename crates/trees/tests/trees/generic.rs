//! Trees without a grammar.

use crate::parse;
use whittle_trees::{Edit, Edits, Kind, NodeId, Tree};

const CONFIGURATION: &str = "server:\n  port: 80 # x\n  name: \"a b\"\nclient (one\n  two) three\n\n";

#[test]
fn brackets_quotes_indentation_lines_and_words_are_levels() {
    let tree = Tree::generic(CONFIGURATION);
    let expected = "\
list
  list
    list
      \"server\"
      \":\"
    list
      list
        \"port\"
        \":\"
        \"80\"
        \"#\"
        \"x\"
      list
        \"name\"
        \":\"
        \"\\\"a b\\\"\"
  list
    \"client\"
    group
      \"(\"
      list
        list
          \"one\"
          list
            \"two\"
      \")\"
    \"three\"
";
    assert_eq!(tree.to_string(), expected);
    assert_eq!(tree.unparse(&Edits::new()), CONFIGURATION.as_bytes());
}

#[test]
fn binary_data_is_cut_into_chunks_and_restored() {
    for len in [0, 1, 63, 64, 65, 5000, 200_000] {
        let data: Vec<u8> = (0..len).map(|at| (at * 7 % 256) as u8).chain([0]).collect();
        let tree = Tree::generic(data.clone());
        assert_eq!(tree.unparse(&Edits::new()), data);
        assert!(tree.nodes().all(|node| tree.children(node).count() <= 64));
    }
}

#[test]
fn a_text_with_nul_bytes_is_binary_in_every_language() {
    let tree = parse("c", b"int a;\0int b;".to_vec());
    assert!(tree.grammar().is_none());
}

#[test]
fn random_bytes_are_restored_and_survive_any_deletion() {
    let mut random = fastrand::Rng::with_seed(11);
    let alphabet = b"ab1 \n\t(){}[]\"'\\;,.#/*<>=+-:\xc3\xa4\xff";
    for round in 0..300 {
        let text: Vec<u8> = (0..random.usize(0..120)).map(|_| alphabet[random.usize(0..alphabet.len())]).collect();
        for language in ["c", "json", "python", "javascript", "rust", "smtlib", "xml", "yaml", ""] {
            let tree = if language.is_empty() { Tree::generic(text.clone()) } else { parse(language, text.clone()) };
            assert_eq!(tree.unparse(&Edits::new()), text, "{language}, round {round}");
            let elements: Vec<NodeId> = tree
                .nodes()
                .filter(|&node| tree.parent(node).is_some_and(|parent| matches!(tree.kind(parent), Kind::List { .. })))
                .collect();
            if let Some(&element) = elements.get(random.usize(0..elements.len().max(1))) {
                let left = tree.unparse(&std::iter::once((element, Edit::Delete)).collect());
                assert!(left.len() <= text.len() + 1, "{language}, round {round}");
            }
        }
    }
}
