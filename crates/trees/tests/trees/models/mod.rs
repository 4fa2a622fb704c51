//! The tree reducers once more, as the papers print them: slow, with whole texts instead of edits, nothing shared with
//! the reducers but the trees themselves. They must make the same tests in the same order on random texts.
//!
//! Texts are compared as sequences of words and punctuation, because whitespace is not what the algorithms are about.
//! As in a search, nothing is tested twice, and the empty list comes before a list minimizer.

mod gtr;
mod hdd;
mod perses;
#[path = "../../../../lists/tests/lists/plain.rs"]
mod plain;

use std::collections::HashMap;
use std::sync::Arc;

use whittle_languages::Language;
use whittle_lists::DdminOptions;
use whittle_search::{Candidate, Recorder, Setup};
use whittle_trees::{Kind, NodeId, Syntax, Tree, TreeAlgorithm, TreeFile, TreeOptions, Workshop};

/// How many random texts of each kind are reduced.
const TEXTS: u64 = 60;

/// A kind of texts: the language and its random sentences.
#[derive(Clone, Copy)]
struct Texts {
    language: Option<&'static str>,
    make: fn(&mut fastrand::Rng) -> String,
}

/// Texts with nested brackets and no grammar.
const BRACKETS: Texts = Texts { language: None, make: |random| brackets(random, 3) };
/// Nested terms, without separators.
const TERMS: Texts = Texts { language: Some("smtlib"), make: commands };
/// Statements, blocks and calls, with separators.
const STATEMENTS: Texts = Texts { language: Some("javascript"), make: |random| statements(random, 2) };

const ALL: [Texts; 3] = [BRACKETS, TERMS, STATEMENTS];

fn some(
    random: &mut fastrand::Rng,
    counts: std::ops::Range<usize>,
    mut make: impl FnMut(&mut fastrand::Rng) -> String,
) -> Vec<String> {
    let count = random.usize(counts);
    (0..count).map(|_| make(random)).collect()
}

fn name(random: &mut fastrand::Rng) -> String {
    ["a", "b", "c", "d"][random.usize(0..4)].to_owned()
}

fn brackets(random: &mut fastrand::Rng, depth: usize) -> String {
    let group = |random: &mut fastrand::Rng| match random.bool() && depth > 0 {
        true => format!("({})", brackets(random, depth - 1)),
        false => name(random),
    };
    some(random, 1..4, group).join(" ")
}

fn commands(random: &mut fastrand::Rng) -> String {
    let command = |random: &mut fastrand::Rng| match random.u8(0..3) {
        0 => format!("(declare-fun {} () Bool)", name(random)),
        1 => "(check-sat)".to_owned(),
        _ => format!("(assert {})", term(random, 3)),
    };
    some(random, 1..5, command).join(" ")
}

fn term(random: &mut fastrand::Rng, depth: usize) -> String {
    if depth == 0 || random.u8(0..3) == 0 {
        return name(random);
    }
    format!(
        "({} {})",
        ["and", "or", "f"][random.usize(0..3)],
        some(random, 1..4, |random| term(random, depth - 1)).join(" ")
    )
}

fn statements(random: &mut fastrand::Rng, depth: usize) -> String {
    let statement = |random: &mut fastrand::Rng| match random.u8(0..4) {
        0 if depth > 0 => format!("{{ {} }}", statements(random, depth - 1)),
        1 if depth > 0 => format!("if ({}) {{ {} }}", call(random, 1), statements(random, depth - 1)),
        2 => format!("{} = {};", name(random), call(random, 1)),
        _ => format!("{};", call(random, 2)),
    };
    some(random, 1..4, statement).join(" ")
}

fn call(random: &mut fastrand::Rng, depth: usize) -> String {
    if depth == 0 {
        return name(random);
    }
    format!("{}({})", name(random), some(random, 0..3, |random| call(random, depth - 1)).join(", "))
}

