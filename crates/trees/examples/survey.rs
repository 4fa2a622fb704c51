//! How well real files are understood: round trips, recovered derivations, and what single edits do to the syntax.
//!
//! `cargo run --release -p whittle-trees --example survey -- LANGUAGE FOLDER [FILES [EDITS]]` takes up to FILES files of
//! that language below FOLDER (500 unless told), and makes up to EDITS random edits in each (20 unless told): each
//! deletes one element or one optional, or hoists one node to where it fits. It prints a table, and the edits that
//! made new syntax errors, by rule. `COUNT=1` prints only the table.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tree_sitter::Parser;
use whittle_grammars::Grammar;
use whittle_languages::Language;
use whittle_trees::{Edit, Edits, Kind, NodeId, ParserTree, Tree, count_errors};

const SEED: u64 = 4;
const FILES: usize = 500;
const EDITS: usize = 20;
/// How many failing groups are shown.
const SHOWN: usize = 25;

#[derive(Default)]
struct Figures {
    files: usize,
    /// Files without syntax errors: the others are not edited.
    sound: usize,
    bytes: usize,
    changed: usize,
    rules: usize,
    recovered: usize,
    erroneous: usize,
    parsing: Duration,
    converting: Duration,
    /// By kind of edit: how many were tried, and how many made new errors.
    edits: BTreeMap<&'static str, (usize, usize)>,
    /// Edits that left the text as it was: they say nothing, and are not counted as tried.
    idle: usize,
    failures: BTreeMap<String, (usize, String)>,
    unmatched: BTreeMap<String, (usize, String)>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [language, folder, rest @ ..] = &arguments[..] else {
        println!("usage: survey LANGUAGE FOLDER [FILES [EDITS]]");
        return;
    };
    let Some(language) = Language::by_name(language) else {
        println!("unknown language {language}");
        return;
    };
    let number = |at: usize, default| rest.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (most_files, most_edits) = (number(0, FILES), number(1, EDITS));
    let grammar = match Grammar::from_tree_sitter(&language.grammar_json()) {
        Ok(grammar) => Arc::new(grammar),
        Err(error) => {
            println!("{error}");
            return;
        }
    };
    let mut parser = Parser::new();
    if parser.set_language(&language.tree_sitter()).is_err() {
        println!("the parser does not fit the core");
        return;
    }
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut files = files_below(Path::new(folder), language);
    random.shuffle(&mut files);
    let mut figures = Figures::default();
    for file in files.iter().take(most_files) {
        if let Ok(text) = std::fs::read(file) {
            figures.add(&text, &mut parser, &grammar, &mut random, most_edits);
        }
    }
    figures.print(language.name);
}

