//! T-Rec (Xu et al.) once more, as its paper prints it: algorithms 1 to 4 on a list of words, with lexical rules of its
//! own, nothing shared with the token reducers. They must make the same tests in the same order on random texts.
//!
//! Where the paper leaves a choice, the model takes the documented one: a name has at most two unused candidates, the
//! empty list comes before `ddmin`, and elements of all tokens with a text go before those of one token alone.

#![allow(clippy::unwrap_used, reason = "these are tests, helpers included")]

#[path = "../../lists/tests/lists/plain.rs"]
mod plain;

use std::collections::VecDeque;
use std::sync::Arc;

use whittle_lists::{Algorithm, DdminOptions};
use whittle_parsing::{RunTimeGrammar, from_antlr};
use whittle_search::{Candidate, Recorder, Setup};
use whittle_tokens::{TokenAlgorithm, TokenReducer};
use whittle_trees::{Syntax, Workshop};

const GRAMMAR: &str = "grammar Words; text: (NAME | NUMBER | '(' | ')')*; NAME: [a-q] [a-q0-1]*; \
    NUMBER: '0x' [0-9a-f]+ 'u'? 'l'?; SPACE: ' '+ -> skip;";
/// The characters of names and of numbers in their order; a name begins with a letter.
const LETTERS: &str = "abcdefghijklmnopq";
const LETTERS_AND_DIGITS: &str = "abcdefghijklmnopq01";
const DIGITS: &str = "0123456789abcdef";
/// How many texts are tried for tokens other than names, for fragments, and for names that are not in use.
const ATTEMPTS: usize = 2;
const TEXTS: u64 = 300;

/// A part of a token, in the terms of the paper's lex trees.
#[derive(Clone)]
enum Fragment {
    /// A text, and the characters that it may be.
    Leaf(String, &'static str),
    /// Elements of which at least so many must stay.
    Kleene(usize, Vec<Fragment>),
    Optional(Box<Fragment>),
}

fn spell(fragments: &[Fragment]) -> String {
    let text = |fragment: &Fragment| match fragment {
        Fragment::Leaf(text, _) => text.clone(),
        Fragment::Kleene(_, elements) => spell(elements),
        Fragment::Optional(inner) => spell(std::slice::from_ref(inner)),
    };
    fragments.iter().map(text).collect()
}

/// The texts of the leaves, and the characters that each may be.
fn leaves(fragments: &[Fragment]) -> Vec<(String, &'static str)> {
    let below = |fragment: &Fragment| match fragment {
        Fragment::Leaf(text, set) => vec![(text.clone(), *set)],
        Fragment::Kleene(_, elements) => leaves(elements),
        Fragment::Optional(inner) => leaves(std::slice::from_ref(inner)),
    };
    fragments.iter().flat_map(below).collect()
}

/// The lex tree of a token, without its root.
fn lex_tree(text: &str) -> Vec<Fragment> {
    let letters = |text: &str, set| text.chars().map(|c| Fragment::Leaf(c.to_string(), set)).collect::<Vec<_>>();
    let Some(rest) = text.strip_prefix("0x") else {
        return [letters(&text[..1], LETTERS), vec![Fragment::Kleene(0, letters(&text[1..], LETTERS_AND_DIGITS))]]
            .concat();
    };
    let digits = rest.trim_end_matches(['u', 'l']);
    let suffixes = letters(&rest[digits.len()..], "").into_iter().map(|leaf| Fragment::Optional(Box::new(leaf)));
    let fixed = [Fragment::Leaf("0x".to_owned(), ""), Fragment::Kleene(1, letters(digits, DIGITS))];
    fixed.into_iter().chain(suffixes).collect()
}

/// A program that is being reduced.
struct Program {
    words: Vec<String>,
    is_interesting: Box<dyn Fn(&str) -> bool>,
    tested: Vec<String>,
}

impl Program {
    fn is_name(&self, token: usize) -> bool {
        self.words[token].starts_with(|c: char| c.is_ascii_lowercase())
    }

    /// The tokens with the text of this one.
    fn alike(&self, token: usize) -> Vec<usize> {
        (0..self.words.len()).filter(|&other| self.words[other] == self.words[token]).collect()
    }

