//! The filters on many variants of the programs: statements in another order, other names, other bugs. On one half only
//! what parses crashes the checker; on the other half texts with syntax errors do too.

use std::collections::HashMap;
use std::sync::Arc;

use whittle::languages::Language;
use whittle::models;
use whittle::syntaxes::syntax;
use whittle::trees::gtr::{Filter, Labeled, Labeler};
use whittle::trees::{Edits, NodeId, Syntax, Tree};

use super::{Case, Checker, End, Way};

/// How many names a program may have to keep bound, and how many nested nodes.
const MAX_NAMES: usize = 2;
const MAX_NESTED: usize = 3;

/// Prints what each filter costs and saves on so many variants of each program, compared with no filter.
pub(super) fn measure(name: &str, seeds: u64) {
    let language = Language::by_name(name).unwrap();
    let syntax = syntax(language).unwrap();
    let model = models::shipped(syntax.name()).map(Arc::new);
    let cases = super::cases_of(name);
    for accepts_errors in [false, true] {
        let each = cases.iter().flat_map(|case| (0..seeds).map(move |seed| (case, seed)));
        let variants: Vec<Case> =
            each.filter_map(|(case, seed)| variant(case, &syntax, seed, accepts_errors)).collect();
        let which = if accepts_errors { "what has errors crashes too" } else { "only what parses crashes" };
        println!("\n{language}: {} variants, {which}", variants.len());
        println!("{:<20} {:>8} {:>8} {:>9} {:>8} {:>8}", "", "bytes", "tests", "largest", "over 2%", "smaller");
        let mut unfiltered: Vec<End> = Vec::new();
        for way in Way::of_filters() {
            let ends: Vec<End> =
                variants.iter().map(|case| super::reduce(language, model.as_ref(), case, &way)).collect();
            if way.filter == Filter::None {
                unfiltered.clone_from(&ends);
            }
            print(&way.name, &ends, &unfiltered);
        }
    }
}

fn print(name: &str, ends: &[End], unfiltered: &[End]) {
    let percent = |ratio: f64| 100.0 * ratio - 100.0;
    let sum = |ends: &[End], of: fn(&End) -> f64| ends.iter().map(of).sum::<f64>();
    let change = |of: fn(&End) -> f64| percent(sum(ends, of) / sum(unfiltered, of));
    let ratios = || ends.iter().zip(unfiltered).map(|(end, base)| percent(end.bytes as f64 / base.bytes as f64));
    let (bytes, tests) = (change(|end| end.bytes as f64), change(|end| end.tests as f64));
    let (largest, larger) = (ratios().fold(0.0, f64::max), ratios().filter(|&ratio| ratio > 2.0).count());
    let smaller = ratios().filter(|&ratio| ratio < 0.0).count();
    println!("{name:<20} {bytes:>+7.1}% {tests:>+7.1}% {largest:>+8.1}% {larger:>8} {smaller:>8}");
}

/// A variant of a case, if it crashes its checker. With the same seed, both kinds of checkers have the same bug.
fn variant(case: &Case, syntax: &Syntax, seed: u64, accepts_errors: bool) -> Option<Case> {
    let rng = &mut fastrand::Rng::with_seed(seed);
    let mut input = case.input.trim_start().to_owned();
    for change in [reordered, renamed] {
        let changed = change(&tree_of(&input, syntax), rng);
        if syntax.errors(changed.as_bytes()).is_some_and(|errors| errors.count() == 0) {
            input = changed;
        }
    }
    let (names, nested) = bug(&tree_of(&input, syntax), rng);
    let case = Case { name: format!("{}, seed {seed}", case.name), input, names, nested, accepts_errors };
    let checker = Checker { case, syntax: syntax.clone() };
    checker.crashes(checker.case.input.as_bytes()).then_some(checker.case)
}

fn tree_of(text: &str, syntax: &Syntax) -> (Tree, Labeled) {
    let tree = syntax.tree(text);
    let labels = Labeler::default().label(&tree);
    (tree, labels)
}

/// The program with its outermost statements in another order.
fn reordered((tree, labels): &(Tree, Labeled), rng: &mut fastrand::Rng) -> String {
    let statements = labels.parts(tree.root(), &Edits::new());
    let mut texts: Vec<String> = statements.iter().map(|part| text_of(tree, part.node)).collect();
    rng.shuffle(&mut texts);
    texts.join("\n") + "\n"
}

/// The program with other names, each of one to eight letters.
fn renamed((tree, labels): &(Tree, Labeled), rng: &mut fastrand::Rng) -> String {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut text = String::new();
    for token in tree.tokens(tree.root()) {
        let old = String::from_utf8_lossy(tree.token_text(token)).into_owned();
        let hash = if old.starts_with('#') { "#" } else { "" };
        let mut other = || format!("{hash}{}", (0..rng.usize(1..=8)).map(|_| rng.lowercase()).collect::<String>());
        text += &String::from_utf8_lossy(tree.whitespace(token));
        text += if is_name(labels, token) { names.entry(old).or_insert_with(&mut other) } else { &old };
    }
    text
}

/// A bug that this program triggers.
fn bug((tree, labels): &(Tree, Labeled), rng: &mut fastrand::Rng) -> (Vec<String>, Vec<String>) {
    let tokens: Vec<NodeId> = tree.tokens(tree.root()).filter(|&token| is_name(labels, token)).collect();
    let names = (0..rng.usize(0..=MAX_NAMES)).filter_map(|_| rng.choice(&tokens)).map(|&token| text_of(tree, token));
    let names = names.filter(|name| super::is_bound(tree, labels, name.as_bytes())).collect();
    let nested = (0..rng.usize(1..=MAX_NESTED)).map(|_| {
        let token = *rng.choice(&tokens).expect("each program has names");
        let above = std::iter::successors(tree.parent(token), |&node| tree.parent(node));
        let above = above.take_while(|&node| node != tree.root()).filter_map(|node| labels.label(node));
        let mut path: Vec<&str> = above.map(|label| &**label).collect();
        while path.len() > 1 && (path.len() > 4 || rng.bool()) {
            path.remove(rng.usize(0..path.len()));
        }
        path.reverse();
        let text = if rng.bool() { format!(": {}", text_of(tree, token)) } else { String::new() };
        format!("{}{text}", path.join(" > "))
    });
    (names, nested.collect())
}

fn is_name(labels: &Labeled, token: NodeId) -> bool {
    labels.label(token).is_some_and(|label| label.contains("identifier"))
}

/// The text of a node, without the whitespace around it.
fn text_of(tree: &Tree, node: NodeId) -> String {
    let parts = tree.tokens(node).flat_map(|token| [tree.whitespace(token), tree.token_text(token)]);
    String::from_utf8_lossy(&parts.flatten().copied().collect::<Vec<u8>>()).trim().to_owned()
}
