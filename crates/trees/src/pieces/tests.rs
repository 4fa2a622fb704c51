//! Texts in pieces against parses of the whole, before and after edits.

use whittle_languages::Language;
use whittle_search::{Candidate, File};

use super::*;
use crate::reduce::testing::syntax;
use crate::{Edit, Edits, Limits};

/// The sample of a language, as often as it takes to have several parts.
fn long_sample(name: &str) -> String {
    let language = Language::by_name(name).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../languages/samples");
    let mut paths = language.extensions.iter().map(|extension| format!("{folder}/{name}.{extension}"));
    let sample = paths.find_map(|path| std::fs::read_to_string(path).ok()).expect("there is a sample");
    let again = sample.strip_prefix("#!/usr/bin/env node").unwrap_or(&sample);
    sample.clone() + &format!("{again}\n").repeat(2 * IN_PIECES_ABOVE / sample.len() + 1)
}

/// Texts of several parts, most of them without errors.
fn texts() -> Vec<(&'static str, String)> {
    let names = ["c", "cpp", "javascript", "python", "rust", "java", "css", "smtlib", "go"];
    let samples = names.into_iter().map(|name| (name, long_sample(name)));
    let many = |text: fn(usize) -> String| (0..4_000).map(text).collect::<String>();
    let records = many(|number| format!("{{\"id\": {number}, \"]\": [true, \"}}\", null]}},\n"));
    let members = many(|number| format!("  int f{number}(int a) {{ return a; }}\n  struct s{number} {{ int b; }};\n"));
    let functions =
        many(|number| format!("// the {number}th\nint f{number}(int a)\n{{\n  if (a) return f{number}(2, a);\n}}\n\n"));
    let made = [
        ("json", format!("[{records}0]\n")),
        ("json", format!("{{\"all\": [\n{records}\n[]]}}")),
        ("cpp", format!("#define A\nnamespace one {{\n{members}}}\n")),
        ("c", functions),
    ];
    samples.chain(made).collect()
}

fn shown(tree: &Tree) -> Vec<String> {
    let places = tree.nodes().map(|node| format!("{:?} {:?}", tree.gap(node), tree.token_range(node)));
    places.zip(tree.to_string().lines()).map(|(place, line)| format!("{line} {place}")).collect()
}

fn assert_same(tree: &Tree, other: &Tree, what: &str) {
    let (tree, other) = (shown(tree), shown(other));
    let differs = tree.iter().zip(&other).position(|(one, other)| one != other);
    assert!(tree.len() == other.len() && differs.is_none(), "{what}: {:?}", differs.map(|at| (&tree[at], &other[at])));
}

#[test]
fn a_text_in_pieces_has_the_tree_of_the_whole() {
    for (name, text) in texts() {
        let syntax = syntax(name);
        let (pieces, tree) = Pieces::parse(&syntax, text.as_bytes()).expect(name);
        assert!(pieces.pieces.len() > 20, "{name}: {}", pieces.pieces.len());
        let whole = syntax.count(text.as_bytes()).unwrap();
        if whole.errors == 0 {
            assert_eq!(pieces.count(), whole, "{name}");
            assert_same(&tree, &syntax.tree(text.as_str()), name);
        }
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes(), "{name}");
    }
}

/// What is left of a file without some elements of lists, and the file.
fn edited(syntax: &Syntax, file: &File, random: &mut fastrand::Rng) -> File {
    let tree = syntax.tree_of(file);
    let is_list = |&node: &NodeId| matches!(tree.kind(node), Kind::List { .. });
    let lists: Vec<NodeId> = tree.nodes().filter(is_list).collect();
    let few = random.usize(1..6);
    let mut edits: Vec<(NodeId, Edit)> = Vec::new();
    for number in 0..few {
        // The longest list comes first in most texts. In the end there may be none.
        let Some(&list) = lists.get(if number % 2 == 0 { 0 } else { random.usize(..=lists.len()) }) else { break };
        let elements: Vec<NodeId> = tree.elements(list).collect();
        let start = random.usize(..=elements.len());
        let end = (start + random.usize(..100)).min(elements.len());
        edits.extend(elements[start..end].iter().map(|&element| (element, Edit::Delete)));
    }
    syntax.edited(file, &edits.into_iter().collect())
}