    /// Replaces tokens if the property stays. What was tested before has failed: only smaller programs are made.
    fn replace(&mut self, tokens: &[usize], text: &str) -> bool {
        let mut words = self.words.clone();
        tokens.iter().for_each(|&token| text.clone_into(&mut words[token]));
        let program = words.join(" ");
        if self.tested.contains(&program) {
            return false;
        }
        let is_interesting = (self.is_interesting)(&program);
        self.tested.push(program);
        if is_interesting {
            self.words = words;
        }
        is_interesting
    }

    /// The paper's `replaceIfPassTest`.
    fn replace_if_pass_test(&mut self, token: usize, text: &str) -> bool {
        let alike = self.alike(token);
        self.replace(&alike, text) || self.replace(&[token], text)
    }

    /// Algorithm 1, lines 5 to 12.
    fn canonicalize(&mut self, replaces: bool) {
        for token in 0..self.words.len() {
            let is_fixed = ["(", ")"].contains(&&*self.words[token]);
            if !(is_fixed || replaces && self.replace_token(token)) {
                self.shrink(token);
                if replaces {
                    self.canonicalize_fragments(token);
                }
            }
        }
    }

    /// Algorithm 2.
    fn replace_token(&mut self, token: usize) -> bool {
        let texts = if self.is_name(token) { self.names_below(token) } else { self.numbers_below(token) };
        texts.iter().any(|text| self.replace_if_pass_test(token, text))
    }

    fn numbers_below(&self, token: usize) -> Vec<String> {
        let first = DIGITS.chars().map(|digit| format!("0x{digit}")).take(ATTEMPTS);
        first.take_while(|text| self.words[token].len() > text.len() || *text < self.words[token]).collect()
    }

    /// Names in shortlex order.
    fn names_below(&self, token: usize) -> Vec<String> {
        let own = &self.words[token];
        let (mut found, mut unused) = (Vec::new(), 0);
        let mut names: VecDeque<String> = LETTERS.chars().map(String::from).collect();
        while let Some(name) = names.pop_front().filter(|name| name != own) {
            if !self.words.contains(&name) {
                unused += 1;
            }
            if unused > ATTEMPTS {
                break;
            }
            names.extend(LETTERS_AND_DIGITS.chars().map(|letter| format!("{name}{letter}")));
            found.push(name);
        }
        found
    }

    /// Algorithm 3.
    fn shrink(&mut self, token: usize) {
        let mut tree = lex_tree(&self.words[token]);
        // The places of fragments in the tree; those below elements are leaves.
        for place in 0..tree.len() {
            match tree[place].clone() {
                Fragment::Optional(_) => {
                    let mut smaller = tree.clone();
                    smaller[place] = Fragment::Kleene(0, Vec::new());
                    if self.replace_if_pass_test(token, &spell(&smaller)) {
                        tree = smaller;
                    }
                }
                Fragment::Kleene(least, elements) if elements.len() > least => {
                    let with = |kept: &[usize]| {
                        let mut smaller = tree.clone();
                        let kept = kept.iter().map(|&element| elements[element].clone()).collect();
                        smaller[place] = Fragment::Kleene(least, kept);
                        smaller
                    };
                    if least == 0 && self.replace_if_pass_test(token, &spell(&with(&[]))) {
                        tree = with(&[]);
                        continue;
                    }
                    let mut kept = self.minimize(&self.alike(token), elements.len(), |kept| spell(&with(kept)));
                    if kept.len() == elements.len() {
                        kept = self.minimize(&[token], elements.len(), |kept| spell(&with(kept)));
                    }
                    tree = with(&kept);
                }
                Fragment::Kleene(..) | Fragment::Leaf(..) => {}
            }
        }
    }

    fn minimize(&mut self, tokens: &[usize], len: usize, text: impl Fn(&[usize]) -> String) -> Vec<usize> {
        plain::ddmin(len, 2, DdminOptions::default(), &mut |kept| self.replace(tokens, &text(kept)))
    }

