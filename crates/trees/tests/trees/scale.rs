//! Deep nesting and long lists: no recursion on the depth, and nodes and memory that grow as the text does. What is
//! counted is the same on every machine.

use crate::allocations::allocated;
use crate::parse;
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Kind, Limits, Tree};

const DEPTH: usize = 10_000;

#[test]
fn nesting_of_ten_thousand_levels_needs_no_stack() {
    for (language, before, open, middle, close, after) in [
        ("c", "int x = ", "(", "1", ")", ";"),
        ("cpp", "int x = ", "(", "1", ")", ";"),
        ("javascript", "x = ", "[", "", "]", ";"),
        ("json", "", "[", "", "]", ""),
        ("python", "x = ", "(", "1", ")", "\n"),
        ("rust", "fn f() { ", "{ ", "", " }", "}"),
        ("smtlib", "(assert ", "(not ", "x", ")", ")"),
        ("xml", "", "<a>", "b", "</a>", ""),
        ("yaml", "x: ", "[", "1", "]", "\n"),
        ("", "", "[", "", "]", ""),
    ] {
        let text = [before, &open.repeat(DEPTH), middle, &close.repeat(DEPTH), after].concat();
        let tree = if language.is_empty() { Tree::generic(text.clone()) } else { parse(language, text.clone()) };
        assert!(tree.len() > DEPTH, "{language}");
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes(), "{language}");
        assert!(tree.to_string().lines().count() > DEPTH, "{language}");
        edit_outermost_and_innermost(&tree);
    }
}

/// A text with a part that is there so often: nested, or one after the other.
type Grown = fn(usize) -> String;

#[test]
fn nodes_and_memory_grow_as_the_text_does() {
    let grown: [(&str, Grown); 10] = [
        ("c", |count| format!("int x = {}1{};", "(".repeat(count), ")".repeat(count))),
        ("c", |count| format!("int f() {{ {} }}", "a = f(x, 1) + 2; ".repeat(count))),
        ("javascript", |count| format!("x = {}{};", "[".repeat(count), "]".repeat(count))),
        ("json", |count| format!("[{}0]", "{\"a\": [1, true]}, ".repeat(count))),
        ("python", |count| format!("x = {}1{}\n", "(".repeat(count), ")".repeat(count))),
        ("python", |count| "if a:\n    b = 1\n".repeat(count)),
        ("rust", |count| format!("fn f() {{ {}{} }}", "{ ".repeat(count), " }".repeat(count))),
        ("smtlib", |count| format!("(assert {}x{})", "(not ".repeat(count), ")".repeat(count))),
        ("", |count| format!("{}{}", "[".repeat(count), "]".repeat(count))),
        ("", |count| "some (words) here\n".repeat(count)),
    ];
    for (row, (language, text)) in grown.into_iter().enumerate() {
        let [small, medium, large] = [500, 1000, 8000].map(|count| Cost::of(language, text(count)));
        let what = format!("{language}, row {row}: {small:?}, {medium:?}, {large:?}");
        assert_eq!(large.nodes - medium.nodes, 14 * (medium.nodes - small.nodes), "{what}");
        for (medium, large) in medium.bytes.into_iter().zip(large.bytes) {
            // Eight times, or up to 16, since vectors grow by doubling; what is quadratic would be 64 times.
            assert!(large < 20 * medium, "{what}");
        }
    }
}

/// What it costs to work with a text: nodes, and bytes that are allocated to make its tree, to write the tree as text
/// again, to write half of its tokens, and to print it.
#[derive(Debug)]
struct Cost {
    nodes: usize,
    bytes: [u64; 4],
}

impl Cost {
    fn of(language: &str, text: String) -> Self {
        let (tree, made) = allocated(|| if language.is_empty() { Tree::generic(text) } else { parse(language, text) });
        let half: Edits = tree.tokens(tree.root()).step_by(2).map(|token| (token, Edit::Drop)).collect();
        let unparsed = |edits: &Edits| allocated(|| tree.unparse(edits)).1;
        let bytes = [made, unparsed(&Edits::new()), unparsed(&half), allocated(|| tree.to_string()).1];
        Self { nodes: tree.len(), bytes }
    }
}

#[test]
fn deep_brackets_are_borne_in_every_language() {
    for language in Language::all() {
        let text = "([{<a>".repeat(DEPTH / 4) + &"</a>}])".repeat(DEPTH / 4);
        let tree = parse(language.name, text.clone());
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes(), "{language:?}");
        edit_outermost_and_innermost(&tree);
    }
}