#[test]
fn what_edits_leave_has_the_tree_of_the_whole() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut compared = 0;
    for (name, text) in texts() {
        let syntax = syntax(name);
        let mut file = Candidate::single("file", text.into_bytes()).files()[0].clone();
        for step in 0..2 {
            file = edited(&syntax, &file, &mut random);
            let what = format!("{name}, step {step}");
            let (count, whole) = (syntax.count_of(&file), syntax.count(file.bytes()));
            let tree = syntax.tree_of(&file);
            assert_eq!(tree.unparse(&Edits::new()), file.bytes(), "{what}");
            if whole.is_some_and(|count| count.errors == 0) {
                assert_eq!(count, whole, "{what}");
                assert_same(&tree, &syntax.tree(file.bytes()), &what);
                compared += usize::from(file.bytes().len() > IN_PIECES_ABOVE);
            }
        }
    }
    assert!(compared > 15, "only {compared} texts were compared");
}

#[test]
fn what_is_too_long_for_a_whole_parse_is_parsed_in_pieces_and_so_is_what_edits_leave() {
    let syntax = syntax("json");
    // Elements of a kilobyte: few tokens, so that this is fast.
    let element = format!("\"{}\",\n", "a".repeat(1020));
    let count = (Limits::default().bytes >> 10) + 20;
    let file = File::new("file", whittle_search::Kind::Plain, format!("[{}0]", element.repeat(count)).into_bytes());
    assert_eq!(syntax.count(file.bytes()), None, "as a whole, it is not parsed");
    let tokens = |file: &File| syntax.count_of(file).map(|count| count.tokens);
    let before = tokens(&file).expect("it is parsed");
    let tree = syntax.tree_of(&file);
    let list = tree.nodes().find(|&node| is_separated(&tree, node)).unwrap();
    assert_eq!(tree.elements(list).count(), count + 1);
    let edits: Edits = tree.elements(list).skip(5).take(2).map(|element| (element, Edit::Delete)).collect();
    let rendered = tree.render(&edits);
    let left = file.with_bytes(rendered.text);
    syntax.note_origin(&left, &file, rendered.copies);
    assert!(left.bytes().len() > Limits::default().bytes);
    // A string is three tokens, and each goes with a comma.
    assert_eq!(tokens(&left), Some(before - 8));
    assert_eq!(syntax.tree_of(&left).unparse(&Edits::new()), left.bytes());
}

#[test]
fn only_what_changed_is_parsed() {
    let syntax = syntax("json");
    let text = texts().swap_remove(9).1;
    let (pieces, tree) = Pieces::parse(&syntax, text.as_bytes()).unwrap();
    let list = pieces.frame.find(&tree).unwrap();
    for (element, parts) in [(0, 1), (2_000, 1), (4_000, 1)] {
        let element = tree.elements(list).nth(element).unwrap();
        let rendered = tree.render(&std::iter::once((element, Edit::Delete)).collect());
        let edited = pieces.edited(&syntax, text.as_bytes(), &rendered.text, &rendered.copies).unwrap();
        assert_eq!(edited.parts.len(), parts);
        assert!(edited.parts.iter().all(|part| part.tree.text().len() < 4 * PIECE));
    }
}

#[test]
fn an_error_is_counted_once() {
    let (_, text) = texts().pop().unwrap();
    let syntax = syntax("c");
    for place in [0, text.len() / 3, text.len() / 2] {
        let at = place + text[place..].find("int f").unwrap();
        let text = format!("{}int ) 3 x;\n{}", &text[..at], &text[at..]);
        let (pieces, tree) = Pieces::parse(&syntax, text.as_bytes()).unwrap();
        assert_eq!(pieces.count(), syntax.count(text.as_bytes()).unwrap(), "at {at}");
        assert_eq!(tree.unparse(&Edits::new()), text.as_bytes());
    }
}

#[test]
fn one_long_element_is_no_list() {
    let body = "    a = f(a);\n".repeat(20_000);
    let text = format!("int f(int a)\n{{\n{body}}}\nint g;\n");
    let (pieces, _) = Pieces::parse(&syntax("c"), text.as_bytes()).expect("its statements are one");
    assert!(pieces.frame.before > 0);
    let text = format!("int a = {}1;\n", "b +\n".repeat(100_000));
    assert!(Pieces::parse(&syntax("c"), text.as_bytes()).is_none());
}
