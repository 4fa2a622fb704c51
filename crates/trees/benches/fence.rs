//! What the fence around parsers costs on ordinary files: the time to parse the samples and to make their normal form, in the
//! fence and without it.
//!
//! Without it means: the parser is called directly, with callbacks as the fence has them, and tree-sitter allocates by
//! `malloc`. Both ways are taken in turn, and the fastest turn of each counts, so that a busy machine disturbs little.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]
#![allow(unsafe_code, reason = "what tree-sitter allocates by is changed in between")]

use std::ffi::c_void;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser};
use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_trees::Tree;

/// How long the text is that is made of a sample, at least. It takes a millisecond, in which a busy machine changes little.
const BYTES: usize = 5_000;
/// How often both ways are taken.
const TURNS: usize = 300;

unsafe extern "C" {
    fn whittle_fence_malloc(size: usize) -> *mut c_void;
    fn whittle_fence_calloc(number: usize, size: usize) -> *mut c_void;
    fn whittle_fence_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn whittle_fence_free(block: *mut c_void);
}

fn main() {
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let turns = if is_bench { TURNS } else { 1 };
    println!("{:<12} {:>8} {:>11} {:>11} {:>8}", "", "bytes", "direct", "fenced", "costs");
    let mut logarithms = Vec::new();
    for language in Language::all() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../languages/samples");
        let mut paths = language.extensions.iter().map(|extension| format!("{folder}/{}.{extension}", language.name));
        let Some(sample) = paths.find_map(|path| std::fs::read(path).ok()) else { continue };
        let text = [sample.as_slice(), b"\n"].concat().repeat(1 + BYTES / sample.len());
        let (direct, fenced) = measure(language, &text, turns);
        let ratio = fenced.as_secs_f64() / direct.as_secs_f64();
        logarithms.push(ratio.ln());
        let costs = 100.0 * (ratio - 1.0);
        println!("{:<12} {:>8} {direct:>11.1?} {fenced:>11.1?} {costs:>7.1}%", language.name, text.len());
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    println!("{:<12} {:>8} {:>11} {:>11} {:>7.1}%", "mean", "", "", "", 100.0 * (mean - 1.0));
}

/// The time that both ways take at best.
fn measure(language: &Language, text: &[u8], turns: usize) -> (Duration, Duration) {
    let parser = language.tree_sitter();
    let grammar = Arc::new(Grammar::from_tree_sitter(&language.grammar_json()).expect("a shipped grammar is sound"));
    let (mut direct, mut fenced) = (Duration::MAX, Duration::MAX);
    // The first call sets what tree-sitter allocates by.
    black_box(Tree::parse(text, &parser, &grammar));
    for _ in 0..turns {
        // SAFETY: without functions, it is `malloc` and the like; those of the fence take blocks of these too.
        unsafe { tree_sitter::ffi::ts_set_allocator(None, None, None, None) };
        let start = Instant::now();
        black_box(parsed_directly(text, &parser, &grammar));
        direct = direct.min(start.elapsed());
        // SAFETY: as above.
        unsafe {
            tree_sitter::ffi::ts_set_allocator(
                Some(whittle_fence_malloc),
                Some(whittle_fence_calloc),
                Some(whittle_fence_realloc),
                Some(whittle_fence_free),
            );
        }
        let start = Instant::now();
        black_box(Tree::parse(text, &parser, &grammar));
        fenced = fenced.min(start.elapsed());
    }
    (direct, fenced)
}

fn parsed_directly(text: &[u8], language: &tree_sitter::Language, grammar: &Arc<Grammar>) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(language).expect("a shipped parser has a version that is known");
    let mut read = |at: usize, _| &text[at.min(text.len())..(at + 4096).min(text.len())];
    let mut go_on = |_: &tree_sitter::ParseState| ControlFlow::Continue(());
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let parsed = parser.parse_with_options(&mut read, None, Some(options)).expect("nothing stops it");
    Tree::convert(text, whittle_trees::ParserTree::from(parsed), grammar)
}
