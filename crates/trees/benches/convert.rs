//! What converting costs: the time from the parser's tree to the normal form, against the time of the parse.
//!
//! Texts of about a megabyte: C functions of ordinary shape, a long list of statements, and deep nesting. Expected is a
//! ratio below ten; unparsing with a deletion is shown for comparison.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Tree};

const BYTES: usize = 1 << 20;
/// As many as `cargo test` needs to see that this program runs.
const BYTES_IN_TESTS: usize = 1 << 12;
const ROUNDS: usize = 5;

const FUNCTION: &str = "static int f(struct s *p, const char *name, int n) {
    for (int i = 0; i < n && p->next; i++) {
        if (name[i] == 'x' || (p->flags & 0x10)) { p = p->next; continue; }
        p->count += g(p, name + i, n - i) * 2; /* a comment */
    }
    return p ? p->count : -1;
}

";

fn main() {
    let bytes = if std::env::args().any(|argument| argument == "--bench") { BYTES } else { BYTES_IN_TESTS };
    let texts = [
        ("functions", FUNCTION.repeat(bytes / FUNCTION.len())),
        ("statements", format!("void f() {{\n{}}}\n", "a = b;\n".repeat(bytes / 7))),
        ("nesting", format!("int a = {}1{};\n", "(".repeat(bytes / 100), ")".repeat(bytes / 100))),
    ];
    let Some(language) = Language::by_name("c") else { return };
    let Ok(grammar) = Grammar::from_tree_sitter(&language.grammar_json()).map(Arc::new) else { return };
    let mut parser = tree_sitter::Parser::new();
    if parser.set_language(&language.tree_sitter()).is_err() {
        return;
    }
    println!("{:<12} {:>9} {:>12} {:>12} {:>12}   ratio", "", "bytes", "parse", "convert", "unparse");
    for (name, text) in texts {
        let (mut parsing, mut converting, mut unparsing) = (Duration::MAX, Duration::MAX, Duration::MAX);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            let Some(parsed) = parser.parse(&text, None) else { return };
            parsing = parsing.min(start.elapsed());
            let start = Instant::now();
            let tree = Tree::convert(text.as_bytes(), whittle_trees::ParserTree::from(parsed.clone()), &grammar);
            converting = converting.min(start.elapsed());
            let list = tree.children(tree.root()).next();
            let last = list.and_then(|list| tree.elements(list).last());
            let edits: Edits = last.map(|last| (last, Edit::Delete)).into_iter().collect();
            let start = Instant::now();
            std::hint::black_box(tree.unparse(&edits));
            unparsing = unparsing.min(start.elapsed());
        }
        let ratio = converting.as_secs_f64() / parsing.as_secs_f64();
        println!("{name:<12} {:>9} {parsing:>12.1?} {converting:>12.1?} {unparsing:>12.1?}   {ratio:.2}", text.len());
    }
}
