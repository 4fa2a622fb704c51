//! What edits leave of a text: whitespace, line ends, indentation, and no two tokens that become one.

use crate::parse;
use crate::texts::{covered, find_outer, hoisted, without};
use whittle_trees::Edit;

#[test]
fn every_element_of_a_separated_list_can_go_the_first_too() {
    let text = "int f(int a, int b, int c);\n";
    assert_eq!(without("c", text, &["int a"]), "int f(int b, int c);\n");
    assert_eq!(without("c", text, &["int b"]), "int f(int a, int c);\n");
    assert_eq!(without("c", text, &["int c"]), "int f(int a, int b);\n");
    assert_eq!(without("c", text, &["int a", "int b"]), "int f(int c);\n");
    assert_eq!(without("c", text, &["int a", "int b", "int c"]), "int f();\n");
}

#[test]
fn every_operand_of_a_chain_can_go() {
    let text = "int x = a + b - c;\n";
    assert_eq!(without("c", text, &["a"]), "int x = b - c;\n");
    assert_eq!(without("c", text, &["b"]), "int x = a - c;\n");
    assert_eq!(without("c", text, &["c", "b"]), "int x = a;\n");
    let members = parse("javascript", "a.b.c\n");
    assert!(!members.to_string().contains("separated"), "a property cannot begin a chain:\n{members}");
}

#[test]
fn a_trailing_separator_stays_unless_the_list_is_emptied() {
    assert_eq!(without("python", "[a, b,]\n", &["b"]), "[a,]\n");
    assert_eq!(without("python", "[a, b,]\n", &["a"]), "[b,]\n");
    assert_eq!(without("python", "[a, b,]\n", &["a", "b"]), "[]\n");
}

#[test]
fn a_json_object_loses_any_member() {
    let text = "{\n  \"a\": 1,\n  \"b\": [2, 3]\n}\n";
    assert_eq!(without("json", text, &["\"a\": 1"]), "{\n  \"b\": [2, 3]\n}\n");
    assert_eq!(without("json", text, &["\"b\": [2, 3]"]), "{\n  \"a\": 1\n}\n");
    assert_eq!(without("json", text, &["2", "3"]), "{\n  \"a\": 1,\n  \"b\": []\n}\n");
}

#[test]
fn an_optional_part_goes_with_its_blanks() {
    assert_eq!(without("c", "int f() { return x; }\n", &["x"]), "int f() { return; }\n");
    assert_eq!(without("rust", "fn f() -> u8 { 1 }\n", &["-> u8"]), "fn f() { 1 }\n");
}

#[test]
fn words_that_come_together_are_kept_apart() {
    assert_eq!(hoisted("javascript", "return(a + b)\n", "(a + b)", "a"), "return a\n");
    assert_eq!(hoisted("c", "int f() { return(a); }\n", "(a)", "a"), "int f() { return a; }\n");
}

#[test]
fn no_blank_gets_into_a_literal() {
    assert_eq!(without("c", "char *s = \"a\\nb\";\n", &["\\n"]), "char *s = \"ab\";\n");
    assert_eq!(without("c", "char *s = \"a\\n\";\n", &["\\n"]), "char *s = \"a\";\n");
    assert_eq!(without("python", "s = 'abc'\n", &["abc"]), "s = ''\n");
    assert_eq!(without("javascript", "s = `${a}b`\n", &["${a}"]), "s = `b`\n");
}

#[test]
fn operators_that_would_join_are_kept_apart() {
    assert_eq!(hoisted("c", "int x = a - (-b);\n", "(-b)", "-b"), "int x = a - -b;\n");
    assert_eq!(hoisted("c", "int x = a-(-b);\n", "(-b)", "-b"), "int x = a- -b;\n");
    assert_eq!(hoisted("c", "int x = a/(*b);\n", "(*b)", "*b"), "int x = a/ *b;\n");
    assert_eq!(hoisted("c", "int x = a+(b);\n", "(b)", "b"), "int x = a+b;\n");
}

#[test]
fn a_place_keeps_its_blanks_whatever_comes_to_stand_there() {
    assert_eq!(
        hoisted("c", "void f() {\n  if (a)   {\n    b();\n  }\n}\n", "{\n    b();\n  }", "b();"),
        "void f() {\n  if (a)   b();\n}\n"
    );
}

#[test]
fn the_line_end_of_a_line_comment_stays() {
    let text = "int a; // one\nint b; // two\nint c;\n";
    assert_eq!(without("c", text, &["int b;"]), "int a; // two\nint c;\n");
    assert_eq!(without("c", text, &["int c;"]), "int a; // one\nint b;\n");
}

