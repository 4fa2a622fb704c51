//! The samples parse without errors, so parsers and the core are compatible.

use std::path::{Path, PathBuf};

use tree_sitter::{Node, Parser};
use whittle_languages::Language;

/// The sample of a language: its path, which is `samples/NAME.EXTENSION`, and its content.
pub(crate) fn sample(language: &Language) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut paths = language.extensions.iter().map(|extension| folder.join(format!("{}.{extension}", language.name)));
    let path = paths.find(|path| path.exists()).unwrap_or_else(|| panic!("{language:?} has no sample"));
    let content = std::fs::read_to_string(&path).expect("a sample is text");
    (path, content)
}

/// The outermost nodes that are errors or were made up by the parser, each with its line and text.
fn faults(node: Node<'_>, text: &str) -> Vec<String> {
    if node.is_error() || node.is_missing() {
        let line = node.start_position().row + 1;
        return vec![format!("line {line}: {} {:?}", node.kind(), &text[node.byte_range()])];
    }
    let mut cursor = node.walk();
    node.children(&mut cursor).flat_map(|child| faults(child, text)).collect()
}

#[test]
fn every_sample_parses_without_errors() {
    let mut faulty = Vec::new();
    for language in Language::all() {
        let (_, text) = sample(language);
        let mut parser = Parser::new();
        parser.set_language(&language.tree_sitter()).unwrap();
        let tree = parser.parse(&text, None).unwrap();
        let faults = faults(tree.root_node(), &text);
        if !faults.is_empty() {
            faulty.push(format!("{}: {}", language.name, faults.join("\n  ")));
        }
    }
    assert!(faulty.is_empty(), "{}", faulty.join("\n"));
}

#[test]
fn every_sample_belongs_to_a_row_of_the_table() {
    let table = include_str!("../../src/table.rs");
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(table.contains(&format!("name: \"{name}\",")), "{name}");
    }
}

#[test]
fn all_languages_names_every_row_of_the_table() {
    let manifest = include_str!("../../Cargo.toml");
    let lists =
        manifest.split_once("default = [").expect("there are features").1.split_once("dep:").expect("they follow").0;
    for line in include_str!("../../src/table.rs").lines().filter(|line| line.contains("cfg(feature")) {
        let name = line.split('"').nth(1).expect("a feature has a name");
        assert!(lists.contains(&format!("\"{name}\"")), "{name}");
    }
}
