//! The evaluation of Herfert, Patra and Pradel (section 5), on programs that crash a checker with a seeded bug: sizes
//! (figure 3) and tests (figure 4) of ddmin by lines, `hdd`, `hdd*`, `gtr` and `gtr*`; what the filters do to both, with
//! the program on which the result is the largest compared with no filter; and what the templates bring that are off by
//! default.
//!
//! The programs and what crashes the checker are in `gtr/python.toml` and `gtr/javascript.toml`. The checker runs in
//! process, so that only tests count: `cargo bench -p whittle --bench gtr [-- LANGUAGE] [SEEDS]`. With a number of seeds,
//! it measures the filters on so many variants of each program instead.

#![allow(clippy::print_stdout, reason = "the figures are what this program is for")]
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on says where")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use whittle::languages::Language;
use whittle::lists::{Algorithm, DdminOptions, Unit};
use whittle::models;
use whittle::search::{Cancel, Candidate, Property, Setup, TestError, Tested, Verdict};
use whittle::strategy::{Step, Strategy, Turns};
use whittle::syntaxes::{LanguageChoice, Syntaxes, syntax};
use whittle::trees::SyntaxCheck;
use whittle::trees::gtr::{Filter, GtrOptions, Labeled, Labeler, Model, Templates};
use whittle::trees::{NodeId, Syntax, Tree};

#[path = "gtr/variants.rs"]
mod variants;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Clone, Deserialize)]
struct Case {
    name: String,
    input: String,
    /// Names that must be bound where they are used.
    names: Vec<String>,
    /// Labels within each other, outermost first, and a text that must stand in the innermost.
    nested: Vec<String>,
    /// Whether texts with syntax errors crash the checker, too.
    #[serde(default)]
    accepts_errors: bool,
}

/// The checker with the seeded bug.
struct Checker {
    case: Case,
    syntax: Syntax,
}

impl Property for Checker {
    fn test(&self, candidate: &Candidate, _: &Cancel) -> Result<Tested, TestError> {
        let crashes = self.crashes(candidate.files()[0].bytes());
        let verdict = if crashes { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Tested { verdict, elapsed: Duration::ZERO })
    }
}

impl Checker {
    fn crashes(&self, text: &[u8]) -> bool {
        if !self.case.accepts_errors && self.syntax.errors(text).is_none_or(|errors| errors.count() > 0) {
            return false;
        }
        let tree = self.syntax.tree(text);
        let labels = Labeler::default().label(&tree);
        let binds = |name: &String| is_bound(&tree, &labels, name.as_bytes());
        self.case.nested.iter().all(|nested| has_nested(&tree, &labels, nested)) && self.case.names.iter().all(binds)
    }
}

/// Whether a name is not used, or also stands where names are bound: at an edge of that kind.
fn is_bound(tree: &Tree, labels: &Labeled, name: &[u8]) -> bool {
    let uses: Vec<NodeId> = tree.nodes().filter(|&node| tree.token_text(node) == name).collect();
    let binds = |&node: &NodeId| {
        let above = std::iter::successors(Some(node), |&node| tree.parent(node)).take(6);
        above.filter_map(|node| labels.edge(node)).any(|edge| matches!(&**edge, "left" | "name" | "alias"))
    };
    uses.is_empty() || uses.iter().any(binds)
}

/// Whether nodes of these labels stand within each other.
fn has_nested(tree: &Tree, labels: &Labeled, nested: &str) -> bool {
    let (path, text) = nested.split_once(": ").map_or((nested, ""), |(path, text)| (path, text));
    let path: Vec<&str> = path.split(" > ").collect();
    let is_last = |node: NodeId| {
        let mut below = std::iter::once(node).chain(tree.descendants(node));
        text.is_empty() || below.any(|inner| tree.token_text(inner) == text.as_bytes())
    };
    let is_end = |node: NodeId| {
        let above = std::iter::successors(Some(node), |&node| tree.parent(node));
        let mut wanted = path.iter().rev().peekable();
        for name in above.filter_map(|node| labels.label(node)) {
            wanted.next_if(|wanted| **wanted == &**name);
        }
        wanted.peek().is_none()
    };
    let ends = |node: &NodeId| labels.label(*node).is_some_and(|name| Some(&&**name) == path.last());
    tree.nodes().filter(ends).any(|node| is_end(node) && is_last(node))
}

/// The templates that the paper evaluates.
const USUAL: &str = "delete,substitute-by-child";

/// A way to reduce.
struct Way {
    name: String,
    strategy: Strategy,
    filter: Filter,
    templates: Templates,
}

impl Way {
    fn lines() -> Self {
        let steps = vec![Step::Text(Unit::Line, Algorithm::default())];
        let strategy = Strategy::new(steps, Turns::Once);
        Self { name: "ddmin by lines".into(), strategy, filter: Filter::None, templates: Templates::default() }
    }

    fn tree(reducer: &str, filter: Filter, templates: &str) -> Self {
        let lists = Algorithm::Ddmin(DdminOptions::default());
        let strategy = Strategy::of_tree(format!("{reducer}+{lists}").parse().unwrap());
        let name = if reducer.starts_with("gtr") { format!("{reducer} {filter}") } else { reducer.to_owned() };
        Self { name, strategy, filter, templates: templates.parse().unwrap() }
    }