    /// Algorithm 4.
    fn canonicalize_fragments(&mut self, token: usize) {
        for leaf in 0..leaves(&lex_tree(&self.words[token])).len() {
            let parts = leaves(&lex_tree(&self.words[token]));
            let set = parts[leaf].1;
            let below = set.chars().map(String::from).take_while(|text| *text != parts[leaf].0).take(ATTEMPTS);
            for text in below.collect::<Vec<_>>() {
                let mut spelled: Vec<String> = parts.iter().map(|part| part.0.clone()).collect();
                spelled[leaf] = text;
                if self.replace_if_pass_test(token, &spelled.concat()) {
                    break;
                }
            }
        }
    }
}

/// Words, some of them more than once.
fn text(random: &mut fastrand::Rng) -> String {
    let letters = |random: &mut fastrand::Rng, set: &str, count: usize| {
        (0..count).map(|_| char::from(set.as_bytes()[random.usize(0..set.len())])).collect::<String>()
    };
    let mut words: Vec<String> = Vec::new();
    for _ in 0..random.usize(2..12) {
        let count = random.usize(0..5);
        words.push(match random.u8(0..6) {
            0 if !words.is_empty() => words[random.usize(0..words.len())].clone(),
            1 => "(".to_owned(),
            2 => ")".to_owned(),
            3 => letters(random, LETTERS, 1) + &letters(random, LETTERS_AND_DIGITS, count),
            4 => letters(random, "abc", 1) + &letters(random, "ab01", count / 2),
            _ => {
                let suffix = ["", "u", "l", "ul"][random.usize(0..4)];
                format!("0x{}{suffix}", letters(random, DIGITS, 1 + count / 2))
            }
        });
    }
    words.join(" ")
}

/// A random property that the input has: each of some words keeps some of its characters in their places of order, and
/// some words that were equal stay equal.
fn property(random: &mut fastrand::Rng, input: &str) -> impl Fn(&str) -> bool + Clone + Send + Sync + 'static {
    let words: Vec<String> = input.split(' ').map(str::to_owned).collect();
    let wanted: Vec<String> = words
        .iter()
        .map(|word| if random.bool() { String::new() } else { word.chars().filter(|_| random.u8(0..3) == 0).collect() })
        .collect();
    let links = random.bool();
    move |text| {
        let now: Vec<&str> = text.split(' ').collect();
        let keeps = |(word, wanted): (&&str, &String)| {
            let mut left = word.chars();
            wanted.chars().all(|wanted| left.any(|c| c == wanted))
        };
        let is_linked = |a: usize, b: usize| (words[a] == words[b]) == (now[a] == now[b]);
        now.iter().zip(&wanted).all(keeps) && (!links || (0..now.len()).all(|a| (0..a).all(|b| is_linked(a, b))))
    }
}

fn assert_same(reducer: TokenReducer, replaces: bool) {
    let description = from_antlr("Words.g4", GRAMMAR, &|_| None).unwrap();
    let syntax = Syntax::from_run_time(RunTimeGrammar::new(&description, None).unwrap(), None).unwrap();
    let workshop = Workshop { syntax: Some(syntax), ..Workshop::default() };
    let mut tests = 0;
    for seed in 0..TEXTS {
        let mut random = fastrand::Rng::with_seed(seed);
        let input = text(&mut random);
        let is_interesting = property(&mut random, &input);
        let recorder = Arc::new(Recorder::new(is_interesting.clone()));
        let candidate = Candidate::single("input", input.clone().into_bytes());
        let mut search = Setup::default().start(recorder.clone(), candidate).unwrap();
        TokenAlgorithm::new(reducer, Algorithm::default()).run(&mut search, &workshop).unwrap();
        let end = String::from_utf8(search.best().candidate.files()[0].bytes().to_vec()).unwrap();

        let words = input.split(' ').map(str::to_owned).collect();
        let mut program = Program { words, is_interesting: Box::new(is_interesting), tested: vec![input.clone()] };
        program.canonicalize(replaces);
        tests += recorder.asked().len() as u64;
        assert_eq!(
            (recorder.asked(), end),
            (program.tested, program.words.join(" ")),
            "{reducer}, seed {seed}: {input}"
        );
    }
    assert!(tests > 5 * TEXTS, "the texts are too simple: {tests} tests");
}

#[test]
fn trec_makes_the_tests_of_its_paper() {
    assert_same(TokenReducer::Trec, true);
}

#[test]
fn trec_shrink_makes_the_tests_of_algorithm_3() {
    assert_same(TokenReducer::TrecShrink, false);
}