impl Texts {
    fn workshop(self) -> Workshop {
        let syntax = |name| {
            let language = Language::by_name(name).expect("a language of the build");
            let grammar = whittle_grammars::Grammar::from_tree_sitter(&language.grammar_json())
                .expect("a grammar that other tests read");
            Syntax::new(language.tree_sitter(), grammar)
        };
        Workshop { syntax: self.language.map(syntax), ..Workshop::default() }
    }
}

/// Words and punctuation, with a space between any two.
fn words(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for letter in text.chars() {
        let is_letter = letter.is_alphanumeric() || letter == '-';
        match words.last_mut() {
            Some(word) if is_open && is_letter => word.push(letter),
            _ if !letter.is_whitespace() => words.push(letter.to_string()),
            _ => {}
        }
        is_open = is_letter;
    }
    words.join(" ")
}

/// A random property of texts that `input` has: some of its words in their order; or that and an even number of words,
/// so that fewer words are not always as good; or any of two such.
fn property(random: &mut fastrand::Rng, input: &str) -> impl Fn(&str) -> bool + Clone + Send + Sync + 'static {
    let input = words(input);
    let all: Vec<String> = input.split(' ').map(str::to_owned).collect();
    let mut wanted = |most: usize| {
        let mut places: Vec<usize> = (0..random.usize(2..most)).map(|_| random.usize(0..all.len())).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|place| all[place].clone()).collect::<Vec<_>>()
    };
    let (first, second) = (wanted(9), wanted(9));
    let (is_picky, parity) = (random.u8(0..3) == 0, all.len() % 2);
    move |text| {
        let text = words(text);
        let has = |wanted: &[String]| {
            let mut left = text.split(' ');
            wanted.iter().all(|word| left.any(|found| found == word))
        };
        (has(&first) || has(&second)) && (!is_picky || text.split(' ').count() % 2 == parity)
    }
}

/// The order of texts: by length without whitespace, then letters before digits before the rest.
fn size(text: &str) -> (usize, Vec<(bool, bool, char)>) {
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let place = |letter: char| (!letter.is_alphanumeric(), letter.is_numeric(), letter);
    let places: Vec<_> = letters.map(place).collect();
    (places.len(), places)
}

/// A property that writes down what it is asked for the first time.
struct Asked {
    is_interesting: Box<dyn Fn(&str) -> bool>,
    /// All texts so far; the first is the input.
    texts: Vec<String>,
    best: String,
}

impl Asked {
    /// Whether a text is interesting. Nothing is tested again, nor if it is not smaller than what is known to be
    /// interesting: a node that is all that another holds has its text, and does not make it smaller.
    fn test(&mut self, text: &str) -> bool {
        let text = words(text);
        if size(&text) >= size(&self.best) || self.texts.contains(&text) {
            return false;
        }
        let verdict = (self.is_interesting)(&text);
        if verdict {
            self.best.clone_from(&text);
        }
        self.texts.push(text);
        verdict
    }

    /// The elements of a list that are kept, where `text` is what some of them leave. The default `ddmin` chooses, after
    /// the empty list if that is allowed.
    fn minimize(&mut self, len: usize, may_be_empty: bool, text: impl Fn(&[usize]) -> String) -> Vec<usize> {
        if may_be_empty && self.test(&text(&[])) {
            return Vec::new();
        }
        plain::ddmin(len, 2, DdminOptions::default(), &mut |kept| self.test(&text(kept)))
    }
}

/// How many tokens there are below a node, itself included.
fn token_count(tree: &Tree, node: NodeId) -> usize {
    std::iter::once(node).chain(tree.descendants(node)).filter(|&node| is_token(tree, node)).count()
}

fn is_token(tree: &Tree, node: NodeId) -> bool {
    matches!(tree.kind(node), Kind::Token { .. })
}

/// The nodes with a token among some.
fn with_tokens(tree: &Tree, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    nodes.into_iter().filter(|&node| token_count(tree, node) > 0).collect()
}

/// What is left of a tree: nodes that are gone, and nodes that stand in the place of others.
#[derive(Clone, Default)]
struct Left {
    gone: Vec<NodeId>,
    instead: HashMap<NodeId, NodeId>,
    /// Whether separators go with elements, and a list that needs an element gets the smallest one, which is
    /// [`SMALLEST_TERM`] in the language where that happens.
    knows_lists: bool,
}

