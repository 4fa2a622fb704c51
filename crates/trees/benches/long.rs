//! What a text without line ends costs, and whether the cost grows with its length: parse, convert, count, delete.
//!
//! C tokens, JSON, and plain words without a grammar, each at a length and at ten times that length, which is too long
//! for the parser and gets a generic tree; expected are times of at most about ten times as much.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::sync::Arc;
use std::time::Instant;

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_trees::{Edit, Kind, Tree};

const BYTES: usize = 5 << 20;
/// As many as `cargo test` needs to see that this program runs.
const BYTES_IN_TESTS: usize = 1 << 12;

fn main() {
    let bytes = if std::env::args().any(|argument| argument == "--bench") { BYTES } else { BYTES_IN_TESTS };
    println!(
        "{:<8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}",
        "", "bytes", "tokens", "tree", "count", "delete", "memory"
    );
    for (name, start, piece, end) in [
        ("c", "int a[] = {", "f(x, 1) + 2, ", "0};"),
        ("json", "[", "{\"a\": [1, true]}, ", "0]"),
        ("", "", "some (words) ", "end"),
    ] {
        for bytes in [bytes, 10 * bytes] {
            let text = [start, &piece.repeat(bytes / piece.len()), end].concat();
            measure(name, text);
        }
    }
}

fn measure(name: &str, text: String) {
    let bytes = text.len();
    let grammar = |language: &Language| Grammar::from_tree_sitter(&language.grammar_json()).ok().map(Arc::new);
    let language = Language::by_name(name).and_then(|language| Some((language.tree_sitter(), grammar(language)?)));
    let start = Instant::now();
    let tree = match &language {
        Some((parser, grammar)) => Tree::parse(text, parser, grammar),
        None => Tree::generic(text),
    };
    let building = start.elapsed();
    let start = Instant::now();
    let tokens = tree.token_count(tree.root());
    let counting = start.elapsed();
    let list = tree.nodes().filter(|&node| matches!(tree.kind(node), Kind::List { .. }));
    let largest = list.max_by_key(|&list| tree.elements(list).count());
    let element = largest.and_then(|list| tree.elements(list).nth(1));
    let edits = element.map(|element| (element, Edit::Delete)).into_iter().collect();
    let start = Instant::now();
    let left = tree.unparse(&edits);
    let deleting = start.elapsed();
    assert!(left.len() < bytes, "something was deleted");
    println!(
        "{:<8} {bytes:>10} {tokens:>10} {building:>10.1?} {counting:>10.1?} {deleting:>10.1?} {:>6} MB",
        if name.is_empty() { "words" } else { name },
        peak_memory() >> 10
    );
}

/// The most memory that the process has had so far, in kilobytes; 0 where the system does not tell.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