fn files_below(folder: &Path, language: &Language) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && language.extensions.contains(&extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

impl Figures {
    fn add(
        &mut self,
        text: &[u8],
        parser: &mut Parser,
        grammar: &Arc<Grammar>,
        random: &mut fastrand::Rng,
        most_edits: usize,
    ) {
        let start = Instant::now();
        let Some(parsed) = parser.parse(text, None).map(ParserTree::from) else { return };
        self.parsing += start.elapsed();
        let start = Instant::now();
        let tree = Tree::convert(text, &parsed, grammar);
        self.converting += start.elapsed();
        self.files += 1;
        self.bytes += text.len();
        self.changed += usize::from(tree.unparse(&Edits::new()) != text);
        let shape = tree.shape();
        self.rules += shape.rules;
        self.recovered += shape.recovered;
        self.erroneous += shape.erroneous;
        let errors = count_errors(&parsed);
        if errors > 0 {
            return;
        }
        self.sound += 1;
        if shape.recovered < shape.rules {
            self.note_unmatched(&tree);
        }
        for _ in 0..most_edits {
            if let Some((kind, node, edits)) = random_edit(&tree, random) {
                let after = tree.unparse(&edits);
                let Some(parsed) = parser.parse(&after, None).map(ParserTree::from) else { continue };
                if after == tree.text() {
                    self.idle += 1;
                    self.note(&tree, "idle", node, &edits, &after);
                    continue;
                }
                let entry = self.edits.entry(kind).or_default();
                entry.0 += 1;
                if count_errors(&parsed) > 0 {
                    entry.1 += 1;
                    self.note(&tree, kind, node, &edits, &after);
                }
            }
        }
    }

    fn note(&mut self, tree: &Tree, kind: &str, node: NodeId, edits: &Edits, after: &[u8]) {
        let above = std::iter::successors(Some(node), |&node| tree.parent(node)).skip(1);
        let names: Vec<String> = above.map(|node| describe(tree, node)).take(3).collect();
        let hoisted = edits.iter().find_map(|(_, edit)| match edit {
            Edit::Hoist(inner) => Some(describe(tree, inner)),
            _ => None,
        });
        let key = format!("{kind} {} < {} <- {}", describe(tree, node), names.join(" < "), hoisted.unwrap_or_default());
        let common = tree.text().iter().zip(after).take_while(|(a, b)| a == b).count();
        let around = |text: &[u8]| {
            let from = common.saturating_sub(30);
            let to = (common + 50).min(text.len());
            format!("{:?}", String::from_utf8_lossy(&text[from.min(to)..to]))
        };
        let entry = self
            .failures
            .entry(key)
            .or_insert_with(|| (0, format!("{}\n          {}", around(tree.text()), around(after))));
        entry.0 += 1;
    }

    /// Nodes whose children do not follow from their rule are plain lists.
    fn note_unmatched(&mut self, tree: &Tree) {
        for list in tree.nodes() {
            let is_plain = matches!(tree.kind(list), Kind::List { .. }) && tree.slot(list).is_none();
            let Some(parent) = tree.parent(list).filter(|_| is_plain) else { continue };
            let tokens = tree.tokens(list).take(12).map(|token| String::from_utf8_lossy(tree.token_text(token)));
            let text = tokens.collect::<Vec<_>>().join(" ");
            let entry = self.unmatched.entry(describe(tree, parent)).or_insert((0, text));
            entry.0 += 1;
        }
    }

    fn print(&self, name: &str) {
        let rules = self.rules - self.erroneous;
        println!(
            "{name}: {} files ({} without errors), {} KB, {} not restored; {} of {rules} nodes recovered ({:.4}%), {} with errors",
            self.files,
            self.sound,
            self.bytes >> 10,
            self.changed,
            self.recovered,
            100.0 * self.recovered as f64 / rules.max(1) as f64,
            self.erroneous,
        );
        let ratio = self.converting.as_secs_f64() / self.parsing.as_secs_f64().max(1e-9);
        println!("  parsing {:.0?}, converting {:.0?}: {ratio:.2} times", self.parsing, self.converting);
        for (kind, (tried, failed)) in &self.edits {
            let share = 100.0 - 100.0 * *failed as f64 / (*tried).max(1) as f64;
            println!("  {kind:<16} {tried:>7} tried, {failed:>5} with new errors: {share:.2}% fine");
        }
        println!("  {} edits changed nothing", self.idle);
        if std::env::var_os("COUNT").is_some() {
            return;
        }
        for (title, groups) in [("not recovered", &self.unmatched), ("new errors", &self.failures)] {
            let mut groups: Vec<_> = groups.iter().collect();
            groups.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
            for (key, (count, example)) in groups.into_iter().take(SHOWN) {
                println!("  {title}: {count:>4} {key}\n          {example}");
            }
        }
    }
}

fn describe(tree: &Tree, node: NodeId) -> String {
    let name = tree.symbol(node).zip(tree.grammar()).map(|(symbol, grammar)| grammar.describe(symbol).name.clone());
    name.unwrap_or_else(|| match tree.kind(node) {
        Kind::List { .. } => "list".to_owned(),
        Kind::Optional => "optional".to_owned(),
        Kind::Rule => "group".to_owned(),
        Kind::Token { .. } => format!("{:?}", String::from_utf8_lossy(tree.token_text(node))),
    })
}

fn random_edit(tree: &Tree, random: &mut fastrand::Rng) -> Option<(&'static str, NodeId, Edits)> {
    for _ in 0..50 {
        let node = tree.nodes().nth(random.usize(0..tree.len()))?;
        let single = |edit| std::iter::once((node, edit)).collect();
        match tree.kind(node) {
            Kind::Optional => return Some(("delete optional", node, single(Edit::Delete))),
            Kind::Rule if random.bool() => {
                let inner: Vec<NodeId> =
                    tree.descendants(node).take(2000).filter(|&inner| tree.can_hoist(inner, node)).collect();
                if let Some(&inner) = inner.get(random.usize(0..inner.len().max(1))) {
                    return Some(("hoist", node, single(Edit::Hoist(inner))));
                }
            }
            Kind::List { .. } => {
                let elements: Vec<NodeId> = tree.elements(node).collect();
                let element = elements[random.usize(0..elements.len())];
                let edits = std::iter::once((element, Edit::Delete)).collect();
                return Some(("delete element", element, edits));
            }
            _ => {}
        }
    }
    None
}
