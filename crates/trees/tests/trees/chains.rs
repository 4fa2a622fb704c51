//! Chains that recursive rules spell are lists: any elements can go, and what is left is still a text of the language.

use tree_sitter::Parser;
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Kind, NodeId, Tree};

use crate::parse;
use crate::texts::without;

fn chains(tree: &Tree) -> Vec<NodeId> {
    let has_separators = |node: &NodeId| matches!(tree.kind(*node), Kind::List { separated: true, at_least_one: true });
    tree.nodes().filter(has_separators).collect()
}

fn has_error(language: &str, text: &[u8]) -> bool {
    let mut parser = Parser::new();
    let language = Language::by_name(language).expect("it is compiled in");
    parser.set_language(&language.tree_sitter()).expect("the parser fits");
    parser.parse(text, None).expect("it is parsed").root_node().has_error()
}

#[test]
fn any_branches_of_an_if_chain_can_go() {
    for (language, text) in [
        ("c", "void f() { if (a) x(); else if (b) { y(); } else if (c) z(); else w(); }\n"),
        ("cpp", "void f() { if (a) x(); else if (int b = g()) { y(); } else { z(); } }\n"),
        ("rust", "fn f() -> u8 { let v = if a { 1 } else if let Some(b) = c { 2 } else { 3 }; v }\n"),
        ("rust", "fn f() { if a { x(); } else if b { y(); } else if c { z(); } }\n"),
        ("javascript", "if (a) x(); else if (b) { y(); } else z();\n"),
        ("java", "class A { void f() { if (a) x(); else if (b) { y(); } else z(); } }\n"),
        (
            "go",
            "package p\n\nfunc f() {\n\tif a {\n\t\tx()\n\t} else if b := g(); b {\n\t\ty()\n\t} else {\n\t\tz()\n\t}\n}\n",
        ),
    ] {
        let tree = parse(language, text);
        let chain = chains(&tree)[0];
        let elements: Vec<NodeId> = tree.elements(chain).collect();
        assert!(elements.len() >= 3, "{language}:\n{tree}");
        for gone in 0..1 << elements.len() {
            let edits: Edits = elements
                .iter()
                .enumerate()
                .filter(|(at, _)| gone >> at & 1 == 1)
                .map(|(_, &id)| (id, Edit::Delete))
                .collect();
            let left = tree.unparse(&edits);
            assert!(!has_error(language, &left), "{language}: {:?}", String::from_utf8_lossy(&left));
        }
    }
}

#[test]
fn a_branch_goes_with_the_word_that_leads_to_it() {
    let text = "void f() {\n  if (a) x();\n  else if (b) y();\n  else z();\n}\n";
    assert_eq!(without("c", text, &["if (a) x();"]), "void f() {\n  if (b) y();\n  else z();\n}\n");
    assert_eq!(without("c", text, &["if (b) y();"]), "void f() {\n  if (a) x();\n  else z();\n}\n");
    assert_eq!(without("c", text, &["z();"]), "void f() {\n  if (a) x();\n  else if (b) y();\n}\n");
    assert_eq!(without("c", text, &["if (a) x();", "if (b) y();"]), "void f() {\n  z();\n}\n");
}

#[test]
fn a_single_alternative_is_an_optional() {
    let tree = parse("c", "void f() { if (a) x(); else y(); }\n");
    assert!(chains(&tree).is_empty(), "{tree}");
    assert_eq!(without("c", "void f() { if (a) x(); else y(); }\n", &["else y();"]), "void f() { if (a) x(); }\n");
}

#[test]
fn no_other_list_is_spliced_into_an_if_chain() {
    let text = "void f() { if (a) { if (p) q(); else if (r) s(); else t(); } else if (b) y(); else z(); }\n";
    let tree = parse("c", text);
    let [outer, inner] = chains(&tree)[..] else { panic!("{tree}") };
    let first = tree.elements(outer).next().expect("it has elements");
    assert!(!tree.can_hoist(inner, first) && !tree.can_hoist(inner, outer));
}

#[test]
fn a_long_chain_is_one_list() {
    let count = 10_000;
    let text = format!("void f() {{ {}z(); }}\n", "if (a) x(); else ".repeat(count));
    let tree = parse("c", text.as_bytes());
    assert_eq!(tree.elements(chains(&tree)[0]).count(), count + 1);
}
