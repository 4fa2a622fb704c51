//! Any bytes as a text in any language: parsed, restored, edited at random, and parsed again.
//!
//! The first byte of an input chooses the language, the second one the edits; the rest is the text.

#![no_main]

use std::path::Path;
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Kind, NodeId, Tree};

/// How many edits are made at most.
const EDITS: usize = 8;
/// How many descendants are asked whether they fit.
const CANDIDATES: usize = 200;

fuzz_target!(init: write_seeds(), |input: &[u8]| {
    let [language, seed, text @ ..] = input else { return };
    let language = &Language::all()[usize::from(*language) % Language::all().len()];
    let tree = restored(language, text);
    let mut random = fastrand::Rng::with_seed(u64::from(*seed));
    let edits: Edits = (0..random.usize(1..=EDITS)).filter_map(|_| random_edit(&tree, &mut random)).collect();
    let left = tree.unparse(&edits);
    restored(language, &left);
    restored_as_generic(&left);
});

/// Writes the samples to where libFuzzer begins: each with the byte of its language before it.
fn write_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let samples = folder.join("../crates/languages/samples");
    for (index, language) in (0..).zip(Language::all()) {
        let names = language.extensions.iter().map(|extension| format!("{}.{extension}", language.name));
        for sample in names.filter_map(|name| std::fs::read(samples.join(name)).ok()) {
            let seed = [vec![index, 0], sample].concat();
            std::fs::write(folder.join("corpus").join(language.name), seed).expect("the corpus can be written");
        }
    }
}

fn restored(language: &Language, text: &[u8]) -> Tree {
    let tree = Tree::parse(text, &language.tree_sitter(), grammar(language));
    assert_eq!(tree.unparse(&Edits::new()), text, "{}", language.name);
    assert!(tree.token_count(tree.root()) <= text.len());
    tree
}

fn restored_as_generic(text: &[u8]) {
    assert_eq!(Tree::generic(text).unparse(&Edits::new()), text);
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

/// The grammar of a language, read once.
fn grammar(language: &Language) -> &'static Arc<Grammar> {
    static GRAMMARS: OnceLock<Vec<(&'static str, OnceLock<Arc<Grammar>>)>> = OnceLock::new();
    let grammars =
        GRAMMARS.get_or_init(|| Language::all().iter().map(|language| (language.name, OnceLock::new())).collect());
    let (_, grammar) = grammars.iter().find(|(name, _)| *name == language.name).expect("every language is listed");
    grammar.get_or_init(|| {
        Arc::new(Grammar::from_tree_sitter(&language.grammar_json()).expect("a shipped grammar is sound"))
    })
}
