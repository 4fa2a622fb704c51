//! Any bytes as a text in any language: parsed, restored, edited at random, and parsed again.
//!
//! The first byte of an input chooses the language, the second one the edits; the rest is the text. A parser that
//! crashes is contained; one that hangs, or that the sanitizer reports, fails the target.
//!
//! If `HOSTILE` is set, it runs the campaign of `src/hostile.rs` with these words instead.

#![no_main]

use libfuzzer_sys::fuzz_target;
use whittle_fuzz::reports::reports;
use whittle_fuzz::{file, folder, hostile, restored, samples, shapes, syntax};
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Fault, Kind, NodeId, Tree};

/// How many edits are made at most.
const EDITS: usize = 8;
/// How many descendants are asked whether they fit.
const CANDIDATES: usize = 200;
/// How long a shape is at the start, in bytes.
const SHAPE: usize = 300;

fuzz_target!(init: start(), |input: &[u8]| {
    let [language, seed, text @ ..] = input else { return };
    let syntax = syntax(&Language::all()[usize::from(*language) % Language::all().len()]);
    let tree = restored(syntax, &file(text));
    let mut random = fastrand::Rng::with_seed(u64::from(*seed));
    let edits: Edits = (0..random.usize(1..=EDITS)).filter_map(|_| random_edit(&tree, &mut random)).collect();
    let left = tree.unparse(&edits);
    restored(syntax, &file(&left));
    assert_eq!(Tree::generic(left.as_slice()).unparse(&Edits::new()), left);
    assert_eq!(reports(), 0, "the parser for {} left its memory", syntax.name());
    assert!(!syntax.faults().contains(&Fault::Hung), "the parser for {} does not come to an end", syntax.name());
});

fn start() {
    reports();
    let Ok(words) = std::env::var("HOSTILE") else { return write_seeds() };
    let went_well = hostile::run(&words.split_whitespace().collect::<Vec<_>>());
    std::process::exit(i32::from(!went_well));
}

/// Writes samples and shapes to where libFuzzer begins: each with the byte of its language before it.
fn write_seeds() {
    for (index, language) in (0..).zip(Language::all()) {
        for (number, text) in samples(language).into_iter().chain(shapes(SHAPE)).enumerate() {
            let path = folder().join("corpus").join(format!("{}-{number}", language.name));
            std::fs::write(path, [vec![index, 0], text].concat()).expect("the corpus can be written");
        }
    }
}

/// A deletion, a hoist or a smallest sentence; `None` where nothing can be hoisted.
fn random_edit(tree: &Tree, random: &mut fastrand::Rng) -> Option<(NodeId, Edit)> {
    let node = tree.nodes().nth(random.usize(..tree.len()))?;
    let is_element = tree.parent(node).is_some_and(|parent| matches!(tree.kind(parent), Kind::List { .. }));
    match random.u8(..3) {
        0 if is_element || tree.kind(node) == Kind::Optional => Some((node, Edit::Delete)),
        1 => Some((node, Edit::Smallest)),
        _ => {
            let fits = |&inner: &NodeId| tree.can_hoist(inner, node) || tree.can_splice(inner, node);
            let fitting: Vec<NodeId> = tree.descendants(node).take(CANDIDATES).filter(fits).collect();
            random.choice(fitting).map(|inner| (node, Edit::Hoist(inner)))
        }
    }
}
