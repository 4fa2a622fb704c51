//! What edits leave, compared with what `testdata/edits/LANGUAGE.txt` says.
//!
//! A file holds cases: `=== what is promised`, a text with marks, `---`, and what is left. What stands in `«»` is deleted;
//! if something in it stands in `‹›`, that is hoisted to its place. Languages that are not compiled in are left out.

use std::ops::Range;
use std::path::Path;

use crate::parse;
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Kind, NodeId, Tree};

/// Languages that every test run has.
const DEFAULT: [&str; 4] = ["c", "json", "python", "yaml"];

#[test]
fn every_edit_leaves_what_its_file_says() {
    let mut wrong = String::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/edits");
    for file in
        std::fs::read_dir(folder).expect("there is test data").map(|file| file.expect("it can be listed").path())
    {
        let language = file.file_stem().and_then(|stem| stem.to_str()).expect("files are named like languages");
        if Language::by_name(language).is_none() && !DEFAULT.contains(&language) {
            continue;
        }
        let content = std::fs::read_to_string(&file).expect("it can be read");
        for case in content.split("=== ").skip(1) {
            let (name, rest) = case.split_once('\n').expect("a case has a name");
            let (marked, expected) = rest.split_once("---\n").expect("a case has a text and what is left");
            let (text, marks) = read_marks(marked);
            let tree = parse(language, text);
            let left = edits(&tree, &marks).map(|edits| tree.unparse(&edits));
            if left.as_deref() != Some(expected.as_bytes()) {
                let left = left.map_or("no such edit".into(), |left| String::from_utf8_lossy(&left).into_owned());
                wrong += &format!("{language}: {name}\n{left}\n{tree}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A place to be edited, and what is hoisted to it.
struct Mark {
    node: Range<usize>,
    inner: Option<Range<usize>>,
}

/// The text without marks, and where they stood.
fn read_marks(marked: &str) -> (String, Vec<Mark>) {
    let (mut text, mut marks) = (String::new(), Vec::<Mark>::new());
    for c in marked.chars() {
        let here = text.len();
        match (c, marks.last_mut()) {
            ('«', _) => marks.push(Mark { node: here..here, inner: None }),
            ('»', Some(mark)) => mark.node.end = here,
            ('‹', Some(mark)) => mark.inner = Some(here..here),
            ('›', Some(Mark { inner: Some(inner), .. })) => inner.end = here,
            _ => text.push(c),
        }
    }
    assert!(!marks.is_empty(), "nothing is marked in {marked}");
    (text, marks)
}

/// The edits that the marks ask for, if all of them are possible.
fn edits(tree: &Tree, marks: &[Mark]) -> Option<Edits> {
    let at = |range: &Range<usize>| tree.nodes().filter(|&node| extent(tree, node) == *range).collect::<Vec<_>>();
    let is_element = |node| tree.parent(node).is_some_and(|parent| matches!(tree.kind(parent), Kind::List { .. }));
    let edit = |mark: &Mark| {
        let nodes = at(&mark.node);
        let Some(inner) = &mark.inner else {
            let node = nodes.into_iter().find(|&node| is_element(node) || tree.kind(node) == Kind::Optional);
            return node.map(|node| (node, Edit::Delete));
        };
        let inners = at(inner);
        let mut pairs = nodes.iter().flat_map(|&node| inners.iter().map(move |&inner| (node, inner)));
        pairs.find(|&(node, inner)| tree.can_hoist(inner, node)).map(|(node, inner)| (node, Edit::Hoist(inner)))
    };
    marks.iter().map(edit).collect()
}

/// From the first token of a node to its last.
fn extent(tree: &Tree, node: NodeId) -> Range<usize> {
    let offset = |slice: &[u8]| slice.as_ptr() as usize - tree.text().as_ptr() as usize;
    let mut tokens =
        std::iter::once(node).chain(tree.descendants(node)).filter(|&id| matches!(tree.kind(id), Kind::Token { .. }));
    let Some(first) = tokens.next() else { return 0..0 };
    let last = tree.token_text(tokens.last().unwrap_or(first));
    offset(tree.token_text(first))..offset(last) + last.len()
}