const SMALLEST_TERM: &str = "0";

impl Left {
    /// The same without some nodes.
    fn without(&self, gone: impl IntoIterator<Item = NodeId>) -> Self {
        let mut left = self.clone();
        left.gone.extend(gone);
        left
    }

    /// The same with a node in the place of another.
    fn with(&self, place: NodeId, node: NodeId) -> Self {
        let mut left = self.clone();
        left.instead.insert(place, node);
        left
    }

    fn text(&self, tree: &Tree) -> String {
        let mut words = Vec::new();
        self.collect(tree, tree.root(), &mut words);
        words.join(" ")
    }

    fn collect(&self, tree: &Tree, place: NodeId, words: &mut Vec<String>) {
        if self.gone.contains(&place) {
            return;
        }
        let node = self.instead.get(&place).copied().unwrap_or(place);
        if is_token(tree, node) {
            words.push(String::from_utf8(tree.token_text(node).to_vec()).expect("tokens of text are text"));
        }
        let children: Vec<NodeId> = tree.children(node).collect();
        let Kind::List { separated, at_least_one } = tree.kind(node) else {
            return children.into_iter().for_each(|child| self.collect(tree, child, words));
        };
        if !self.knows_lists {
            return children.into_iter().for_each(|child| self.collect(tree, child, words));
        }
        // One separator stays between any two elements that stay.
        let (mut separator, before) = (None, words.len());
        for (index, child) in children.into_iter().enumerate() {
            if separated && index % 2 == 1 {
                separator = Some(child);
                continue;
            }
            let mut element = Vec::new();
            self.collect(tree, child, &mut element);
            if !element.is_empty() {
                separator.filter(|_| words.len() > before).into_iter().for_each(|node| self.collect(tree, node, words));
                words.append(&mut element);
            }
        }
        // A list that was spliced into another one may become empty.
        if at_least_one && place == node && words.len() == before {
            words.push(SMALLEST_TERM.to_owned());
        }
    }
}

/// Reduces random texts by `algorithm` and by a model, and compares what they test, and how that ends. The model reduces
/// a text once, or until nothing changes if the algorithm does.
fn assert_same(algorithm: &str, texts: Texts, options: &TreeOptions, model: impl Fn(&mut Asked, &Tree) -> String) {
    let algorithm: TreeAlgorithm = algorithm.parse().expect("the name of an algorithm");
    let workshop = texts.workshop();
    let tree_of = |text: &str| match &workshop.syntax {
        Some(syntax) => syntax.tree(text),
        None => Tree::generic(text.as_bytes()),
    };
    let mut tests = 0;
    for seed in 0..TEXTS {
        let mut random = fastrand::Rng::with_seed(seed);
        let input = (texts.make)(&mut random);
        let is_interesting = property(&mut random, &input);
        let recorder = Arc::new(Recorder::new(is_interesting.clone()));
        let candidate = Candidate::single("input", input.clone().into_bytes());
        let mut search = Setup::default().start(recorder.clone(), candidate).expect("the input is interesting");
        algorithm
            .run(&mut search, TreeFile { workshop: &workshop, memory: None, options })
            .expect("there is no limit to stop at");
        let end =
            String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).expect("edits of text are text");

        let texts = vec![words(&input)];
        let mut asked = Asked { is_interesting: Box::new(is_interesting), texts, best: words(&input) };
        let mut text = words(&input);
        loop {
            let before = std::mem::take(&mut text);
            text = words(&model(&mut asked, &tree_of(&before)));
            if !algorithm.repeated || text == before {
                break;
            }
        }
        let mut tested: Vec<String> = Vec::new();
        for text in recorder.asked().iter().map(|text| words(text)) {
            if !tested.contains(&text) {
                tested.push(text);
            }
        }
        tests += tested.len() as u64;
        assert_eq!((tested, words(&end)), (asked.texts, text), "{algorithm}, seed {seed}: {input}");
    }
    assert!(tests > 5 * TEXTS, "the texts are too simple: {tests} tests");
}