    /// `gtr` and `gtr*`, each with all filters; the first is the one without.
    fn of_filters() -> Vec<Self> {
        let with = |reducer| Filter::ALL.map(|filter| Self::tree(reducer, filter, USUAL));
        ["gtr", "gtr*"].into_iter().flat_map(with).collect()
    }

    fn all() -> Vec<Self> {
        const GRANDCHILD: &str = "delete,substitute-by-child,substitute-by-grandchild";
        const SWAP: &str = "delete,substitute-by-child,swap-siblings";
        let mut ways = vec![Self::lines()];
        ways.extend(["hdd", "hdd*"].map(|reducer| Self::tree(reducer, Filter::None, USUAL)));
        ways.extend(Self::of_filters());
        for (templates, note) in [(GRANDCHILD, "grandchild"), (SWAP, "swap")] {
            for filter in [Filter::None, Filter::Both] {
                let mut way = Self::tree("gtr*", filter, templates);
                way.name = format!("{}, {note}", way.name);
                ways.push(way);
            }
        }
        ways
    }
}

/// How one reduction ended.
#[derive(Clone, Copy)]
struct End {
    bytes: usize,
    share: f64,
    tests: u64,
}

fn reduce(language: &'static Language, model: Option<&Arc<Model>>, case: &Case, way: &Way) -> End {
    let input = Candidate::single("input", case.input.trim_start().as_bytes().to_vec());
    let syntaxes = Syntaxes::choose(&LanguageChoice::Is(language), &input).unwrap();
    let checker = Checker { case: case.clone(), syntax: syntax(language).unwrap() };
    let models = model.cloned().into_iter().collect();
    let mut strategy = way.strategy.clone();
    strategy.trees.gtr = GtrOptions::new(way.templates, way.filter, models);
    let setup = Setup { measure: syntaxes.measure(), order: strategy.order, ..Setup::default() };
    let before = input.byte_count() as f64;
    let mut search = setup.start(Arc::new(checker), input).unwrap();
    strategy.run(&mut search, &syntaxes.workshops(SyntaxCheck::Off)).unwrap();
    let text = search.best().candidate.files()[0].bytes();
    if std::env::var_os("SHOW").is_some() {
        println!("--- {} by {}\n{}\n", case.name, way.name, String::from_utf8_lossy(text).trim());
    }
    End { bytes: text.len(), share: text.len() as f64 / before, tests: search.tally().tests }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { f64::midpoint(values[middle - 1], values[middle]) } else { values[middle] }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let seeds = asked.iter().find_map(|asked| asked.parse().ok());
    let names: Vec<&str> = asked.iter().map(String::as_str).filter(|asked| asked.parse::<u64>().is_err()).collect();
    for name in ["python", "javascript"].into_iter().filter(|name| names.is_empty() || names.contains(name)) {
        match seeds {
            Some(seeds) => variants::measure(name, seeds),
            None => measure(name),
        }
    }
}

/// The programs of a language.
fn cases_of(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/gtr").join(name).with_extension("toml");
    let Cases { case } = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    case
}

fn measure(name: &str) {
    let cases = cases_of(name);
    let language = Language::by_name(name).unwrap();
    let model = models::shipped(syntax(language).unwrap().name()).map(Arc::new);
    let crashes = |case: &Case| {
        let checker = Checker { case: case.clone(), syntax: syntax(language).unwrap() };
        checker.crashes(case.input.trim_start().as_bytes())
    };
    let sound: Vec<&str> = cases.iter().filter(|case| !crashes(case)).map(|case| case.name.as_str()).collect();
    assert!(sound.is_empty(), "these do not crash the checker: {}", sound.join(", "));
    println!("\n{language}: {} programs", cases.len());
    println!(
        "{:<24} {:>12} {:>11} {:>12} {:>11} {:>22}",
        "", "median gone", "mean bytes", "median tests", "mean tests", "largest against none"
    );
    let mut unfiltered: Vec<End> = Vec::new();
    for way in Way::all() {
        let ends: Vec<End> = cases.iter().map(|case| reduce(language, model.as_ref(), case, &way)).collect();
        if way.filter == Filter::None {
            unfiltered.clone_from(&ends);
        }
        // The ways of a reducer begin with the one without a filter.
        let worst = ends.iter().zip(&unfiltered).map(|(end, base)| end.bytes as f64 / base.bytes as f64);
        let worst = 100.0 * worst.fold(0.0, f64::max) - 100.0;
        let mean = |of: fn(&End) -> f64| ends.iter().map(of).sum::<f64>() / ends.len() as f64;
        let gone = 100.0 * (1.0 - median(ends.iter().map(|end| end.share)));
        let (bytes, tests) = (mean(|end| end.bytes as f64), mean(|end| end.tests as f64));
        let middle = median(ends.iter().map(|end| end.tests as f64));
        println!("{:<24} {gone:>11.0}% {bytes:>11.1} {middle:>12.1} {tests:>11.1} {worst:>+21.0}%", way.name);
    }
}