/// Asks what fits, deletes and hoists where the way to the other end is longest.
fn edit_outermost_and_innermost(tree: &Tree) {
    let innermost = tree.nodes().last().expect("there is a root");
    let top = tree.children(tree.root()).next().unwrap_or(tree.root());
    for inner in [innermost, tree.parent(innermost).unwrap_or(innermost)] {
        for edit in [Edit::Delete, Edit::Smallest] {
            let left = tree.unparse(&std::iter::once((inner, edit)).collect());
            assert!(left.len() <= tree.text().len(), "{edit:?} of {inner:?}");
        }
        if tree.can_hoist(inner, top) {
            let left = tree.unparse(&std::iter::once((top, Edit::Hoist(inner))).collect());
            assert!(left.len() < tree.text().len());
        }
    }
}

#[test]
fn one_line_of_half_a_megabyte_is_a_text_like_another() {
    for (language, before, piece, after) in [
        ("c", "int a[] = {", "f(x, 1) + 2, ", "0};"),
        ("json", "[", "{\"a\": [1, true]}, ", "0]"),
        ("", "(", "some (words) ", ")"),
    ] {
        let count = (1 << 19) / piece.len();
        let text = [before, &piece.repeat(count), after].concat();
        let tree = if language.is_empty() { Tree::generic(text.clone()) } else { parse(language, text.clone()) };
        let lists = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
        let list = lists.max_by_key(|&list| tree.elements(list).count()).expect("there is a list");
        assert!(tree.elements(list).count() >= count, "{language}");
        let second = tree.elements(list).nth(1).expect("there are many");
        let left = tree.unparse(&std::iter::once((second, Edit::Delete)).collect());
        let again = if language.is_empty() { Tree::generic(left) } else { parse(language, left) };
        assert!(again.token_count(again.root()) < tree.token_count(tree.root()), "{language}");
        assert!(again.text().len() < text.len(), "{language}");
    }
}

#[test]
fn a_list_of_a_hundred_thousand_statements_is_one_list() {
    let count = 100_000;
    for (language, statement) in
        [("c", "a;\n"), ("python", "break\n"), ("javascript", "break;\n"), ("smtlib", "(exit)\n")]
    {
        let tree = parse(language, statement.repeat(count));
        let list = tree.children(tree.root()).next().expect("the root has a list");
        assert!(matches!(tree.kind(list), Kind::List { .. }), "{language}");
        assert_eq!(tree.elements(list).count(), count, "{language}");
        assert_eq!(tree.shape().recovered, tree.shape().rules, "{language}");
        let half: Edits = tree.elements(list).step_by(2).map(|element| (element, Edit::Delete)).collect();
        let left = tree.unparse(&half);
        assert!((statement.len() * count / 2..).take(2).any(|len| len == left.len()), "{language}");
    }
}

#[test]
fn what_is_too_much_for_the_parser_gets_a_generic_tree() {
    let language = Language::by_name("c").expect("it is compiled in");
    let grammar = crate::grammar(language);
    let text = "int a;\n".repeat(30_000);
    let too_long = Limits { bytes: 1000, ..Limits::default() };
    let too_hard = Limits { operations_per_byte: 0, ..Limits::default() };
    for (limits, is_parsed) in [(Limits::default(), true), (too_long, false), (too_hard, false)] {
        let tree = Tree::parse_within(text.clone(), &language.tree_sitter(), &grammar, limits);
        assert_eq!(tree.grammar().is_some(), is_parsed, "{limits:?}");
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes());
    }
}

#[test]
fn tokens_are_the_leaves_of_the_parse_without_comments() {
    for (language, text, tokens) in [
        ("c", "int a; // one\n/* two */ char *s = \"b\\n\";\n", 12),
        ("json", "{\"a\": [1, true]} // c", 11),
        ("python", "# c\nx = 'a' # d\n", 5),
        ("c", "int ) a;", 4),
    ] {
        let tree = parse(language, text);
        let mut parser = tree_sitter::Parser::new();
        let found = Language::by_name(language).expect("it is compiled in");
        parser.set_language(&found.tree_sitter()).expect("the parser fits the core");
        let parsed = parser.parse(text, None).expect("nothing cancels");
        assert_eq!(whittle_trees::count_tokens(&parsed.into()), tokens, "{language}: {text}\n{tree}");
        assert_eq!(tree.token_count(tree.root()), tokens, "{language}: {text}");
    }
}