#[test]
fn the_line_end_of_a_directive_stays() {
    let text = "#define A 1\n#if A\nint a; int b;\n#endif\nint c;\n";
    assert_eq!(without("c", text, &["int a;"]), "#define A 1\n#if A\nint b;\n#endif\nint c;\n");
    assert_eq!(without("c", text, &["int a;", "int b;"]), "#define A 1\n#if A\n\n#endif\nint c;\n");
    assert_eq!(without("c", text, &["1"]), "#define A\n#if A\nint a; int b;\n#endif\nint c;\n");
    assert_eq!(without("c", text, &["#define A 1\n"]), "#if A\nint a; int b;\n#endif\nint c;\n");
}

#[test]
fn a_line_end_that_separates_statements_stays() {
    assert_eq!(without("javascript", "a\nb; c\n", &["b;"]), "a\nc\n");
    assert_eq!(without("python", "a\nb; c\n", &["b"]), "a\nc\n");
}

#[test]
fn what_is_hoisted_is_indented_as_its_new_place() {
    let text = "if a:\n    if b:\n        while c:\n            d\n            e\nf\n";
    assert_eq!(
        hoisted(
            "python",
            text,
            "if a:\n    if b:\n        while c:\n            d\n            e",
            "while c:\n            d\n            e"
        ),
        "while c:\n    d\n    e\nf\n"
    );
}

#[test]
fn a_string_of_several_lines_is_not_indented_anew() {
    let text = "if a:\n    x = \"\"\"\n    text\n    \"\"\"\n";
    assert_eq!(
        hoisted("python", text, "if a:\n    x = \"\"\"\n    text\n    \"\"\"", "x = \"\"\"\n    text\n    \"\"\""),
        "x = \"\"\"\n    text\n    \"\"\"\n"
    );
}

#[test]
fn what_has_the_same_tokens_is_not_hoisted() {
    let tree = parse("python", "if a:\n    f(x)\n");
    let all = |text: &str| tree.nodes().filter(|&node| covered(&tree, node) == text.as_bytes()).collect::<Vec<_>>();
    let calls = all("f(x)");
    assert!(calls.len() > 1, "a statement and its expression:\n{tree}");
    assert!(calls.iter().all(|&outer| calls.iter().all(|&inner| !tree.can_hoist(inner, outer))));
    assert!(calls.iter().any(|&outer| all("x").iter().any(|&inner| tree.can_hoist(inner, outer))));
}

#[test]
fn an_emptied_block_becomes_its_smallest_sentence() {
    let text = "def f():\n    a = 1\n    return a\n";
    assert_eq!(without("python", text, &["a = 1", "return a"]), "def f():\n    pass\n");
    assert_eq!(without("python", text, &["a = 1"]), "def f():\n    return a\n");
}

#[test]
fn a_node_becomes_the_smallest_sentence_of_its_place() {
    for (language, text, node, expected) in [
        ("c", "int x = f(1, 2) + 3;\n", "f(1, 2) + 3", "int x = 0;\n"),
        ("c", "void f() { while (a) { b(); } }\n", "while (a) { b(); }", "void f() { ; }\n"),
        ("json", "{\"a\": [1, 2]}\n", "[1, 2]", "{\"a\": 0}\n"),
        ("python", "if a:\n    f(x)\n", "f(x)", "if a:\n    pass\n"),
        ("rust", "fn f() { let x = g(1); }\n", "g(1)", "fn f() { let x = 0; }\n"),
    ] {
        let tree = parse(language, text);
        let edits = std::iter::once((find_outer(&tree, node), Edit::Smallest)).collect();
        assert_eq!(String::from_utf8_lossy(&tree.unparse(&edits)), expected, "{language}");
    }
}

#[test]
fn what_is_no_deeper_than_its_key_gives_way_to_its_like_only() {
    let fits = |text: &str, outer: &str, inner: &str| {
        let tree = parse("yaml", text);
        let all = |text: &str| tree.nodes().filter(|&node| covered(&tree, node) == text.as_bytes()).collect::<Vec<_>>();
        all(outer).iter().any(|&outer| all(inner).iter().any(|&inner| tree.can_hoist(inner, outer)))
    };
    assert!(fits("a:\n  - b\nc: 2\n", "- b", "b"));
    assert!(!fits("a:\n- b\nc: 2\n", "- b", "b"));
    assert!(fits("a:\n- b:\n  - 1\nc: 2\n", "- b:\n  - 1", "- 1"));
}
